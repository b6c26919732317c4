// SPDX-License-Identifier: Apache-2.0
// An ellipsoid: all that is asked of a shape.
#include "cairn/geometry/closest_ellipsoid.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <numbers>

namespace cairn::answers {
namespace {

Stretch stretch(const Ellipsoid& e, const Ray& ray) {
  // In coordinates X_i / a_i it is the unit ball, and the line keeps its parameter up to a factor.
  const Vec3 d = ray.d.cwiseQuotient(e.semi_axes);
  const double length = d.norm();
  Stretch s = in_ball({ray.x.cwiseQuotient(e.semi_axes), d / length, 0}, Vec3::Zero(), 1);
  if (s.is_empty()) return s;
  s.t0 /= length;
  s.t1 /= length;
  s.n0 = s.n0.cwiseQuotient(e.semi_axes).normalized();
  s.n1 = s.n1.cwiseQuotient(e.semi_axes).normalized();
  return s;
}

Shape build_ellipsoid(ParameterVisitor& v, const ShapeLoader&) {
  Ellipsoid e;
  v.vector("semi_axes", numbers(e.semi_axes), "m", positive, Presence::Required, "half of its size along x, y and z");
  return e;
}

}  // namespace

void check(const Ellipsoid& e, std::string_view owner) { check_sizes(owner, "ellipsoid semi_axes", e.semi_axes); }

MassProperties mass(const Ellipsoid& e) {
  const double volume = 4.0 / 3.0 * std::numbers::pi * e.semi_axes.prod();
  return mass_from_moments(volume, volume / 5 * e.semi_axes.cwiseAbs2());
}

double radius(const Ellipsoid& e) { return e.semi_axes.maxCoeff(); }

Aabb bounds(const Ellipsoid& e, const Placement& p) {
  return symmetric_bounds(p, (p.A * e.semi_axes.asDiagonal()).rowwise().norm());
}

double thickness(const Ellipsoid& e) { return e.semi_axes.minCoeff(); }

SurfacePoint closest(const Ellipsoid& e, const Vec3& x) {
  const Vec3 p = find_nearest_on_ellipsoid(e.semi_axes, x);
  // Next to the surface the direction of x - p is rounding; the gradient is not.
  const Vec3 n = p.cwiseQuotient(e.semi_axes).cwiseQuotient(e.semi_axes / e.semi_axes.maxCoeff()).normalized();
  return {p, n, n.dot(x - p)};
}

std::optional<RayHit> cast(const Ellipsoid& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const Ellipsoid& e, int refinement, double) {
  SurfaceMesh mesh = surface(Sphere{1}, refinement, 0);
  for (Vec3& v : mesh.vertices) v = v.cwiseProduct(e.semi_axes);
  return mesh;
}

Shape place(const Ellipsoid& s, const Placement& at) { return make_compound({{s, at}}, shape_name(s)); }

constinit const ShapeInfo ellipsoid_row{"ellipsoid", "with its axes along those of the body frame", build_ellipsoid};

}  // namespace cairn::answers

namespace cairn {

// X = S^2 d / |S d| with S the semi-axes.
Vec3 compute_support(const Ellipsoid& e, const Vec3& d) {
  return e.semi_axes.cwiseProduct(answers::unit(e.semi_axes.cwiseProduct(answers::unit(d))));
}

}  // namespace cairn
