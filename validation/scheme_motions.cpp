// SPDX-License-Identifier: Apache-2.0
// Motions on which steppers are tried, and their ends: closed forms, or event-driven integration of order 8 to
// rounding.
#include "scheme_motions.h"

#include "cairn/steppers/adaptive.h"
#include "measure.h"
#include "point_on_table.h"

#include <cmath>
#include <ctime>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi;
Model with_stepper(const std::string& stepper, double h) {
  Model model;
  model.run.step = h;
  model.run.stepper.name = stepper;
  if (stepper == "ggl") model.run.stepper.parameters["slack"] = "1e-6";       // which it needs where bodies rest
  if (stepper == "penalty") model.run.stepper.parameters["penalty"] = "1e9";  // joints yield less than a step's error
  // What governs the error of `adaptive` is what it admits, and at blows its shortest step: both are refined with the
  // step, by its order, from their defaults at 4 ms.
  if (stepper == "adaptive") {
    const Adaptive::Settings defaults;
    const double share = std::pow(h / 4e-3, steppers().make(stepper)->traits().order);
    model.run.stepper.parameters["tolerance"] = fmt::format("{}", defaults.tolerance * share);
    model.run.stepper.parameters["min_step"] = fmt::format("{}", defaults.min_step * share);
  }
  set_tolerance(model, 1e-12);
  return model;
}

/// A point fixed to a body at the end of a run, and what the run took.
struct End {
  Vec3 point;
  double seconds;  ///< of the processor: other programs on the machine matter less
};
End run_to(const Model& model, const char* body, double duration, const Vec3& point = Vec3::Zero()) {
  Simulation simulation(model);
  const std::clock_t start = std::clock();
  simulation.run(duration);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const BodyId id = model.body(body);
  return {simulation.position(id) + simulation.orientation(id) * point, seconds};
}
SchemeOutcome along(const End& end, int axis, double exact) { return {end.point[axis] - exact, end.seconds}; }
SchemeOutcome away(const End& end, const Vec3& exact) { return {(end.point - exact).norm(), end.seconds}; }

const Mat3 unit_inertia = Mat3::Identity();

/// A mass on a spring: x = cos(10 t) after 1 s.
SchemeOutcome free_motion(const std::string& stepper, double h, double) {
  Model model = with_stepper(stepper, h);
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "mass", .position = {1, 0, 0}, .mass = 1, .inertia = unit_inertia});
  model.add_spring({.body_a = "mass", .anchor_b = {-3, 0, 0}, .stiffness = 100, .rest_length = 3});
  return along(run_to(model, "mass", 1), 0, std::cos(10.0));
}

/// The pendulum of S2 after 1 s.
SchemeOutcome pendulum(const std::string& stepper, double h, double) {
  constexpr double J = 1e-4;
  const double d = 0.5 * (1 + std::sqrt(1 - 4 * J));
  Model model = with_stepper(stepper, h);
  model.add_rigid({.name = "bob", .position = {-d, 0, 0}, .mass = 1, .inertia = Mat3(J * unit_inertia)});
  model.add_joint({.body_a = "bob"});
  return away(run_to(model, "bob", 1), d * Vec3(0.986291751132, 0, -0.165010853126));
}

/// A ball without rotation that slides along a spring with friction: x'' = -k x - mu g, before it stops.
SchemeOutcome sliding(const std::string& stepper, double h, double) {
  constexpr double k = 4, mu = 0.3, v = 2, g = 9.81, T = 0.4;
  Model model = with_stepper(stepper, h);
  model.set_contact({.friction = mu});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid(
      {.name = "block", .shape = Box{{0.5, 0.5, 0.1}}, .position = {0, 0, 0.1}, .velocity = {v, 0, 0}, .mass = 1});
  // Pulls at the foot, so that the block is not tilted.
  model.add_spring(
      {.body_a = "block", .anchor_a = {0, 0, -0.1}, .anchor_b = {-10, 0, 0}, .stiffness = k, .rest_length = 10});
  const double w = std::sqrt(k), rest = -mu * g / k;
  const double exact = rest - rest * std::cos(w * T) + v / w * std::sin(w * T);
  return along(run_to(model, "block", T), 0, exact);
}

/// Studer's impact oscillator (6.5.3): 0.1 kg, 20 N/m about x = -0.15, stop at x = 0.
double oscillator_at(double x, double v, double e, double T) {
  const double w = std::sqrt(200.0), centre = -0.15;
  for (double t = 0;;) {
    // x = centre + R cos(w s + phase); it comes to the stop from below.
    const double R = std::hypot(x - centre, v / w), phase = std::atan2(-v / w, x - centre);
    double s = INFINITY;
    if (R > -centre) {
      const double at = -std::acos(-centre / R) - phase;  // moving towards the stop
      s = at / w;
      while (s <= 1e-12) s += 2 * pi / w;
    }
    if (t + s >= T) return centre + R * std::cos(w * (T - t) + phase);
    t += s;
    v = e * R * w * std::sin(w * s + phase);
    x = 0;
  }
}
SchemeOutcome impact(const std::string& stepper, double h, double part) {
  const double e = steppers().make(stepper)->traits().restitution ? 0.6 : 0, x0 = -0.5 + 0.02 * part;
  Model model = with_stepper(stepper, h);
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0, .restitution = e});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid(
      {.name = "mass", .shape = Sphere{0.1}, .position = {0, 0, 0.1 - x0}, .velocity = {0, 0, -0.2}, .mass = 0.1});
  model.add_spring({.body_a = "mass", .anchor_b = {0, 0, 1.25}, .stiffness = 20, .rest_length = 1});
  return along(run_to(model, "mass", 1), 2, 0.1 - oscillator_at(x0, 0.2, e, 1));
}

/// A block of 1 kg under 8 cos(t + a) N on mu = 0.8 (F3): slides when the force exceeds mu g, until it stops.
double driven_at(double a, double T) {
  constexpr double limit = 0.8 * 9.81;
  double x = 0, t = 0;
  const auto force = [&](double s) { return 8 * std::cos(s + a); };
  while (t < T) {
    // A moment on: where it breaks loose the force is the limit itself, to rounding.
    if (std::abs(force(t + 1e-9)) <= limit) {  // next time at which it breaks loose
      const double edge = std::acos(limit / 8);
      double next = INFINITY;
      for (const double angle : {-edge, pi - edge}) {
        double s = angle - a;
        while (s <= t + 1e-12) s += 2 * pi;
        next = std::min(next, s);
      }
      t = next;
      continue;
    }
    // v = 8 (sin(s+a) - sin(t+a)) - sign limit (s - t), until it is zero again.
    const double sign = force(t + 1e-9) > 0 ? 1 : -1, start = t;
    const auto v = [&](double s) { return 8 * (std::sin(s + a) - std::sin(start + a)) - sign * limit * (s - start); };
    double low = start + 1e-3, high = low;
    while (sign * v(high) > 0) high += 1e-3;
    for (int k = 0; k < 100; ++k) {
      const double mid = 0.5 * (low + high);
      (sign * v(mid) > 0 ? low : high) = mid;
    }
    const double end = std::min(low, T), d = end - start;
    x += 8 * (-std::cos(end + a) + std::cos(start + a) - std::sin(start + a) * d) - sign * limit * d * d / 2;
    t = low;
  }
  return x;
}
SchemeOutcome stick_slip(const std::string& stepper, double h, double part) {
  if (!steppers().make(stepper)->locates_switches()) return stick_slip_on_corners(stepper, h, part);
  const double a = -0.02 * part;
  Model model = with_stepper(stepper, h);
  add_point_on_table(model, {.friction = 0.8}, Vec3::Zero(), Vec3::Zero());
  model.add_load({.body = "point", .force = [a](double t) { return Vec3(8 * std::cos(t + a), 0, 0); }});
  return along(run_to(model, "point", 4), 0, driven_at(a, 4));
}

/// A sphere set sliding (F6): rolls after 2 v/(7 mu g), at 5/7 of its speed.
SchemeOutcome rolling(const std::string& stepper, double h, double part) {
  constexpr double mu = 0.3, g = 9.81, T = 0.2;
  const double v = 1 + 0.1 * part, rolls = 2 * v / (7 * mu * g);
  Model model = with_stepper(stepper, h);
  model.set_contact({.friction = mu});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 0.1}, .velocity = {v, 0, 0}, .mass = 1});
  return along(run_to(model, "ball", T), 0, 12 * v * v / (49 * mu * g) + 5.0 / 7 * v * (T - rolls));
}

/// A box that tumbles freely: where its corner is after 1 s.
End tumbling_end(const std::string& stepper, double h) {
  Model model = with_stepper(stepper, h);
  model.set_gravity(Vec3::Zero());
  model.add_rigid(
      {.name = "box", .angular_velocity = {0.3, 2, 0.4}, .mass = 1, .inertia = Mat3(Vec3(1, 2, 3).asDiagonal())});
  return run_to(model, "box", 1, {1, 1, 1});
}
SchemeOutcome tumbling(const std::string& stepper, double h, double) {
  static const Vec3 end = tumbling_end("event-driven", 0.01).point;
  return away(tumbling_end(stepper, h), end);
}

/// Two rods on ball joints, let go from horizontal: the lower end after 1 s.
End double_pendulum_end(const std::string& stepper, double h) {
  Model model = with_stepper(stepper, h);
  const Mat3 inertia = Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal();
  model.add_rigid({.name = "upper", .position = {0.5, 0, 0}, .mass = 1, .inertia = inertia});
  model.add_rigid({.name = "lower", .position = {1.5, 0, 0}, .mass = 1, .inertia = inertia});
  model.add_joint({.body_a = "upper"});
  model.add_joint({.body_a = "lower", .body_b = "upper", .position = {1, 0, 0}});
  return run_to(model, "lower", 1, {0.5, 0, 0});
}
SchemeOutcome double_pendulum(const std::string& stepper, double h, double) {
  static const Vec3 end = double_pendulum_end("event-driven", 0.01).point;
  return away(double_pendulum_end(stepper, h), end);
}

/// A ball dropped from 0.5 m with e = 0.5, or 0 where a scheme has no restitution: its height after 0.7 s.
SchemeOutcome bouncing(const std::string& stepper, double h, double part) {
  constexpr double g = 9.81, T = 0.7;
  const double e = steppers().make(stepper)->traits().restitution ? 0.5 : 0, height = 0.5 + 0.05 * part;
  Model model = with_stepper(stepper, h);
  model.set_contact({.friction = 0, .restitution = e});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 0.1 + height}, .mass = 1});
  double t = std::sqrt(2 * height / g), v = e * g * t;
  while (v > 0 && t + 2 * v / g < T) t += 2 * v / g, v *= e;
  const double exact = v * (T - t) - (v > 0 ? 0.5 * g * (T - t) * (T - t) : 0);
  return along(run_to(model, "ball", T), 2, 0.1 + exact);
}

/// A block that slides down a wedge that is free to slide (F12), both without friction: way of the wedge.
SchemeOutcome wedge(const std::string& stepper, double h, double) {
  constexpr double angle = pi / 6, T = 0.25;
  Model model = with_stepper(stepper, h);
  model.set_contact({.friction = 0});
  const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
  model.add_rigid({.name = "wedge", .shape = Box{Vec3(0.5, 0.2, 0.05)}, .orientation = tilt, .mass = 2.0});
  model.add_rigid({.name = "block",
                   .shape = Box{Vec3(0.05, 0.05, 0.05)},
                   .position = 0.1 * (tilt * Vec3::UnitZ()),
                   .orientation = tilt,
                   .mass = 1.0});
  model.add_joint({.kind = JointKind::Prismatic, .body_a = "wedge", .axis = Vec3::UnitX()});
  return along(run_to(model, "wedge", T), 0, -9.81 * std::sqrt(3.0) / 4 / 2.25 * T * T / 2);
}

constexpr SchemeMotion motions[] = {
    {"free", "a mass on a spring", free_motion, 4e-3, 1, false, false},
    {"joint", "a pendulum on a ball joint", pendulum, 5e-4, 1, false, false},
    {"sliding", "a block that slides along a spring with friction", sliding, 4e-3, 0.4, false, false},
    {"impact", "an oscillator against a stop, e = 0.6", impact, 4e-3, 1, true, true},
    {"stick-slip", "a block under 8 cos t N that sticks and slides", stick_slip, 8e-3, 4, true, false},
    {"rolling", "a sphere set sliding that comes to roll", rolling, 2e-3, 0.2, true, false},
    {"tumbling", "a free box with three moments of inertia", tumbling, 4e-3, 1, false, false},
    {"double-pendulum", "two rods on ball joints", double_pendulum, 2e-3, 1, false, false},
    {"bouncing", "a ball that bounces, e = 0.5", bouncing, 4e-3, 0.7, true, true},
    {"wedge", "a block that slides down a free wedge", wedge, 2.5e-3, 0.25, false, false},
};

}  // namespace

std::span<const SchemeMotion> scheme_motions() { return motions; }

bool is_dynamic(const std::string& stepper) { return steppers().make(stepper)->traits().order > 0; }

SchemeOutcome stick_slip_on_corners(const std::string& stepper, double h, double part) {
  const double a = -0.02 * part;
  Model model = with_stepper(stepper, h);
  model.set_contact({.friction = 0.8});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "block", .shape = Box{{0.5, 0.5, 0.1}}, .position = {0, 0, 0.1}, .mass = 1});
  model.add_load(
      {.body = "block", .anchor = {0, 0, -0.1}, .force = [a](double t) { return Vec3(8 * std::cos(t + a), 0, 0); }});
  return along(run_to(model, "block", 4), 0, driven_at(a, 4));
}

bool makes_claim(const SchemeMotion& motion, const std::string& stepper) {
  return is_dynamic(stepper) && !(motion.events && steppers().make(stepper)->traits().sliding_order == 0);
}

SchemeOutcome mean_outcome(const SchemeMotion& motion, const std::string& stepper, double h, int starts) {
  const int count = motion.events ? starts : 1;
  SchemeOutcome mean;
  for (int i = 0; i < count; ++i) {
    const SchemeOutcome run = motion.run(stepper, h, (i + 0.5) / count);
    mean.error += run.error * run.error / count;
    mean.seconds += run.seconds / (count * motion.duration);
  }
  mean.error = std::sqrt(mean.error);
  return mean;
}

}  // namespace cairn::validation
