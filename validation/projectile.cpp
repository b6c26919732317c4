// SPDX-License-Identifier: Apache-2.0
// S1: projectile with linear drag, a = g - k v (Marion and Thornton, Classical Dynamics, section 2.4). Closed form:
//   z(t) = (v_z + g/k)(1 - exp(-k t))/k - g t/k,  x(t) = v_x (1 - exp(-k t))/k.
#include "cases.h"
#include "measure.h"

namespace cairn::validation {

CaseResult run_projectile(Effort) {
  CaseResult result;
  Study study(0.002);
  Track height, path;
  for (const double h : study.steps()) {
    Model model;
    model.set_gravity({0, 0, -9.81456});
    model.run.step = h;
    const BodyId body = model.add_rigid({.name = "projectile",
                                         .velocity = {2.54, 0, 12.7},
                                         .mass = 0.45359237,
                                         .inertia = 1e-3 * Mat3::Identity(),
                                         .linear_damping = 1});
    Simulation simulation(model);
    Track x, z;
    const auto sample = [&](const Simulation& s) {
      x.add(s.state().time(), s.position(body).x(), s.velocity(body).x());
      z.add(s.state().time(), s.position(body).z(), s.velocity(body).z());
      return true;
    };
    sample(simulation);
    simulation.run(2, sample);
    const double flight = z.crossings(0, -1).at(0);
    const Sample apex = z.extremes().at(0);
    study.add("time of flight", flight);
    study.add("range", x.at(flight));
    study.add("apex height", apex.x);
    study.add("apex time", apex.t);
    record(result, "projectile", simulation);
    height = z, path = x;
  }
  result.quantities = {
      study.check("time of flight", {1.97599434351, 1e-6, true, 2, "s"}),
      study.check("range", {2.18789655280, 1e-6, true, 2, "m"}),
      study.check("apex height", {4.55101780787, 1e-6, true, 2, "m"}),
      study.check("apex time", {0.830295213655, 1e-6, true, 2, "s"}),
  };
  Plot trajectory{.title = "Trajectory", .x_label = "x [m]", .y_label = "z [m]", .series = {{.label = "finest step"}}};
  for (std::size_t i = 0; i < height.samples().size(); ++i) {
    trajectory.series[0].x.push_back(path.samples()[i].x);
    trajectory.series[0].y.push_back(height.samples()[i].x);
  }
  result.plots = {trajectory, error_plot("Relative error against the step", result.quantities, 2)};
  return result;
}

}  // namespace cairn::validation
