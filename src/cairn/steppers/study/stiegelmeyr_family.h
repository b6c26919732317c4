// SPDX-License-Identifier: Apache-2.0
// Time-stepping with linearised gaps: Stiegelmeyr 2001, Funk 2003, Foerg, Pfeiffer and Ulbrich 2005 (Studer 2009, 5.8).
//
//   stiegelmeyr  M, f, H at q_B;  q_E = q_B + h u_E;  g_B + h U_E >= 0; where a blow is elastic, Moreau's law:
//                contacts with e > 0 wait until they are closed and then hold U_E + e U_B >= 0
//   funk         q_D = q_B + (1 - theta) h u_B, elasticity linearly implicit; g_D + h U_E >= 0
//   foerg        as stiegelmeyr, without restitution
// Their differences in solvers (semi-enumeration, Lemke, augmented Lagrangian) are a choice of solver here, and the
// scaling of impulses by h is every solver's own. Foerg's implicit form (H at q_E) is `index-3`.
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class Stiegelmeyr final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.joints = {JointRule::Stabilised},
                        .implicit_elasticity = false,
                        .recovery = 1,
                        .push_limit = MidpointRules::unlimited,
                        .theta = 1};
    void describe(ParameterVisitor& v) { describe_joints(rules, v); }
  };
  explicit Stiegelmeyr(const Settings& settings) : MidpointStepper("stiegelmeyr", settings.rules) {}
};

class Funk final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Linearised, .joints = {JointRule::Stabilised}, .recovery = 1};
    void describe(ParameterVisitor& v) {
      describe_theta(rules, v);
      describe_joints(rules, v);
    }
  };
  explicit Funk(const Settings& settings) : MidpointStepper("funk", settings.rules) {}
};

class Foerg final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Linearised,
                        .joints = {JointRule::Stabilised},
                        .implicit_elasticity = false,
                        .recovery = 1,
                        .theta = 1};
    void describe(ParameterVisitor& v) { describe_joints(rules, v); }
  };
  explicit Foerg(const Settings& settings) : MidpointStepper("foerg", settings.rules) {}
};

}  // namespace cairn
