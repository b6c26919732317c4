// SPDX-License-Identifier: Apache-2.0
// S2, S3: simple pendulum on a ball joint, let go from horizontal (IFToMM benchmark; positions by Jacobi's elliptic
// functions).
//
// A rigid body swings like a point at the distance l' = (J + m d^2)/(m d) from the pivot (Huygens). The body has a
// small inertia J and hangs at the d that makes l' exactly 1 m, so the reference holds without a remainder; its point
// at 1 m is what is compared.
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double inertia = 1e-4;  // [kg m^2]

double pivot_distance() { return 0.5 * (1 + std::sqrt(1 - 4 * inertia)); }

struct Swing {
  Track x, z;  ///< of the point at 1 m
  double period = 0;
  double energy_error = 0;  ///< largest |E - E0|; m g L is 9.81 J
};

Swing swing(const std::string& stepper, double g, double h, double duration, CaseResult& result) {
  const double d = pivot_distance();
  Model model;
  model.set_gravity({0, 0, -g});
  model.run.step = h;
  model.run.stepper = {stepper};
  const BodyId bob =
      model.add_rigid({.name = "bob", .position = {-d, 0, 0}, .mass = 1.0, .inertia = inertia * Mat3::Identity()});
  model.add_joint({.name = "pivot", .body_a = "bob"});
  Simulation simulation(model);
  Swing run;
  const double start = simulation.energy().total();
  const auto sample = [&](const Simulation& s) {
    const Vec3 x = s.position(bob) / d, v = s.velocity(bob) / d;
    run.x.add(s.state().time(), x.x(), v.x());
    run.z.add(s.state().time(), x.z(), v.z());
    run.energy_error = std::max(run.energy_error, std::abs(s.energy().total() - start));
    return true;
  };
  sample(simulation);
  simulation.run(duration, sample);
  // Two passages of the bottom per period.
  const std::vector<double> bottom = run.x.crossings(0);
  run.period = 2 * (bottom.back() - bottom.front()) / static_cast<double>(bottom.size() - 1);
  record(result, "pendulum", simulation);
  return run;
}

}  // namespace

CaseResult run_pendulum(Effort) {
  CaseResult result;
  Plot history{.title = "Height of the mass", .x_label = "t [s]", .y_label = "y [m]", .series = {}};
  std::vector<Quantity> ends;
  for (const std::string stepper : {"moreau", "koziara"}) {
    Study study(5e-4);
    const auto named = [&](const std::string& name) { return name + ", " + stepper; };
    for (const double h : study.steps()) {
      const Swing run = swing(stepper, 9.81, h, 10, result);
      study.add(named("period"), run.period);
      for (const int t : {1, 5, 10}) {
        study.add(named(fmt::format("x({} s)", t)), run.x.at(t));
        study.add(named(fmt::format("y({} s)", t)), run.z.at(t));
      }
      study.add(named("worst energy error"), run.energy_error);
      if (h == study.steps().back()) history.series.push_back(run.z.series(stepper));
    }
    const auto point = [&](const std::string& name, double expected) {
      result.quantities.push_back(study.check(named(name), {expected, 1e-5, false, 2, "m"}));
    };
    result.quantities.push_back(study.check(named("period"), {2.36784194758, 1e-5, true, 2, "s"}));
    point("x(1 s)", 0.986291751132);
    point("y(1 s)", -0.165010853126);
    point("x(5 s)", -0.942305435044);
    point("y(5 s)", -0.334754338414);
    point("x(10 s)", -0.275087462576);
    point("y(10 s)", -0.961419205099);
    ends.push_back(result.quantities[result.quantities.size() - 2]);
    result.quantities.push_back(study.check(named("worst energy error"), {0, 1e-5, false, {}, "J"}));
  }
  history.series[1].dashed = true;
  result.plots = {history, error_plot("Error at 10 s against the step", ends, 2)};
  result.notes =
      "Both joint rules are shown: moreau closes the gap of the joint at every mid-step (no drift), koziara lets the "
      "joint do "
      "no work on the mean velocity.";
  return result;
}

CaseResult run_pendulum_period(Effort) {
  CaseResult result;
  for (const std::string stepper : {"moreau", "koziara"}) {
    Study study(0.001);
    for (const double h : study.steps()) {
      study.add("period, " + stepper, swing(stepper, std::numbers::pi * std::numbers::pi, h, 5, result).period);
    }
    result.quantities.push_back(study.check("period, " + stepper, {2.36068119803, 1e-6, true, 2, "s"}));
  }
  result.plots = {error_plot("Relative error of the period against the step", result.quantities, 2)};
  return result;
}

}  // namespace cairn::validation
