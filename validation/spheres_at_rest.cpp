// SPDX-License-Identifier: Apache-2.0
// G6: spheres settled in a box with smooth walls: the floor carries their weight, to rounding (Newton's third law, summed).
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <random>

namespace cairn::validation {
namespace {

constexpr double radius = 0.05, g = 9.81;

Model make_box(int across, int layers) {
  Model model;
  model.add_material({"wall", 1000});
  model.set_contact({.friction = 0.5, .restitution = 0});
  model.set_contact("default", "wall", {.friction = 0, .restitution = 0});
  const double pitch = 2.05 * radius, width = pitch * across;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  model.add_fixed({.name = "west", .shape = HalfSpace{Vec3::UnitX(), 0}, .material = "wall"});
  model.add_fixed({.name = "east", .shape = HalfSpace{-Vec3::UnitX(), -width}, .material = "wall"});
  model.add_fixed({.name = "south", .shape = HalfSpace{Vec3::UnitY(), 0}, .material = "wall"});
  model.add_fixed({.name = "north", .shape = HalfSpace{-Vec3::UnitY(), -width}, .material = "wall"});
  std::mt19937 random(7);
  const auto jitter = [&] { return 0.02 * radius * (random() / 2147483648.0 - 1); };
  for (int k = 0; k < layers; ++k) {
    for (int j = 0; j < across; ++j) {
      for (int i = 0; i < across; ++i) {
        const Vec3 cell(i + 0.5, j + 0.5, k + 0.5);
        model.add_rigid({.name = fmt::format("sphere {} {} {}", i, j, k),
                         .shape = Sphere{radius},
                         .position = pitch * cell + Vec3(jitter(), jitter(), jitter())});
      }
    }
  }
  return model;
}

}  // namespace

CaseResult run_spheres_at_rest(Effort effort) {
  CaseResult result;
  const int across = effort == Effort::Full ? 6 : 3, layers = effort == Effort::Full ? 6 : 4;
  Model model = make_box(across, layers);
  model.run.step = 0.002;
  Simulation settling(model);
  Series speeds{.label = "largest speed", .x = {}, .y = {}};
  settling.run(effort == Effort::Full ? 4 : 2, [&](const Simulation& s) {
    speeds.x.push_back(s.state().time());
    speeds.y.push_back(std::max(largest_speed(s, radius), 1e-20));
    return true;
  });
  record(result, "settling", settling);

  // The last steps with a solver that is as exact as rounding allows.
  const double weight = across * across * layers * 1000 * 4.0 / 3 * EIGEN_PI * std::pow(radius, 3) * g;
  set_tolerance(model, 1e-13);
  Simulation simulation(model);
  simulation.restore(settling.state());
  double floor_error = 0, balance_error = 0;
  const auto vertical_momentum = [&] {
    double p = 0;
    for (int i = 5; i < model.body_count(); ++i) {
      p += model.system().bodies.mass(i) * simulation.velocity(BodyId{i}).z();
    }
    return p;
  };
  double momentum = vertical_momentum();
  for (int i = 0; i < 20; ++i) {
    simulation.step();
    double floor = 0;
    for (const ContactResult& c : simulation.contacts()) {
      if (c.body_a == 0 || c.body_b == 0) floor += (c.body_b == 0 ? 1 : -1) * c.impulse.z() / model.run.step;
    }
    const double next = vertical_momentum(), inertial = (next - momentum) / model.run.step;
    momentum = next;
    floor_error = std::max(floor_error, std::abs(floor / weight - 1));
    balance_error = std::max(balance_error, std::abs((floor - inertial) / weight - 1));
  }
  record(result, "last 20 steps", simulation);
  result.quantities = {
      check("floor force over weight, error, worst of 20 steps", floor_error, {0, 1e-10}),
      check("floor force over weight and inertia, error", balance_error, {0, 1e-12}),
      check("largest speed at the end", largest_speed(simulation, radius), {0, 1e-6, false, {}, "m/s"}),
  };
  result.plots = {{.title = "Settling", .x_label = "t [s]", .y_label = "largest speed [m/s]", .log_y = true, .series = {speeds}}};
  result.notes = fmt::format("{} spheres of {} mm radius, friction 0.5, smooth walls.", across * across * layers, 1000 * radius);
  return result;
}

}  // namespace cairn::validation
