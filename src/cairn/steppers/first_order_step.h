// SPDX-License-Identifier: Apache-2.0
// The step shared by `compliant` and `variational-penalty`: semi-implicit Euler. Rows of joints and contacts, and
// forces, are those where the step begins; bodies move with the velocity of its end.
//
//   A u_E = p + H r,   p = M u_B + h f(q_B, u_B),   q_E = q_B + h u_E                  (Hewlett 2020, appendix A)
// A = M, or M + h D + h^2 K with the tangents of forces and elastic bodies (implicit Euler, linearised once).
// Contacts: 0 <= g/(h + d) + U_E + c/(h (h + d)) r _|_ r >= 0 with friction; open ones g/h. No restitution. What the
// schemes do with the equations of joints is theirs: find_velocity().
#pragma once
#include "cairn/assembly/row_step.h"
#include "cairn/assembly/smooth_forces.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

struct FirstOrderRules {
  JointHold joints{JointRule::Compliant};
  double contact_compliance = 0, contact_damping = 0;  ///< c [m/N] and d [s]; materials with a stiffness have their own
  bool implicit_forces = true;
};

class FirstOrderStepper : public Stepper {
 public:
  std::string_view name() const override { return name_; }
  StepperTraits traits() const override {
    return {.order = 1, .joint_order = 1, .sliding_order = 1, .restitution = false};
  }
  void check(const System& system, const Motion& motion, double h) const override;
  bool takes_stiff_forces() const override { return rules_.implicit_forces; }
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { rows_.results(out); }
  std::span<const JointImpulse> joint_impulses() const override { return rows_.joints.impulses(); }
  std::span<const double> coordinate_impulses() const override { return rows_.joints.coordinate_impulses(); }
  void keep_problem(bool keep) override { keep_problem_ = keep; }
  std::optional<StepProblem> last_problem(const System&) const override;

 protected:
  FirstOrderStepper(std::string_view name, const FirstOrderRules& rules) : name_(name), rules_(rules) {}

  /// Sets u_ and the impulses rows_.r, which hold a start; anything but Done ends the step.
  virtual StepStatus find_velocity(const System& system, Solver& solver, double h, const Motion& motion,
                                   SolveReport& report) = 0;
  /// After the step, before the motion is changed to that of its end: what the scheme remembers.
  virtual void remember(const System&, double /*h*/, const Work&, Motion&) {}
  /// Has a problem made of some of the rows solved.
  SolveReport solve_rows(Solver& solver, const GlobalProblem& problem, VecX& r);
  /// For last_problem(), if asked to.
  void keep(const GlobalProblem& problem, const VecX& start, const VecX& r);

  std::string_view name_;
  FirstOrderRules rules_;
  RowStep rows_;  ///< at q_B
  SparseMatrix A_;
  VecX p_, u_begin_, u_;
  double energy_begin_ = 0;  ///< kinetic and potential, where the step begins [J]

 private:
  JointContext joint_context(const System& system, double h, const Motion& motion, const WarmStart& warm) const {
    return {rules_.joints, true, system, motion, motion.q, u_begin_, still_, h, warm, 0, 1};
  }
  void form_rows(const System& system, double h, Threads threads, const Motion& motion, const WarmStart& warm);
  StepStatus form_mass(const System& system, double h, const Motion& motion);
  void account(const System& system, double h, const Motion& motion, StepReport& report, WarmStart& warm);

  SmoothForces f_;
  FreeMotion still_;  ///< u_free = u_B, for the rows of joints
  bool keep_problem_ = false;
  std::optional<StepProblem> kept_;
};

}  // namespace cairn
