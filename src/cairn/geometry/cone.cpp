// SPDX-License-Identifier: Apache-2.0
// A cone: all that is asked of a shape.
#include "cairn/geometry/compound.h"
#include "cairn/geometry/revolution.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>
#include <numbers>

namespace cairn::answers {
namespace {

Stretch stretch(const Cone& c, const Ray& ray) {
  const Vec3 apex(0, 0, 3 * c.height / 4);
  Stretch s = below_apex({ray.x - apex, ray.d, ray.reach}, c.radius / c.height);
  s.cut(behind_plane(ray, Vec3::UnitZ(), apex.z()));
  s.cut(behind_plane(ray, -Vec3::UnitZ(), c.height / 4));
  return s;
}

Shape build_cone(ParameterVisitor& v, const ShapeLoader&) {
  Cone cone;
  v.real("radius", cone.radius, "m", positive, "of the base, at z = -height/4", Presence::Required);
  v.real("height", cone.height, "m", positive, "from the base to the apex, along z", Presence::Required);
  return cone;
}

}  // namespace

void check(const Cone& c, std::string_view owner) {
  check_size(owner, "cone radius", c.radius);
  check_size(owner, "cone height", c.height);
}

// About its centre: int x^2 dV = 3 V r^2 / 20, int z^2 dV = 3 V h^2 / 80.
MassProperties mass(const Cone& c) {
  const double r = c.radius, h = c.height, volume = std::numbers::pi * r * r * h / 3;
  return mass_from_moments(volume, volume * Vec3(3 * r * r / 20, 3 * r * r / 20, 3 * h * h / 80));
}

double radius(const Cone& c) { return std::max(std::hypot(c.radius, c.height / 4), 3 * c.height / 4); }

// The base disc and the apex.
Aabb bounds(const Cone& c, const Placement& p) {
  const Vec3 reach = c.radius * p.A.leftCols<2>().rowwise().norm(), base = p.c - c.height / 4 * p.A.col(2);
  Aabb box{base - reach, base + reach};
  box.merge(Vec3(p.c + 3 * c.height / 4 * p.A.col(2)));
  return box;
}

// The inscribed sphere.
double thickness(const Cone& c) { return c.radius * c.height / (c.radius + std::hypot(c.radius, c.height)); }

SurfacePoint closest(const Cone& c, const Vec3& x) {
  const double r = c.radius, h = c.height;
  const std::array<ProfileSide, 2> sides{
      {{{0, -h / 4}, {r, -h / 4}, {0, -1}}, {{r, -h / 4}, {0, 3 * h / 4}, Vec2(h, r).normalized()}}};
  return closest_in_revolution(sides, x);
}

std::optional<RayHit> cast(const Cone& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const Cone& c, int refinement, double) {
  return revolve({{0, -c.height / 4}, {c.radius, -c.height / 4}, {0, 3 * c.height / 4}}, 8 << refinement);
}

Shape place(const Cone& s, const Placement& at) { return make_compound({{s, at}}, shape_name(s)); }

constinit const ShapeInfo cone_row{"cone", "apex up along z; the origin is the centre of volume", build_cone};

}  // namespace cairn::answers

namespace cairn {

// Apex or rim: the apex is farther when d is steeper than the normal of the side.
Vec3 compute_support(const Cone& c, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  if (c.height * d.z() >= c.radius * across) return {0, 0, 3 * c.height / 4};
  return answers::on_disc(c.radius, d, -c.height / 4);
}

}  // namespace cairn
