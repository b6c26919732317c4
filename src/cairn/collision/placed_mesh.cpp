// SPDX-License-Identifier: Apache-2.0
// Placed surfaces: see the header.
#include "cairn/collision/placed_mesh.h"

#include <Eigen/LU>
#include <algorithm>

#include "cairn/geometry/closest_point.h"

namespace cairn {

PlacedMesh place_mesh(const MeshData& mesh, const Placement& p, const Vec3& origin) {
  PlacedMesh m{&mesh, p.A, p.c - origin, p.A, p.A, is_rotation(p.A, 1e-13)};
  if (m.rigid) {
    m.inverse.transposeInPlace();
  } else {
    m.cofactors << p.A.col(1).cross(p.A.col(2)), p.A.col(2).cross(p.A.col(0)), p.A.col(0).cross(p.A.col(1));
    m.inverse = p.A.inverse();
  }
  return m;
}

const MeshData& unit_cube() {
  static const MeshData cube = make_mesh(make_surface_mesh(Box{Vec3::Ones()}), "unit cube");
  return cube;
}

bool can_touch(const MeshData::Edge& e) { return e.convexity > 0 || e.f1 < 0; }

bool can_touch(const MeshData& mesh, int v) {
  const auto first = mesh.vertex_edges.begin();
  return std::any_of(first + mesh.vertex_start[static_cast<std::size_t>(v)],
                     first + mesh.vertex_start[static_cast<std::size_t>(v) + 1],
                     [&](int e) { return can_touch(mesh.edges[static_cast<std::size_t>(e)]); });
}

PlacedEdge place_edge(const PlacedMesh& m, const MeshData::Edge& e) {
  PlacedEdge r;
  r.from = m.vertex(e.v0);
  r.to = m.vertex(e.v1);
  const Vec3 along = (r.to - r.from).normalized();
  r.normal0 = m.normal(e.f0);
  r.into0 = r.normal0.cross(along);  // f0 lies on the left
  r.normal1 = e.f1 < 0 ? r.normal0 : m.normal(e.f1);
  r.into1 = e.f1 < 0 ? r.into0 : Vec3(along.cross(r.normal1));
  return r;
}

double depth_inside(const PlacedMesh& m, const Vec3& x) {
  return -find_closest_point(*m.mesh, m.inverse * (x - m.c)).distance;
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

}  // namespace cairn
