// SPDX-License-Identifier: Apache-2.0
// Joints, closed loops and couplings: section J of the book.
#include "cases.h"

namespace cairn::validation {

std::vector<Case> joint_cases() {
  return {
      {"J1", "N-window four-bar", "IFToMM benchmark library, N-four-bar mechanism",
       "N + 1 upright rods on hinges in the ground and N rods across their tops, all thin, of 1 m and 1 kg, start "
       "upright with the tops moving at 1 m/s and turn over for 10 s; N = 1 and 2, in the full form 40. Every half "
       "turn all rods lie in one line, where the mechanism could fold. Bodies without shapes on revolute joints.",
       "phi'' = -g (3/2)(3N + 1)/(4N + 1) cos phi, integrated independently. Tolerance 1e-4.", run_four_bar},
  };
}

}  // namespace cairn::validation
