// SPDX-License-Identifier: Apache-2.0
// A block: all that is asked of a shape.
#include "cairn/geometry/compound.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>

namespace cairn::answers {
namespace {

Stretch stretch(const Box& b, const Ray& ray) {
  Stretch s;
  for (int i = 0; i < 3; ++i) {
    s.cut(behind_plane(ray, Vec3::Unit(i), b.half_extents[i]));
    s.cut(behind_plane(ray, -Vec3::Unit(i), b.half_extents[i]));
  }
  return s;
}

Shape build_box(ParameterVisitor& v, const ShapeLoader&) {
  Vec3 size = 2 * Box{}.half_extents;
  v.vector("size", numbers(size), "m", positive, Presence::Required, "three edge lengths (in C++ half_extents)");
  return Box{size / 2};
}

}  // namespace

void check(const Box& b, std::string_view owner) { check_sizes(owner, "box half_extents", b.half_extents); }

// int x_i^2 dV = V h_i^2 / 3.
MassProperties mass(const Box& b) {
  const double volume = 8 * b.half_extents.prod();
  return mass_from_moments(volume, volume / 3 * b.half_extents.cwiseAbs2());
}

double radius(const Box& b) { return b.half_extents.norm(); }

Aabb bounds(const Box& b, const Placement& p) { return symmetric_bounds(p, p.A.cwiseAbs() * b.half_extents); }

double thickness(const Box& b) { return b.half_extents.minCoeff(); }

SurfacePoint closest(const Box& b, const Vec3& x) {
  const Vec3 p = x.cwiseMax(-b.half_extents).cwiseMin(b.half_extents);
  if (p != x) return from_foot(x, p, false, Vec3::UnitZ());
  int axis = 0;
  (x.cwiseAbs() - b.half_extents).maxCoeff(&axis);
  const double side = std::copysign(1.0, x[axis]);
  Vec3 foot = x;
  foot[axis] = side * b.half_extents[axis];
  return {foot, side * Vec3::Unit(axis), std::abs(x[axis]) - b.half_extents[axis]};
}

std::optional<RayHit> cast(const Box& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const Box& box, int, double) {
  SurfaceMesh mesh;
  // Vertex number k has the sign of its bit i along axis i.
  for (int k = 0; k < 8; ++k)
    mesh.vertices.emplace_back(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).cwiseProduct(box.half_extents));
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

Shape place(const Box& s, const Placement& at) { return make_compound({{s, at}}, shape_name(s)); }

constinit const ShapeInfo box_row{"box", "block about the origin of the body frame; a parallelepiped on an affine body",
                                  build_box};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const Box& b, const Vec3& d) {
  return {std::copysign(b.half_extents.x(), d.x()), std::copysign(b.half_extents.y(), d.y()),
          std::copysign(b.half_extents.z(), d.z())};
}

}  // namespace cairn
