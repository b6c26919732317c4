// SPDX-License-Identifier: Apache-2.0
// Finding the faults of a surface: sorted edges, sorted faces, sorted places, and the box tree against itself.
#include "cairn/geometry/mesh_check.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cairn/base/error.h"
#include "cairn/geometry/box_tree.h"
#include "cairn/geometry/solid_integral.h"

namespace cairn {
namespace {

// A triangle is degenerate when its height is below this part of its longest edge: its normal has no right digits left.
constexpr double kNoHeight = 1e-12;

void note(MeshFault& fault, int face, int v0 = -1, int v1 = -1) {
  // Sorted searches do not find the first face first.
  if (fault.count == 0 || std::tuple(face, v0, v1) < std::tuple(fault.face, fault.v0, fault.v1)) {
    fault.face = face;
    fault.v0 = v0;
    fault.v1 = v1;
  }
  ++fault.count;
}

bool is_degenerate(const SurfaceMesh& mesh, const std::array<int, 3>& t) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return true;
  const Vec3 &p = mesh.vertices[t[0]], &q = mesh.vertices[t[1]], &r = mesh.vertices[t[2]];
  const double longest = std::max({(q - p).squaredNorm(), (r - q).squaredNorm(), (p - r).squaredNorm()});
  const double area = (q - p).cross(r - p).norm();
  return !(area > kNoHeight * longest) || !(area > 0) || !std::isfinite(area);
}

void check_edges(const SurfaceMesh& mesh, MeshReport& report) {
  struct HalfEdge {
    int low, high, face;
    bool forward;
  };
  std::vector<HalfEdge> halves;
  halves.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int i = mesh.triangles[t][k], j = mesh.triangles[t][(k + 1) % 3];
      if (i != j) halves.push_back({std::min(i, j), std::max(i, j), static_cast<int>(t), i < j});
    }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tuple(a.low, a.high, a.face) < std::tuple(b.low, b.high, b.face);
  });
  for (std::size_t h = 0; h < halves.size();) {
    std::size_t end = h;
    while (end < halves.size() && halves[end].low == halves[h].low && halves[end].high == halves[h].high) ++end;
    const HalfEdge& e = halves[h];
    if (end - h == 1) note(report.open_edges, e.face, e.low, e.high);
    if (end - h == 2 && e.forward == halves[h + 1].forward) note(report.flipped, e.face, e.low, e.high);
    if (end - h > 2) note(report.non_manifold, e.face, e.low, e.high);
    h = end;
  }
}

void check_duplicates(const SurfaceMesh& mesh, MeshReport& report) {
  struct Face {
    std::array<int, 3> corners;
    int face;
  };
  std::vector<Face> faces;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    faces.push_back({mesh.triangles[t], static_cast<int>(t)});
    std::sort(faces.back().corners.begin(), faces.back().corners.end());
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return std::tie(a.corners, a.face) < std::tie(b.corners, b.face); });
  for (std::size_t k = 1; k < faces.size(); ++k)
    if (faces[k].corners == faces[k - 1].corners) note(report.duplicate_faces, faces[k].face);

  std::vector<int> order(mesh.vertices.size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = static_cast<int>(v);
  const auto place = [&](int v) {
    const Vec3& x = mesh.vertices[v];
    return std::tuple(x.x(), x.y(), x.z());
  };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::tuple(place(a), a) < std::tuple(place(b), b); });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (place(order[k]) == place(order[k - 1])) note(report.duplicate_vertices, -1, order[k - 1], order[k]);

  std::vector<bool> used(mesh.vertices.size(), false);
  for (const auto& t : mesh.triangles)
    for (const int v : t) used[v] = true;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v]) note(report.unreferenced, -1, static_cast<int>(v));
}

double orient(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return (a - d).dot((b - d).cross(c - d)); }

// Proper crossing: the ends on different sides, the line through the interior. Ends in the plane of the triangle, to
// rounding, are on no side: flat fans would seem to cross themselves.
bool segment_crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double from = orient(a, b, c, p), to = orient(a, b, c, q);
  const double size = std::max({(a - p).norm(), (b - p).norm(), (c - p).norm(), (q - p).norm()});
  if (!(from * to < 0) || !(std::min(std::abs(from), std::abs(to)) > 1e-14 * size * size * size)) return false;
  const double u = orient(p, q, a, b), v = orient(p, q, b, c), w = orient(p, q, c, a);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

// Two faces with a common edge that lie on each other: their planes are one to 1e-7 and they look to opposite sides.
bool is_folded(const SurfaceMesh& mesh, const std::array<int, 3>& s, const std::array<int, 3>& t) {
  int shared = 0;
  for (const int v : s) shared += static_cast<int>(std::count(t.begin(), t.end(), v));
  if (shared != 2) return false;
  const auto normal = [&](const std::array<int, 3>& f) {
    const Vec3& a = mesh.vertices[f[0]];
    return Vec3((mesh.vertices[f[1]] - a).cross(mesh.vertices[f[2]] - a));
  };
  const Vec3 m = normal(s), n = normal(t);
  return m.dot(n) < 0 && m.cross(n).norm() < 1e-7 * m.norm() * n.norm();
}

bool triangles_cross(const SurfaceMesh& mesh, const std::array<int, 3>& s, const std::array<int, 3>& t) {
  const auto at = [&](int v) -> const Vec3& { return mesh.vertices[v]; };
  const auto edges_cross = [&](const std::array<int, 3>& one, const std::array<int, 3>& other) {
    for (int k = 0; k < 3; ++k) {
      const int i = one[k], j = one[(k + 1) % 3];
      const bool shared = std::count(other.begin(), other.end(), i) + std::count(other.begin(), other.end(), j) > 0;
      if (!shared && segment_crosses(at(i), at(j), at(other[0]), at(other[1]), at(other[2]))) return true;
    }
    return false;
  };
  return is_folded(mesh, s, t) || edges_cross(s, t) || edges_cross(t, s);
}

void check_intersections(const SurfaceMesh& mesh, MeshReport& report) {
  std::vector<Aabb> boxes(mesh.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (const int v : mesh.triangles[t]) boxes[t].merge(mesh.vertices[v]);
  const BoxTree tree = make_box_tree(boxes);
  for (int t = 0; t < static_cast<int>(boxes.size()); ++t)
    for_each_overlap(tree, boxes[t], [&](int s) {
      if (s > t && boxes[s].overlaps(boxes[t]) && triangles_cross(mesh, mesh.triangles[t], mesh.triangles[s]))
        note(report.self_intersections, t, s);
    });
  report.intersections_checked = true;
}

}  // namespace

MeshReport check_mesh(const SurfaceMesh& mesh, bool self_intersections) {
  MeshReport report;
  const int n = static_cast<int>(mesh.vertices.size());
  report.vertices = n;
  report.triangles = static_cast<int>(mesh.triangles.size());
  for (int v = 0; v < n; ++v)
    if (!mesh.vertices[v].allFinite()) note(report.not_finite, -1, v);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int v : mesh.triangles[t])
      if (v < 0 || v >= n) note(report.wrong_index, static_cast<int>(t), v);
  // Nothing else can be said of numbers that are none.
  if (report.not_finite.count > 0 || report.wrong_index.count > 0) return report;

  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (is_degenerate(mesh, mesh.triangles[t])) note(report.degenerate, static_cast<int>(t));
  check_edges(mesh, report);
  check_duplicates(mesh, report);
  if (self_intersections) check_intersections(mesh, report);
  if (report.is_closed() && report.is_oriented()) {
    SolidIntegral integral(mesh.vertices[0]);
    for (const auto& [i, j, k] : mesh.triangles)
      integral.add_triangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    report.volume = integral.volume();
  }
  return report;
}

std::string describe(const MeshReport& r) {
  if (r.triangles == 0) return "has no faces";
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  const auto edges = [&](const MeshFault& f, std::string_view one, std::string_view many) {
    if (f.count > 0)
      add(fmt::format("{} {}, first at face {} (edge {}-{})", f.count, f.count == 1 ? one : many, f.face, f.v0, f.v1));
  };
  const auto faces = [&](const MeshFault& f, std::string_view one, std::string_view many) {
    if (f.count > 0) add(fmt::format("{} {}, first is face {}", f.count, f.count == 1 ? one : many, f.face));
  };
  if (r.not_finite.count > 0)
    add(fmt::format("{} vertices with a NaN or an infinity, first is vertex {}", r.not_finite.count, r.not_finite.v0));
  if (r.wrong_index.count > 0)
    add(fmt::format("{} corners without a vertex, first is vertex {} of face {} (there are {} vertices)",
                    r.wrong_index.count, r.wrong_index.v0, r.wrong_index.face, r.vertices));
  edges(r.open_edges, "open edge", "open edges");
  edges(r.non_manifold, "edge with more than two faces", "edges with more than two faces");
  edges(r.flipped, "edge whose faces are oriented against each other",
        "edges whose faces are oriented against each other");
  faces(r.degenerate, "face without area", "faces without area");
  faces(r.duplicate_faces, "face that is there twice", "faces that are there twice");
  if (r.self_intersections.count > 0)
    add(fmt::format("{} pairs of faces that cross or lie on each other, first are {} and {}",
                    r.self_intersections.count, r.self_intersections.face, r.self_intersections.v0));
  if (r.duplicate_vertices.count > 0)
    add(fmt::format("{} vertices at the place of another, first are {} and {}", r.duplicate_vertices.count,
                    r.duplicate_vertices.v0, r.duplicate_vertices.v1));
  if (r.unreferenced.count > 0)
    add(fmt::format("{} vertices of no face, first is vertex {}", r.unreferenced.count, r.unreferenced.v0));
  if (r.is_inside_out()) add(fmt::format("inside out (volume {:.6g} m^3)", r.volume));
  if (r.is_closed() && r.is_oriented() && r.volume == 0) add("encloses no volume");
  return text.empty() ? "closed, oriented, no faults" : text;
}

}  // namespace cairn
