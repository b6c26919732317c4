// SPDX-License-Identifier: Apache-2.0
// Force and tangents of a pull, and one that suits a body.
#include "cairn/constraints/pull.h"

#include "cairn/base/error.h"
#include "cairn/constraints/anchor_point.h"
#include "cairn/constraints/force_stability.h"

#include <numbers>

namespace cairn {
Pull::Pull(const Spec& spec) : spec_(spec) {
  if (spec.at.body < 0) throw Error("a pull needs a body to act on");
  if (!spec.at.local.allFinite() || !spec.target.allFinite()) throw Error("anchor and target must be finite");
  for (const double x : {spec.stiffness, spec.damping, spec.limit})
    if (!(std::isfinite(x) && x >= 0)) throw Error("stiffness, damping and limit must be finite and >= 0");
}

Vec3 Pull::force(const Bodies& bodies, const VecX& q, const VecX& u) const {
  const PlacedPoint p = bodies.place(spec_.at, q);
  const Vec3 f = spec_.stiffness * (spec_.target - p.x) - spec_.damping * bodies.point_velocity(p, q, u);
  const double size = f.norm();
  return size > spec_.limit ? Vec3(f * (spec_.limit / size)) : f;
}

void Pull::add_forces(const ForceView& at, VecX&, VecX& other) const {
  at.bodies.add_point_force(at.bodies.place(spec_.at, at.q), at.q, force(at.bodies, at.q, at.u), other);
}

ForceTangent Pull::tangent(const ForceView& at) const {
  ForceTangent result(at.bodies, acts_on());
  const AnchorPoint hand = make_anchor_point(at.bodies, {.local = spec_.target}, at.q, at.u),
                    point = make_anchor_point(at.bodies, spec_.at, at.q, at.u);
  const Vec3 whole = spec_.stiffness * (spec_.target - point.x) - spec_.damping * point.v;
  const double size = whole.norm();
  Mat3 cut = Mat3::Identity();
  if (size > spec_.limit) cut = spec_.limit / size * (Mat3::Identity() - whole * whole.transpose() / (size * size));
  const PairForce f{size > spec_.limit ? Vec3(whole * (spec_.limit / size)) : whole, -spec_.stiffness * cut,
                    -spec_.damping * cut};
  add_tangent(at.bodies, hand, point, at.q, f, result);
  return result;
}

ForceTangent Pull::stiffest(const ForceView& at) const {
  Spec free = spec_;
  free.limit = std::numeric_limits<double>::max();
  return Pull(free).tangent(at);
}

Pull make_pull(const System& system, const Motion& motion, double h, const MaterialPoint& point, const Vec3& target,
               double frequency, double weights) {
  const Bodies& bodies = system.bodies;
  const int body = point.body;
  if (!bodies.can_move(body))
    throw Error("a body that is {} cannot be pulled", body < 0 ? "the world" : bodies.kind(body));
  const double mass = bodies.slot(body).rigid ? bodies.mass(body)
                                              : bodies.mass_at(bodies.centre(body, motion.q), motion.q,
                                                               bodies.mass_matrix(body, motion.q, motion.u));
  if (!(mass > 0)) throw Error("it has no mass to pull at");
  const double gravity = system.gravity.norm() > 0 ? system.gravity.norm() : 9.81;
  std::vector<int> elements = count_forces(system);
  ++elements[static_cast<std::size_t>(body)];
  double omega = 2 * std::numbers::pi * frequency;
  for (int i = 0;; ++i, omega /= 1.5) {
    const Pull pull({point, target, mass * omega * omega, 2 * mass * omega, weights * mass * gravity});
    const ForceTangent tangent = pull.stiffest({bodies, motion.q, motion.u, motion.time});
    // Half as long as could be stable: the body turns, and with it what it weighs at the point.
    if (i == 20 || explicit_step(bodies, motion.q, motion.u, tangent, elements) >= 2 * h) return pull;
  }
}

}  // namespace cairn
