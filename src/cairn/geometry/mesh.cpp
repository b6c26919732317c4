// SPDX-License-Identifier: Apache-2.0
// Adjacency, folds and pseudo-normals of a surface (Baerentzen & Aanaes 2005, "Signed distance computation using the
// angle weighted pseudonormal").
#include "cairn/geometry/mesh.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cairn/base/error.h"
#include "cairn/geometry/mesh_check.h"

namespace cairn {
namespace {

// Folds below this are flat: the angle at which a file of decimal numbers cannot be told from a plane.
constexpr double kFlatFold = 1e-9;

struct HalfEdge {
  int low, high, triangle, corner;
  auto key() const { return std::tuple(low, high, triangle); }
};

void build_edges(MeshData& m) {
  std::vector<HalfEdge> halves;
  halves.reserve(3 * m.triangles.size());
  for (std::size_t t = 0; t < m.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(m.triangles[t][k], m.triangles[t][(k + 1) % 3]);
      halves.push_back({low, high, static_cast<int>(t), k});
    }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) { return a.key() < b.key(); });

  m.triangle_edges.resize(m.triangles.size());
  m.closed = true;
  for (std::size_t h = 0; h < halves.size();) {
    const HalfEdge& first = halves[h];
    const bool shared = h + 1 < halves.size() && halves[h + 1].low == first.low && halves[h + 1].high == first.high;
    const int e = static_cast<int>(m.edges.size());
    const int v0 = m.triangles[first.triangle][first.corner], v1 = v0 == first.low ? first.high : first.low;
    m.triangle_edges[first.triangle][first.corner] = e;
    MeshData::Edge edge{v0, v1, first.triangle, -1, 0};
    if (shared) {
      const HalfEdge& second = halves[h + 1];
      m.triangle_edges[second.triangle][second.corner] = e;
      edge.f1 = second.triangle;
      // On a convex fold the left normal turns into the right one about the edge, in its direction.
      const Vec3 along = (m.vertices[v1] - m.vertices[v0]).normalized();
      const double fold = m.normals[edge.f0].cross(m.normals[edge.f1]).dot(along);
      const bool folded_over =
          m.normals[edge.f0].dot(m.normals[edge.f1]) < 0;  // near 180 degrees the sine is small too
      edge.convexity = std::abs(fold) < kFlatFold && !folded_over ? 0 : fold;
    } else {
      m.closed = false;
    }
    m.edges.push_back(edge);
    h += shared ? 2 : 1;
  }
}

void build_vertex_edges(MeshData& m) {
  m.vertex_start.assign(m.vertices.size() + 1, 0);
  for (const MeshData::Edge& e : m.edges) ++m.vertex_start[e.v0 + 1], ++m.vertex_start[e.v1 + 1];
  for (std::size_t v = 0; v < m.vertices.size(); ++v) m.vertex_start[v + 1] += m.vertex_start[v];
  m.vertex_edges.resize(2 * m.edges.size());
  std::vector<int> next(m.vertex_start.begin(), m.vertex_start.end() - 1);
  for (std::size_t e = 0; e < m.edges.size(); ++e)
    for (const int v : {m.edges[e].v0, m.edges[e].v1}) m.vertex_edges[next[v]++] = static_cast<int>(e);
}

void build_vertex_normals(MeshData& m) {
  m.vertex_normals.assign(m.vertices.size(), Vec3::Zero());
  for (std::size_t t = 0; t < m.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3& p = m.vertices[m.triangles[t][k]];
      const Vec3 a = m.vertices[m.triangles[t][(k + 1) % 3]] - p, b = m.vertices[m.triangles[t][(k + 2) % 3]] - p;
      m.vertex_normals[m.triangles[t][k]] += std::atan2(a.cross(b).norm(), a.dot(b)) * m.normals[t];
    }
}

}  // namespace

void update_answers(MeshData& m) {
  m.answers.assign(m.triangles.size(), 0);
  const auto answer = [&](int t, int feature) {
    m.answers[t] = static_cast<std::uint8_t>(m.answers[t] | 1 << feature);
  };
  for (std::size_t e = 0; e < m.edges.size(); ++e) {
    const MeshData::Edge& edge = m.edges[e];
    if (!can_touch(edge)) continue;
    for (int k = 0; k < 3; ++k)
      if (m.triangle_edges[edge.f0][k] == static_cast<int>(e)) answer(edge.f0, 3 + k);
  }
  for (std::size_t v = 0; v < m.vertices.size(); ++v) {
    const auto begin = m.vertex_edges.begin() + m.vertex_start[v], end = m.vertex_edges.begin() + m.vertex_start[v + 1];
    if (std::none_of(begin, end, [&](int e) { return can_touch(m.edges[e]); })) continue;
    const int t = m.edges[*begin].f0;
    for (int k = 0; k < 3; ++k)
      if (m.triangles[t][k] == static_cast<int>(v)) answer(t, k);
  }
}

void update_tree(MeshData& m) {
  std::vector<Aabb> boxes(m.triangles.size());
  for (std::size_t t = 0; t < m.triangles.size(); ++t)
    for (const int v : m.triangles[t]) boxes[t].merge(m.vertices[v]);
  m.tree = make_box_tree(boxes);
  m.wide = make_wide_tree(m.tree, m.vertices, m.triangles);
}

MeshData make_mesh(const SurfaceMesh& surface, std::string_view owner) {
  const MeshReport report = check_mesh(surface);
  if (!report.is_usable()) throw Error("{}: {}", owner, describe(report));
  MeshData m;
  m.vertices = surface.vertices;
  m.triangles = surface.triangles;
  for (const auto& [i, j, k] : m.triangles)
    m.normals.push_back((m.vertices[j] - m.vertices[i]).cross(m.vertices[k] - m.vertices[i]).normalized());
  build_edges(m);
  build_vertex_edges(m);
  build_vertex_normals(m);
  update_answers(m);
  update_tree(m);
  for (const auto& t : m.triangles)  // not all vertices need belong to a face
    for (const int v : t) m.radius = std::max(m.radius, m.vertices[v].norm());
  return m;
}

}  // namespace cairn
