// SPDX-License-Identifier: Apache-2.0
// Koziara's dynamic driver (spec 3.11): explicit, contacts from overlap at mid-step, rotations NEW1-3, joints on the
// mean velocity.
//
//   0 <= U_E + eta min(0, U_B)  _|_  r_N >= 0 (10.1.27);  joints U_B + U_E = 0, which do no work and do not drift
//   (3.7).
// Elastic bodies are explicit: steps up to their critical step only (5.1.23).
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class Koziara final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.activation = Activation::Closed,
                        .joints = {JointRule::Mean},
                        .forces = ForceRule::Explicit,
                        .implicit_elasticity = false,
                        .impact_steps = 16};
    void describe(ParameterVisitor& v);
  };
  explicit Koziara(const Settings& settings) : MidpointStepper("koziara", settings.rules) {}
};

}  // namespace cairn
