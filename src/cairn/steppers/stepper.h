// SPDX-License-Identifier: Apache-2.0
// A stepper decides where things are evaluated and in which order, forms the contact problem, has it solved, and moves
// on.
#pragma once
#include "cairn/assembly/law_mode.h"
#include "cairn/assembly/step_report.h"
#include "cairn/base/registry.h"
#include "cairn/constraints/warm_start.h"

#include <optional>

namespace cairn {

/// What a scheme promises. The property tests hold it to this, and the table of docs/steppers.md is made from it.
struct StepperTraits {
  int order = 2;              ///< of positions in smooth motion; 0: it finds equilibria and follows no motion
  int joint_order = 2;        ///< the same with joints
  int sliding_order = 2;      ///< the same while a contact slides; 0: contacts yield, and that is the error
  int impact_order = 1;       ///< the same over impacts and changes between sticking and sliding, on average
  bool restitution = true;    ///< whether contacts and limits bounce as their laws say
  bool joints_stay = true;    ///< whether errors of joints stay bounded in long runs
  bool rests = true;          ///< whether bodies at rest on others stay at rest to rounding
  bool still_at_rest = true;  ///< whether their velocities are then zero to rounding, so that two runs can be compared
};

class Stepper {
 public:
  /// Whether a step is one problem that follows the motion: then it can be repeated in halves, as adaptive does.
  static constexpr bool one_problem_per_step = false;

  virtual ~Stepper() = default;
  virtual std::string_view name() const = 0;
  virtual StepperTraits traits() const { return {}; }
  /// Throws Error when the system has something this scheme cannot move at this step length.
  virtual void check(const System& system, const Motion& motion, double h) const = 0;
  /// Whether forces too stiff for an explicit step are taken implicitly.
  virtual bool takes_stiff_forces() const { return false; }
  /// One step of length h. The object keeps scratch memory only: the result depends on the arguments alone.
  virtual StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                          WarmStart& warm) = 0;
  /// Contacts of the last step.
  virtual void contacts(std::vector<ContactResult>& out) const = 0;
  /// Impulses of the joints in the last step.
  virtual std::span<const JointImpulse> joint_impulses() const = 0;
  /// Impulses along the coordinates of the laws on them in the last step [N s, N m s].
  virtual std::span<const double> coordinate_impulses() const = 0;
  /// Laws that changed their mode in the last step, in order of time; of steppers that locate them.
  virtual std::span<const ModeSwitch> switches() const { return {}; }
  virtual bool locates_switches() const { return false; }

  /// Whether the following steps keep what last_problem() needs.
  virtual void keep_problem(bool) {}
  /// The problem of the last step that was solved; nothing when there was none, it was not kept, or it has no
  /// constraint.
  virtual std::optional<StepProblem> last_problem(const System&) const { return {}; }
};

/// All steppers by name.
const Registry<Stepper>& steppers();
/// Names of those that take one problem per step, the default first.
std::span<const std::string_view> one_problem_steppers();

}  // namespace cairn
