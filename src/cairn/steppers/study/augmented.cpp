// SPDX-License-Identifier: Apache-2.0
// Augmented time-stepping: trial steps, their acceptance, and what is given out between them. See the header.
#include "cairn/steppers/study/augmented.h"

#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr int work_kinds = 6;
constexpr double nearly = 1 + 1e-9;  // lengths of steps are compared to rounding

/// Work and impulses of a step, added to their sums.
void add_sums(const Work& work, std::span<const JointImpulse> joints, std::span<const double> coordinates, VecX& sums) {
  sums.head<work_kinds>() += Eigen::Matrix<double, work_kinds, 1>(work.contact, work.friction, work.joints,
                                                                  work.damping, work.loads, work.drive);
  Eigen::Index place = work_kinds;
  for (const JointImpulse& joint : joints) {
    sums.segment<3>(place) += joint.force;
    sums.segment<3>(place + 3) += joint.torque;
    place += 6;
  }
  for (const double impulse : coordinates) sums[place++] += impulse;
}

Eigen::Index sum_count(const System& system) {
  return work_kinds + 6 * static_cast<Eigen::Index>(system.joints.size()) +
         static_cast<Eigen::Index>(system.coordinate_laws.size());
}

/// Largest difference of two results, each number relative to its size where that is above 1.
double difference(const VecX& x, const VecX& y, Eigen::Index count) {
  double worst = 0;
  for (Eigen::Index i = 0; i < count; ++i)
    worst = std::max(worst, std::abs(x[i] - y[i]) / std::max(1.0, std::abs(x[i])));
  return worst;
}

/// Impulses of forces that last grow with the step: solves that start from those of another length would begin far off.
void scale_impulses(double factor, WarmStart& warm) {
  for (KeptContact& c : warm.contacts) c.impulse *= factor;
  for (double& impulse : warm.joints) impulse *= factor;
}

/// Takes what a solver left of the impulse of an open law: only laws that hold may be held on to in the next step.
void release(const System& system, const LawId& law, WarmStart& warm) {
  RowOwner owner{.kind = RowOwner::Kind::Joint, .index = law.a, .part = 0};
  switch (law.owner) {
    case LawOwner::Contact:
      for (KeptContact& c : warm.contacts)
        if (c.a == law.a && c.b == law.b && c.feature_a == law.feature_a && c.feature_b == law.feature_b)
          c.impulse.setZero();
      return;
    case LawOwner::Joint: break;
    case LawOwner::CoordinateLaw: owner = {RowOwner::Kind::Law, law.a, law.b}; break;
    case LawOwner::OwnContact: owner.kind = RowOwner::Kind::OwnContact; break;
  }
  KeptRows rows;
  rows.set(system);
  const auto row = static_cast<std::size_t>(rows.first(owner));
  if (row < warm.joints.size()) warm.joints[row] = 0;
}

}  // namespace

void Augmented::check(const System& system, const Motion& motion, double h) const {
  step_.check(settings_.rules, system, motion, h);
  const double longest = settings_.step_max > 0 ? settings_.step_max : h;
  if (settings_.step_min > longest)
    throw Error("stepper 'augmented': step_min is {} s; must not exceed step_max, {} s", settings_.step_min, longest);
  if (settings_.tolerance > 0 && settings_.order < 2)
    throw Error("stepper 'augmented': order is 1; a tolerance needs two results to compare, order >= 2");
}

bool Augmented::substep(const Call& call, double h, Place& place, StepReport& report) {
  if (place.warm_step > 0 && place.warm_step != h) scale_impulses(h / place.warm_step, place.warm);
  place.warm_step = h;
  const StepReport part =
      step_.step(settings_.rules, call.system, call.solver, h, call.threads, place.motion, place.warm);
  if (part.status != StepStatus::Done) {
    failure_ = part.status;
    return false;
  }
  report.add(part);
  add_sums(part.work, step_.joint_impulses(), step_.coordinate_impulses(), place.sums);
  // Velocities that the solver cannot tell from zero are zero.
  step_.modes(std::max(1e-10, 10 * call.solver.limits().tolerance), modes_);
  for (const LawMode& m : modes_)
    if (m.mode == Mode::Open) release(call.system, m.law, place.warm);
  last_substep_ = h;
  return true;
}

Augmented::Trial Augmented::extrapolate(const Call& call, const Place& from, double h, bool check_modes, Place& to,
                                        StepReport& report) {
  const Bodies& bodies = call.system.bodies;
  const Eigen::Index nu = bodies.nu(), ns = from.sums.size();
  const bool steered = settings_.tolerance > 0;
  std::vector<LawMode> expected = from.modes;
  bool known = from.modes_known, accurate = !steered;
  VecX result(2 * nu + ns), way;
  tableau_.clear();
  for (int row = 0; row < settings_.order; ++row) {
    const int n = Extrapolation::substeps(row);
    to = from;
    for (int k = 0; k < n; ++k) {
      if (!substep(call, h / n, to, report)) return Trial::Failed;
      if (!check_modes) continue;
      if (!known) expected = modes_, known = true;
      if (to.motion.broken != from.motion.broken || !find_switches(expected, modes_).empty()) return Trial::Switch;
    }
    bodies.difference(from.motion.q, to.motion.q, way);
    if (bodies.largest_rotation(way) > 2.5) return Trial::NotAccurate;  // beyond pi the chart would fold
    result.head(nu) = way;
    result.segment(nu, nu) = to.motion.u;
    result.tail(ns) = to.sums - from.sums;
    tableau_.add(result);
    if (steered && row > 0 && difference(tableau_.best(), tableau_.before(), 2 * nu) < settings_.tolerance) {
      accurate = true;
      break;
    }
  }
  rows_used_ = tableau_.rows();
  const VecX& best = tableau_.best();
  bodies.advance(from.motion.q, best.head(nu), 1, to.motion.q, {});
  to.motion.u = best.segment(nu, nu);
  to.motion.time = from.motion.time + h;
  to.sums = from.sums + best.tail(ns);
  follow_coordinates(call.system.joints, bodies, to.motion.q, to.motion.s);
  to.modes = std::move(expected);
  to.modes_known = known;
  return accurate ? Trial::Smooth : Trial::NotAccurate;
}

bool Augmented::advance(const Call& call, double target, StepReport& report) {
  Memory& m = memory_;
  for (int tries = 0; tries < settings_.max_steps; ++tries) {
    double h = std::clamp(m.next_step, call.step_min, call.step_max);
    const double wanted = h;
    // What was given out already is a boundary too, when a rejected step led back before it.
    const double stop = m.now.motion.time < m.out_time ? m.out_time : target;
    const double left = stop - m.now.motion.time;
    const bool cut = settings_.cut && h * nearly >= left;
    if (cut) h = left;
    StepReport trial;
    trial.parts = 0;
    const Trial result = extrapolate(call, m.now, h, true, trial_, trial);
    const bool smallest = h <= call.step_min * nearly;
    if (result == Trial::Smooth) {
      const bool easy = settings_.tolerance == 0 || rows_used_ < settings_.order;
      m.next_step = cut ? wanted : easy ? h * settings_.grow : h;
      m.before_step = h;
    } else if (smallest) {
      // A switch, or what no order resolves: Moreau's step as it is.
      trial_ = m.now;
      trial = StepReport{};
      trial.parts = 0;
      if (!substep(call, h, trial_, trial)) return false;
      std::vector<ModeSwitch> found;
      if (m.now.modes_known) found = find_switches(m.now.modes, modes_);
      for (std::size_t j = 0; j < trial_.motion.broken.size(); ++j)
        if (trial_.motion.broken[j] && !m.now.motion.broken[j])
          found.push_back({0, {LawOwner::Joint, LawFacet::Normal, static_cast<int>(j)}, Mode::Closed, Mode::Broken});
      for (ModeSwitch& s : found) {
        s.time = m.now.motion.time + h / 2;
        switches_.push_back(s);
      }
      if (!found.empty()) note_contacts(1, true);
      trial_.modes = modes_;
      trial_.modes_known = true;
      m.next_step = found.empty() ? call.step_min * settings_.grow : call.step_min;
      m.before_step = 0;
    } else {
      m.next_step = std::max(call.step_min, h * settings_.reduce);
      if (result == Trial::Switch && m.has_before && m.before_step > call.step_min * nearly) {
        // The switch may lie in the step before: back over it.
        std::swap(m.now, m.before);
        m.has_before = false;
      }
      continue;
    }
    if (cut) trial_.motion.time = stop;
    std::swap(m.before, m.now);
    std::swap(m.now, trial_);
    m.has_before = true;
    report.add(trial);
    return true;
  }
  failure_ = StepStatus::StepLimit;
  return false;
}

bool Augmented::look_aside(const Call& call, double target, Place& out, StepReport& report) {
  const Memory& m = memory_;
  if (m.now.motion.time == target) {
    out = m.now;
    return true;
  }
  const double h = target - m.before.motion.time;
  if (m.before_step > 0 && extrapolate(call, m.before, h, false, out, report) != Trial::Failed) return true;
  out = m.before;
  return substep(call, h, out, report);
}

void Augmented::note_contacts(double scale, bool only_blows) {
  step_.contacts(scratch_);
  for (ContactResult& c : scratch_) {
    if (only_blows && c.impulse.isZero(0)) continue;
    c.impulse *= scale;
    contacts_.push_back(c);
  }
}

StepReport Augmented::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                           WarmStart& warm) {
  const Stopwatch whole;
  const double step_max = settings_.step_max > 0 ? settings_.step_max : h;
  const double step_min = settings_.step_min > 0 ? settings_.step_min : 1e-6 * step_max;
  const Call call{system, solver, threads, std::min(step_min, step_max), step_max};
  load(motion, warm, step_max);
  if (memory_.now.sums.size() == 0) memory_.now.sums = memory_.out_sums = VecX::Zero(sum_count(system));
  switches_.clear();
  contacts_.clear();
  failure_ = StepStatus::Done;

  const double target = motion.time + h;
  StepReport report;
  report.parts = 0;
  for (int steps = 0; memory_.now.motion.time < target; ++steps) {
    if (steps == settings_.max_steps) failure_ = StepStatus::StepLimit;
    if (failure_ == StepStatus::Done && advance(call, target, report)) continue;
    report.status = failure_;
    return report;
  }
  StepReport aside;
  if (!look_aside(call, target, aside_, aside)) {
    report.status = failure_;
    return report;
  }
  report.parts = std::max(1, report.parts);
  if (last_substep_ > 0) note_contacts(h / last_substep_, false);

  // What happened since the last call.
  const VecX sums = aside_.sums - memory_.out_sums;
  report.work = {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
  joint_impulses_.resize(system.joints.size());
  Eigen::Index place = work_kinds;
  for (JointImpulse& joint : joint_impulses_) {
    joint = {sums.segment<3>(place), sums.segment<3>(place + 3)};
    place += 6;
  }
  coordinate_impulses_.assign(sums.data() + place, sums.data() + sums.size());
  motion = aside_.motion;
  motion.time = target;
  warm = aside_.warm;
  memory_.out_sums = aside_.sums;
  memory_.out_time = target;
  memory_.out_q = motion.q;
  memory_.out_u = motion.u;
  save(motion);
  note_joint_errors(system, motion, report);
  report.times.total = whole.seconds();
  return report;
}

}  // namespace cairn
