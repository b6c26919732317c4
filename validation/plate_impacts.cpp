// SPDX-License-Identifier: Apache-2.0
// M2, M3: a sphere and a cube fall flat on a plate (Koziara 13.4.2, 13.4.3): Newton's restitution at one point and at
// four. r = 0.1 m (cube: 0.2 m), 1 kg, v0 = -4 m/s just about to hit, g = 10 m/s^2, eta = 0, 1/4, 1/2, 3/4, 1.
//
// After blow k the speed is v0 eta^k; blows follow each other after 2 v0 eta^k/g. With eta < 1 the body rests after
// 2 v0 eta/(g (1 - eta)): 0, 0.267, 0.8 and 2.4 s.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double v0 = 4, g = 10, reach = 0.1, duration = 2.39;

struct Bounces {
  std::vector<double> speeds;    ///< after each blow
  double first_height = 0;       ///< of the first bounce
  double energy = 0;             ///< at the end, above that at rest [J]
  double height = 0, speed = 0;  ///< at the end
  double turned = 0;             ///< fastest turn [rad/s]
  Track z;
};

Bounces drop(const Shape& shape, const std::string& stepper, double eta, double h, CaseResult& result) {
  Model model;
  model.set_gravity({0, 0, -g});
  model.set_contact({.friction = 0, .restitution = eta});
  model.run.step = h;
  model.run.stepper = {stepper};
  set_tolerance(model, 1e-12);
  model.add_fixed({.name = "plate", .shape = Box{{1, 1, 0.1}}, .position = {0, 0, -0.1}});
  const BodyId body = model.add_rigid(
      {.name = "body", .shape = shape, .position = {0, 0, reach}, .velocity = {0, 0, -v0}, .mass = 1.0});
  Simulation simulation(model);
  Bounces run;
  const auto sample = [&](const Simulation& s) {
    const double z = s.position(body).z() - reach, v = s.velocity(body).z();
    const double before = run.z.samples().empty() ? 0 : run.z.samples().back().v;
    run.z.add(s.state().time(), z, v);
    // A blow ends with the body on its way up; the speed right after it, without what gravity took in the step.
    if (v > 0 && before < 0) run.speeds.push_back(v);
    run.turned = std::max(run.turned, s.angular_velocity(body).norm());
    return true;
  };
  sample(simulation);
  simulation.run(duration, sample);
  record(result, fmt::format("eta = {}, {}", eta, stepper), simulation);
  for (const Sample& e : run.z.extremes())
    if (run.first_height == 0 && e.x > 1e-3) run.first_height = e.x;
  run.height = simulation.position(body).z() - reach;
  run.speed = simulation.velocity(body).z();
  run.energy = 0.5 * run.speed * run.speed + g * run.height;
  return run;
}

CaseResult run_plate(const Shape& shape) {
  CaseResult result;
  Plot plot{.title = "Height, finest step", .x_label = "t [s]", .y_label = "z [m]", .series = {}};
  for (const std::string stepper : {"koziara", "moreau"}) {
    for (const double eta : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      Study study(2e-3);
      const auto named = [&](const std::string& what) { return fmt::format("{}, eta = {}, {}", what, eta, stepper); };
      for (const double h : study.steps()) {
        const Bounces run = drop(shape, stepper, eta, h, result);
        study.add(named("speed after the first blow"), run.speeds.empty() ? 0 : run.speeds[0]);
        study.add(named("height of the first bounce"), run.first_height);
        study.add(named("blows"), static_cast<double>(run.speeds.size()));
        study.add(named("energy at the end"), run.energy);
        study.add(named("speed at the end"), run.speed);
        study.add(named("fastest turn"), run.turned);
        if (h == study.steps().back() && stepper == "koziara")
          plot.series.push_back(run.z.series(fmt::format("eta = {}", eta)));
      }
      const auto add = [&](const std::string& what, const Target& target) {
        result.quantities.push_back(study.check(named(what), target));
      };
      const double after = eta * v0;
      add("speed after the first blow", {after, 5e-3, false, {}, "m/s"});
      add("height of the first bounce", {after * after / (2 * g), 5e-3, false, {}, "m"});
      // With eta = 1 the blows are at 0, 0.8 and 1.6 s: Koziara's three, without loss. With eta = 3/4 the last ones are
      // still to come.
      if (eta == 1) add("blows", {3, 0});
      if (eta == 1) add("energy at the end", {0.5 * v0 * v0, 0.05, false, {}, "J"});
      if (eta <= 0.5) add("speed at the end", {0, 1e-6, false, {}, "m/s"});
      add("fastest turn", {0, 1e-9, false, {}, "rad/s"});
    }
  }
  result.plots = {plot};
  result.notes =
      "A blow is seen at mid-step, at up to v0 h/2 of overlap: heights are lower by v0 h/2 (1 - eta) there, of order "
      "1. "
      "Stepper koziara leaves a body that does not bounce in that overlap, moreau lifts it out.";
  return result;
}

}  // namespace

CaseResult run_sphere_on_plate(Effort) { return run_plate(Sphere{reach}); }
CaseResult run_cube_on_plate(Effort) { return run_plate(Box{{reach, reach, reach}}); }

}  // namespace cairn::validation
