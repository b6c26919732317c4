// SPDX-License-Identifier: Apache-2.0
// Newmark's rule with contact (after Kane, Marsden, Ortiz and Pandolfi 1999; Kaufman spec 2.4.6).
//
//   u_E = u_B + h ((1 - gamma) a_B + gamma a_E) + c,   c = M^-1 H' r
//   q_E = q_B + h u_B + h^2 ((1/2 - beta) a_B + beta a_E) + h/2 c
// a = M^-1 f(q, u, t) of smooth forces alone, so that nothing is remembered between steps. beta = 1/4, gamma = 1/2 is
// the trapezoidal rule, beta = 0 central differences with implicit contact. Contacts as in implicit-midpoint.
#pragma once
#include "cairn/steppers/implicit_midpoint.h"

namespace cairn {

class Newmark final : public ImplicitStepper {
 public:
  struct Settings {
    ImplicitRules rules{.forces = ForcePlace::Ends, .detect_mid = true};
    void describe(ParameterVisitor& v) {
      v.real("beta", rules.beta, "", {0, 0.5, false, false}, "0: explicit, 1/4: trapezoidal rule");
      v.real("gamma", rules.gamma, "", {0.5, 1, false, false}, "1/2: no damping by numbers; more: some");
      describe_implicit(rules, v);
      describe_contact_rule(rules, v);
      describe_newton(rules, v);
    }
  };
  explicit Newmark(const Settings& settings) : ImplicitStepper("newmark", settings.rules) {}
};

}  // namespace cairn
