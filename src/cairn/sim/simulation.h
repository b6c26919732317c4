// SPDX-License-Identifier: Apache-2.0
// A model in motion: state, stepper and solver together, with a certificate after every step.
#pragma once
#include "cairn/constraints/pull.h"
#include "cairn/sim/certificate.h"
#include "cairn/sim/model.h"
#include "cairn/sim/run_checks.h"
#include "cairn/sim/state.h"

#include <functional>
#include <memory>

namespace cairn {

class Simulation {
 public:
  /// Uses the model's run settings. Throws Error when stepper, solver and model do not fit together.
  /// A stepper given, of the user's own, goes before the one the settings name.
  explicit Simulation(Model model, std::unique_ptr<Stepper> stepper = nullptr);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  /// Goes on from a snapshot (a State of the same model).
  void restore(const State& state);

  // What a person may change while a model runs, between two steps. The energy is counted anew from there: a step's
  // balance stays closed, and what the change itself gave or took is in none of them.

  void set_gravity(const Vec3& gravity);
  /// Coefficient of the law of two materials.
  void set_friction(MaterialId a, MaterialId b, double friction);
  /// Constant from now on: speed of a motor, position of a servo.
  void set_target(CoordinateLawId law, double target);
  /// A hand that pulls at a body, instead of the one before; nothing: it lets go. Its work is that of loads.
  void set_pull(const std::optional<Pull>& pull);
  const Pull* pull() const { return pull_.get(); }  ///< null: none

  /// One step of the model's step length (or of h). The certificate says how it went; after a status other than
  /// Done the state is unchanged.
  const Certificate& step() { return step(model_.run.step); }
  const Certificate& step(double h);

  /// Steps until `duration` seconds from now have passed; `after` (if any) is called after each step and may return
  /// false to stop. Stops at the first failed step.
  const RunSummary& run(double duration, const std::function<bool(const Simulation&)>& after = {});

  const Certificate& certificate() const { return certificate_; }
  /// Length of the last good step, over which impulses are to be divided; 0: none since the start or the last restore.
  double last_step() const { return last_step_; }
  const RunSummary& summary() const { return summary_; }
  /// Contacts of the last step.
  const std::vector<ContactResult>& contacts() const;
  std::span<const JointImpulse> joint_impulses() const { return stepper_->joint_impulses(); }
  /// Impulses of limits, motors and the like in the last step, along their coordinates.
  std::span<const double> coordinate_impulses() const { return stepper_->coordinate_impulses(); }
  /// Laws that changed their mode in the last step; of steppers that locate switches.
  std::span<const ModeSwitch> switches() const { return stepper_->switches(); }
  const Solver& solver() const { return *solver_; }
  const Stepper& stepper() const { return *stepper_; }
  /// Whether the following steps keep their contact problem, for last_problem().
  void keep_problem(bool keep) { stepper_->keep_problem(keep); }
  std::optional<StepProblem> last_problem() const { return stepper_->last_problem(model_.system()); }

  Vec3 position(BodyId body) const;
  Quat orientation(BodyId body) const;
  Vec3 velocity(BodyId body) const;          ///< of the body's origin
  Vec3 angular_velocity(BodyId body) const;  ///< world axes; of orientation() for deforming bodies
  Energy energy() const;

 private:
  void begin_accounts();

  Model model_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Solver> solver_;
  State state_;
  Certificate certificate_;
  RunSummary summary_;
  RunChecks checks_;
  mutable std::vector<ContactResult> contacts_;
  std::shared_ptr<const Pull> pull_;
  double last_step_ = 0;
  double energy_ = 0;  ///< at the state, so that a step computes it once
};

/// Number of steps of length h in a duration, tolerant of rounding: 1 s of 1/240 s are 240 steps.
std::int64_t step_count(double duration, double h);

}  // namespace cairn
