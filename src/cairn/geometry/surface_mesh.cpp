// SPDX-License-Identifier: Apache-2.0
// Surfaces of the primitives; mesh integrals by signed tetrahedra (Tonon 2004, J. Math. Stat. 1(1), eqs. 7-10).
#include "cairn/geometry/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cairn/base/error.h"

namespace cairn {
namespace {

SurfaceMesh mesh_of(const Box& box, int, double) {
  SurfaceMesh mesh;
  // Vertex number k has the sign of its bit i along axis i.
  for (int k = 0; k < 8; ++k)
    mesh.vertices.emplace_back(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).cwiseProduct(box.half_extents));
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

SurfaceMesh make_icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;  // the golden ratio
  SurfaceMesh mesh;
  mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

// Splits each triangle in four; neighbours share the new vertex of their common edge.
void split_triangles(SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> midpoints;
  auto find_midpoint = [&](int i, int j) {
    const auto [where, is_new] = midpoints.try_emplace(std::minmax(i, j), static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.emplace_back((mesh.vertices[i] + mesh.vertices[j]) / 2);
    return where->second;
  };
  std::vector<std::array<int, 3>> triangles;
  triangles.reserve(4 * mesh.triangles.size());
  for (const auto& [i, j, k] : mesh.triangles) {
    const int ij = find_midpoint(i, j), jk = find_midpoint(j, k), ki = find_midpoint(k, i);
    triangles.push_back({i, ij, ki});
    triangles.push_back({j, jk, ij});
    triangles.push_back({k, ki, jk});
    triangles.push_back({ij, jk, ki});
  }
  mesh.triangles = std::move(triangles);
}

SurfaceMesh mesh_of(const Sphere& sphere, int refinement, double) {
  SurfaceMesh mesh = make_icosahedron();
  for (Vec3& v : mesh.vertices) v.normalize();
  for (int level = 0; level < refinement; ++level) {
    split_triangles(mesh);
    for (Vec3& v : mesh.vertices) v.normalize();
  }
  for (Vec3& v : mesh.vertices) v *= sphere.radius;
  return mesh;
}

SurfaceMesh mesh_of(const HalfSpace& h, int, double extent) {
  const Vec3 n = h.normal, centre = h.offset * n;
  const Vec3 s = n.unitOrthogonal() * extent, t = n.cross(s);
  return {{centre - s - t, centre + s - t, centre + s + t, centre - s + t}, {{0, 1, 2}, {0, 2, 3}}};
}

}  // namespace

SurfaceMesh make_surface_mesh(const Shape& shape, int refinement, double half_space_extent) {
  if (refinement < 0 || refinement > 7)
    throw Error("surface mesh: refinement is {}; must be 0 to 7 (7 gives 327680 triangles)", refinement);
  if (!(half_space_extent > 0) || !std::isfinite(half_space_extent))
    throw Error("surface mesh: half_space_extent is {} m; must be finite and > 0", half_space_extent);
  return std::visit([&](const auto& s) { return mesh_of(s, refinement, half_space_extent); }, shape);
}

MassProperties compute_mass_properties(const SurfaceMesh& mesh) {
  MassProperties m;
  Vec3 first = Vec3::Zero();
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 &p = mesh.vertices[i], &q = mesh.vertices[j], &r = mesh.vertices[k];
    const double det = p.dot(q.cross(r));  // six times the signed volume of the tetrahedron (0, p, q, r)
    const Vec3 s = p + q + r;
    m.volume += det / 6;
    first += det / 24 * s;
    m.euler += det / 120 * (p * p.transpose() + q * q.transpose() + r * r.transpose() + s * s.transpose());
  }
  if (!(m.volume > 0))
    throw Error("surface mesh: enclosed volume is {} m^3; must be > 0 (closed, counter-clockwise from outside)",
                m.volume);
  m.centre = first / m.volume;
  m.euler -= m.volume * m.centre * m.centre.transpose();
  m.inertia = m.euler.trace() * Mat3::Identity() - m.euler;
  return m;
}

}  // namespace cairn
