// SPDX-License-Identifier: Apache-2.0
// Y1: event-driven integration against formulas: what other schemes are measured with must itself be right to ten
// digits.
#include "cases.h"
#include "measure.h"
#include "point_on_table.h"
#include "switching_oscillator.h"

#include <cmath>

namespace cairn::validation {
namespace {

void use_events(Model& model, double step) {
  model.run.stepper = {"event-driven"};
  model.run.step = step;
  set_tolerance(model, 1e-13);
}

}  // namespace

CaseResult run_yardstick(Effort) {
  CaseResult result;
  constexpr double g = 9.81, tolerance = 1e-10;
  {
    constexpr double e = 0.5;
    Model model;
    use_events(model, 0.125);
    model.set_contact({.friction = 0, .restitution = e});
    model.add_fixed({.name = "floor", .shape = HalfSpace{}});
    const BodyId ball = model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 1.1}});
    Simulation simulation(model);
    simulation.run(1.25);
    record(result, "bouncing ball", simulation);
    const double fall = std::sqrt(2 / g), t = 1.25 - 2.75 * fall, v = g * fall * std::pow(e, 4);
    result.quantities.push_back(check("bouncing ball after four impacts", simulation.position(ball).z() - 0.1,
                                      {v * t - 0.5 * g * t * t, tolerance, false, {}, "m"}));
  }
  {
    constexpr double inertia = 1e-4;
    const double d = 0.5 * (1 + std::sqrt(1 - 4 * inertia));  // reduced length 1 m
    Model model;
    use_events(model, 0.1);
    const BodyId bob = model.add_rigid(
        {.name = "bob", .position = {-d, 0, 0}, .mass = 1, .inertia = Mat3(inertia * Mat3::Identity())});
    model.add_joint({.body_a = "bob"});
    Simulation simulation(model);
    simulation.run(5);
    record(result, "pendulum", simulation);
    result.quantities.push_back(
        check("pendulum of S2, x(5)", simulation.position(bob).x() / d, {-0.942305435044, tolerance, false, {}, "m"}));
    result.quantities.push_back(
        check("pendulum of S2, z(5)", simulation.position(bob).z() / d, {-0.334754338414, tolerance, false, {}, "m"}));
  }
  {
    Model model = make_impact_oscillator(-0.5, 0.2);
    use_events(model, 0.05);
    Simulation simulation(model);
    simulation.run(1);
    record(result, "impact oscillator", simulation);
    result.quantities.push_back(check("impact oscillator of B18, x(1)", simulation.position(model.body("mass")).x(),
                                      {exact_impact_oscillator(-0.5, 0.2, 1), tolerance, false, {}, "m"}));
  }
  {
    Model model;
    use_events(model, 0.05);
    const BodyId block = add_point_on_table(model, {.friction = 0.8}, Vec3::Zero(), Vec3::Zero());
    model.add_load({.body = "point", .force = [](double t) { return Vec3(8 * std::cos(t), 0, 0); }});
    Simulation simulation(model);
    std::vector<double> times;
    simulation.run(7, [&](const Simulation& s) {
      for (const ModeSwitch& x : s.switches()) times.push_back(x.time);
      return true;
    });
    record(result, "driven block", simulation);
    const double expected[] = {0.338608184672, 2.94634679122, 3.53283460889, 6.08793944481, 6.67442726248};
    for (std::size_t i = 0; i < std::size(expected); ++i)
      result.quantities.push_back(check(fmt::format("driven block of F3, switch {}", i + 1),
                                        i < times.size() ? times[i] : NAN, {expected[i], tolerance, false, {}, "s"}));
    result.quantities.push_back(check("driven block of F3, x after the third slip", simulation.position(block).x(),
                                      {0.00434856972687, tolerance, false, {}, "m"}));
  }
  return result;
}

}  // namespace cairn::validation
