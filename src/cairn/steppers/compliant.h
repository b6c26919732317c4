// SPDX-License-Identifier: Apache-2.0
// Compliant constraints for real time, of the kind of CM Labs' Vortex: joints and contacts yield by a physical
// compliance, one linear solve per step, with geometric stiffness where chains need it (Hewlett, McGill 2020, chapters
// 2 and 3).
//
//   [ M^  -H ] [u_E]   [ M u_B + h f        ]
//   [ H'   G ] [ r ] = [ -g_B/(h + d) - g_t ]      G = c/(h (h + d)),  r = h lambda
// from c lambda = -g(q_E) - d dg/dt. Both Schur forms are there:
//   multiplier  (H' M^-1 H + G) r = -(H' M^-1 p + w): any c, also 0
//   velocity    (M^ + H G^-1 H') u_E = p - H G^-1 w: fewer unknowns where joints outnumber velocities; c > 0
// Contacts keep their rows in both and go to the contact solver.
// Geometric stiffness K (constraints/geometric_stiffness.h) with the multipliers of the step before, so that the step
// stays linear: implicit M^ = M - alpha h^2 K, explicit p + alpha h^2 K u_B, unbiased: implicit where alpha > 0. M^ is
// then not symmetric: LU. alpha is fixed or follows the energy (energy_feedback.h), whose target E_0 is that of the
// start plus the work of all that is not conservative. Kept in Motion::scheme:
// E_0, E_max, alpha, lambda.
#pragma once
#include "cairn/steppers/energy_feedback.h"
#include "cairn/steppers/first_order_step.h"

namespace cairn {

enum class SchurForm { Auto, Velocity, Multiplier };
enum class StiffnessBias { Implicit, Explicit, Unbiased };
/// Net: kinetic and potential energy; total: with what joints store by yielding, g'g/(2 c).
enum class FedEnergy { Net, Total };

class Compliant final : public FirstOrderStepper {
 public:
  struct Settings {
    FirstOrderRules rules{.joints = {.rule = JointRule::Compliant, .compliance = 1e-8}, .contact_damping = 0.01};
    SchurForm form = SchurForm::Auto;
    EnergyFeedback feedback;
    StiffnessBias bias = StiffnessBias::Implicit;
    FedEnergy energy = FedEnergy::Total;
    double energy_max = 0;  ///< [J]; 0: a hundredth of the weight times its arm at the start
    void describe(ParameterVisitor& v);
  };
  explicit Compliant(const Settings& settings);
  void check(const System& system, const Motion& motion, double h) const override;

  /// Energy stored by the joints' yielding at a motion [J].
  double constraint_energy(const System& system, const Motion& motion) const;

 private:
  StepStatus find_velocity(const System& system, Solver& solver, double h, const Motion& motion,
                           SolveReport& report) override;
  void remember(const System& system, double h, const Work& work, Motion& motion) override;
  void recall(const System& system, const Motion& motion);
  SparseMatrix stiffness(const System& system, const Motion& motion) const;
  bool solve_directly(SolveReport& report);
  StepStatus solve_velocity_form(const std::vector<std::size_t>& folded, Solver& solver, SolveReport& report);

  Settings settings_;
  double alpha_ = 0;
  double target_ = 0, range_ = 0;  ///< E_0, E_max
  std::vector<double> lambda_;     ///< of the step before, by RowBlock::kept
};

/// Of bodies that hang on the world: weight times the distance from the nearest joint with it; without gravity or such
/// joints the kinetic energy [J].
double energy_scale(const System& system, const Motion& motion);

}  // namespace cairn
