// SPDX-License-Identifier: Apache-2.0
// Newmark's rule and its damped relatives as one family of four numbers (Newmark 1959; Hilber, Hughes and Taylor 1977;
// Chung and Hulbert 1993; for constraints Arnold and Bruels 2007).
//
//   q+ = q + h q' + h^2 ((1/2 - beta) a + beta a+),   q'+ = q' + h ((1 - gamma) a + gamma a+)
//   (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) q''+ + alpha_f q''
// with the equations of motion at the end of the step. rho is the factor by which a step multiplies what is much faster
// than the step: 1 keeps its energy, 0 removes it at once.
//   newmark             alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2: the trapezoidal rule, rho = 1, a = q''
//   hht                 alpha_f = (1 - rho)/(1 + rho), alpha_m = 0, rho >= 1/2
//   generalised-alpha   alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1)
// with gamma = 1/2 + alpha_f - alpha_m and beta = (gamma + 1/2)^2/4: order 2, stable for every step.
#pragma once
#include <cstdint>
#include "cairn/base/parameters.h"

namespace cairn {

enum class AlphaKind : std::uint8_t { Newmark, Hht, GeneralisedAlpha };

struct AlphaFamily {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  /// dq'/dq and dq''/dq of a step h when q+ changes.
  double rate_per_place(double h) const { return gamma / (beta * h); }
  double acceleration_per_place(double h) const { return (1 - alpha_m) / ((1 - alpha_f) * beta * h * h); }
};

inline AlphaFamily make_family(AlphaKind kind, double rho) {
  AlphaFamily f;
  if (kind == AlphaKind::Newmark) return f;
  f.alpha_m = kind == AlphaKind::Hht ? 0 : (2 * rho - 1) / (rho + 1);
  f.alpha_f = kind == AlphaKind::Hht ? (1 - rho) / (1 + rho) : rho / (rho + 1);
  f.gamma = 0.5 + f.alpha_f - f.alpha_m;
  f.beta = 0.25 * (f.gamma + 0.5) * (f.gamma + 0.5);
  return f;
}

}  // namespace cairn
