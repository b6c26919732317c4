// SPDX-License-Identifier: Apache-2.0
// What a step tells: how it ended, what it cost, the work done by cause, its contacts and joints.
#pragma once
#include "cairn/constraints/system.h"
#include "cairn/solvers/solver.h"

#include <variant>

namespace cairn {

/// A solve that is good by itself does not do all that was asked: it counts as stalled.
void fall_short(SolveReport& solve, std::string why);

/// How a step ended. Anything but Done leaves the motion as it was.
/// StepLimit: more inner steps than allowed. Accumulation: infinitely many impacts in a finite time.
enum class StepStatus { Done, NotFinite, BodyInverted, IndefiniteStiffness, StepLimit, Accumulation };
std::string_view to_string(StepStatus status);

/// Work done on the bodies during one step, by kind [J].
struct Work {
  double contact = 0;   ///< normal impulses and those of joint limits (<= 0 for inelastic ones)
  double friction = 0;  ///< tangential impulses and friction in joints (<= 0)
  double joints = 0;
  double damping = 0;
  double loads = 0;  ///< given forces and dampers of springs
  double drive = 0;  ///< by motors, and by bodies with prescribed motion through contacts and joints
  double total() const { return contact + friction + joints + damping + loads + drive; }
  Work& operator+=(const Work& w) {
    contact += w.contact, friction += w.friction, joints += w.joints;
    damping += w.damping, loads += w.loads, drive += w.drive;
    return *this;
  }
};

/// Wall-clock seconds of one step.
struct StepTimes {
  double detection = 0, assembly = 0, solve = 0, total = 0;
  StepTimes& operator+=(const StepTimes& t) {
    detection += t.detection, assembly += t.assembly, solve += t.solve, total += t.total;
    return *this;
  }
};

struct StepReport {
  StepStatus status = StepStatus::Done;
  SolveReport solve;
  int contacts = 0;        ///< contact points in the problem
  double penetration = 0;  ///< deepest overlap at the configuration of detection [m]
  double compression = 0;  ///< the same of contacts that yield: part of their law [m]
  double joint_drift = 0;  ///< largest error of a joint's points at the end of the step [m]
  double joint_tilt = 0;   ///< largest error of a joint's directions at the end of the step [rad]
  int parts = 1;           ///< into which the step was divided
  double reduction = 0;    ///< lever arm lost by leaving out contact points [m]
  Work work;
  StepTimes times;

  /// Takes in the report of a further part of the step. The residual is that of the worst part.
  void add(const StepReport& part);
};

enum class ContactState : std::uint8_t { Open, Stick, Slip };

/// One contact point of the last step, for recordings and plots.
struct ContactResult {
  int body_a = -1, body_b = -1;
  Vec3 point, normal;
  Vec3 impulse;  ///< world, on A [N s]
  double gap = 0;
  ContactState state = ContactState::Open;
  double friction = 0;  ///< coefficient in this step; 0: none
  double area = 0;      ///< its share of the contact area [m^2]; 0: a lone point, or not known
};

/// What a joint did to body A in the last step, about its point on A, in world axes.
struct JointImpulse {
  Vec3 force = Vec3::Zero();   ///< [N s]
  Vec3 torque = Vec3::Zero();  ///< [N m s]
};

/// The contact problem of one step, where its solver started and what it found.
struct StepProblem {
  std::variant<LocalProblem, GlobalProblem> problem;
  VecX start, r;
};

}  // namespace cairn
