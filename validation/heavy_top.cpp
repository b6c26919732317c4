// SPDX-License-Identifier: Apache-2.0
// S6: heavy symmetric top on a fixed point (Simo and Wong 1991): J = diag(5, 5, 1) about the point, M g l = 20, spin
// 50, tilt 0.05.
//
// The point is a ball joint, so inertia about it is made by the constraint: J_centre = J - M l^2 diag(1, 1, 0).
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double gravity = 9.81, arm = 0.1, tilt = 0.05, spin = 50;
constexpr double tilt_max = 0.0545516902243;  // the other end of the nutation

struct TopRun {
  Track tilt, azimuth;
  Series energy;  ///< relative error over time
  double energy_begin = 0, energy_error = 0, tilt_low = 1, tilt_high = 0, period = 0, precession = 0;
};

TopRun run_top(const std::string& stepper, double h, double duration, CaseResult& result) {
  const double mass = 20 / (gravity * arm);
  const double side = 5 - mass * arm * arm;
  const Quat orientation(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
  Model model;
  model.set_gravity({0, 0, -gravity});
  model.run.step = h;
  model.run.stepper = {stepper};
  const BodyId top = model.add_rigid({.name = "top",
                                      .position = orientation * Vec3(0, 0, arm),
                                      .orientation = orientation,
                                      .angular_velocity = orientation * Vec3(0, 0, spin),
                                      .mass = mass,
                                      .inertia = Mat3(Vec3(side, side, 1).asDiagonal())});
  model.add_joint({.name = "tip", .body_a = "top"});
  Simulation simulation(model);
  TopRun run;
  run.energy_begin = simulation.energy().total();
  double turn = 0, last = 0;
  long count = 0;
  const auto sample = [&](const Simulation& s) {
    const Vec3 z = s.orientation(top) * Vec3::UnitZ(), rate = s.angular_velocity(top).cross(z);
    const double across = std::hypot(z.x(), z.y()), angle = std::atan2(across, z.z());
    double phi = std::atan2(z.y(), z.x()) + turn;
    while (phi < last - 3) phi += 2 * EIGEN_PI, turn += 2 * EIGEN_PI;
    while (phi > last + 3) phi -= 2 * EIGEN_PI, turn -= 2 * EIGEN_PI;
    last = phi;
    run.tilt.add(s.state().time(), angle, -rate.z() / across);
    run.azimuth.add(s.state().time(), phi, (z.x() * rate.y() - z.y() * rate.x()) / (across * across));
    run.tilt_low = std::min(run.tilt_low, angle);
    run.tilt_high = std::max(run.tilt_high, angle);
    const double change = s.energy().total() / run.energy_begin - 1;
    run.energy_error = std::max(run.energy_error, std::abs(change));
    if (count++ % 20 == 0) run.energy.x.push_back(s.state().time()), run.energy.y.push_back(change);
    return true;
  };
  sample(simulation);
  simulation.run(duration, sample);
  const std::vector<double> times = run.tilt.crossings(0.5 * (tilt + tilt_max), 1);
  const double span = times.back() - times.front();
  run.period = span / static_cast<double>(times.size() - 1);
  run.precession = (run.azimuth.at(times.back()) - run.azimuth.at(times.front())) / span;
  record(result, "top", simulation);
  return run;
}

}  // namespace

CaseResult run_heavy_top(Effort effort) {
  CaseResult result;
  Plot history{.title = "Nutation", .x_label = "t [s]", .y_label = "tilt [rad]", .series = {}};
  Plot energy{.title = "Energy over a long run, h = 0.4 ms",
              .x_label = "t [s]",
              .y_label = "relative change of energy",
              .series = {}};
  std::vector<Quantity> shown;
  for (const std::string stepper : {"moreau", "koziara", "ali3"}) {
    Study study(4e-4);
    const auto named = [&](const std::string& name) { return name + ", " + stepper; };
    for (const double h : study.steps()) {
      const TopRun run = run_top(stepper, h, effort == Effort::Full ? 10 : 3, result);
      study.add(named("energy at the start"), run.energy_begin);
      study.add(named("worst energy error"), run.energy_error);
      study.add(named("smallest tilt"), run.tilt_low);
      study.add(named("largest tilt"), run.tilt_high);
      study.add(named("nutation period"), run.period);
      study.add(named("mean precession"), run.precession);
      if (h == study.steps().back()) history.series.push_back(run.tilt.series(stepper));
    }
    TopRun long_run = run_top(stepper, study.steps().front(), effort == Effort::Full ? 60 : 6, result);
    long_run.energy.label = stepper;
    energy.series.push_back(std::move(long_run.energy));
    const auto add = [&](const std::string& name, const Target& target) {
      result.quantities.push_back(study.check(named(name), target));
    };
    add("energy at the start", {1269.9750052079, 1e-12, true, {}, "J"});
    add("worst energy error", {0, 1e-5, false, {}, ""});
    add("smallest tilt", {tilt, 1e-5, true, {}, "rad"});
    add("largest tilt", {tilt_max, 1e-5, true, 2, "rad"});
    add("nutation period", {0.685458496739, 1e-5, true, 2, "s"});
    shown.push_back(result.quantities.back());
    add("mean precession", {0.417396077084, 1e-5, true, 2, "rad/s"});
    shown.push_back(result.quantities.back());
  }
  history.series[1].dashed = true;
  result.plots = {history, energy, error_plot("Relative error against the step", shown, 2)};
  return result;
}

}  // namespace cairn::validation
