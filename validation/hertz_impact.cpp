// SPDX-License-Identifier: Apache-2.0
// I15: steel sphere against a rigid plane through Hertz's force (Johnson, Contact Mechanics, 1985, section 11.4), and
// with the damping of Hunt and Crossley that is matched to a restitution.
//
// m v^2/2 = 2/5 k d^(5/2); the impact lasts 2 d/v sqrt(pi) Gamma(7/5)/Gamma(9/10). The references are numbers of the
// table of problems, found by quadrature.
#include "cases.h"
#include "measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double radius = 0.01, density = 8000, speed = 1;
const double mass = density * 4 / 3 * std::numbers::pi * radius * radius * radius;

struct Impact {
  Track gap;
  double duration = 0, depth = 0, force = 0, rebound = 0;
};

Impact run_impact(const StopLaw& law, double h, const std::string& label, CaseResult& result) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  const BodyId ball = model.add_rigid({.name = "ball",
                                       .position = {0, 0, radius},
                                       .velocity = {0, 0, -speed},
                                       .mass = mass,
                                       .inertia = 0.4 * mass * radius * radius * Mat3::Identity()});
  model.add_stop({.name = "plane", .body_b = "ball", .clearance = radius, .law = law});
  Simulation simulation(model);
  const Stop& stop = dynamic_cast<const Stop&>(*model.system().forces[0]);
  Impact impact;
  std::vector<double> forces;
  const auto sample = [&](const Simulation& s) {
    impact.gap.add(s.state().time(), s.position(ball).z() - radius, s.velocity(ball).z());
    forces.push_back(stop.force(model.system().bodies, s.state().motion.q, s.state().motion.u).z());
    return true;
  };
  sample(simulation);
  simulation.run(1.5e-4, sample);
  impact.duration = impact.gap.crossings(0, 1).at(0);
  impact.depth = -impact.gap.extremes().at(0).x;
  impact.rebound = simulation.velocity(ball).z();
  // The top of a parabola through the three largest.
  const auto top = std::max_element(forces.begin() + 1, forces.end() - 1);
  const double a = top[-1], b = top[0], c = top[1];
  impact.force = b - (a - c) * (a - c) / (8 * (a - 2 * b + c));
  record(result, label, simulation);
  return impact;
}

}  // namespace

CaseResult run_hertz_impact(Effort) {
  CaseResult result;
  const Hertz hertz = make_hertz({.youngs_modulus = 2e11, .poisson = 0.3, .curvature = 1 / radius}, {.rigid = true});
  Study study(2e-7);
  Plot history{.title = "Gap over time", .x_label = "t [s]", .y_label = "gap [m]", .series = {}};
  for (const double h : study.steps()) {
    const Impact elastic = run_impact(hertz, h, "hertz", result);
    study.add("duration", elastic.duration);
    study.add("deepest", elastic.depth);
    study.add("peak force", elastic.force);
    study.add("speed after the impact", elastic.rebound);
    const Impact lossy = run_impact(make_hunt_crossley(hertz, 0.5, speed), h, "hunt-crossley", result);
    study.add("speed after the impact with e = 0.5", lossy.rebound);
    if (h == study.steps().back())
      history.series = {elastic.gap.series("Hertz"), lossy.gap.series("Hunt-Crossley, e = 0.5")};
  }
  result.quantities = {
      study.check("duration", {5.3814012653e-5, 1e-5, true, 2, "s"}),
      study.check("deepest", {1.82837177e-5, 1e-5, true, 2, "m"}),
      study.check("peak force", {2290.99479, 1e-5, true, 2, "N"}),
      study.check("speed after the impact", {speed, 1e-6, true, {}, "m/s"}),
      study.check("speed after the impact with e = 0.5", {0.5, 1e-6, true, {}, "m/s"}),
  };
  result.plots = {history, error_plot("Relative error against the step",
                                      {result.quantities[0], result.quantities[1], result.quantities[2]}, 2)};
  result.notes =
      "The buffer is a force element (hertz-stop), not a contact of shapes: it resolves the impact in about 300 steps "
      "and "
      "more. Its damping is matched to e at 1 m/s by the exact relation of a free impact.";
  return result;
}

}  // namespace cairn::validation
