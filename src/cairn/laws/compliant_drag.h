// SPDX-License-Identifier: Apache-2.0
// Drag of a fluid on a point or body moving through it at velocity v [m/s] relative to the fluid.
//
//   linear      f = -c v                       slow and small (Stokes: c = 6 pi eta R for a sphere)
//   quadratic   f = -rho/2 Cd A |v| v          fast (Reynolds number above about 1000; sphere: Cd = 0.47, A = pi R^2)
// Batchelor, An Introduction to Fluid Dynamics, 1967, sections 4.9 and 5.11. No lift, no added mass, no turning.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/math/types.h"

namespace cairn {

struct DragForce {
  Vec3 force;         ///< [N]
  Mat3 per_velocity;  ///< df/dv [N s/m], symmetric, <= 0
};

struct LinearDrag {
  double coefficient = 0;  ///< c [N s/m]
  void describe(ParameterVisitor& v);
};

struct QuadraticDrag {
  double density = 1.2;           ///< rho of the fluid [kg/m^3]
  double drag_coefficient = 0.5;  ///< Cd
  double area = 1;                ///< A [m^2], seen along the motion
  void describe(ParameterVisitor& v);
};

DragForce drag_force(const LinearDrag& law, const Vec3& velocity);
DragForce drag_force(const QuadraticDrag& law, const Vec3& velocity);

}  // namespace cairn
