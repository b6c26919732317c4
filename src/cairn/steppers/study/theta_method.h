// SPDX-License-Identifier: Apache-2.0
// The theta method of contact dynamics (Jean and Moreau 1992, Jean 1999; Studer 2009, section 5.6).
//
//   q_D = q_B + (1 - theta) h u_B;   M^ (u_E - u_B) = h f_D + H_D' r;   q_E = q_D + theta h u_E
//   moreau-jean   contacts with g_D <= 0:  U_E + e min(0, U_B) >= 0
//   nscd          all contacts in reach:   g_D/h + U_E >= 0   (inelastic, in two steps; p = share of an overlap taken
//                 back: 1 as printed, 0 with max(0, g_D))
// Elastic bodies are linearly implicit: stable for theta >= 1/2 at any step, order 2 for 1/2 and 1 for others.
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class MoreauJean final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.activation = Activation::Closed, .joints = {JointRule::Stabilised}};
    void describe(ParameterVisitor& v) {
      describe_theta(rules, v);
      describe_joints(rules, v);
      v.real("recovery", rules.recovery, "", unit_interval,
             "share of an overlap pushed out per step (never faster than g h / 2)");
    }
  };
  explicit MoreauJean(const Settings& settings) : MidpointStepper("moreau-jean", settings.rules) {}
};

class Nscd final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{.gap = GapRule::Linearised, .joints = {JointRule::Stabilised}, .recovery = 1};
    void describe(ParameterVisitor& v) {
      describe_theta(rules, v);
      describe_joints(rules, v);
      v.real("recovery", rules.recovery, "", unit_interval, "share of an overlap taken back in the step");
    }
  };
  explicit Nscd(const Settings& settings) : MidpointStepper("nscd", settings.rules) {}
};

}  // namespace cairn
