// SPDX-License-Identifier: Apache-2.0
// Steps as long as their error allows.
#include "cairn/steppers/adaptive.h"

#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {
void Adaptive::Settings::describe(ParameterVisitor& v) {
  v.choice_index("base", base, one_problem_steppers(), "the scheme that takes the steps");
  v.real("tolerance", tolerance, "m", positive, "error of the point that moves most, per output step");
  v.real("min_step", min_step, "s", positive, "below this length steps are accepted whatever their error");
  v.real("max_step", max_step, "s", non_negative, "longest step; 0: the output step");
  v.real("deadline", deadline, "s", non_negative,
         "wall-clock time per output step, after which the rest is done in one step with what time is left; 0: none");
}

Adaptive::Adaptive(const Settings& settings)
    : settings_(settings), base_(steppers().make(one_problem_steppers()[static_cast<std::size_t>(settings.base)])) {
  if (settings.max_step > 0 && settings.max_step < settings.min_step)
    throw Error("stepper 'adaptive': max_step is {} s; must be at least min_step, {} s", settings.max_step,
                settings.min_step);
}

namespace {

/// Radius of the shape of every body, 1 m without one.
std::vector<double> body_radii(const System& system) {
  std::vector<double> radius(static_cast<std::size_t>(system.bodies.size()), 0.0);
  for (std::size_t i = 0; i < system.colliders.size(); ++i) {
    double& r = radius[static_cast<std::size_t>(system.colliders[i].body)];
    r = std::max(r, system.collider_radius[i]);
  }
  for (double& r : radius)
    if (!(r > 0)) r = 1;
  return radius;
}

}  // namespace

double largest_way(const System& system, const VecX& q_1, const VecX& q_2) {
  const std::vector<double> radius = body_radii(system);
  double way = 0;
  for (int body = 0; body < system.bodies.size(); ++body) {
    const Placement a = system.bodies.placement(body, q_1), b = system.bodies.placement(body, q_2);
    const double r = radius[static_cast<std::size_t>(body)];
    way = std::max(way, (a.c - b.c).norm() + r * (a.A - b.A).norm() / std::sqrt(2.0));
  }
  return way;
}

double largest_speed(const System& system, const VecX& q, const VecX& u) {
  const std::vector<double> radius = body_radii(system);
  double speed = 0;
  for (int body = 0; body < system.bodies.size(); ++body)
    speed = std::max(speed, system.bodies.speed_bound(body, q, u, radius[static_cast<std::size_t>(body)]));
  return speed;
}

void Adaptive::check(const System& system, const Motion& motion, double h) const { base_->check(system, motion, h); }

// One step of the base scheme. With a deadline its solver has the time that is left: a microsecond at least, so that it
// says something.
StepReport Adaptive::advance(const Call& call, double d, Motion& motion, WarmStart& warm) {
  if (settings_.deadline > 0) call.solver.set_max_seconds(std::max(settings_.deadline - call.clock.seconds(), 1e-6));
  const StepReport report = base_->step(call.system, call.solver, d, call.threads, motion, warm);
  call.solver.set_max_seconds(0);
  return report;
}

// Depth of overlaps at a state, by a step too short to matter.
double Adaptive::depth_at(const Call& call, const Motion& motion, const WarmStart& warm) {
  whole_ = motion;
  whole_warm_ = warm;
  const StepReport report = advance(call, 1e-6 * settings_.min_step, whole_, whole_warm_);
  return report.status == StepStatus::Done ? report.penetration : 0.0;
}

double Adaptive::error_of(const Call& call, const Motion& halves) const {
  const StepperTraits traits = base_->traits();
  double error = largest_way(call.system, whole_.q, halves.q);
  // What moves bodies by the mean velocity has half steps with an error of d^3 in positions, and what grows is the d^2
  // of velocities; they can be compared where bodies at rest have none to rounding.
  if (traits.order == 1 && traits.still_at_rest)
    error = std::max(error, call.h * largest_speed(call.system, halves.q, whole_.u - halves.u));
  return error / ((1 << traits.order) - 1);
}

Substeps::Verdict Adaptive::take(const Call& call, double d, double left, Motion& motion, WarmStart& warm) {
  const double longest = settings_.max_step > 0 ? std::min(settings_.max_step, call.h) : call.h;
  if (is_late(call) || d <= settings_.min_step * (1 + 1e-9)) {
    const StepReport report = advance(call, d, motion, warm);
    if (report.status != StepStatus::Done) return parts_.fail(report);
    parts_.add(report, *base_);
    next_ = std::min(2 * d, longest);
    return Substeps::Verdict::Keep;
  }
  // Once and in two halves.
  begin_ = whole_ = motion;
  begin_warm_ = whole_warm_ = warm;
  StepReport report = advance(call, d, whole_, whole_warm_);
  bool good = report.status == StepStatus::Done;
  if (good && d == left && is_late(call)) {
    parts_.add(report, *base_);
    motion = whole_;
    warm = whole_warm_;
    return Substeps::Verdict::Keep;
  }
  for (int half = 0; half < 2 && good; ++half) {
    report = advance(call, d / 2, motion, warm);
    good = report.status == StepStatus::Done;
    if (good) parts_.add(report, *base_);
  }
  double error = good ? error_of(call, motion) : std::numeric_limits<double>::infinity();
  const double admitted = settings_.tolerance * d / call.h;
  // Schemes that see a contact at mid-step may end the step in an overlap without having noticed, both times.
  if (error <= admitted) {
    const double depth = depth_at(call, motion, warm);
    if (depth > settings_.tolerance && depth > depth_at(call, begin_, begin_warm_)) error = std::max(error, depth);
  }
  const double factor =
      std::clamp(0.9 * std::pow(admitted / std::max(error, 1e-300), 1.0 / base_->traits().order), 0.2, 2.0);
  const bool accepted = error <= admitted;
  next_ = accepted ? std::min(d * factor, longest) : std::max(d * std::min(factor, 0.9), settings_.min_step);
  return accepted ? Substeps::Verdict::Keep : Substeps::Verdict::Repeat;
}

StepReport Adaptive::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                          WarmStart& warm) {
  const Stopwatch clock;
  const Call call{system, solver, h, threads, clock};
  next_ = settings_.max_step > 0 ? std::min(settings_.max_step, h) : h;
  double now = h;  // what is left
  const auto length = [&](double left) {
    now = left;
    return is_late(call) ? left : std::min(next_, left);
  };
  StepReport report =
      parts_.run(system, h, motion, warm, length, [&](double d) { return take(call, d, now, motion, warm); });
  report.times.total = clock.seconds();
  return report;
}

}  // namespace cairn
