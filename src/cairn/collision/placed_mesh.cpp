// SPDX-License-Identifier: Apache-2.0
// Placed surfaces: see the header.
#include "cairn/collision/placed_mesh.h"

#include <Eigen/LU>
#include <algorithm>

#include "cairn/geometry/closest_point.h"

namespace cairn {

PlacedMesh place_mesh(const MeshData& mesh, const Placement& p, const Vec3& origin) {
  PlacedMesh m{&mesh, p.A, p.c - origin, p.A, p.A, is_rotation(p.A, 1e-13), 1, 1};
  if (m.rigid) {
    m.inverse.transposeInPlace();
  } else {
    m.cofactors << p.A.col(1).cross(p.A.col(2)), p.A.col(2).cross(p.A.col(0)), p.A.col(0).cross(p.A.col(1));
    m.inverse = p.A.inverse();
    m.stretch = p.A.norm();
    m.back = m.inverse.norm();
  }
  return m;
}

const MeshData& unit_cube() {
  static const MeshData cube = make_mesh(make_surface_mesh(Box{Vec3::Ones()}), "unit cube");
  return cube;
}

PlacedTriangle place_triangle(const PlacedMesh& m, int t) {
  const auto& corners = m.mesh->triangles[static_cast<std::size_t>(t)];
  PlacedTriangle r{{m.vertex(corners[0]), m.vertex(corners[1]), m.vertex(corners[2])}, m.normal(t), {}, t};
  for (int k = 0; k < 3; ++k) r.inward[k] = r.normal.cross(r.x[(k + 1) % 3] - r.x[k]).normalized();
  return r;
}

PlacedEdge place_edge(const PlacedMesh& m, int e) {
  const MeshData::Edge& edge = m.mesh->edges[static_cast<std::size_t>(e)];
  PlacedEdge r;
  r.from = m.vertex(edge.v0);
  r.along = m.vertex(edge.v1) - r.from;
  r.middle = r.from + 0.5 * r.along;
  r.length = r.along.norm();
  r.id = e;
  const Vec3 u = r.along / r.length;
  r.normal0 = m.normal(edge.f0);
  r.into0 = r.normal0.cross(u);  // f0 lies on the left
  r.normal1 = edge.f1 < 0 ? r.normal0 : m.normal(edge.f1);
  r.into1 = edge.f1 < 0 ? r.into0 : Vec3(u.cross(r.normal1));
  r.outward = r.normal0 + r.normal1;
  return r;
}

PlacedLeaf place_leaf(const PlacedMesh& m, int l) {
  const WideTree::Leaf& leaf = m.mesh->wide.leaves[static_cast<std::size_t>(l)];
  PlacedLeaf r;
  r.count = leaf.count;
  r.ids = m.mesh->tree.items.data() + leaf.first;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      r.corners[k][i] =
          leaf.corners[k][0] * m.A(i, 0) + leaf.corners[k][1] * m.A(i, 1) + leaf.corners[k][2] * m.A(i, 2) + m.c[i];
    r.low[i] = least(r.corners[0][i], least(r.corners[1][i], r.corners[2][i]));
    r.high[i] = largest(r.corners[0][i], largest(r.corners[1][i], r.corners[2][i]));
    r.normal[i] =
        leaf.normal[0] * m.cofactors(i, 0) + leaf.normal[1] * m.cofactors(i, 1) + leaf.normal[2] * m.cofactors(i, 2);
  }
  if (!m.rigid) {
    const Four length = square_root(r.normal[0] * r.normal[0] + r.normal[1] * r.normal[1] + r.normal[2] * r.normal[2]);
    for (Four& n : r.normal) n /= length;
  }
  r.offset = r.normal[0] * r.corners[0][0] + r.normal[1] * r.corners[0][1] + r.normal[2] * r.corners[0][2];
  return r;
}

double depth_inside(const PlacedMesh& m, const Vec3& x, double within) {
  // A little room for rounding: a bound missed by it would find nothing.
  const Vec3 local = m.inverse * (x - m.c);
  const double bound = within * m.back * (1 + 1e-9) + 1e-14 * (m.mesh->radius + local.norm());
  return -m.stretch * find_closest_point(*m.mesh, local, bound).distance;
}

bool enters_below(const PlacedMesh& m, const PlacedEdge& edge, const Vec3& y, const Vec3& x, const Vec3& d, double low,
                  double high) {
  for (const Vec3* n : {&edge.normal0, &edge.normal1}) {
    const double height = n->dot(x - y), rise = n->dot(d);
    if (rise > 0) high = std::min(high, -height / rise);
    if (rise < 0) low = std::max(low, -height / rise);
    if (rise == 0 && height > 0) return false;
  }
  if (!(low < high)) return false;
  // x itself where it is below both: far along the segment the body may have ended.
  const Vec3 z = low < 0 && high > 0 ? x : Vec3(x + 0.5 * (low + high) * d);
  return depth_inside(m, z, (z - y).norm()) > 0;
}

bool is_extreme(const PlacedMesh& m, int v, const Vec3& n, double sine) {
  const MeshData& mesh = *m.mesh;
  const Vec3 u = m.A.transpose() * n;  // edges need not be turned
  const Vec3& x = mesh.vertices[static_cast<std::size_t>(v)];
  for (int k = mesh.vertex_start[static_cast<std::size_t>(v)]; k < mesh.vertex_start[static_cast<std::size_t>(v) + 1];
       ++k) {
    const MeshData::Edge& e = mesh.edges[static_cast<std::size_t>(mesh.vertex_edges[static_cast<std::size_t>(k)])];
    const Vec3 along = mesh.vertices[static_cast<std::size_t>(e.v0 == v ? e.v1 : e.v0)] - x;
    if (u.dot(along) > sine * (m.rigid ? along.norm() : (m.A * along).norm())) return false;
  }
  return true;
}

void MetFeatures::reset(const PlacedMesh& m) {
  m_ = &m;
  triangle_use_.reset(m.mesh->triangles.size());
  edge_use_.reset(m.mesh->edges.size());
  leaf_use_.reset(m.mesh->wide.leaves.size());
  leaves_.clear();
  triangles_.clear();
  edges_.clear();
}

const PlacedTriangle& MetFeatures::triangle(int t) {
  const auto [k, met] = triangle_use_.find(t);
  if (!met) triangles_.push_back(place_triangle(*m_, t));
  return triangles_[static_cast<std::size_t>(k)];
}

int MetFeatures::place(int e) {
  const auto [k, met] = edge_use_.find(e);
  if (!met) edges_.push_back(place_edge(*m_, e));
  return k;
}

const PlacedLeaf& MetFeatures::leaf(int l) {
  const auto [k, met] = leaf_use_.find(l);
  if (!met) leaves_.push_back(place_leaf(*m_, l));
  return leaves_[static_cast<std::size_t>(k)];
}

}  // namespace cairn
