// SPDX-License-Identifier: Apache-2.0
// Paoli and Schatzman's scheme (1993, 2002; Studer 2009, section 5.7): central differences, restitution on positions.
//
//   M (q+ - 2 q + q-)/h^2 = f + H' lambda,   0 <= g((q+ + e q-)/(1 + e)) _|_ lambda >= 0
// With u = (q - q-)/h it is a step from B to E: q_E = q_B + h u_E, and the gap linearised at q_B is
//   (1 + e) g_B/h + U_E - e U_B >= 0.
// Two steps after a contact is met, U = -e U before. Velocities are backward differences: order 1 of a start from (q,
// u).
#pragma once
#include "cairn/steppers/midpoint.h"

namespace cairn {

class PaoliSchatzman final : public MidpointStepper {
 public:
  struct Settings {
    MidpointRules rules{
        .gap = GapRule::PaoliSchatzman, .joints = {JointRule::Stabilised}, .implicit_elasticity = false, .theta = 1};
    void describe(ParameterVisitor& v) { describe_joints(rules, v); }
  };
  explicit PaoliSchatzman(const Settings& settings) : MidpointStepper("paoli-schatzman", settings.rules) {}
};

}  // namespace cairn
