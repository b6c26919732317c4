// SPDX-License-Identifier: Apache-2.0
// Variational penalty: every equation of a joint is tied to a mass on a spring that moves in steps 2^N times finer, and
// those are eliminated (math/penalty_rescaling.h; Hewlett, McGill 2020, chapter 4). With phi the errors of the joints,
//
//   M (u_E - u_B) = h f - h/Delta H_B [ (m/h^2 + a) phi(q_E) + (b - 2 m/h^2) phi(q_B) + (c + m/h^2) phi(q_A) ] + H r
//   q_E = q_B + h u_E,   q_A = q_B - h u_B    (where the step before began)
// by Newton's method on u_E with the exact derivative of phi(q_E), damped where there are no contacts; a step it does
// not solve is halved. Where q is flat
// and M constant (bar chains, bodies of one's own, rigid bodies that turn in a plane) and beta = 0 there is a discrete
// Lagrangian, so the scheme is symplectic; elsewhere it is a consistent step of first order. Contacts and laws on
// velocities are rigid rows of one problem per iteration.
// Runs need Delta > 0: a stiffness of which Delta is not is refused, unless `negative_delta` allows it for study.
#pragma once
#include "cairn/assembly/substeps.h"
#include "cairn/math/penalty_rescaling.h"
#include "cairn/steppers/first_order_step.h"

namespace cairn {

class VariationalPenalty final : public FirstOrderStepper {
 public:
  struct Settings {
    double stiffness = 0;  ///< k [N/m]; 0: that of `turns`
    double turns = 1000;   ///< of the oscillator per step; its phase is then 2 pi turns + pi/2
    double mass = 0.01;    ///< m of an equation [kg]
    double damping = 0;    ///< beta [N s/m]
    int halvings = 20;     ///< N
    bool negative_delta = false;
    double tolerance = 1e-13;  ///< last change of places [m, rad]
    int iterations = 50;
    int divisions = 6;  ///< how often a step that Newton's method does not solve is halved
    void describe(ParameterVisitor& v);
  };
  explicit VariationalPenalty(const Settings& settings);
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  std::span<const JointImpulse> joint_impulses() const override { return parts_.joint_impulses(); }
  std::span<const double> coordinate_impulses() const override { return parts_.coordinate_impulses(); }
  /// What an equation is at a step h.
  PenaltyOscillator oscillator(double h) const;

 private:
  /// What a trial velocity leads to.
  struct Trial {
    VecX u, q, phi, balance;  ///< balance: of momentum, zero at the solution without other rows
  };
  StepStatus find_velocity(const System& system, Solver& solver, double h, const Motion& motion,
                           SolveReport& report) override;
  VecX errors_at(const System& system, const VecX& q, const VecX& s, double time) const;
  Trial attempt(const System& system, double h, const Motion& motion, VecX u) const;
  /// d balance/du.
  SparseMatrix tangent(const System& system, double h, const Motion& motion, const Trial& trial) const;
  void split_rows(GlobalProblem& rest, std::vector<int>& others);

  Settings settings_;
  std::vector<std::size_t> held_;  ///< blocks that are penalties
  std::vector<int> rows_held_;     ///< their rows among all
  SparseMatrix H_;                 ///< of these rows at q_B
  VecX before_;                    ///< what phi(q_B) and phi(q_A) put into the multipliers
  double gain_ = 0;                ///< (m/h^2 + a)/Delta
  bool solved_ = true;             ///< whether Newton's method came to an end
  Substeps parts_;
};

}  // namespace cairn
