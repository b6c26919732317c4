// SPDX-License-Identifier: Apache-2.0
// Koziara's quasi-static driver: equilibria under loads that change slowly, by implicit Euler steps from rest with
// scaled inertia (T. Koziara, "Aspects of computational contact dynamics", Glasgow 2008, 5.3 and algorithm 12.0.2).
//
// One step puts the loads at t + h and relaxes the bodies towards equilibrium, from rest in every iteration k:
//   A u = h f(t + h, q_{k-1}) + H' r,   A = M + h^2 K,   q_k = q_{k-1} + h u                              (5.3.1-4)
//   0 <= max(0, g)/h + U_N _|_ r_N >= 0,  Coulomb's law on U_T;  joints g/h + U = 0                       (10.1.67)
// M is only a regulariser. Where a body is elastic its inertia is scaled so that lambda_max(M^-1 K) h^2 = 4; masses are
// m = f_max h^2 / l_max, f_max the largest load on a body, so that no body goes much farther than l_max in an
// iteration. The relaxation ends when the logarithmic fall of the kinetic energy of the centres, log(E_{k-1}/E_k), is
// below the share `decay` of its first value (spec 8.2, item 28), or after `iterations`. Contacts are detected once per
// step; their points move with the bodies. Velocities are zero at the end: nothing moves in quasi-statics.
#pragma once
#include "cairn/assembly/row_step.h"
#include "cairn/assembly/smooth_forces.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

class QuasiStatic final : public Stepper {
 public:
  struct Settings {
    int iterations = 100;
    double decay = 0.1;
    double largest_move = 1e-3;
    bool single_point = false;
    void describe(ParameterVisitor& v);
  };
  explicit QuasiStatic(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "quasi-static"; }
  StepperTraits traits() const override {
    return {.order = 0, .joint_order = 0, .sliding_order = 0, .impact_order = 0, .restitution = false};
  }
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { rows_.results(out); }
  std::span<const JointImpulse> joint_impulses() const override { return rows_.joints.impulses(); }
  std::span<const double> coordinate_impulses() const override { return rows_.joints.coordinate_impulses(); }
  void keep_problem(bool keep) override { keep_problem_ = keep; }
  std::optional<StepProblem> last_problem(const System&) const override;

 private:
  SparseMatrix scaled_mass(const System& system, double h, const Motion& motion, const VecX& force) const;
  JointContext joint_context(const System& system, double h, const Motion& motion, const WarmStart& warm) const {
    return {{JointRule::Stabilised}, true, system, motion, motion.q, u_given_, still_, h, warm};
  }
  void find_contacts(const System& system, double h, Threads threads, const Motion& motion, const WarmStart& warm);
  void move_contacts(const System& system, const VecX& q);
  void form_rows(const System& system, double h, const Motion& motion, const WarmStart& warm, bool first);
  bool form_mass(const System& system, double h, const Motion& motion);
  StepStatus relax(const System& system, Solver& solver, double h, Motion& motion, WarmStart& warm, bool first,
                   StepReport& report);
  double centre_energy(const System& system, const VecX& q, const VecX& u) const;

  /// Material points of a contact on both bodies, and its gap there at detection less their distance along the normal.
  struct Carried {
    MaterialPoint a, b;
    double gap = 0;
  };

  Settings settings_;
  RowStep rows_;
  FreeMotion still_;  ///< u_free: what is given, for the rows of joints
  std::vector<Carried> carried_;
  SparseMatrix mass_;
  SmoothForces forces_;
  VecX u_given_, start_;
  bool keep_problem_ = false;
};

}  // namespace cairn
