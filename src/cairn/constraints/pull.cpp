// SPDX-License-Identifier: Apache-2.0
// Force and tangents of a pull, and one that suits a body.
#include "cairn/constraints/pull.h"

#include "cairn/base/error.h"
#include "cairn/constraints/anchor_point.h"
#include "cairn/constraints/force_stability.h"
#include "cairn/constraints/joint.h"

#include <Eigen/Cholesky>
#include <numbers>

namespace cairn {
namespace {

/// What a force at the body's origin moves, averaged over directions [kg].
double mass_at_origin(const Bodies& bodies, int body, const Motion& motion) {
  const Bodies::Slot& s = bodies.slot(body);
  if (s.rigid) return bodies.mass(body);
  MatX M = MatX::Zero(s.nu, s.nu);
  VecX impulse(s.nu);
  bodies.general(s.index).free_motion(motion.q.segment(s.q, s.nq), motion.u.segment(s.u, s.nu), {}, M, impulse);
  Mat3X J(3, s.nu);
  bodies.point_jacobian(body, motion.q, bodies.placement(body, motion.q).c, J);
  const double mobility = (J * M.ldlt().solve(J.transpose())).trace() / 3;
  return mobility > 0 ? 1 / mobility : 0;
}

}  // namespace

Pull::Pull(const Spec& spec) : spec_(spec) {
  if (spec.body < 0) throw Error("a pull needs a body to act on");
  if (!spec.anchor.allFinite() || !spec.target.allFinite()) throw Error("anchor and target must be finite");
  for (const double x : {spec.stiffness, spec.damping, spec.limit})
    if (!(std::isfinite(x) && x >= 0)) throw Error("stiffness, damping and limit must be finite and >= 0");
}

Vec3 Pull::force(const Bodies& bodies, const VecX& q, const VecX& u) const {
  const Vec3 x = anchor_position(bodies, spec_.body, spec_.anchor, q), v = bodies.point_velocity(spec_.body, q, u, x);
  const Vec3 f = spec_.stiffness * (spec_.target - x) - spec_.damping * v;
  const double size = f.norm();
  return size > spec_.limit ? Vec3(f * (spec_.limit / size)) : f;
}

void Pull::add_forces(const ForceView& at, VecX&, VecX& other) const {
  const Vec3 x = anchor_position(at.bodies, spec_.body, spec_.anchor, at.q);
  at.bodies.add_point_force(spec_.body, at.q, x, force(at.bodies, at.q, at.u), other);
}

ForceTangent Pull::tangent(const ForceView& at) const {
  ForceTangent result(at.bodies, acts_on());
  const AnchorPoint hand = make_anchor_point(at.bodies, -1, spec_.target, at.q, at.u),
                    point = make_anchor_point(at.bodies, spec_.body, spec_.anchor, at.q, at.u);
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

Pull make_pull(const System& system, const Motion& motion, double h, int body, const Vec3& anchor, const Vec3& target,
               double frequency, double weights) {
  const Bodies& bodies = system.bodies;
  if (!bodies.can_move(body))
    throw Error("a body that is {} cannot be pulled", body < 0 ? "the world" : bodies.kind(body));
  const double mass = mass_at_origin(bodies, body, motion);
  if (!(mass > 0)) throw Error("it has no mass to pull at");
  const double gravity = system.gravity.norm() > 0 ? system.gravity.norm() : 9.81;
  std::vector<int> elements = count_forces(system);
  ++elements[static_cast<std::size_t>(body)];
  double omega = 2 * std::numbers::pi * frequency;
  for (int i = 0;; ++i, omega /= 1.5) {
    const Pull pull({body, anchor, target, mass * omega * omega, 2 * mass * omega, weights * mass * gravity});
    const ForceTangent tangent = pull.stiffest({bodies, motion.q, motion.u, motion.time});
    // Half as long as could be stable: the body turns, and with it what it weighs at the point.
    if (i == 20 || explicit_step(bodies, motion.q, motion.u, tangent, elements) >= 2 * h) return pull;
  }
}

}  // namespace cairn
