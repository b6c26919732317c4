// SPDX-License-Identifier: Apache-2.0
// Recursion and closed form of rescaled penalties.
#include "cairn/math/penalty_rescaling.h"

#include <cmath>

namespace cairn {

RescaledPenalty rescale_by_recursion(const PenaltyOscillator& o, double h) {
  double eta = std::ldexp(h, -o.halvings);  // length of the steps left, fine ones first
  RescaledPenalty p{0, o.stiffness + o.damping / eta, -o.damping / eta, 1};
  for (int level = 0; level < o.halvings; ++level, eta *= 2) {
    const double s = eta * eta / (4 * o.mass);
    p = {p.a * (0.5 + s * p.a), 0.5 * (p.a + p.c) + p.b + s * (2 * p.a * p.c - p.b * p.b), p.c * (0.5 + s * p.c),
         p.delta * (1 - 2 * s * p.b)};
  }
  return p;
}

double penalty_phase(const PenaltyOscillator& o, double h) {
  const double fine = std::ldexp(h, -o.halvings);
  return std::ldexp(2 * std::asin(0.5 * fine * std::sqrt(o.stiffness / o.mass)), o.halvings);
}

RescaledPenalty rescale_closed(const PenaltyOscillator& o, double h) {
  const double phase = penalty_phase(o, h), theta = std::ldexp(phase, -o.halvings), half = std::sin(0.5 * phase);
  // 1 - cos P = 2 sin^2(P/2); sin(theta) = 0 only for k = 0, where Delta = 1.
  const double delta = theta == 0 ? 1 : std::sin(phase) / std::ldexp(std::sin(theta), o.halvings);
  return {0, 4 * o.mass / (h * h) * half * half, 0, delta};
}

RescaledPenalty rescale(const PenaltyOscillator& o, double h) {
  return o.damping == 0 ? rescale_closed(o, h) : rescale_by_recursion(o, h);
}

double stiffness_of_phase(double mass, int halvings, double h, double phase) {
  const double fine = std::ldexp(h, -halvings), s = std::sin(std::ldexp(phase, -halvings - 1));
  return mass * (2 * s / fine) * (2 * s / fine);
}

}  // namespace cairn
