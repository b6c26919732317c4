// SPDX-License-Identifier: Apache-2.0
// Augmented time-stepping (Studer 2009, chapter 6; Studer, Leine and Glocker, IJNME 76, 2008): Moreau's step, small
// where a law switches and extrapolated to high order where none does.
//
//   discrete state   sigma of every set-valued law: does its projection project? (6.2; law_mode.h)
//   switching point  sigma differs from that of the step before: the switch lies in this step or in that one. Both are
//                    rejected and repeated in smaller steps, down to step_min, which is accepted with its switch (6.3)
//   smooth step      all substeps have the same sigma: extrapolated with 1, 3, 5... substeps, to a fixed order or until
//                    two results agree (6.4)
// The error of smooth steps is of order p in step_max, that of switching steps of order 1 in step_min: with step_min =
// step_max^p the scheme has the order p (6.90). Accumulation points need no care: switches closer than step_min are
// passed by Moreau's rule itself.
//
// The inner steps do not end where the caller's steps end (unless `cut`): what is asked for between two of them is
// computed by a step aside. So the motion does not depend on how often it is looked at. What must survive from call to
// call is in Motion::scheme.
//
// Theory asks for a base scheme with an expansion in powers of h while sigma is constant. So contacts take part when
// they are closed, and contacts that carry a force stay until they would pull: rounding of a gap is no switch. Rules of
// joints that put g/h in the problem have no such expansion: at best order 2. U_E = 0 at mid-step leaves velocities
// that do not fit the end of the step, and loses one order to their first substep. U_B + U_E = 0 fits both ends, and
// its sign is the same after any odd number of substeps: it is the rule for joints here. Contacts that hold on curved
// surfaces are held by U_E = 0 and have the order p - 1.
#pragma once
#include "cairn/steppers/midpoint.h"
#include "cairn/steppers/study/extrapolation.h"

namespace cairn {

class Augmented final : public Stepper {
 public:
  struct Settings {
    double step_min = 0;   ///< [s]; 0: a millionth of step_max
    double step_max = 0;   ///< [s]; 0: the run's step
    int order = 4;         ///< of smooth steps; with a tolerance: at most
    double tolerance = 0;  ///< [m/s, rad/s, m, rad]; 0: fixed order
    double reduce = 0.2, grow = 2;
    bool cut = false;  ///< whether inner steps end at the run's steps
    int max_steps = 1000000;
    MidpointRules rules{
        .activation = Activation::Closed, .joints = {JointRule::Mean}, .gap_tolerance = 1e-12, .hold_closed = true};
    void describe(ParameterVisitor& v);
  };
  explicit Augmented(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "augmented"; }
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { out = contacts_; }
  std::span<const JointImpulse> joint_impulses() const override { return joint_impulses_; }
  std::span<const double> coordinate_impulses() const override { return coordinate_impulses_; }
  std::span<const ModeSwitch> switches() const override { return switches_; }
  bool locates_switches() const override { return true; }
  void keep_problem(bool keep) override { step_.keep_problem(keep); }
  std::optional<StepProblem> last_problem(const System& system) const override { return step_.last_problem(system); }

 private:
  /// A place on the way: all that the next inner step needs.
  struct Place {
    Motion motion;
    WarmStart warm;
    double warm_step = 0;  ///< length of the step whose impulses `warm` has [s]; 0: not known
    std::vector<LawMode> modes;
    bool modes_known = false;
    VecX sums;  ///< work by kind, impulses of joints and of laws on coordinates, since the start
  };
  /// What is kept from call to call, in Motion::scheme.
  struct Memory {
    Place now, before;
    bool has_before = false;
    double before_step = 0;  ///< length of the inner step from before to now; 0: a switching step
    double next_step = 0;
    double out_time = 0;  ///< of what was given out last
    VecX out_q, out_u, out_sums;
  };
  enum class Trial { Smooth, Switch, NotAccurate, Failed };
  /// Where a call works.
  struct Call {
    const System& system;
    Solver& solver;
    Threads threads;
    double step_min, step_max;
  };

  void load(const Motion& motion, const WarmStart& warm, double step_max);
  void save(Motion& motion) const;
  bool substep(const Call& call, double h, Place& place, StepReport& report);
  Trial extrapolate(const Call& call, const Place& from, double h, bool check_modes, Place& to, StepReport& report);
  bool advance(const Call& call, double target, StepReport& report);
  bool look_aside(const Call& call, double target, Place& out, StepReport& report);
  void note_contacts(double scale, bool only_blows);

  Settings settings_;
  MidpointStep step_;
  Memory memory_;
  Extrapolation tableau_;
  int rows_used_ = 0;  ///< of the last extrapolation
  double last_substep_ = 0;
  Place trial_, aside_;
  std::vector<LawMode> modes_;
  StepStatus failure_ = StepStatus::Done;
  std::vector<ContactResult> contacts_, scratch_;
  std::vector<JointImpulse> joint_impulses_;
  std::vector<double> coordinate_impulses_;
  std::vector<ModeSwitch> switches_;
};

}  // namespace cairn
