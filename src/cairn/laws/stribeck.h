// SPDX-License-Identifier: Apache-2.0
// Stribeck's curve: friction coefficient that falls from static to kinetic as sliding speeds up.
//
//   exponential   mu(w) = mu_k + (mu_s - mu_k) exp(-(w/w_s)^n)        Bo and Pavelescu 1982; n = 1 or 2 is usual
//   rational      mu(w) = mu_k + (mu_s - mu_k)/(1 + (w/w_s)^n)        Studer 2009, 7.6.2.1: mu_k = 0, n = 1, w_s =
//   1/delta
// w >= 0 is the length of the sliding velocity. The viscous part, growing with w, belongs to the law that uses it.
#pragma once
#include "cairn/base/parameters.h"

#include <cstdint>

namespace cairn {

enum class StribeckShape : std::uint8_t { Exponential, Rational };

struct StribeckCurve {
  double static_friction = 0.5;   ///< mu_s, at w = 0
  double kinetic_friction = 0.5;  ///< mu_k <= mu_s, at high speed; equal: Coulomb
  double stribeck_speed = 0.01;   ///< w_s [m/s]
  double stribeck_exponent = 2;   ///< n >= 1: the slope at w = 0 is finite
  StribeckShape shape = StribeckShape::Exponential;
  void describe(ParameterVisitor& v);
};

/// Throws Error naming `owner` unless the numbers are admissible, also beside each other.
void check_stribeck(std::string_view owner, const StribeckCurve& curve);

struct Friction {
  double coefficient;  ///< mu(w)
  double slope;        ///< dmu/dw [s/m] <= 0
};
Friction friction_at(const StribeckCurve& curve, double sliding_speed);

}  // namespace cairn
