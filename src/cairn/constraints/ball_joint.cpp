// SPDX-License-Identifier: Apache-2.0
// Spherical joint: rows and drift.
#include "cairn/constraints/ball_joint.h"

namespace cairn {

Vec3 anchor_position(const Bodies& bodies, int body, const Vec3& anchor, const VecX& q) {
  return body < 0 ? anchor : bodies.placement(body, q).apply(anchor);
}

Vec3 joint_gap(const BallJoint& joint, const Bodies& bodies, const VecX& q) {
  return anchor_position(bodies, joint.body_a, joint.anchor_a, q) -
         anchor_position(bodies, joint.body_b, joint.anchor_b, q);
}

Constraint make_constraint(const BallJoint& joint, const Bodies& bodies, const VecX& q) {
  Constraint c;
  c.body_a = joint.body_a;
  c.body_b = joint.body_b;
  c.point_a = anchor_position(bodies, joint.body_a, joint.anchor_a, q);
  c.point_b = anchor_position(bodies, joint.body_b, joint.anchor_b, q);
  c.law = LawKind::Bilateral;
  return c;
}

}  // namespace cairn
