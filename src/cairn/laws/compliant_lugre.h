// SPDX-License-Identifier: Apache-2.0
// LuGre friction: bristles of deflection z that bend, dissipate and slip; sticks, creeps before sliding, has memory.
//
//   dz/dt = v - a z,   a = s0 |v|/mu(|v|),   f_T = -N (s0 z + s1 dz/dt + s2 v)
// Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE Trans. Automatic Control 40, 1995; per unit of normal force as in
// Canudas de Wit and Tsiotras 1999, so that no load means no friction. Steady sliding gives N (mu(|v|) + s2 |v|); at
// rest the stiffness is N s0.
//
// With constant s1 the law can create energy. N s0 z^2/2 is stored, and the rest dissipates for all z where
//   s1^2 |v| <= 4 (s1 + s2) mu(|v|);
// s1 is lowered to this bound where it is above, so the law is passive at constant N, and the usual one elsewhere. It
// is lowered at speeds where the bristles have long settled; steady sliding does not change.
#pragma once
#include "cairn/laws/compliant_friction.h"

namespace cairn {

struct LuGre {
  StribeckCurve friction{};        ///< mu; its kinetic coefficient must be > 0
  double bristle_stiffness = 1e5;  ///< s0 [1/m]: N s0 is the stiffness before sliding
  double bristle_damping = 300;    ///< s1 [s/m]
  double viscous_friction = 0;     ///< s2 [s/m]
  void describe(ParameterVisitor& v);
};

/// Throws Error naming `owner` unless the numbers are admissible, also beside each other.
void check_lugre(std::string_view owner, const LuGre& law);

/// dz/dt [m/s], and f_T [N], at an instant: for integrators that carry z themselves.
Vec2 bristle_rate(const LuGre& law, const Vec2& bristle, const Vec2& velocity);
Vec2 bristle_force(const LuGre& law, const Vec2& bristle, const Vec2& velocity, double normal_force);
/// N s0 z^2/2 [J].
double bristle_energy(const LuGre& law, const Vec2& bristle, double normal_force);

struct LuGreStep {
  TangentForce mean;  ///< mean force over the step; its tangents are those of the mean
  Vec2 bristle;       ///< z at the end [m]
};
/// A step h [s] at constant velocity and normal force, exact whatever h s0: the equation of z is linear then. The work
/// h f.v of the mean force is exact too, so each step dissipates: -h f.v >= change of bristle_energy.
LuGreStep step_lugre(const LuGre& law, const Vec2& bristle, const Vec2& velocity, double normal_force, double h);

}  // namespace cairn
