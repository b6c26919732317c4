// SPDX-License-Identifier: Apache-2.0
// A round bar: all that is asked of a shape.
#include "cairn/geometry/compound.h"
#include "cairn/geometry/revolution.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>
#include <numbers>

namespace cairn::answers {
namespace {

Stretch stretch(const Cylinder& c, const Ray& ray) { return in_bar(ray, c.radius, c.half_length); }

Shape build_cylinder(ParameterVisitor& v, const ShapeLoader&) {
  double radius = 0.5, length = 1;
  v.real("radius", radius, "m", positive, "of the round side", Presence::Required);
  v.real("length", length, "m", positive, "between the flat ends, along z (in C++ half_length)", Presence::Required);
  return Cylinder{radius, length / 2};
}

}  // namespace

void check(const Cylinder& c, std::string_view owner) {
  check_size(owner, "cylinder radius", c.radius);
  check_size(owner, "cylinder half_length", c.half_length);
}

MassProperties mass(const Cylinder& c) {
  const double r = c.radius, h = c.half_length, volume = 2 * std::numbers::pi * r * r * h;
  return mass_from_moments(volume, volume * Vec3(r * r / 4, r * r / 4, h * h / 3));
}

double radius(const Cylinder& c) { return std::hypot(c.radius, c.half_length); }

Aabb bounds(const Cylinder& c, const Placement& p) {
  return symmetric_bounds(p, c.radius * p.A.leftCols<2>().rowwise().norm() + c.half_length * p.A.col(2).cwiseAbs());
}

double thickness(const Cylinder& c) { return std::min(c.radius, c.half_length); }

SurfacePoint closest(const Cylinder& c, const Vec3& x) {
  const double r = c.radius, h = c.half_length;
  const std::array<ProfileSide, 3> sides{
      {{{0, -h}, {r, -h}, {0, -1}}, {{r, -h}, {r, h}, {1, 0}}, {{r, h}, {0, h}, {0, 1}}}};
  return closest_in_revolution(sides, x);
}

std::optional<RayHit> cast(const Cylinder& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const Cylinder& c, int refinement, double) {
  const double r = c.radius, h = c.half_length;
  return revolve({{0, -h}, {r, -h}, {r, h}, {0, h}}, 8 << refinement);
}

Shape place(const Cylinder& s, const Placement& at) { return make_compound({{s, at}}, shape_name(s)); }

constinit const ShapeInfo cylinder_row{"cylinder", "round bar along z about the origin of the body frame",
                                       build_cylinder};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const Cylinder& c, const Vec3& d) {
  return answers::on_disc(c.radius, d, std::copysign(c.half_length, d.z()));
}

}  // namespace cairn
