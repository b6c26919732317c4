// SPDX-License-Identifier: Apache-2.0
// The implicit midpoint rule with contact: smooth forces fully implicit, contacts at velocity level or at position
// level (Kaufman's comparator; spec 2.4.6 after Stewart 2000).
//
//   M (u_E - u_B) = h f((q_B + q_E)/2, (u_B + u_E)/2) + H' r,   q_E = q_B + h/2 (u_B + u_E)
//   newton    Moreau's rows at q_B + h/2 u_B:  U_E + e min(0, U_B) >= 0 where closed, U_E + g/h >= 0 where open
//   position  0 <= g(q_E) _|_ r_N >= 0, g linear about q_B: restitution |1 - 2 g/(h |U_B|)| depends on where in the
//   step
//             the impact falls, which is why nobody should use it but to see that
#pragma once
#include "cairn/steppers/variational.h"

namespace cairn {

/// Contacts of the comparators.
inline void describe_contact_rule(ImplicitRules& rules, ParameterVisitor& v) {
  static constexpr std::string_view names[] = {"newton", "position"};
  v.choice("contacts", rules.contacts, names,
           "Newton's impact law on velocities, or gaps closed at the end of the step (no restitution of its own)");
  rules.detect_mid = rules.contacts == ContactRule::Newton;
}

class ImplicitMidpoint final : public ImplicitStepper {
 public:
  struct Settings {
    ImplicitRules rules{.forces = ForcePlace::Middle, .detect_mid = true};
    void describe(ParameterVisitor& v) {
      describe_implicit(rules, v);
      describe_contact_rule(rules, v);
      describe_newton(rules, v);
    }
  };
  explicit ImplicitMidpoint(const Settings& settings) : ImplicitStepper("implicit-midpoint", settings.rules) {}
};

}  // namespace cairn
