// SPDX-License-Identifier: Apache-2.0
// F5: stick-slip of a block on a spring on a belt, mu of rest 0.4, of motion 0.2.
//
// It sticks until k x = mu_s m g, then swings about mu_k m g/k with the speed of the belt v until it has that speed
// again: with a = (mu_s - mu_k) g/omega^2 the slip takes 2 (pi - atan(omega a/v))/omega, the stick 2 a/v, and the
// largest stretch is mu_k g/omega^2 + sqrt(a^2 + (v/omega)^2).
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {

CaseResult run_belt_block(Effort) {
  CaseResult result;
  Study study(4e-4);
  Plot plot{.title = "Stretch of the spring, finest step", .x_label = "t [s]", .y_label = "x [m]", .series = {}};
  for (const double h : study.steps()) {
    Model model;
    model.run.step = h;
    // The force passes its limit at 10 N/s, so the block is said to slip only sqrt(2 slip_speed/10) s later.
    model.set_contact({.friction = 0.4, .kinetic_ratio = 0.5, .slip_speed = 1e-9});
    set_tolerance(model, 1e-12);
    model.add_fixed({.name = "belt",
                     .shape = Box{{5, 1, 0.5}},
                     .position = {0, 0, -0.5},
                     .motion = PrescribedMotion{[](double) { return Vec3(0.1, 0, 0); }, {}}});
    const BodyId block = model.add_rigid({.name = "block",
                                          .shape = Box{{0.1, 0.1, 0.1}},
                                          .position = {0, 0, 0.1},
                                          .velocity = {0.1, 0, 0},
                                          .mass = 1.0});
    model.add_spring({.body_a = "block", .anchor_b = {-10, 0, 0.1}, .stiffness = 100, .rest_length = 10});
    Simulation simulation(model);
    Track x;
    std::vector<double> slips, sticks;  // times at which it begins to slip and to stick
    double largest = 0;
    bool sticking = true;
    simulation.run(2.9, [&](const Simulation& s) {
      const double v = s.velocity(block).x();
      x.add(s.state().time(), s.position(block).x(), v);
      largest = std::max(largest, s.position(block).x());
      const bool now = std::abs(v - 0.1) < 1e-5;
      if (sticking != now) (now ? sticks : slips).push_back(s.state().time());
      sticking = now;
      return true;
    });
    const bool enough = slips.size() >= 3 && sticks.size() >= 3;
    study.add("slip", enough ? sticks[1] - slips[1] : NAN);
    study.add("stick", enough ? slips[2] - sticks[1] : NAN);
    study.add("period", enough ? slips[2] - slips[1] : NAN);
    study.add("largest stretch", largest);
    record(result, "belt", simulation);
    if (h == study.steps().back()) plot.series.push_back(x.series("x"));
  }
  result.quantities = {
      study.check("slip", {0.40843221712, 1e-3, false, {}, "s"}),
      study.check("stick", {0.3924, 1e-3, false, {}, "s"}),
      study.check("period", {0.80083221712, 1e-3, false, {}, "s"}),
      study.check("largest stretch", {0.041641453, 1e-3, true, {}, "m"}),
  };
  result.plots = {plot};
  result.notes = "Switches are seen at the ends of steps: times have no order below the step.";
  return result;
}

}  // namespace cairn::validation
