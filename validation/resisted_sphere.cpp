// SPDX-License-Identifier: Apache-2.0
// F9, F10: a sphere on a plane with resistance b to rolling and s to spinning: it rolls to rest at (5/7) g b/R, and its
// spin falls at (5/2) s g/R^2.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, R = 0.05, arm = 1e-3;

Model make_sphere(LawKind law, double h, const Vec3& v, const Vec3& omega) {
  Model model;
  model.run.step = h;
  model.set_contact({.friction = 0.5, .kind = law, .rolling_friction = arm, .spinning_friction = arm});
  model.add_fixed({.name = "plane", .shape = HalfSpace{}});
  model.add_rigid({.name = "ball",
                   .shape = Sphere{R},
                   .position = {0, 0, R},
                   .velocity = v,
                   .angular_velocity = omega,
                   .mass = 1.0});
  return model;
}

}  // namespace

CaseResult run_roll_resistance(Effort) {
  CaseResult result;
  const double deceleration = 5.0 / 7 * g * arm / R;
  for (const LawKind law : {LawKind::Rolling, LawKind::RollingSpinning}) {
    Study study(4e-3);
    const auto named = [&](const std::string& what) { return fmt::format("{}, {}", what, law_name(law)); };
    for (const double h : study.steps()) {
      Simulation simulation(make_sphere(law, h, {1, 0, 0}, {0, 1 / R, 0}));
      const BodyId ball = simulation.model().body("ball");
      simulation.run(1);
      study.add(named("deceleration"), 1 - simulation.velocity(ball).x());
      simulation.run(6.5);
      study.add(named("way to rest"), simulation.position(ball).x());
      study.add(named("speed at rest"),
                simulation.velocity(ball).norm() + R * simulation.angular_velocity(ball).norm());
      record(result, named("rolling"), simulation);
    }
    result.quantities.push_back(study.check(named("deceleration"), {deceleration, 1e-4, true, {}, "m/s^2"}));
    result.quantities.push_back(study.check(named("way to rest"), {3.5677879715, 1e-4, true, {}, "m"}));
    result.quantities.push_back(study.check(named("speed at rest"), {0, 1e-9, false, {}, "m/s"}));
  }
  return result;
}

CaseResult run_spin_resistance(Effort) {
  CaseResult result;
  for (const LawKind law : {LawKind::Spinning, LawKind::RollingSpinning, LawKind::Contensou}) {
    Study study(4e-3);
    const auto named = [&](const std::string& what) { return fmt::format("{}, {}", what, law_name(law)); };
    for (const double h : study.steps()) {
      Simulation simulation(make_sphere(law, h, Vec3::Zero(), {0, 0, 20}));
      const BodyId ball = simulation.model().body("ball");
      simulation.run(1);
      study.add(named("deceleration"), 20 - simulation.angular_velocity(ball).z());
      simulation.run(1.5);
      study.add(named("spin at rest"), simulation.angular_velocity(ball).norm());
      record(result, named("spinning"), simulation);
    }
    result.quantities.push_back(
        study.check(named("deceleration"), {2.5 * arm * g / (R * R), 1e-4, true, {}, "rad/s^2"}));
    result.quantities.push_back(study.check(named("spin at rest"), {0, 1e-8, false, {}, "rad/s"}));
  }
  return result;
}

}  // namespace cairn::validation
