// SPDX-License-Identifier: Apache-2.0
// Event-driven integration (Studer 2009, section 5.2; Pfeiffer and Glocker 1996): the yardstick of order studies, for
// few contacts.
//
//   between events   smooth motion with fixed modes (smooth_motion.h) by Dormand and Prince's scheme of order 8(5,3)
//   events           a gap closes; a normal force, or the reserve of sticking friction, runs out; a sliding speed
//                    reaches zero. Each is found by repeating the last step with other lengths, to rounding
//   impact           Newton's law for all closed contacts at once, with friction: -(U+ + e U-) in N_C(r)
//   new modes        the problem of accelerations over all closed contacts: sticking ones with their cone, sliding ones
//                    with their friction tied to the normal force
// Where rows are redundant (a box on four corners) the forces of single contacts are not determined, and have no root.
// The problem of accelerations is asked at the end of every step instead; where it has other modes than at the begin,
// the switch is found by bisection. Equations are kept by projection after every step. Impacts that follow each other
// faster than `shortest` are an accumulation point, which no event-driven scheme passes: status accumulation. Impacts
// slower than `rest_speed` may be taken as inelastic instead.
#pragma once
#include "cairn/assembly/smooth_motion.h"
#include "cairn/math/dormand_prince.h"
#include "cairn/steppers/stepper.h"

namespace cairn {

class EventDriven final : public Stepper {
 public:
  struct Settings {
    double tolerance = 1e-12;  ///< of a step, relative above 1
    double step_max = 0;       ///< [s]; 0: the step of the run
    double closed_gap = 1e-9;  ///< [m]
    double rest_speed = 0;     ///< [m/s]
    double shortest = 1e-7;    ///< [s]
    int max_steps = 100000;
    void describe(ParameterVisitor& v);
  };
  explicit EventDriven(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "event-driven"; }
  void check(const System& system, const Motion& motion, double h) const override;
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override { out = contacts_; }
  std::span<const JointImpulse> joint_impulses() const override { return joint_impulses_; }
  std::span<const double> coordinate_impulses() const override { return coordinate_impulses_; }
  std::span<const ModeSwitch> switches() const override { return switches_; }
  bool locates_switches() const override { return true; }

 private:
  /// Why the smooth motion ends.
  enum class Event { None, Closes, Pulls, Slides, Stops };
  struct Found {
    Event event = Event::None;
    LawId law;
    double share = 1;  ///< of the step
  };
  /// Where a call works.
  struct Call {
    const System& system;
    Solver& solver;
    double reach;     ///< of contacts in view [m]
    double step_max;  ///< [s]
  };

  void rate(const System& system, double t, const VecX& y, VecX& dy);
  void unpack(const System& system, double t, const VecX& y, VecX& q, VecX& u) const;
  /// How far the law is from its event at a state: positive before it.
  double margin(const Call& call, double t, const VecX& y, Event event, const LawId& law);
  Found find_event(const Call& call, double t, const VecX& y, double h, const VecX& y_end);
  /// Redundant rows: the share of the step at which the problem of accelerations comes to have other modes; 1: none.
  double find_change(const Call& call, double t, const VecX& y, double h, const VecX& y_end);
  /// Redundant rows: ends the step where their modes change, unless they did so a moment ago.
  void stop_at_change(const Call& call, double t, const VecX& y, double d, VecX& y_end, Found& found);
  Call begin(const System& system, Solver& solver, double h, const Motion& motion);
  /// Directions of sliding, and the forces there.
  HeldForces follow_sliding(const System& system, double t);
  void finish(const System& system, double end, Motion& motion, StepReport& report) const;
  void hit(const Call& call, double t, StepReport& report);
  /// Whether laws that touch go on as they are (what slides slides, what is at rest sticks, nothing opens) is tried
  /// first, by the least forces; else the solver decides. Without `ask` it does not: false, and active_ is lost.
  bool choose_modes(const Call& call, double t, const Found& cause, StepReport& report, bool ask = true);
  /// The problem of accelerations over all closed contacts, and its solution.
  struct Accelerations {
    LocalProblem problem;
    MatX W;                     ///< unsymmetric where something slides
    std::vector<int> block_of;  ///< of each touch in the problem; -1: its force is given
    VecX r, A;                  ///< forces, accelerations of the rows
    double noise = 0;           ///< accelerations up to this are zero
    bool redundant = false;     ///< whether rows at rest depend on each other
  };
  void pose(const RowSet& set, const Found& cause, const MatX& W, const VecX& b, Accelerations& a) const;
  bool solve(const Call& call, const Found& cause, bool ask, Accelerations& a, StepReport& report) const;
  void read_modes(const RowSet& set, const Found& cause, const Accelerations& a);
  static bool slides(const Touch& touch, const Found& cause);
  std::vector<LawMode> modes() const;
  void note_switches(double t, const std::vector<LawMode>& before);
  void give_out(const System& system, double h, const HeldForces& forces);

  Settings settings_;
  SmoothMotion motion_;
  DormandPrince scheme_;
  std::vector<Active> active_;
  VecX q_, u_, s_;
  VecX work_;  ///< friction, loads, damping, drive
  std::vector<std::pair<LawId, double>> last_hit_;
  bool accumulated_ = false;
  double changed_ = 0;  ///< when modes of redundant rows changed last [s]
  BodyStatus body_status_ = BodyStatus::Ok;
  std::vector<ContactResult> contacts_;
  std::vector<JointImpulse> joint_impulses_;
  std::vector<double> coordinate_impulses_;
  std::vector<ModeSwitch> switches_;
};

}  // namespace cairn
