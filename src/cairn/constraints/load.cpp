// SPDX-License-Identifier: Apache-2.0
// Given forces and torques.
#include "cairn/constraints/load.h"

#include "cairn/base/error.h"
#include "cairn/constraints/anchor_point.h"

namespace cairn {

Load::Load(const Spec& spec) : spec_(spec) {
  if (spec.at.body < 0) throw Error("a load needs a body to act on");
  if (!spec.at.local.allFinite()) throw Error("anchor must be finite");
}

void Load::add_forces(const ForceView& at, VecX&, VecX& other) const {
  const Bodies& bodies = at.bodies;
  const VecX& q = at.q;
  const Bodies::Slot& slot = bodies.slot(spec_.at.body);
  const bool in_body = spec_.axes == LoadAxes::Body;
  if (!slot.rigid && (in_body || spec_.torque)) {
    throw Error("a torque, or a force in body axes, acts on rigid bodies only");
  }
  if (spec_.force) {
    const Vec3 given = spec_.force(at.t);
    const Vec3 force = in_body ? Vec3(bodies.rotation(spec_.at, q) * given) : given;
    bodies.add_point_force(bodies.place(spec_.at, q), q, force, other);
  }
  if (spec_.torque) {
    const Vec3 given = spec_.torque(at.t);
    bodies.add_torque(spec_.at, q, in_body ? Vec3(bodies.rotation(spec_.at, q) * given) : given, other);
  }
}

ForceTangent Load::tangent(const ForceView& at) const {
  const Bodies& bodies = at.bodies;
  const VecX &q = at.q, &u = at.u;
  ForceTangent result(bodies, acts_on());
  const Bodies::Slot& slot = bodies.slot(spec_.at.body);
  if (spec_.axes == LoadAxes::Body) {
    // The force turns with the body by R f^; in body axes its moment stays.
    if (spec_.force) result.K.block<3, 3>(0, 3) += bodies.placement(spec_.at.body, q).A * hat(spec_.force(at.t));
    return result;
  }
  if (spec_.force) {
    const AnchorPoint point = make_anchor_point(bodies, spec_.at, q, u);
    result.K -= force_change(bodies, point, q, spec_.force(at.t));
  }
  if (spec_.torque) {
    const Vec3 torque_body = stored_orientation(q, slot.q).conjugate() * spec_.torque(at.t);
    result.K.block<3, 3>(3, 3) -= hat(torque_body);
  }
  return result;
}

}  // namespace cairn
