// SPDX-License-Identifier: Apache-2.0
// Stribeck's curve and its derivative.
#include "cairn/laws/stribeck.h"

#include <array>
#include <cmath>

namespace cairn {

void StribeckCurve::describe(ParameterVisitor& v) {
  static constexpr std::array<std::string_view, 2> shapes{"exponential", "rational"};
  v.real("static_friction", static_friction, "", non_negative, "coefficient where sliding begins, mu_s");
  v.real("kinetic_friction", kinetic_friction, "", non_negative, "coefficient at high speed, mu_k <= mu_s");
  v.real("stribeck_speed", stribeck_speed, "m/s", positive, "speed by which most of the fall has happened");
  v.real("stribeck_exponent", stribeck_exponent, "", Range{1, 100}, "n of the fall; 1 or 2");
  v.choice("stribeck_shape", shape, shapes, "how the coefficient falls");
}

void check_stribeck(std::string_view owner, const StribeckCurve& curve) {
  check_parameters(owner, curve);
  if (curve.kinetic_friction > curve.static_friction) {
    throw Error("{}: kinetic_friction is {}; must be at most static_friction, {}", owner, curve.kinetic_friction,
                curve.static_friction);
  }
}

Friction friction_at(const StribeckCurve& curve, double sliding_speed) {
  const double fall = curve.static_friction - curve.kinetic_friction, ratio = sliding_speed / curve.stribeck_speed;
  const double n = curve.stribeck_exponent, power = std::pow(ratio, n - 1), s = power * ratio;
  if (fall == 0 || s > 1e30) return {curve.kinetic_friction, 0};  // beyond, s^2 could overflow
  const double rate = n * power / curve.stribeck_speed;           // ds/dw
  if (curve.shape == StribeckShape::Rational) {
    return {curve.kinetic_friction + fall / (1 + s), -fall * rate / ((1 + s) * (1 + s))};
  }
  return {curve.kinetic_friction + fall * std::exp(-s), -fall * rate * std::exp(-s)};
}

}  // namespace cairn
