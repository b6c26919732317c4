// SPDX-License-Identifier: Apache-2.0
// B16 and B17: a point mass that falls and bounces through an accumulation point, and one that slides and nearly turns
// back. Augmented time-stepping finds the switches and recovers its step after them.
#include "cases.h"
#include "measure.h"
#include "point_on_table.h"

#include <cmath>

namespace cairn::validation {
CaseResult run_falling_point(Effort) {
  CaseResult result;
  constexpr double g = 9.81, height = 0.07, e = 0.7;
  Model model;
  model.run.step = 0.05;
  model.run.stepper = {"augmented", {{"step_min", "1e-5"}, {"step_max", "0.05"}, {"order", "2"}}};
  const BodyId point =
      add_point_on_table(model, {.restitution = e, .kind = LawKind::Frictionless}, {0, 0, height}, Vec3::Zero());
  Simulation simulation(model);
  std::vector<double> closings;
  Series steps{.label = "mean inner step", .x = {}, .y = {}};
  double last = 0;
  int switches = 0;
  std::int64_t inner = 0, inner_late = 0;
  simulation.run(2, [&](const Simulation& s) {
    for (const ModeSwitch& x : s.switches()) {
      if (x.to == Mode::Closed) closings.push_back(x.time);
      last = x.time;
      ++switches;
    }
    inner += s.certificate().parts;
    if (s.state().time() > 0.9) inner_late += s.certificate().parts;
    steps.x.push_back(s.state().time());
    steps.y.push_back(0.05 / s.certificate().parts);
    return true;
  });
  record(result, "augmented", simulation);
  const double fall = std::sqrt(2 * height / g), end = fall * (1 + e) / (1 - e);
  result.quantities = {
      check("first impact", closings.at(0), {fall, 2e-5, false, {}, "s"}),
      check("fifth impact", closings.at(4),
            {fall * (1 + 2 * (e + e * e + e * e * e + e * e * e * e)), 5e-5, false, {}, "s"}),
      check("last switch", last, {end, 2e-4, false, {}, "s", "the spec's own run: 0.67687 s"}),
      check("switches", switches, {53, 8, false, {}, "", "the spec's own run: 51 to 55"}),
      check("inner steps", static_cast<double>(inner),
            {1780, 600, false, {}, "", "the spec's own run: 1780 main steps"}),
      check("inner steps after 0.9 s, per step of 0.05 s", static_cast<double>(inner_late) / 22, {1, 0.5}),
      check("height at rest", std::abs(simulation.position(point).z()), {0, 1e-5, false, {}, "m"}),
      check("numerical work", std::abs(simulation.summary().numerical), {0, 1e-4, false, {}, "J"}),
  };
  result.plots = {{.title = "Inner step", .x_label = "t [s]", .y_label = "h [s]", .log_y = true, .series = {steps}}};
  return result;
}

CaseResult run_sliding_point(Effort) {
  CaseResult result;
  Model model;
  model.run.step = 0.02;
  model.run.stepper = {
      "augmented",
      {{"step_min", "1e-7"}, {"step_max", "0.02"}, {"order", "6"}, {"tolerance", "1e-9"}, {"cut", "true"}}};
  set_tolerance(model, 1e-13);
  const BodyId point = add_point_on_table(model, {.kind = LawKind::Tresca, .limit = 2}, Vec3::Zero(), {2, -0.2, 0});
  model.add_load({.body = "point", .force = [](double t) { return t <= 3 ? Vec3(-2.5, -0.25, 0) : Vec3(0, 0, 0); }});
  Simulation simulation(model);
  Track speed, along_y;
  double stops = 0;
  Vec3 v_before(2, -0.2, 0);
  Series steps{.label = "mean inner step", .x = {}, .y = {}}, force{.label = "friction along y", .x = {}, .y = {}};
  double slowest = 10, t_slowest = 0, v3 = 0;
  Vec3 x_slowest = Vec3::Zero();
  simulation.run(4, [&](const Simulation& s) {
    const Vec3 v = s.velocity(point);
    const double t = s.state().time();
    if (v.norm() < slowest && t < 2) slowest = v.norm(), t_slowest = t, x_slowest = s.position(point);
    for (const ModeSwitch& x : s.switches())
      if (x.to == Mode::Stick) stops = x.time;
    if (std::abs(t - 3) < 1e-9) v3 = v.norm();
    steps.x.push_back(t);
    steps.y.push_back(0.02 / s.certificate().parts);
    force.x.push_back(t);
    force.y.push_back(v.norm() > 0 ? -2 * v.y() / v.norm() : 0);
    return true;
  });
  record(result, "augmented", simulation);
  const Vec3 x = simulation.position(point);
  result.quantities = {
      check("slowest at about", t_slowest, {0.4787, 0.02, false, {}, "s", "seen at the run's steps of 0.02 s only"}),
      check("its place along x", x_slowest.x(), {0.4481, 2e-3, false, {}, "m"}),
      check("speed at 3 s", v3, {1.3313, 1e-4, false, {}, "m/s"}),
      check("sticks at", stops, {3.6656, 1e-4, false, {}, "s"}),
      check("end along x", x.x(), {-1.7118, 1e-4, false, {}, "m"}),
      check("end along y", x.y(), {-0.2988, 1e-4, false, {}, "m"}),
      check("numerical work", std::abs(simulation.summary().numerical), {0, 1e-7, false, {}, "J"}),
  };
  result.plots = {{.title = "Inner step", .x_label = "t [s]", .y_label = "h [s]", .log_y = true, .series = {steps}},
                  {.title = "Friction", .x_label = "t [s]", .y_label = "F_y [N]", .series = {force}}};
  result.notes =
      "The force jumps at 3 s, which is no switch of a law: inner steps must end there (cut: true). The references are "
      "a "
      "run of the plain rule with h = 1e-5 s in the spec; the book itself prints no numbers.";
  return result;
}

}  // namespace cairn::validation
