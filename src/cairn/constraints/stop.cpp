// SPDX-License-Identifier: Apache-2.0
// Compliant buffers.
#include "cairn/constraints/stop.h"

#include "cairn/base/error.h"
#include "cairn/constraints/constraint.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

CompliantForce force_of(const StopLaw& law, double gap, double speed) {
  return std::visit([&](const auto& l) { return compliant_force(l, gap, speed); }, law);
}

double energy_of(const StopLaw& law, double gap) {
  return std::visit([gap](const auto& l) { return stored_energy(l, gap); }, law);
}

void check_law(const Hertz& law) { check_parameters("hertz", law); }
void check_law(const HuntCrossley& law) { check_parameters("hunt-crossley", law); }
void check_law(const KelvinVoigt& law) { check_parameters("kelvin-voigt", law); }

}  // namespace

Stop::Stop(const Spec& spec) : spec_(spec) {
  std::visit([](const auto& law) { check_law(law); }, spec.law);
  if (spec.friction) check_regularised_coulomb("friction", *spec.friction);
  if (!(std::abs(spec.normal.norm() - 1) <= 1e-9)) {
    throw Error("direction is [{}, {}, {}]; must have length 1", spec.normal.x(), spec.normal.y(), spec.normal.z());
  }
  if (!std::isfinite(spec.clearance)) throw Error("clearance is {} m; must be finite", spec.clearance);
  if (!spec.a.local.allFinite() || !spec.b.local.allFinite()) throw Error("anchors must be finite");
  if (spec.a.body == spec.b.body) throw Error("both ends are on the same body");
  frame_ = {spec.a.body, spec.a.local, contact_frame(spec.normal).transpose()};
}

CarriedPoint Stop::see(const Bodies& bodies, const VecX& q, const VecX& u) const {
  return see_point(bodies, frame_, spec_.b, q, u);
}

CarriedForce Stop::force_at(const Vec3& place, const Vec3& speed) const {
  const CompliantForce normal = force_of(spec_.law, place[0] - spec_.clearance, speed[0]);
  CarriedForce f;
  f.force[0] = normal.force;
  f.per_place(0, 0) = normal.per_gap;
  f.per_speed(0, 0) = normal.per_speed;
  if (!spec_.friction || !(normal.force > 0)) return f;
  const TangentForce friction = friction_force(*spec_.friction, speed.tail<2>(), normal.force);
  f.force.tail<2>() = friction.force;
  f.per_place.col(0).tail<2>() = normal.per_gap * friction.per_normal;
  f.per_speed.col(0).tail<2>() = normal.per_speed * friction.per_normal;
  f.per_speed.bottomRightCorner<2, 2>() = friction.per_velocity;
  return f;
}

void Stop::add_forces(const ForceView& at, VecX& conservative, VecX& other) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  const CarriedPoint point = see(bodies, q, u);
  if (point.place[0] >= spec_.clearance) return;
  const Vec3 elastic(force_of(spec_.law, point.place[0] - spec_.clearance, 0).force, 0, 0);
  const Vec3 rest = force_at(point.place, point.speed).force - elastic;
  add_carried_force(bodies, point, q, elastic, conservative);
  add_carried_force(bodies, point, q, rest, other);
}

double Stop::gap(const Bodies& bodies, const VecX& q) const {
  return see_place(bodies, frame_, spec_.b, q).place[0] - spec_.clearance;
}

Vec3 Stop::force(const Bodies& bodies, const VecX& q, const VecX& u) const {
  const CarriedPoint point = see(bodies, q, u);
  return point.world * force_at(point.place, point.speed).force;
}

bool Stop::depends_on_velocity() const {
  if (spec_.friction) return true;
  if (const auto* law = std::get_if<HuntCrossley>(&spec_.law)) return law->damping != 0;
  if (const auto* law = std::get_if<KelvinVoigt>(&spec_.law)) return law->damping != 0;
  return false;
}

double Stop::energy(const ForceView& at) const { return energy_of(spec_.law, gap(at.bodies, at.q)); }

ForceTangent Stop::tangent(const ForceView& at) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  ForceTangent result(bodies, acts_on());
  const CarriedPoint point = see(bodies, q, u);
  add_carried_tangent(bodies, frame_, spec_.b, q, u, force_at(point.place, point.speed), result);
  return result;
}

ForceTangent Stop::stiffest(const ForceView& at) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  ForceTangent result(bodies, acts_on());
  const CarriedPoint point = see(bodies, q, u);
  // m v^2/2 of the lighter body, all of it stored: the depth is bracketed by doubling, then halved to three digits.
  const double speed = std::max(0.0, -point.speed[0]);
  double mass = std::numeric_limits<double>::infinity();
  for (const int body : acts_on())
    if (body >= 0) mass = std::min(mass, bodies.mass(body));
  double depth = std::max(1e-12, spec_.clearance - point.place[0]);
  if (const double kinetic = mass * speed * speed / 2;
      std::isfinite(kinetic) && energy_of(spec_.law, -depth) < kinetic) {
    double high = depth;
    while (energy_of(spec_.law, -high) < kinetic) high *= 2;
    for (double low = high / 2; high - low > 1e-3 * high;) {
      const double middle = (low + high) / 2;
      (energy_of(spec_.law, -middle) < kinetic ? low : high) = middle;
    }
    depth = high;
  }
  // As it is pressed in, at no speed: the damping of Hunt and Crossley is that of the depth.
  CarriedForce f = force_at(Vec3(spec_.clearance - depth, 0, 0), Vec3::Zero());
  f.force.setZero();
  add_carried_tangent(bodies, frame_, spec_.b, q, u, f, result);
  return result;
}

}  // namespace cairn
