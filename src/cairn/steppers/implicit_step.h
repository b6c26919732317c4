// SPDX-License-Identifier: Apache-2.0
// The step shared by the variational schemes and their comparators: smooth forces where the scheme says, by Newton's
// method where they are implicit; contacts and joints as rows on the end velocity u_E.
//
//   middle  M (u_E - u_B) = h f(q_m, u_m) + H' r,   u_m = (u_B + u_E)/2,  q_m = q_B + h/2 u_m           (Kaufman 4.51)
//   ends    M (u_E - u_B) = h ((1 - gamma) f_B + gamma f_E) + H' r                                      (Newmark)
//   ahead   M (u_E - u_B) = h f(q_p, u_B) + H' r,   q_p = q_B + h/4 u_B                                 (Kaufman 4.5)
//           or once linearised about q_p: f(q_p + h/4 u_E, u_m), A u_E = (M + h/2 D) u_B + h f(q_p, u_B) + H' r;
//           where q_E = q_B + h u_E about q_B: f(q_B + h u_E, u_E), implicit Euler
// f holds -Omega x J Omega: in the middle form rotations keep their kinetic energy exactly, and reactions do exactly
// the work r . H u_m. Each Newton iteration solves one contact problem with the mass A = M + tangents of f, symmetric
// part:
//   A u = A u_k - (M (u_k - u_B) - h f_k) + H' r,   U = H' u + shift
// until the balance of momentum is met; linear forces take one. The rows H stay those of the place of detection.
#pragma once
#include "cairn/assembly/row_step.h"
#include "cairn/assembly/smooth_forces.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

enum class ForcePlace { Middle, Ends, Ahead };
/// q_E = q_B + h u_m, or q_B + h u_E.
enum class PositionUpdate { Mean, End };
/// What a closed contact with restitution e asks of the normal velocity:
///   Reflect   U_E + e U_B >= 0                 e = 1: no work (Kaufman 4.51)
///   Newton    U_E + e min(0, U_B) >= 0         (Koziara 10.1.27)
///   Position  g(q_E) >= 0, linear in q         no coefficient: what comes out depends on where in the step it falls
enum class ContactRule { Newton, Position, Reflect };

struct ImplicitRules {
  ForcePlace forces = ForcePlace::Middle;
  PositionUpdate position = PositionUpdate::Mean;
  ContactRule contacts = ContactRule::Newton;
  bool predicted = true;    ///< open contacts that would close take part
  bool detect_mid = false;  ///< contacts at q_B + h/2 u_B instead of q_B
  bool linearised = true;   ///< ahead: with the tangents of f in A
  JointHold joints = {};
  double beta = 0.25, gamma = 0.5;
  double tolerance = 1e-10;  ///< of the balance of momentum, relative
  int iterations = 30;
};

class ImplicitStepper : public Stepper {
 public:
  static constexpr bool one_problem_per_step = true;
  ImplicitStepper(std::string_view name, const ImplicitRules& rules) : name_(name), rules_(rules) {}
  std::string_view name() const override { return name_; }
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { rows_.results(out); }
  std::span<const JointImpulse> joint_impulses() const override { return rows_.joints.impulses(); }
  std::span<const double> coordinate_impulses() const override { return rows_.joints.coordinate_impulses(); }
  void keep_problem(bool keep) override { keep_problem_ = keep; }
  std::optional<StepProblem> last_problem(const System&) const override;

 private:
  struct Balance {
    VecX momentum;        ///< M (u - u_B) - impulse
    VecX impulse;         ///< of smooth forces
    VecX loads, damping;  ///< impulses
    BodyStatus status = BodyStatus::Ok;
  };
  JointContext joint_context(const System& system, double h, const Motion& motion, const WarmStart& warm) const {
    return {rules_.joints, rules_.predicted, system, motion, q_mid_, u_begin_, still_, h, warm};
  }
  ContactRules contact_rules() const;
  void evaluate_begin(const System& system, double h, Threads threads, const Motion& motion);
  void form_rows(const System& system, double h, Threads threads, const Motion& motion, const WarmStart& warm);
  double contact_shift(const Constraint& c, double gap, double h) const;
  void shift_contacts(const System& system, double h, const VecX& u, const VecX& way);
  /// Way of all bodies over the step, in the space of u, when it ends with u.
  VecX way(double h, const VecX& u, const VecX& reaction) const;
  void balance(const System& system, double h, const Motion& motion, const VecX& u, const VecX& reaction,
               Balance& result);
  bool set_step_mass(const System& system, double h, const Motion& motion, const VecX& u, const VecX& reaction);
  /// How far the last iterate is from the balance of momentum, in the metric of A, relative to the motion.
  double imbalance(const VecX& reaction, double& speed) const;
  StepStatus iterate(const System& system, Solver& solver, double h, const Motion& motion, SolveReport& solve);
  void solve_rows(Solver& solver, SolveReport& solve);
  void note_loads(const System& system, double h, const Motion& motion);
  /// Ahead: f is taken at q_B + way u_B and t_B + time, A = M + d D + k K.
  struct Prediction {
    double way, time, d, k;
  };
  Prediction prediction(double h) const;
  void predict(const System& system, double h, const Motion& motion);
  void account(const System& system, double h, const Motion& motion, StepReport& report, WarmStart& warm);

  std::string_view name_;
  ImplicitRules rules_;
  RowStep rows_;
  FreeMotion still_;    ///< u_free = u_B, for the rows of joints
  SparseMatrix mass_;   ///< M where the balance was last asked for
  SmoothForces begin_;  ///< ends: f_B; ahead: f
  VecX acceleration_;   ///< ends: M^-1 f_B
  VecX predicted_;      ///< ahead: A u without reactions
  SparseMatrix mass_begin_;
  VecX q_place_, q_mid_, u_begin_, u_, start_;
  Balance balance_;
  bool keep_problem_ = false;
};

}  // namespace cairn
