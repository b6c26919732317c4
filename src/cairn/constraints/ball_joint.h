// SPDX-License-Identifier: Apache-2.0
// Spherical joint: a point of A coincides with a point of B (Koziara, table in 3.7). Three bilateral rows.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/constraints/constraint.h"

namespace cairn {

struct BallJoint {
  int body_a = -1, body_b = -1;                           ///< -1: the world
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();  ///< in the bodies' reference axes (world: world point) [m]
};

/// World position of a joint's anchor on a body (or in the world).
Vec3 anchor_position(const Bodies& bodies, int body, const Vec3& anchor, const VecX& q);

/// Its rows at a configuration; the gap in world axes, A's point minus B's, is also its drift.
Constraint make_constraint(const BallJoint& joint, const Bodies& bodies, const VecX& q);
Vec3 joint_gap(const BallJoint& joint, const Bodies& bodies, const VecX& q);

}  // namespace cairn
