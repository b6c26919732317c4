// SPDX-License-Identifier: Apache-2.0
// I4: three equal balls in contact, the first hit at v = 1. What follows depends on the impact law, and both are laws:
// Newton's law in one event gives (-1/3, 2/3, 2/3) for e = 1; impacts in sequence give (0, 0, 1) (Glocker 2001; Studer
// 2009, 3.7).
#include "cases.h"
#include "measure.h"

namespace cairn::validation {

namespace {

/// Speeds after one step.
std::vector<double> hit(const std::string& law, const std::string& stepper, double e, double h, CaseResult& result) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0, .restitution = e});
  model.run.step = h;
  set_tolerance(model, 1e-12);
  model.run.stepper = {stepper, {{"impacts", law}}};
  std::vector<BodyId> ball;
  for (int i = 0; i < 3; ++i) {
    ball.push_back(model.add_rigid({.name = fmt::format("ball {}", i + 1),
                                    .shape = Sphere{0.5},
                                    .position = {static_cast<double>(i), 0, 0},
                                    .velocity = {i == 0 ? 1.0 : 0.0, 0, 0},
                                    .mass = 1.0}));
  }
  Simulation simulation(model);
  simulation.step();
  record(result, fmt::format("{}, e = {}", law, e), simulation);
  std::vector<double> speeds;
  for (const BodyId b : ball) speeds.push_back(simulation.velocity(b).x());
  return speeds;
}

}  // namespace

CaseResult run_three_balls(Effort) {
  CaseResult result;
  Plot plot{.title = "Velocities after the impact, e = 1", .x_label = "ball", .y_label = "v [m/s]", .series = {}};
  for (const std::string law : {"simultaneous", "sequential"}) {
    for (const std::string stepper : {"moreau", "koziara"}) {
      for (const double e : {1.0, 0.5}) {
        // In one event: v2 - v1 = e v, v3 = v2. In sequence: ball 1 hits 2, 2 hits 3, and again while any two approach.
        std::vector<double> expected;
        if (law == "simultaneous") {
          expected = {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3};
        } else {
          expected = {1, 0, 0};
          for (int i = 0; i < 200; ++i) {
            const std::size_t k = expected[0] - expected[1] > expected[1] - expected[2] ? 0 : 1;
            const double approach = expected[k] - expected[k + 1];
            if (approach <= 1e-14) break;
            expected[k] -= 0.5 * (1 + e) * approach;
            expected[k + 1] += 0.5 * (1 + e) * approach;
          }
        }
        Series series{.label = law + ", " + stepper, .x = {}, .y = {}, .markers = true};
        Study study(1.0 / 1024);
        const auto named = [&](std::size_t i) { return fmt::format("v{}, e = {}, {}, {}", i + 1, e, law, stepper); };
        for (const double h : study.steps()) {
          const std::vector<double> speeds = hit(law, stepper, e, h, result);
          for (std::size_t i = 0; i < 3; ++i) study.add(named(i), speeds[i]);
        }
        for (std::size_t i = 0; i < 3; ++i) {
          result.quantities.push_back(study.check(named(i), {expected[i], 1e-8, false, {}, "m/s"}));
          series.x.push_back(static_cast<double>(i) + 1);
          series.y.push_back(result.quantities.back().got);
        }
        if (e == 1.0) plot.series.push_back(series);
      }
    }
  }
  result.plots = {plot};
  result.notes =
      "The law is chosen by the stepper's parameter `impacts`. For e = 0.5 the reference of the sequential law is the "
      "same rule "
      "written out in the case: always the pair that approaches fastest, until none approaches.";
  return result;
}

}  // namespace cairn::validation
