// SPDX-License-Identifier: Apache-2.0
// A capsule, the points within a radius of a segment: all that is asked of a shape.
#include "cairn/geometry/compound.h"
#include "cairn/geometry/revolution.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>
#include <numbers>

namespace cairn::answers {
namespace {

// A convex union of a bar and two balls: from the first entry to the last exit.
Stretch stretch(const Capsule& c, const Ray& ray) {
  Stretch all = nothing();
  for (const Stretch& s : {in_bar(ray, c.radius, c.half_length), in_ball(ray, {0, 0, c.half_length}, c.radius),
                           in_ball(ray, {0, 0, -c.half_length}, c.radius)}) {
    if (s.is_empty()) continue;
    if (s.t0 < all.t0) all.t0 = s.t0, all.n0 = s.n0;
    if (s.t1 > all.t1) all.t1 = s.t1, all.n1 = s.n1;
  }
  return all;
}

Shape build_capsule(ParameterVisitor& v, const ShapeLoader&) {
  double radius = 0.5, length = 1;
  v.real("radius", radius, "m", positive, "of the caps and the side", Presence::Required);
  v.real("length", length, "m", non_negative, "between the centres of the caps, along z (in C++ half_length)",
         Presence::Required);
  return Capsule{radius, length / 2};
}

}  // namespace

void check(const Capsule& c, std::string_view owner) {
  check_size(owner, "capsule radius", c.radius);
  if (!std::isfinite(c.half_length) || c.half_length < 0)
    throw Error("{}: capsule half_length is {} m; must be finite and >= 0", owner, c.half_length);
}

// A bar of length 2 h and two half balls, whose centres are 3 r/8 beyond its ends.
MassProperties mass(const Capsule& c) {
  const double r = c.radius, h = c.half_length, bar = 2 * std::numbers::pi * r * r * h,
               ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double across = bar * r * r / 4 + ball * r * r / 5;
  const double along = bar * h * h / 3 + ball * (r * r / 5 + 3 * r * h / 4 + h * h);
  return mass_from_moments(bar + ball, {across, across, along});
}

double radius(const Capsule& c) { return c.half_length + c.radius; }

Aabb bounds(const Capsule& c, const Placement& p) {
  return symmetric_bounds(p, c.radius * p.A.rowwise().norm() + c.half_length * p.A.col(2).cwiseAbs());
}

double thickness(const Capsule& c) { return c.radius; }

SurfacePoint closest(const Capsule& c, const Vec3& x) {
  const Vec3 axis(0, 0, std::clamp(x.z(), -c.half_length, c.half_length)), v = x - axis;
  const double d = v.norm();
  const Vec3 n = d > 0 ? Vec3(v / d) : Vec3(Vec3::UnitX());
  return {axis + c.radius * n, n, d - c.radius};
}

std::optional<RayHit> cast(const Capsule& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const Capsule& c, int refinement, double) {
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

Shape place(const Capsule& s, const Placement& at) { return make_compound({{s, at}}, shape_name(s)); }

constinit const ShapeInfo capsule_row{"capsule", "all points within a radius of a segment of the z axis",
                                      build_capsule};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const Capsule& c, const Vec3& d) {
  Vec3 x = c.radius * answers::unit(d);
  x.z() += std::copysign(c.half_length, d.z());
  return x;
}

}  // namespace cairn
