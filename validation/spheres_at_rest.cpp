// SPDX-License-Identifier: Apache-2.0
// G6: spheres in a box with smooth walls: the floor carries their weight, to rounding (Newton's third law, summed).
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <random>

namespace cairn::validation {
namespace {

constexpr double radius = 0.05, g = 9.81;
constexpr int walls = 5;  // the first bodies

/// A pyramid of n x n, (n-1) x (n-1), ... spheres, each in the hollow of four; `spread` > 0 pulls them apart and
/// disturbs them.
Model make_pyramid(int n, double spread) {
  Model model;
  model.add_material({"wall", 1000});
  model.set_contact({.friction = 0.5, .restitution = 0});
  model.set_contact("default", "wall", {.friction = 0, .restitution = 0});
  model.run.step = 0.002;
  const double pitch = 2 * radius * (1 + 2 * spread), width = pitch * n;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  model.add_fixed({.name = "west", .shape = HalfSpace{Vec3::UnitX(), 0}, .material = "wall"});
  model.add_fixed({.name = "east", .shape = HalfSpace{-Vec3::UnitX(), -width}, .material = "wall"});
  model.add_fixed({.name = "south", .shape = HalfSpace{Vec3::UnitY(), 0}, .material = "wall"});
  model.add_fixed({.name = "north", .shape = HalfSpace{-Vec3::UnitY(), -width}, .material = "wall"});
  std::mt19937 random(7);
  const auto jitter = [&] { return spread * radius * (random() / 2147483648.0 - 1); };
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n - k; ++j) {
      for (int i = 0; i < n - k; ++i) {
        const Vec3 cell(i + 0.5 * (k + 1), j + 0.5 * (k + 1), 0.5 + k * std::sqrt(0.5));
        model.add_rigid({.name = fmt::format("sphere {} {} {}", i, j, k),
                         .shape = Sphere{radius},
                         .position = pitch * cell + Vec3(jitter(), jitter(), jitter())});
      }
    }
  }
  return model;
}

struct Balance {
  double floor = 0;   ///< worst |floor force / weight - 1| of the last 20 steps
  double motion = 0;  ///< the same with the change of momentum counted, of all steps
  double speed = 0;   ///< largest at the end
};

Balance run_pyramid(const Model& model, int steps, const std::string& label, CaseResult& result, Plot& plot) {
  const double weight = (model.body_count() - walls) * 1000 * 4.0 / 3 * EIGEN_PI * std::pow(radius, 3) * g;
  Simulation simulation(model);
  const auto vertical_momentum = [&] {
    double p = 0;
    for (int i = walls; i < model.body_count(); ++i)
      p += model.system().bodies.mass(i) * simulation.velocity(BodyId{i}).z();
    return p;
  };
  Balance balance;
  Series forces{.label = label, .x = {}, .y = {}};
  double momentum = vertical_momentum();
  for (int i = 0; i < steps; ++i) {
    simulation.step();
    double floor = 0;
    for (const ContactResult& c : simulation.contacts()) {
      if (c.body_a == 0 || c.body_b == 0) floor += (c.body_b == 0 ? 1 : -1) * c.impulse.z() / model.run.step;
    }
    const double next = vertical_momentum(), inertial = (next - momentum) / model.run.step;
    momentum = next;
    balance.motion = std::max(balance.motion, std::abs((floor - inertial) / weight - 1));
    if (i >= steps - 20) balance.floor = std::max(balance.floor, std::abs(floor / weight - 1));
    forces.x.push_back(simulation.state().time());
    forces.y.push_back(floor / weight);
  }
  balance.speed = largest_speed(simulation, radius);
  plot.series.push_back(forces);
  record(result, label, simulation);
  return balance;
}

}  // namespace

CaseResult run_spheres_at_rest(Effort effort) {
  CaseResult result;
  Plot plot{.title = "Force on the floor over the weight", .x_label = "t [s]", .y_label = "", .series = {}};
  const int n = effort == Effort::Full ? 9 : 5;
  Model still = make_pyramid(n, 0);
  set_tolerance(still, 1e-12);
  const Balance rest = run_pyramid(still, effort == Effort::Full ? 2000 : 300, "at rest", result, plot);
  const Balance fall = run_pyramid(make_pyramid(3, 0.01), effort == Effort::Full ? 300 : 60, "let fall", result, plot);
  result.quantities = {
      check("floor force over weight, error, worst of the last 20 steps", rest.floor, {0, 1e-10}),
      check("largest speed at the end", rest.speed, {0, 1e-9, false, {}, "m/s"}),
      check("floor force over weight and inertia, error, let fall", fall.motion, {0, 1e-10}),
  };
  result.plots = {plot};
  result.notes = fmt::format(
      "{} spheres in touch, a pyramid of {} layers; and 14 spheres let fall from a loose pyramid, where the change of "
      "momentum in each step is part of the balance.",
      still.body_count() - walls, n);
  return result;
}

}  // namespace cairn::validation
