// SPDX-License-Identifier: Apache-2.0
// One midpoint step, or parts of it where fast bodies meet.
#include <algorithm>

#include "cairn/steppers/midpoint.h"

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
  double part = rules_.impact_steps > 1 ? find_part(h) : h;
  if (part == h) {
    const StepReport report = step_.step(rules_, system, solver, h, threads, motion, warm);
    joint_impulses_.assign(step_.joint_impulses().begin(), step_.joint_impulses().end());
    coordinate_impulses_.assign(step_.coordinate_impulses().begin(), step_.coordinate_impulses().end());
    return report;
  }
  motion_before_ = motion;
  warm_before_ = warm;
  joint_impulses_.assign(system.joints.size(), {});
  coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
  StepReport whole;
  whole.parts = 0;
  double left = h;
  for (int k = 1;; ++k) {
    const StepReport report = step_.step(rules_, system, solver, part, threads, motion, warm);
    if (report.status != StepStatus::Done) {  // a step that fails leaves the motion as it was
      motion = motion_before_;
      warm = warm_before_;
      return report;
    }
    whole.add(report);
    for (std::size_t j = 0; j < joint_impulses_.size(); ++j) {
      joint_impulses_[j].force += step_.joint_impulses()[j].force;
      joint_impulses_[j].torque += step_.joint_impulses()[j].torque;
    }
    for (std::size_t l = 0; l < step_.coordinate_impulses().size(); ++l)
      coordinate_impulses_[l] += step_.coordinate_impulses()[l];
    left -= part;
    if (!(left > 1e-12 * h)) break;
    step_.contacts(scratch_);
    earlier_.insert(earlier_.end(), scratch_.begin(), scratch_.end());
    part = k + 1 < rules_.impact_steps ? find_part(left) : left;
  }
  motion.time = motion_before_.time + h;
  return whole;
}

void MidpointStepper::contacts(std::vector<ContactResult>& out) const {
  step_.contacts(out);
  out.insert(out.begin(), earlier_.begin(), earlier_.end());
}

}  // namespace cairn
