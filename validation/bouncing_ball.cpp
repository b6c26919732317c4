// SPDX-License-Identifier: Apache-2.0
// I1: a ball dropped from H bounces ever lower and rests at sqrt(2H/g)(1 + e)/(1 - e); its heights are e^(2n) H, its
// path is H (1 + e^2)/(1 - e^2): sums of geometric series. Infinitely many impacts in a finite time: time stepping goes
// through them.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, radius = 0.1;

struct Bounce {
  double rest = 0, path = 0;
  std::vector<double> peaks;
  Track height;
};

Bounce bounce(const std::string& stepper, double e, double h, double duration, CaseResult& result) {
  Model model;
  model.set_contact({.friction = 0, .restitution = e});
  model.run.step = h;
  model.run.stepper = {stepper};
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  const BodyId ball = model.add_rigid({.name = "ball", .shape = Sphere{radius}, .position = {0, 0, 1 + radius}});
  Simulation simulation(model);
  Bounce run;
  double z = 1, v = 0;
  run.height.add(0, z, v);
  simulation.run(duration, [&](const Simulation& s) {
    const double z_new = s.position(ball).z() - radius, v_new = s.velocity(ball).z(), t = s.state().time();
    run.path += std::abs(z_new - z);
    if (v > 0 && v_new <= 0) run.peaks.push_back(z + 0.5 * v * v / g);
    // At rest from the step on after which it stays slower than gravity makes it in one step: no flight is left.
    if (std::abs(v_new) > g * h) run.rest = t;
    z = z_new, v = v_new;
    run.height.add(t, z, v);
    return true;
  });
  record(result, fmt::format("e = {}", e), simulation);
  return run;
}

}  // namespace

CaseResult run_bouncing_ball(Effort effort) {
  CaseResult result;
  Plot history{.title = "Height of the ball", .x_label = "t [s]", .y_label = "gap [m]", .series = {}};
  std::vector<Quantity> rests;
  for (const std::string stepper : {"moreau", "koziara"}) {
    for (const double e : {0.5, 0.9}) {
      const double fall = std::sqrt(2 / g), rest = fall * (1 + e) / (1 - e), path = (1 + e * e) / (1 - e * e);
      Study study((e == 0.5 ? 1e-4 : 2e-4) / (effort == Effort::Full ? 4 : 1));
      const auto named = [&](const std::string& name) { return fmt::format("{}, e = {}, {}", name, e, stepper); };
      for (const double h : study.steps()) {
        const Bounce run = bounce(stepper, e, h, 1.1 * rest, result);
        study.add(named("rest"), run.rest);
        study.add(named("path"), run.path);
        for (std::size_t n = 1; n <= 3; ++n) study.add(named(fmt::format("height {}", n)), run.peaks.at(n - 1));
        if (h == study.steps().back() && stepper == "moreau")
          history.series.push_back(run.height.series(fmt::format("e = {}", e)));
      }
      result.quantities.push_back(study.check(named("rest"), {rest, 1e-3, true, {}, "s"}));
      rests.push_back(result.quantities.back());
      result.quantities.push_back(study.check(named("path"), {path, 1e-3, true, 1, "m"}));
      for (int n = 1; n <= 3; ++n) {
        result.quantities.push_back(
            study.check(named(fmt::format("height {}", n)), {std::pow(e, 2 * n), 1e-3, false, {}, "m"}));
      }
    }
  }
  result.plots = {history, error_plot("Relative error of the time of rest", rests, 1)};
  return result;
}

}  // namespace cairn::validation
