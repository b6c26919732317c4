// SPDX-License-Identifier: Apache-2.0
// A ball: all that is asked of a shape.
#include "cairn/geometry/compound.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>
#include <map>
#include <numbers>

namespace cairn::answers {
namespace {

Stretch stretch(const Sphere& s, const Ray& ray) { return in_ball(ray, Vec3::Zero(), s.radius); }

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

Shape build_sphere(ParameterVisitor& v, const ShapeLoader&) {
  Sphere sphere;
  v.real("radius", sphere.radius, "m", positive, "of the ball", Presence::Required);
  return sphere;
}

}  // namespace

void check(const Sphere& s, std::string_view owner) { check_size(owner, "sphere radius", s.radius); }

// int x^2 dV = V r^2 / 5.
MassProperties mass(const Sphere& s) {
  const double r = s.radius, volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  return mass_from_moments(volume, Vec3::Constant(volume * r * r / 5));
}

double radius(const Sphere& s) { return s.radius; }

// The image of the unit ball under r A reaches r |row_i A| along axis i.
Aabb bounds(const Sphere& s, const Placement& p) { return symmetric_bounds(p, s.radius * p.A.rowwise().norm()); }

double thickness(const Sphere& s) { return s.radius; }

SurfacePoint closest(const Sphere& s, const Vec3& x) {
  const double d = x.norm();
  const Vec3 n = d > 0 ? Vec3(x / d) : Vec3(Vec3::UnitZ());
  return {s.radius * n, n, d - s.radius};
}

std::optional<RayHit> cast(const Sphere& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const Sphere& sphere, int refinement, double) {
  SurfaceMesh mesh = make_icosahedron();
  for (Vec3& v : mesh.vertices) v.normalize();
  for (int level = 0; level < refinement; ++level) {
    split_triangles(mesh);
    for (Vec3& v : mesh.vertices) v.normalize();
  }
  for (Vec3& v : mesh.vertices) v *= sphere.radius;
  return mesh;
}

Shape place(const Sphere& s, const Placement& at) {
  if (at.c.isZero(0)) return s;
  return make_compound({{s, at}}, "sphere");
}

constinit const ShapeInfo sphere_row{"sphere", "ball about the origin of the body frame", build_sphere};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const Sphere& s, const Vec3& d) { return s.radius * answers::unit(d); }

}  // namespace cairn
