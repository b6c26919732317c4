// SPDX-License-Identifier: Apache-2.0
// S5: a free body turning about its intermediate axis flips over and back (Euler's equations; Landau and Lifshitz,
// Mechanics, section 37). The reference is Euler's equations by a Runge-Kutta method of order 4 in extended precision,
// steps of 1e-5 s and 2e-5 s (equal to 1e-12).
#include "cases.h"
#include "measure.h"

namespace cairn::validation {

CaseResult run_free_rotation(Effort effort) {
  const Vec3 J(1, 2, 3);
  CaseResult result;
  Plot history{
      .title = "Angular velocity in body axes, new2", .x_label = "t [s]", .y_label = "rate [rad/s]", .series = {}};
  std::vector<Quantity> flips;
  for (const std::string scheme : {"new1", "new2", "new3"}) {
    if (scheme != "new2" && effort == Effort::Short) continue;
    Study study(4e-4);
    const auto named = [&](const std::string& name) { return name + ", " + scheme; };
    for (const double h : study.steps()) {
      Model model;
      model.set_gravity(Vec3::Zero());
      model.run.step = h;
      model.run.stepper = {"moreau", {{"rotation", scheme}}};
      const BodyId body = model.add_rigid(
          {.name = "body", .angular_velocity = {0.01, 5, 0.01}, .mass = 1.0, .inertia = Mat3(J.asDiagonal())});
      Simulation simulation(model);
      Track rate[3];
      const auto sample = [&](const Simulation& s) {
        const Vec3 w = body_rates(s, body);
        const Vec3 a = Vec3((J[1] - J[2]) * w[1] * w[2], (J[2] - J[0]) * w[2] * w[0], (J[0] - J[1]) * w[0] * w[1])
                           .cwiseQuotient(J);
        for (int i = 0; i < 3; ++i) rate[i].add(s.state().time(), w[i], a[i]);
        return true;
      };
      sample(simulation);
      simulation.run(10, sample);
      const std::vector<double> signs = rate[1].crossings(0);
      study.add(named("first flip"), signs.at(0));
      study.add(named("second flip"), signs.at(1));
      study.add(named("period"), 2 * (signs.at(1) - signs.at(0)));
      for (int i = 0; i < 3; ++i) study.add(named(fmt::format("omega{}(10 s)", i + 1)), rate[i].at(10));
      study.add(named("energy error"),
                std::abs(simulation.summary().energy_end / simulation.summary().energy_begin - 1));
      record(result, scheme, simulation);
      if (h == study.steps().back() && scheme == "new2") {
        for (int i = 0; i < 3; ++i) history.series.push_back(rate[i].series(fmt::format("omega{}", i + 1)));
      }
    }
    const auto add = [&](const std::string& name, double expected, double tolerance, const std::string& unit) {
      result.quantities.push_back(study.check(named(name), {expected, tolerance, false, 2, unit}));
    };
    add("first flip", 2.74106805555, 1e-5, "s");
    flips.push_back(result.quantities.back());
    add("second flip", 7.76699719371, 1e-5, "s");
    add("period", 10.0518582763, 1e-5, "s");
    add("omega1(10 s)", 0.01271487062946, 1e-5, "rad/s");
    add("omega2(10 s)", 4.99999383320268, 1e-5, "rad/s");
    add("omega3(10 s)", 0.01097979864910, 1e-5, "rad/s");
    result.quantities.push_back(study.check(named("energy error"), {0, 1e-5}));
  }
  result.plots = {history, error_plot("Error of the first flip against the step", flips, 2)};
  return result;
}

}  // namespace cairn::validation
