// SPDX-License-Identifier: Apache-2.0
// F14: a thin disc that rolls on its rim while its centre rests (Euler's disc, steady): the axis goes round at
// sqrt(4 g/(R sin(alpha))) (Moffatt 2000, Nature 404, 833).
//
// The centre and the touching point are at rest, so the disc turns about the radius between them, and the moment of the
// weight turns its angular momentum (m R^2/4) Omega sin(alpha).
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double R = 0.0375, mass = 0.4, g = 9.81, thickness = 1e-3 * R;
const double alpha = EIGEN_PI / 18, rate = std::sqrt(4 * g / (R * std::sin(alpha)));

struct Run {
  double rate = 0, wander = 0, tilt = 0;  ///< of the axis [rad/s]; of the centre [m]; change of the inclination [rad]
  Track inclination;
};

Run roll(double h, double duration, CaseResult& result) {
  Model model;
  model.set_contact({.friction = 0.5, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-11);
  model.run.stepper = {"moreau", {{"impact_steps", "0"}}};  // thin, but it does not fall
  model.add_fixed({.name = "table", .shape = HalfSpace{}});
  // Axis (sin, 0, cos); lowest rim point R (cos, 0, -sin) - t/2 axis from the centre.
  const Vec3 axis(std::sin(alpha), 0, std::cos(alpha));
  const Vec3 lowest = R * Vec3(std::cos(alpha), 0, -std::sin(alpha)) - thickness / 2 * axis;
  const BodyId disc = model.add_rigid({.name = "disc",
                                       .shape = Cylinder{R, thickness / 2},
                                       .position = {0, 0, -lowest.z()},
                                       .orientation = Quat(Eigen::AngleAxisd(alpha, Vec3::UnitY())),
                                       .angular_velocity = -rate * std::sin(alpha) / R * lowest,
                                       .mass = mass,
                                       .inertia = mass * R * R * Vec3(0.25, 0.25, 0.5).asDiagonal().toDenseMatrix()});
  Simulation simulation(model);
  Run run;
  double angle = 0, turned = 0;
  const auto sample = [&](const Simulation& s) {
    const Vec3 n = s.orientation(disc) * Vec3::UnitZ();
    const double now = std::atan2(n.y(), n.x());
    turned += std::remainder(now - angle, 2 * EIGEN_PI);
    angle = now;
    const double tilt = std::atan2(n.head<2>().norm(), n.z());
    run.tilt = std::max(run.tilt, std::abs(tilt - alpha));
    run.wander = std::max(run.wander, s.position(disc).head<2>().norm());
    run.inclination.add(s.state().time(), tilt * 180 / EIGEN_PI, 0);
    return true;
  };
  sample(simulation);
  turned = 0;
  simulation.run(duration, sample);
  run.rate = turned / simulation.state().time();
  record(result, "disc", simulation);
  return run;
}

}  // namespace

CaseResult run_euler_disc(Effort effort) {
  CaseResult result;
  const double turns = effort == Effort::Full ? 20 : 3, duration = turns * 2 * EIGEN_PI / rate;
  Study study(2e-5);
  Plot history{.title = "Inclination", .x_label = "t [s]", .y_label = "[degrees]", .series = {}};
  for (const double h : study.steps()) {
    const Run run = roll(h, duration, result);
    study.add("rate of the axis", run.rate);
    study.add("way of the centre over R", run.wander / R);
    study.add("change of the inclination", run.tilt);
    history.series.push_back(run.inclination.series(fmt::format("h = {:.0f} us", 1e6 * h)));
  }
  result.quantities = {
      study.check("rate of the axis", {rate, 1e-3, true, 1.0, "rad/s"}),
      study.check("way of the centre over R", {0, 1e-2}),
      study.check("change of the inclination", {0, 1e-3, false, {}, "rad"}),
  };
  result.plots = {history};
  result.notes = fmt::format(
      "{:.0f} turns of the axis. The disc is a cylinder with a thousandth of its radius as thickness, which changes "
      "the "
      "rate by 4e-5. What a rolling contact loses is of order h: the disc sinks slowly and goes round faster.",
      turns);
  return result;
}

}  // namespace cairn::validation
