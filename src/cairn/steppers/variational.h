// SPDX-License-Identifier: Apache-2.0
// Kaufman's symmetric half-step integrator: discrete Hamilton's principle for contact, maximal dissipation for friction
// (D. M. Kaufman, "Coupled Principles for Computational Frictional Contact Mechanics", Rutgers 2009, 4.51-4.53).
//
//   delta = (u_B + u_E)/2,  q_E = q_B + h delta
//   delta = argmin 1/2 delta'M delta - delta'(p_B + f/2) + V(q_B + h/2 delta)   over  N(q_B)'delta >= 0
//   f     = argmin f'u_E                                                        over  the friction cones of r_N
// in the form M (u_E - u_B) = -h grad V(q_B + h/2 delta) + N r_N + f, which any solver can take, with
// N'(u_E + e u_B) >= 0: for e = 1 the thesis' scheme, where contact does no work and the energy changes by
// delta'f exactly where V is quadratic. Other restitutions are ours. Order 2 without contact events, 1 with.
#pragma once
#include "cairn/steppers/implicit_step.h"

namespace cairn {

/// Settings that all schemes of ImplicitStepper share.
inline void describe_implicit(ImplicitRules& rules, ParameterVisitor& v) {
  static constexpr std::string_view joint_rules[] = {"curved", "stabilised", "mean", "end"};
  static constexpr std::string_view activations[] = {"closed", "predicted"};
  int predicted = rules.predicted ? 1 : 0;
  v.choice_index("activation", predicted, activations,
                 "contacts in the problem: closed ones, or also those about to close");
  rules.predicted = predicted == 1;
  v.choice("joints", rules.joints.rule, joint_rules, "how joints are held, as for moreau");
}

/// And those that iterate.
inline void describe_newton(ImplicitRules& rules, ParameterVisitor& v) {
  v.real("newton_tolerance", rules.tolerance, "", positive, "relative error of the balance of momentum");
  v.integer("newton_iterations", rules.iterations, {1, 1000, false},
            "iterations after which a step counts as not converged");
}

class Variational final : public ImplicitStepper {
 public:
  struct Settings {
    ImplicitRules rules{.forces = ForcePlace::Middle, .contacts = ContactRule::Reflect};
    void describe(ParameterVisitor& v) {
      describe_implicit(rules, v);
      describe_newton(rules, v);
    }
  };
  explicit Variational(const Settings& settings) : ImplicitStepper("variational", settings.rules) {}
};

}  // namespace cairn
