// SPDX-License-Identifier: Apache-2.0
// One midpoint step, or parts of it where fast bodies meet.
#include "cairn/steppers/midpoint.h"

#include <algorithm>

namespace cairn {

StepperTraits MidpointStepper::traits() const {
  StepperTraits t;
  const bool symmetric = rules_.theta == 0.5 && rules_.evaluation_place() == 0.5;
  const JointRule rule = rules_.joints.rule;
  const bool sends_back = rules_.joints.reflection == 1;
  const bool on_velocities = rule == JointRule::End || rule == JointRule::Ggl;
  t.order = symmetric ? 2 : 1;
  t.joint_order = symmetric && (!on_velocities || sends_back) && rule != JointRule::Acceleration ? 2 : 1;
  t.restitution =
      rules_.gap == GapRule::Newton || rules_.gap == GapRule::PaoliSchatzman || rules_.impacts == ImpactRule::Poisson;
  t.joints_stay = rule != JointRule::End && rule != JointRule::Acceleration;
  // A contact that waits until it is closed lets bodies at rest fall through the rounding of their gap.
  t.rests =
      !(rules_.gap == GapRule::Weighted || (rules_.gap == GapRule::Newton && rules_.activation == Activation::Closed));
  // With a slack it stays closed, though it does not stay where it is.
  t.still_at_rest = t.rests || (rules_.gap == GapRule::Weighted && rules_.slack > 0);
  // What loses its contact to rounding for a step slides without friction in it.
  t.sliding_order = symmetric && t.rests ? 2 : 1;
  return t;
}

StepReport MidpointStepper::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                                 WarmStart& warm) {
  earlier_.clear();
  const auto find_part = [&](double left) {
    const bool guarded = rules_.activation == Activation::Predicted;
    const double at = search_.find(system, motion, warm, guarded, left, threads);
    if (!(at < left * (1 - 1e-9))) return left;
    return at <= left / 2 * (1 + 1e-9) ? std::min(2 * at, left) : 2 * at - left;
  };
  const double first = rules_.impact_steps > 1 ? find_part(h) : h;
  if (first == h) {
    StepReport report = step_.step(rules_, system, solver, h, threads, motion, warm);
    parts_.take_whole(step_);
    return report;
  }
  int taken = 0;
  const auto length = [&](double left) {
    return taken == 0 ? first : taken + 1 < rules_.impact_steps ? find_part(left) : left;
  };
  return parts_.run(system, h, motion, warm, length, [&](double d) {
    if (taken++ > 0) {
      step_.contacts(scratch_);
      earlier_.insert(earlier_.end(), scratch_.begin(), scratch_.end());
    }
    const StepReport report = step_.step(rules_, system, solver, d, threads, motion, warm);
    if (report.status != StepStatus::Done) return parts_.fail(report);
    parts_.add(report, step_);
    return Substeps::Verdict::Keep;
  });
}

void MidpointStepper::contacts(std::vector<ContactResult>& out) const {
  step_.contacts(out);
  out.insert(out.begin(), earlier_.begin(), earlier_.end());
}

}  // namespace cairn
