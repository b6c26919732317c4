// SPDX-License-Identifier: Apache-2.0
// A point of body B seen from axes that body A carries, and forces that are functions of what is seen.
//
// With p = R_A' (x_b - c_A) the point in A's body axes, it is at d = S' (p - origin) in the axes S and moves at
// w = dd/dt: what an observer on A sees. The force acts on B at x_b and its opposite on A at the same place, so it
// keeps linear and angular momentum, and what derives from an energy of d does so exactly. In generalised terms
//   dp = L u,  L = [-R_A', p^ | R_A' J_b],   F = L' S f(d, w)
// A is a rigid body or the world (then R_A = 1, and only the columns of B are there).
#pragma once
#include "cairn/constraints/anchor_point.h"

namespace cairn {

/// Axes fixed in a body, or in the world (-1).
struct CarriedFrame {
  int body = -1;
  Vec3 origin = Vec3::Zero();    ///< in the body's axes
  Mat3 axes = Mat3::Identity();  ///< columns: the axes in the body's axes
};

/// Throws Error when the frame's body is not rigid.
void check_carrier(const Bodies& bodies, const CarriedFrame& frame);

struct CarriedPoint {
  PlacedPoint on_b;   ///< the point
  PlacedPoint on_a;   ///< the point of A that is there too
  Mat3 world;         ///< columns: the axes of the frame in the world
  Vec3 place, speed;  ///< d and w, in the frame's axes
};
CarriedPoint see_point(const Bodies& bodies, const CarriedFrame& frame, const MaterialPoint& b, const VecX& q,
                       const VecX& u);
/// The same without its speed.
CarriedPoint see_place(const Bodies& bodies, const CarriedFrame& frame, const MaterialPoint& b, const VecX& q);

/// A force in the frame's axes, on B, with its tangents by d and w.
struct CarriedForce {
  Vec3 force = Vec3::Zero();
  Mat3 per_place = Mat3::Zero(), per_speed = Mat3::Zero();
};
void add_carried_force(const Bodies& bodies, const CarriedPoint& point, const VecX& q, const Vec3& force,
                       VecX& generalised);
/// The bodies of `tangent` are A and B.
void add_carried_tangent(const Bodies& bodies, const CarriedFrame& frame, const MaterialPoint& b, const VecX& q,
                         const VecX& u, const CarriedForce& f, ForceTangent& tangent);

}  // namespace cairn
