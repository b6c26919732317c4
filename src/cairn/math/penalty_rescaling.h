// SPDX-License-Identifier: Apache-2.0
// A penalty oscillator in many fine steps, seen from one long step (Hewlett 2020, chapter 4: time-step rescaling of an
// asynchronous variational integrator).
//
// Mass m, stiffness k and damping beta move in steps h_s = h/2^N under
//   m/h_s (x_+ + x_- - 2 x) + h_s (a x_+ + b x + c x_-) = -h lambda  where a long step begins, else 0
// (a = c = 0, b = k for a spring; beta enters by the backward difference, b += beta/h_s, c -= beta/h_s). Leaving out
// every second fine step, N times, gives on the long step
//   -Delta lambda = m/h^2 (x_+ + x_- - 2 x) + a x_+ + b x + c x_-
// For a spring, with cos(theta) = 1 - h_s^2 k/(2 m) and the phase P = 2^N theta, in closed form
//   b = 2 m/h^2 (1 - cos P),   Delta = sin P/(2^N sin theta),   a = c = 0
// So b stays below 4 m/h^2 however stiff the spring, and the constraint is as tight as Delta is small: the step sees
// the mass m/Delta. Where Delta < 0 that mass is negative and runs diverge.
#pragma once

namespace cairn {

struct RescaledPenalty {
  double a = 0, b = 0, c = 0;  ///< [N/m]
  double delta = 1;
};

/// One oscillator of a constraint.
struct PenaltyOscillator {
  double mass = 0.01;       ///< [kg]
  double stiffness = 1e10;  ///< [N/m]
  double damping = 0;       ///< [N s/m]
  int halvings = 20;        ///< N
};

/// By the recursion over the halvings.
RescaledPenalty rescale_by_recursion(const PenaltyOscillator& oscillator, double h);
/// By the closed form; damping must be 0.
RescaledPenalty rescale_closed(const PenaltyOscillator& oscillator, double h);
/// The closed form where there is no damping, else the recursion.
RescaledPenalty rescale(const PenaltyOscillator& oscillator, double h);

/// Phase P of an undamped oscillator over one long step [rad]; NaN where its fine step is not stable (h_s omega > 2).
double penalty_phase(const PenaltyOscillator& oscillator, double h);
/// Stiffness with which it has the phase P.
double stiffness_of_phase(double mass, int halvings, double h, double phase);

}  // namespace cairn
