// SPDX-License-Identifier: Apache-2.0
// Time-stepping schemes compared: section T of the book.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> scheme_cases() {
  return {
      {"T1", "Order of every stepper", "Studer (2009), section 6.5, averaged over start states",
       "A mass on a spring (free), a pendulum on a ball joint (joint), a block that slides along a spring (sliding), "
       "the "
       "oscillator of 0.1 kg and 20 N/m against a stop with e = 0.6, or e = 0 for schemes without restitution "
       "(impact), "
       "and a block under 8 cos t N on mu = 0.8 (stick-slip): error of the position at three steps under every stepper "
       "of the registry; over 40 start states (short form: 12; steppers that locate switches: 3) for the last two.",
       "Closed forms piece by piece. The slope is not below the order the stepper declares, less 0.2 (0.35 on "
       "average).",
       run_scheme_orders},
      {"T2", "Ten scenes under every stepper", "Property of the schemes",
       "The five motions of T1, a sphere set sliding (F6), a free tumbling body, a double pendulum, a ball that "
       "bounces "
       "with e = 0.5, and a block on a free wedge (F12), under every stepper that can serve them, at five steps, to a "
       "64th where an error is above 5 mm (short "
       "form: two).",
       "Closed forms, or `event-driven` to rounding. All agree in the limit: errors below 5 mm (short form: "
       "50 mm) "
       "at the smallest step and falling.",
       run_scheme_comparison},
  };
}

}  // namespace cairn::validation
