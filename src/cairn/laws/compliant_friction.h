// SPDX-License-Identifier: Apache-2.0
// Coulomb's friction with the jump at rest replaced by a steep slope: f_T = -N mu(|u|) s(|u|/u0) u/|u|.
//
//   linear       s = min(1, x)             Hewlett 2020, sections 3.4 and 7.4: "PRF", with N = depth/compliance
//   tanh         s = tanh x                the usual smooth one
//   square-root  s = x/sqrt(1 + x^2)       smooth, cheap; reaches 1 slowly
// mu is a Stribeck curve: equal coefficients are Coulomb's law, a higher static one gives the peak at rest. Nothing
// sticks: on an incline of angle b the body creeps at u0 s^-1(tan b/mu), u0 tan b/mu in the linear form.
#pragma once
#include "cairn/laws/stribeck.h"
#include "cairn/math/types.h"

namespace cairn {

/// Friction in the tangent plane and its tangents.
struct TangentForce {
  Vec2 force = Vec2::Zero();         ///< f_T [N], against the velocity
  Mat2 per_velocity = Mat2::Zero();  ///< df_T/du [N s/m]
  Vec2 per_normal = Vec2::Zero();    ///< df_T/dN
};

enum class FrictionRamp : std::uint8_t { Linear, Tanh, SquareRoot };

struct RegularisedCoulomb {
  StribeckCurve friction{};
  double ramp_speed = 1e-3;  ///< u0 [m/s]: below it friction is like a damper of N mu/u0
  FrictionRamp ramp = FrictionRamp::Linear;
  void describe(ParameterVisitor& v);
};

/// Throws Error naming `owner` unless the numbers are admissible, also beside each other.
void check_regularised_coulomb(std::string_view owner, const RegularisedCoulomb& law);

/// `velocity` is the sliding velocity u [m/s], `normal_force` N >= 0 [N].
TangentForce friction_force(const RegularisedCoulomb& law, const Vec2& velocity, double normal_force);

}  // namespace cairn
