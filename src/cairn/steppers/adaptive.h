// SPDX-License-Identifier: Apache-2.0
// Step size by error: any scheme of one problem per step, in steps as long as its error allows.
//
// A step d of the base scheme and two of d/2 from the same state differ by about (2^p - 1) times the error of the two;
// p is the order of positions. With `tolerance` the error admitted per output step h, in metres of the point of a body
// that moves most, d is accepted when that error is below tolerance d/h; the two half steps are kept. Otherwise, and
// for the next step, d is scaled by 0.9 (admitted/error)^(1/p), between 1/5 and 2. At min_step a step is always
// accepted: impacts are passed in steps of that length (Studer 2009, section 6.5, without the extrapolation of
// `augmented`). A scheme of first order may move a body rightly with a velocity that is wrong by d^2 (an implicit Euler
// step damps): what differs in velocity counts with the way it makes in an output step. Not where bodies at rest
// tremble: their velocities always differ. Overlaps that a step ends in without having noticed (rows are made at
// mid-step) count as its error. With a deadline (wall-clock seconds per output step) solvers have the time that is left
// of it; when half of it has passed, what is left of the output step is done in one step. Solvers return their best
// iterate with its certificate. Such a run is only as repeatable as the machine.
#pragma once
#include "cairn/assembly/substeps.h"
#include "cairn/base/stopwatch.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

class Adaptive final : public Stepper {
 public:
  struct Settings {
    int base = 0;             ///< in one_problem_steppers()
    double tolerance = 1e-5;  ///< [m]
    double min_step = 1e-7;   ///< [s]
    double max_step = 0;      ///< [s]; 0: the output step
    double deadline = 0;      ///< [s]; 0: none
    void describe(ParameterVisitor& v);
  };
  explicit Adaptive(const Settings& settings);

  std::string_view name() const override { return "adaptive"; }
  StepperTraits traits() const override { return base_->traits(); }
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { base_->contacts(out); }
  std::span<const JointImpulse> joint_impulses() const override { return parts_.joint_impulses(); }
  std::span<const double> coordinate_impulses() const override { return parts_.coordinate_impulses(); }
  void keep_problem(bool keep) override { base_->keep_problem(keep); }
  std::optional<StepProblem> last_problem(const System& system) const override { return base_->last_problem(system); }

 private:
  /// Where a call works.
  struct Call {
    const System& system;
    Solver& solver;
    double h;
    Threads threads;
    const Stopwatch& clock;
  };
  StepReport advance(const Call& call, double d, Motion& motion, WarmStart& warm);
  bool is_late(const Call& call) const {
    return settings_.deadline > 0 && call.clock.seconds() > 0.5 * settings_.deadline;
  }
  double depth_at(const Call& call, const Motion& motion, const WarmStart& warm);
  double error_of(const Call& call, const Motion& halves) const;
  Substeps::Verdict take(const Call& call, double d, double left, Motion& motion, WarmStart& warm);

  Settings settings_;
  std::unique_ptr<Stepper> base_;
  Substeps parts_;
  double next_ = 0;  ///< length of the next step [s]
  Motion begin_, whole_;
  WarmStart begin_warm_, whole_warm_;
};

/// Largest way of a point of any body between two configurations [m]: of its origin, and by rotation and deformation of
/// points at the radius of its shape (1 m without one).
double largest_way(const System& system, const VecX& q_1, const VecX& q_2);
/// Largest speed of such a point when all bodies have the velocities u [m/s].
double largest_speed(const System& system, const VecX& q, const VecX& u);

}  // namespace cairn
