// SPDX-License-Identifier: Apache-2.0
// S9: fall with quadratic drag, and a body carried off by a wind with linear drag. Closed forms:
//   v = w tanh(g t/w), z = w^2/g ln cosh(g t/w), w = sqrt(2 m g/(rho Cd A));    v = W (1 - exp(-c t/m))
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {

CaseResult run_falling_drag(Effort) {
  constexpr double m = 1, g = 9.81, density = 1.2, shape = 0.5, area = 0.1, time = 2;
  const double terminal = std::sqrt(2 * m * g / (density * shape * area));
  constexpr double c = 0.8;
  static constexpr double wind = 3;
  CaseResult result;
  Study study(0.001);
  Series fall{.label = "falling, v", .x = {}, .y = {}};
  for (const double h : study.steps()) {
    Model model;
    model.set_gravity({0, 0, -g});
    model.run.step = h;
    const BodyId body = model.add_rigid({.name = "body", .mass = m, .inertia = 0.1 * Mat3::Identity()});
    model.add_drag({.name = "air", .body = "body", .quadratic = {density, shape, area}});
    Simulation simulation(model);
    simulation.run(time);
    study.add("speed after 2 s", -simulation.velocity(body).z());
    study.add("way after 2 s", -simulation.position(body).z());
    simulation.run(28, [&](const Simulation& s) {
      if (s.state().step % 100 == 0) fall.x.push_back(s.state().time()), fall.y.push_back(-s.velocity(body).z());
      return true;
    });
    study.add("terminal speed", -simulation.velocity(body).z());
    record(result, "fall", simulation);
    if (h != study.steps().back()) fall.x.clear(), fall.y.clear();

    Model blown;
    blown.set_gravity(Vec3::Zero());
    blown.run.step = h;
    const BodyId leaf = blown.add_rigid({.name = "leaf", .mass = m, .inertia = 0.1 * Mat3::Identity()});
    blown.add_drag(
        {.name = "wind", .body = "leaf", .linear = {c}, .medium_velocity = [](double) { return Vec3(wind, 0, 0); }});
    Simulation drift(blown);
    drift.run(time);
    study.add("speed in the wind after 2 s", drift.velocity(leaf).x());
    record(result, "wind", drift);
  }
  result.quantities = {
      study.check("speed after 2 s", {terminal * std::tanh(g * time / terminal), 1e-6, true, 2, "m/s"}),
      study.check("way after 2 s",
                  {terminal * terminal / g * std::log(std::cosh(g * time / terminal)), 1e-6, true, 2, "m"}),
      study.check("terminal speed", {terminal, 1e-9, true, {}, "m/s"}),
      study.check("speed in the wind after 2 s", {wind * (1 - std::exp(-c * time / m)), 1e-6, true, 2, "m/s"}),
  };
  result.plots = {{.title = "Towards the terminal speed", .x_label = "t [s]", .y_label = "v [m/s]", .series = {fall}},
                  error_plot("Relative error against the step",
                             {result.quantities[0], result.quantities[1], result.quantities[3]}, 2)};
  result.notes =
      "The drag of a step is taken with the mean of the velocities before and after it, found in two passes: order 2. "
      "The terminal speed is a fixed point of the step and exact.";
  return result;
}

}  // namespace cairn::validation
