// SPDX-License-Identifier: Apache-2.0
// Moreau's midpoint rule (Studer 2009, section 5.4): the default scheme.
//
//   -(U_E + e U_B) in N_C(r) for contacts closed at mid-step, joints g_M/h + U_E = 0 (5.1, item 7b).
// With activation "predicted", contacts that are open by g_M > 0 also take part as U_E >= -g_M/h: mid-points advance by
// h u_E, so nothing penetrates, and a body at rest does not fall through the last rounding of its gap. Order 2 without
// contact events, 1 with.
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class Moreau final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.recovery = 0.1, .gap_tolerance = 5e-10, .impact_steps = 16};
    void describe(ParameterVisitor& v);
  };
  explicit Moreau(const Settings& settings) : MidpointStepper("moreau", settings.rules) {}
};

}  // namespace cairn
