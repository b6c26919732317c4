// SPDX-License-Identifier: Apache-2.0
// A material point of a body and the tangents of forces that act on one or two of them, in world axes.
//
// The point moves with J u. When the body moves by d, the point moves by J d, and J changes too; two products of that
// change are all that tangents need: d(J u)/dd and d(J' f)/dd. For a rigid body with the point at p in body axes,
// Omega and f_b = R' f in body axes, J = [1, -R p^], they are
//   d(J u)/dd = [0, -R (Omega x p)^],    d(J' f)/dd = [0, 0; 0, p^ f_b^].
// Other bodies answer both themselves (Body::velocity_change, Body::add_force_stiffness).
#pragma once
#include "cairn/constraints/force_element.h"

namespace cairn {

/// A placed material point with its velocity; of the world (-1) with no columns in J.
struct AnchorPoint : PlacedPoint {
  Vec3 v = Vec3::Zero();  ///< world
  Mat3X J;                ///< v = J u of its body
  Mat3X velocity_change;  ///< d(J u)/dd
};
AnchorPoint make_anchor_point(const Bodies& bodies, const MaterialPoint& point, const VecX& q, const VecX& u);

/// d(J' f)/dd for a constant force f in world axes.
MatX force_change(const Bodies& bodies, const AnchorPoint& point, const VecX& q, const Vec3& force);

/// A force in world axes as a function of r = x_b - x_a and v = v_b - v_a.
struct PairForce {
  Vec3 force = Vec3::Zero();         ///< on b; the opposite acts on a
  Mat3 per_place = Mat3::Zero();     ///< df/dr
  Mat3 per_velocity = Mat3::Zero();  ///< df/dv
};
/// Adds its tangents; `a` and `b` are the two bodies of `tangent`.
void add_tangent(const Bodies& bodies, const AnchorPoint& a, const AnchorPoint& b, const VecX& q, const PairForce& f,
                 ForceTangent& tangent);

}  // namespace cairn
