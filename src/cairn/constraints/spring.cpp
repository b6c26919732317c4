// SPDX-License-Identifier: Apache-2.0
// Spring and damper between two points.
#include "cairn/constraints/spring.h"

#include "cairn/base/error.h"
#include "cairn/constraints/anchor_point.h"

#include <cmath>

namespace cairn {
namespace {

void check_law(const LinearSpring& law) { check_parameters("linear spring", law); }
void check_law(const PowerSpring& law) { check_parameters("power spring", law); }
void check_law(const TableSpring& law) { check_parameters("table spring", law); }
void check_law(const PolynomialSpring& law) { check_polynomial_spring("polynomial spring", law); }

}  // namespace

CompliantForce spring_force(const SpringLaw& law, double x, double v) {
  return std::visit([&](const auto& l) { return compliant_force(l, x, v); }, law);
}

void check_spring_law(const SpringLaw& law) {
  std::visit([](const auto& l) { check_law(l); }, law);
}

Spring::Spring(const Spec& spec) : spec_(spec) {
  check_spring_law(spec.law);
  if (!(std::isfinite(spec.rest_length) && spec.rest_length >= 0)) {
    throw Error("rest length is {} m; must be >= 0", spec.rest_length);
  }
  if (!spec.a.local.allFinite() || !spec.b.local.allFinite()) throw Error("anchors must be finite");
  if (spec.a.body == spec.b.body) throw Error("both ends are on the same body");
}

void Spring::add_forces(const ForceView& at, VecX& conservative, VecX& other) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  const PlacedPoint a = bodies.place(spec_.a, q), b = bodies.place(spec_.b, q);
  const double length = (b.x - a.x).norm();
  if (length == 0) return;
  const Vec3 direction = (b.x - a.x) / length;
  const auto push = [&](const Vec3& force, VecX& generalised) {  // on B; the opposite on A
    bodies.add_point_force(a, q, -force, generalised);
    bodies.add_point_force(b, q, force, generalised);
  };
  const Vec3 va = bodies.point_velocity(a, q, u), vb = bodies.point_velocity(b, q, u);
  const double x = length - spec_.rest_length;
  const double still = spring_force(spec_.law, x, 0).force;
  const double moving = spring_force(spec_.law, x, (vb - va).dot(direction)).force;
  push(still * direction, conservative);
  if (moving != still) push((moving - still) * direction, other);
}

bool Spring::depends_on_velocity() const {
  return std::visit([](const auto& law) { return law.damping != 0; }, spec_.law);
}

double Spring::energy(const ForceView& at) const {
  const Vec3 a = at.bodies.position(spec_.a, at.q), b = at.bodies.position(spec_.b, at.q);
  const double x = (b - a).norm() - spec_.rest_length;
  return std::visit([x](const auto& law) { return stored_energy(law, x); }, spec_.law);
}

ForceTangent Spring::tangent(const ForceView& at) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  ForceTangent result(bodies, acts_on());
  const AnchorPoint a = make_anchor_point(bodies, spec_.a, q, u), b = make_anchor_point(bodies, spec_.b, q, u);
  const Vec3 r = b.x - a.x, v = b.v - a.v;
  const double length = r.norm();
  PairForce f;
  if (length == 0) {
    // A spring that is free at no length pulls back in every direction alike; any other has a kink here.
    const CompliantForce law = spring_force(spec_.law, -spec_.rest_length, 0);
    if (law.force == 0) f.per_place = law.per_gap * Mat3::Identity();
  } else {
    // f = phi(l, dl/dt) e: along e the law's own tangents; across it e turns, by (1 - e e')/l, and so does dl/dt = e.v.
    const Vec3 e = r / length;
    const Mat3 along = e * e.transpose(), turn = (Mat3::Identity() - along) / length;
    const CompliantForce law = spring_force(spec_.law, length - spec_.rest_length, e.dot(v));
    f.force = law.force * e;
    f.per_place = law.per_gap * along + law.force * turn + law.per_speed * e * (turn * v).transpose();
    f.per_velocity = law.per_speed * along;
  }
  add_tangent(bodies, a, b, q, f, result);
  return result;
}

}  // namespace cairn
