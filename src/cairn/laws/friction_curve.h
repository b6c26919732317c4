// SPDX-License-Identifier: Apache-2.0
// A coefficient of friction that depends on the sliding speed, mu(w), w = |U_T|: constant, static and kinetic,
// Stribeck's curve, or a function of the user's own.
//
// The law of a problem has a number: mu(w) is evaluated before each solve with the speed at the beginning of the step
// (Studer 2009, section 7.6.2, does the same with the falling part), so the set of the solve stays convex.
#pragma once
#include "cairn/laws/stribeck.h"

#include <functional>
#include <variant>

namespace cairn {

struct ConstantFriction {
  double friction = 0.5;  ///< mu
  void describe(ParameterVisitor& v);
};

/// Two coefficients with a jump: static up to the slip speed, kinetic beyond. What has not moved stays at rest up to
/// mu_s r_N; what slides is braked with mu_k r_N until it is slower than the slip speed.
struct StaticKineticFriction {
  double static_friction = 0.5;   ///< mu_s
  double kinetic_friction = 0.5;  ///< mu_k <= mu_s
  double slip_speed = 1e-3;       ///< [m/s] >= 0; 0: static only at complete rest
  void describe(ParameterVisitor& v);
};

/// mu of the sliding speed [m/s]; must return finite numbers >= 0.
using UserFriction = std::function<double(double sliding_speed)>;

/// One curve of any kind; not explicit, so that a number and every kind is a curve.
struct FrictionCurve {
  std::variant<ConstantFriction, StaticKineticFriction, StribeckCurve, UserFriction> value;

  FrictionCurve(double friction = 0.5) : value(ConstantFriction{friction}) {}
  FrictionCurve(const ConstantFriction& curve) : value(curve) {}
  FrictionCurve(const StaticKineticFriction& curve) : value(curve) {}
  FrictionCurve(const StribeckCurve& curve) : value(curve) {}
  FrictionCurve(UserFriction curve) : value(std::move(curve)) {}
};

/// The value of a user's function. Throws Error naming `owner`, the speed and the value where it is no coefficient.
double own_friction_at(const UserFriction& function, double sliding_speed, std::string_view owner = "friction curve");

/// Throws Error naming `owner` unless the numbers are admissible, also beside each other; of a function: that there is
/// one.
void check_friction_curve(std::string_view owner, const FrictionCurve& curve);

/// Whether mu is the same at all speeds: nothing to evaluate at every step.
bool is_constant(const FrictionCurve& curve);

/// mu(w) and dmu/dw; a speed below 0 counts as 0. The slope of a function is a difference, that of a jump 0. Throws
/// Error naming `owner`, the speed and the value where a function returns what is no coefficient.
Friction friction_at(const FrictionCurve& curve, double sliding_speed, std::string_view owner = "friction curve");

}  // namespace cairn
