// SPDX-License-Identifier: Apache-2.0
// Surfaces of all shapes as triangles, and the integrals over the solid inside such a surface.
#include "cairn/geometry/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/solid_integral.h"

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

// Surface of revolution about z. The profile runs from the lower pole to the upper one: (radius, z) of each ring; the
// poles are points of radius 0.
SurfaceMesh revolve(const std::vector<Vec2>& profile, int sides) {
  SurfaceMesh mesh;
  const int rings = static_cast<int>(profile.size()) - 2;
  mesh.vertices.emplace_back(0, 0, profile.front().y());
  for (int r = 1; r <= rings; ++r)
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      mesh.vertices.emplace_back(profile[r].x() * std::cos(angle), profile[r].x() * std::sin(angle), profile[r].y());
    }
  mesh.vertices.emplace_back(0, 0, profile.back().y());
  const int top = static_cast<int>(mesh.vertices.size()) - 1;
  const auto at = [&](int r, int k) { return 1 + r * sides + k % sides; };
  for (int k = 0; k < sides; ++k) {
    mesh.triangles.push_back({0, at(0, k + 1), at(0, k)});
    for (int r = 0; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
    }
    mesh.triangles.push_back({at(rings - 1, k), at(rings - 1, k + 1), top});
  }
  return mesh;
}

SurfaceMesh mesh_of(const Capsule& c, int refinement, double) {
  const int sides = 8 << refinement, quarter = sides / 4;
  std::vector<Vec2> profile;
  const auto add_cap = [&](int from, int to, double z) {
    for (int k = from; k <= to; ++k) {
      const double angle = std::numbers::pi / 2 * k / quarter;
      profile.emplace_back(c.radius * std::cos(angle), z + c.radius * std::sin(angle));
    }
  };
  add_cap(-quarter, 0, -c.half_length);
  add_cap(c.half_length > 0 ? 0 : 1, quarter, c.half_length);
  return revolve(profile, sides);
}

SurfaceMesh mesh_of(const Cylinder& c, int refinement, double) {
  const double r = c.radius, h = c.half_length;
  return revolve({{0, -h}, {r, -h}, {r, h}, {0, h}}, 8 << refinement);
}

SurfaceMesh mesh_of(const Cone& c, int refinement, double) {
  return revolve({{0, -c.height / 4}, {c.radius, -c.height / 4}, {0, 3 * c.height / 4}}, 8 << refinement);
}

SurfaceMesh mesh_of(const Ellipsoid& e, int refinement, double) {
  SurfaceMesh mesh = mesh_of(Sphere{1}, refinement, 0);
  for (Vec3& v : mesh.vertices) v = v.cwiseProduct(e.semi_axes);
  return mesh;
}

SurfaceMesh mesh_of(const ConvexPolyhedron& c, int, double) {
  SurfaceMesh mesh{c.data->vertices, {}};
  for (int f = 0; f < c.data->face_count(); ++f) {
    const auto face = c.data->face(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k) mesh.triangles.push_back({face[0], face[k], face[k + 1]});
  }
  return mesh;
}

SurfaceMesh mesh_of(const TriangleMesh& m, int, double) { return {m.data->vertices, m.data->triangles}; }
SurfaceMesh mesh_of(const CellMesh& c, int, double) { return c.data->surface; }

SurfaceMesh mesh_of(const HeightField& h, int, double) {
  const HeightGrid& g = *h.data;
  SurfaceMesh mesh;
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) mesh.vertices.push_back(g.point(i, j));
  for (int j = 0; j + 1 < g.ny; ++j)
    for (int i = 0; i + 1 < g.nx; ++i) {
      const int v = j * g.nx + i;
      mesh.triangles.push_back({v, v + 1, v + g.nx + 1});
      mesh.triangles.push_back({v, v + g.nx + 1, v + g.nx});
    }
  return mesh;
}

SurfaceMesh mesh_of(const Compound& c, int refinement, double extent) {
  SurfaceMesh mesh;
  for (const CompoundPart& part : c.data->parts) {
    const SurfaceMesh one = make_surface_mesh(part.shape, refinement, extent);
    const int first = static_cast<int>(mesh.vertices.size());
    for (const Vec3& v : one.vertices) mesh.vertices.push_back(part.at.apply(v));
    for (const auto& [i, j, k] : one.triangles) mesh.triangles.push_back({first + i, first + j, first + k});
  }
  return mesh;
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
  SolidIntegral integral(mesh.vertices.empty() ? Vec3(Vec3::Zero()) : mesh.vertices[0]);
  for (const auto& [i, j, k] : mesh.triangles)
    integral.add_triangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
  if (!(integral.volume() > 0))
    throw Error("surface mesh: enclosed volume is {} m^3; must be > 0 (closed, counter-clockwise from outside)",
                integral.volume());
  return integral.finish();
}

}  // namespace cairn
