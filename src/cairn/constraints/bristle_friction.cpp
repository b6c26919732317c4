// SPDX-License-Identifier: Apache-2.0
// LuGre friction between a point and a plane.
#include "cairn/constraints/bristle_friction.h"

#include "cairn/base/error.h"
#include "cairn/constraints/constraint.h"

#include <algorithm>
#include <cmath>

namespace cairn {

BristleFriction::BristleFriction(const Spec& spec) : spec_(spec) {
  check_lugre("lugre", spec.law);
  if (!spec.normal_force) throw Error("normal_force is missing; bristles hold by it");
  if (!(std::abs(spec.normal.norm() - 1) <= 1e-9)) {
    throw Error("direction is [{}, {}, {}]; must have length 1", spec.normal.x(), spec.normal.y(), spec.normal.z());
  }
  if (!spec.a.local.allFinite() || !spec.b.local.allFinite()) throw Error("anchors must be finite");
  if (spec.a.body == spec.b.body) throw Error("both ends are on the same body");
  frame_ = {spec.a.body, spec.a.local, contact_frame(spec.normal).transpose()};
}

LuGreStep BristleFriction::step(const ForceView& at, const CarriedPoint& point) const {
  return step_lugre(spec_.law, Vec2(at.memory[0], at.memory[1]), point.speed.tail<2>(),
                    std::max(0.0, spec_.normal_force(at.t)), at.h);
}

void BristleFriction::add_forces(const ForceView& at, VecX&, VecX& other) const {
  const CarriedPoint point = see(at);
  Vec3 force = Vec3::Zero();
  force.tail<2>() = step(at, point).mean.force;
  add_carried_force(at.bodies, point, at.q, force, other);
}

ForceTangent BristleFriction::tangent(const ForceView& at) const {
  ForceTangent result(at.bodies, acts_on());
  const TangentForce mean = step(at, see(at)).mean;
  CarriedForce f;
  f.force.tail<2>() = mean.force;
  f.per_speed.bottomRightCorner<2, 2>() = mean.per_velocity;
  add_carried_tangent(at.bodies, frame_, spec_.b, at.q, at.u, f, result);
  return result;
}

void BristleFriction::begin_memory(const Bodies&, const VecX&, std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
}

void BristleFriction::update_memory(const ForceView& at, const VecX&, std::span<double> z) const {
  const Vec2 bristle = step(at, see(at)).bristle;
  z[0] = bristle.x();
  z[1] = bristle.y();
}

}  // namespace cairn
