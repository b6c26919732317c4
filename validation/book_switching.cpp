// SPDX-License-Identifier: Apache-2.0
// Schemes that locate switches: section B (Studer) of the book, and the yardstick they are measured with (Y).
#include "cases.h"

namespace cairn::validation {

std::vector<Case> switching_cases() {
  const std::string studer = "Studer, Numerics of Unilateral Contacts and Friction (2009), ";
  return {
      {"B16", "Point mass through an accumulation point", studer + "6.5.1",
       "A point of 1 kg falls from 0.07 m with e = 0.7; augmented time-stepping with order 2, step_min = 1e-5 s, "
       "step_max "
       "= 0.05 s.",
       "Impacts by formula, accumulation at 0.676951 s; numbers of switches and steps as the spec's own run.",
       run_falling_point},
      {"B17", "Point mass that slides and nearly turns back", studer + "6.5.2",
       "A point of 1 kg with constant friction 2 N starts at (2, -0.2) m/s under (-2.5, -0.25) N until 3 s.",
       "A run of the plain rule with h = 1e-5 s in the spec; the book shows figures only.", run_sliding_point},
      {"B18", "Order on the impact oscillator", studer + "6.5.3; averaged test of the spec, 9.5",
       "m = 0.1 kg, c = 20 N/m, free at -0.15 m, stop at 0 with e = 0.6, v0 = 0.2 m/s, start states from -0.5 m on; "
       "augmented time-stepping of fixed order p, step_min = step_max^p.",
       "x(1) by formula; slopes p = 1 to 4 of the mean error.", run_averaged_oscillator},
      {"B19", "Woodpecker toy: twelve switches", studer + "6.5.4, table 6.1; data of Glocker (1995)",
       "Sleeve and bird in minimal coordinates with three contacts of their own, mu = 0.3, e = (0.5, 0, 0); augmented "
       "time-stepping to order 6, step_min = 1e-7 s, step_max = 5e-3 s.",
       "Order of table 6.1; times of the spec's own run, which it trusts to 5 decimals.", run_woodpecker_events},
      {"B20", "Order on the woodpecker toy", studer + "6.5.4",
       "The toy of B19 until 0.15 s at fixed orders, step_min = 1e-10 s.",
       "Our own run of order 6; slopes of the mean error over start states.", run_woodpecker_order},
      {"Y1", "Event-driven integration as a yardstick", "Closed forms; S2, F3, B18",
       "A ball over four impacts with e = 0.5, the pendulum of S2, the impact oscillator of B18, the driven block of "
       "F3, by "
       "the stepper event-driven.",
       "Formulas; all to 1e-10.", run_yardstick},
  };
}

}  // namespace cairn::validation
