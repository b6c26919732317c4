// SPDX-License-Identifier: Apache-2.0
// Kaufman's two-step integrator: a predictor without contact, then a corrector that is one contact problem
// (D. M. Kaufman, Rutgers 2009, 4.5 and chapter 5; the corrector is the Stewart-Trinkle LCP with the exact cone).
//
//   q_p = q_B + h/4 u_B,   M (u_p - u_B) = h f(q_p)
//   u_E = argmin 1/2 u'M u - u'(M u_p + f)    over  N'u >= 0           (with restitution N'(u + e min(0, u_B)) >= 0)
//   f   = argmin 1/2 f'M^-1 f + f'(M^-1 N r_N + u_p)   over the friction cones of r_N
//   q_E = q_B + h u_E, or q_B + h/2 (u_B + u_E) as printed (4.68), which lets an inelastic impact sink in by h/2 |U_N|
// Contacts and friction directions are those of q_B. With forces linearised (the default) the predictor takes
// f(q_p + h/4 u_E), thesis 4.4, of order 2 with the mean position; or f(q_B + h u_E) with that of the end, where the
// former is unstable: implicit Euler, which damps. Both are stable at any step.
#pragma once
#include "cairn/steppers/variational.h"

namespace cairn {

class TwoStep final : public ImplicitStepper {
 public:
  struct Settings {
    ImplicitRules rules{
        .forces = ForcePlace::Ahead, .position = PositionUpdate::End, .joints = {JointRule::Stabilised}};
    void describe(ParameterVisitor& v) {
      static constexpr std::string_view positions[] = {"mean", "end"};
      describe_implicit(rules, v);
      v.choice("position", rules.position, positions,
               "velocity that moves the bodies: mean of begin and end, or that of the end, which keeps them apart");
      v.boolean("implicit_forces", rules.linearised,
                "put the tangents of forces and elastic bodies into the mass matrix");
    }
  };
  explicit TwoStep(const Settings& settings) : ImplicitStepper("two-step", settings.rules) {}
  StepperTraits traits() const override { return {.order = 1, .joint_order = 1, .sliding_order = 1}; }
};

}  // namespace cairn
