// SPDX-License-Identifier: Apache-2.0
// Springs and loads.
#include "cairn/constraints/force_element.h"

#include "cairn/base/error.h"
#include "cairn/constraints/joint.h"

#include <cmath>

namespace cairn {

Spring::Spring(const Spec& spec) : spec_(spec) {
  if (!(std::isfinite(spec.stiffness) && spec.stiffness >= 0))
    throw Error("stiffness is {} N/m; must be >= 0", spec.stiffness);
  if (!(std::isfinite(spec.damping) && spec.damping >= 0))
    throw Error("damping is {} N s/m; must be >= 0", spec.damping);
  if (!(std::isfinite(spec.rest_length) && spec.rest_length >= 0)) {
    throw Error("rest length is {} m; must be >= 0", spec.rest_length);
  }
  if (spec.body_a == spec.body_b) throw Error("both ends are on the same body");
}

void Spring::add_forces(const Bodies& bodies, const VecX& q, const VecX& u, double, VecX& conservative,
                        VecX& other) const {
  const Vec3 a = anchor_position(bodies, spec_.body_a, spec_.anchor_a, q);
  const Vec3 b = anchor_position(bodies, spec_.body_b, spec_.anchor_b, q);
  const double length = (b - a).norm();
  if (length == 0) return;  // no direction: a spring of zero length pulls nowhere
  const Vec3 direction = (b - a) / length;
  const auto pull = [&](const Vec3& force, VecX& generalised) {  // on A; the opposite on B
    if (spec_.body_a >= 0) bodies.add_point_force(spec_.body_a, q, a, force, generalised);
    if (spec_.body_b >= 0) bodies.add_point_force(spec_.body_b, q, b, -force, generalised);
  };
  pull(spec_.stiffness * (length - spec_.rest_length) * direction, conservative);
  if (spec_.damping > 0) {
    const Vec3 va = spec_.body_a >= 0 ? bodies.point_velocity(spec_.body_a, q, u, a) : Vec3::Zero();
    const Vec3 vb = spec_.body_b >= 0 ? bodies.point_velocity(spec_.body_b, q, u, b) : Vec3::Zero();
    pull(spec_.damping * (vb - va).dot(direction) * direction, other);
  }
}

double Spring::energy(const Bodies& bodies, const VecX& q) const {
  const Vec3 a = anchor_position(bodies, spec_.body_a, spec_.anchor_a, q);
  const Vec3 b = anchor_position(bodies, spec_.body_b, spec_.anchor_b, q);
  const double stretch = (b - a).norm() - spec_.rest_length;
  return 0.5 * spec_.stiffness * stretch * stretch;
}

Load::Load(const Spec& spec) : spec_(spec) {
  if (spec.body < 0) throw Error("a load needs a body to act on");
}

void Load::add_forces(const Bodies& bodies, const VecX& q, const VecX&, double t, VecX&, VecX& other) const {
  if (spec_.force) {
    const Vec3 x = anchor_position(bodies, spec_.body, spec_.anchor, q);
    bodies.add_point_force(spec_.body, q, x, spec_.force(t), other);
  }
  if (spec_.torque) {
    const Bodies::Slot& slot = bodies.slot(spec_.body);
    if (!slot.rigid) throw Error("a torque load acts on rigid bodies only");
    other.segment<3>(slot.u + 3) += stored_orientation(q, slot.q).conjugate() * spec_.torque(t);
  }
}

}  // namespace cairn
