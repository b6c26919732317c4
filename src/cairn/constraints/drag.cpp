// SPDX-License-Identifier: Apache-2.0
// Drag of a medium on a point of a body.
#include "cairn/constraints/drag.h"

#include "cairn/constraints/anchor_point.h"

namespace cairn {

Drag::Drag(const Spec& spec) : spec_(spec) {
  if (spec.at.body < 0) throw Error("drag needs a body to act on");
  if (!spec.at.local.allFinite()) throw Error("anchor must be finite");
  check_parameters("linear drag", spec.linear);
  check_parameters("quadratic drag", spec.quadratic);
}

DragForce Drag::force_at(const Vec3& velocity, double t) const {
  const Vec3 relative = spec_.medium_velocity ? Vec3(velocity - spec_.medium_velocity(t)) : velocity;
  const DragForce linear = drag_force(spec_.linear, relative), quadratic = drag_force(spec_.quadratic, relative);
  return {linear.force + quadratic.force, linear.per_velocity + quadratic.per_velocity};
}

void Drag::add_forces(const ForceView& at, VecX&, VecX& other) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  const PlacedPoint p = bodies.place(spec_.at, q);
  bodies.add_point_force(p, q, force_at(bodies.point_velocity(p, q, u), at.t).force, other);
}

ForceTangent Drag::tangent(const ForceView& at) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  ForceTangent result(bodies, acts_on());
  const AnchorPoint point = make_anchor_point(bodies, spec_.at, q, u);
  const DragForce drag = force_at(point.v, at.t);
  const AnchorPoint world = make_anchor_point(bodies, {}, q, u);
  add_tangent(bodies, world, point, q, {drag.force, Mat3::Zero(), drag.per_velocity}, result);
  return result;
}

}  // namespace cairn
