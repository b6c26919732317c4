// SPDX-License-Identifier: Apache-2.0
// Steps as long as their error allows.
#include "cairn/steppers/adaptive.h"

#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

// All that make one step per step and follow a motion: the midpoint family, the schemes on every level of joints, the
// variational ones and their comparators.
constexpr std::array<std::string_view, 22> names{"moreau",
                                                 "koziara",
                                                 "moreau-jean",
                                                 "nscd",
                                                 "paoli-schatzman",
                                                 "stiegelmeyr",
                                                 "funk",
                                                 "foerg",
                                                 "stewart-trinkle",
                                                 "anitescu-potra-02",
                                                 "anitescu-potra-97",
                                                 "anitescu-hart",
                                                 "potra",
                                                 "gavrea",
                                                 "index-1",
                                                 "index-2",
                                                 "index-3",
                                                 "ggl",
                                                 "variational",
                                                 "two-step",
                                                 "implicit-midpoint",
                                                 "newmark"};

}  // namespace

std::span<const std::string_view> Adaptive::base_names() { return names; }

void Adaptive::Settings::describe(ParameterVisitor& v) {
  v.choice_index("base", base, names, "the scheme that takes the steps");
  v.real("tolerance", tolerance, "m", positive, "error of the point that moves most, per output step");
  v.real("min_step", min_step, "s", positive, "below this length steps are accepted whatever their error");
  v.real("max_step", max_step, "s", non_negative, "longest step; 0: the output step");
  v.real("deadline", deadline, "s", non_negative,
         "wall-clock time per output step, after which the rest is done in one step with what time is left; 0: none");
}

Adaptive::Adaptive(const Settings& settings)
    : settings_(settings), base_(steppers().make(names[static_cast<std::size_t>(settings.base)])) {
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

void Adaptive::add_impulses() {
  const auto joints = base_->joint_impulses();
  joint_impulses_.resize(std::max(joint_impulses_.size(), joints.size()));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joint_impulses_[j].force += joints[j].force;
    joint_impulses_[j].torque += joints[j].torque;
  }
  const auto laws = base_->coordinate_impulses();
  coordinate_impulses_.resize(std::max(coordinate_impulses_.size(), laws.size()));
  for (std::size_t l = 0; l < laws.size(); ++l) coordinate_impulses_[l] += laws[l];
}

StepReport Adaptive::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                          WarmStart& warm) {
  const Stopwatch clock;
  start_motion_ = motion;
  start_warm_ = warm;
  joint_impulses_.assign(system.joints.size(), {});
  coordinate_impulses_.assign(system.coordinate_laws.size(), 0.0);
  const StepperTraits traits = base_->traits();
  const int order = traits.order;
  // gavrea moves bodies by the mean velocity: half steps show an error of d^3 in positions, and what grows is the d^2
  // of velocities. Its slack keeps bodies at rest to rounding, so that they can be compared.
  const bool velocities_count = order == 1 && (traits.rests || base_->name() == "gavrea");
  const double longest = settings_.max_step > 0 ? std::min(settings_.max_step, h) : h;
  const double given_seconds = solver.limits().max_seconds;
  StepReport sum, report;
  sum.parts = 0;
  double left = h, d = longest;
  // One step of the base scheme. With a deadline its solver has the time that is left: a microsecond at least, so that
  // it says something.
  const auto advance = [&](double step, Motion& m, WarmStart& w) {
    if (settings_.deadline > 0) solver.set_max_seconds(std::max(settings_.deadline - clock.seconds(), 1e-6));
    report = base_->step(system, solver, step, threads, m, w);
    solver.set_max_seconds(given_seconds);
    return report.status == StepStatus::Done;
  };
  const auto is_late = [&] { return settings_.deadline > 0 && clock.seconds() > 0.5 * settings_.deadline; };
  const auto keep = [&] {
    sum.add(report);
    add_impulses();
  };
  const auto fail = [&] {
    motion = start_motion_;
    warm = start_warm_;
    return report;
  };
  // Depth of overlaps at a state, by a step too short to matter.
  const auto depth_at = [&](const Motion& m, const WarmStart& w) {
    whole_ = m;
    whole_warm_ = w;
    return advance(1e-6 * settings_.min_step, whole_, whole_warm_) ? report.penetration : 0.0;
  };
  while (left > 1e-12 * h) {
    d = is_late() ? left : std::min(d, left);
    if (is_late() || d <= settings_.min_step * (1 + 1e-9)) {
      if (!advance(d, motion, warm)) return fail();
      keep();
      left -= d;
      d = std::min(2 * d, longest);
      continue;
    }
    // Once and in two halves.
    whole_ = halves_ = motion;
    whole_warm_ = halves_warm_ = warm;
    const std::vector<JointImpulse> joints_before = joint_impulses_;
    const std::vector<double> laws_before = coordinate_impulses_;
    const StepReport sum_before = sum;
    bool good = advance(d, whole_, whole_warm_);
    if (good && d == left && is_late()) {
      keep();
      motion = whole_;
      warm = whole_warm_;
      break;
    }
    for (int half = 0; half < 2 && good; ++half)
      if ((good = advance(d / 2, halves_, halves_warm_))) keep();
    double error = std::numeric_limits<double>::infinity();
    if (good) {
      error = largest_way(system, whole_.q, halves_.q);
      if (velocities_count) error = std::max(error, h * largest_speed(system, halves_.q, whole_.u - halves_.u));
      error /= (1 << order) - 1;
    }
    const double admitted = settings_.tolerance * d / h;
    // Schemes that see a contact at mid-step may end the step in an overlap without having noticed, both times.
    if (error <= admitted) {
      const double depth = depth_at(halves_, halves_warm_);
      if (depth > settings_.tolerance && depth > depth_at(motion, warm)) error = std::max(error, depth);
    }
    const double factor = std::clamp(0.9 * std::pow(admitted / std::max(error, 1e-300), 1.0 / order), 0.2, 2.0);
    if (error <= admitted) {
      motion = halves_;
      warm = halves_warm_;
      left -= d;
      d = std::min(d * factor, longest);
    } else {
      sum = sum_before;
      joint_impulses_ = joints_before;
      coordinate_impulses_ = laws_before;
      d = std::max(d * std::min(factor, 0.9), settings_.min_step);
    }
  }
  motion.time = start_motion_.time + h;
  sum.times.total = clock.seconds();
  return sum;
}

}  // namespace cairn
