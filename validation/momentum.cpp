// SPDX-License-Identifier: Apache-2.0
// S8: free bodies tied by springs keep their linear and angular momentum: a property of the scheme, so to rounding.
#include "cases.h"
#include "measure.h"

#include <random>

namespace cairn::validation {
namespace {

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  ///< about the origin
};

Momentum momentum(const Simulation& s) {
  Momentum sum;
  const Bodies& bodies = s.model().system().bodies;
  for (int i = 0; i < bodies.size(); ++i) {
    const BodyId id{i};
    const Vec3 p = bodies.mass(i) * s.velocity(id);
    sum.linear += p;
    sum.angular += s.position(id).cross(p) + s.orientation(id) * Vec3(bodies.inertia(i) * body_rates(s, id));
  }
  return sum;
}

Model make_cloud(int count, const std::string& stepper) {
  std::mt19937 random(20240501);
  const auto draw = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
  const auto vector = [&](double size) {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = draw(-size, size);
    return v;
  };
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = 1e-3;
  model.run.stepper = {stepper};
  for (int i = 0; i < count; ++i) {
    const Vec3 axes(draw(1, 2), draw(1, 2), draw(1, 2));  // any three in [1, 2] belong to a body
    const double mass = draw(1, 3);
    const Vec3 position = vector(5), velocity = Vec3(1, 0.5, -0.25) + vector(1), spin = Vec3(0, 0, 1) + vector(3);
    const Vec3 turn = vector(3);
    model.add_rigid({.name = fmt::format("b{}", i),
                     .position = position,
                     .orientation = Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized())),
                     .velocity = velocity,
                     .angular_velocity = spin,
                     .mass = mass,
                     .inertia = Mat3((0.1 * mass * axes).asDiagonal())});
  }
  for (int i = 0; i < count; ++i) {
    for (const int reach : {1, 7, 31}) {
      const Vec3 a = vector(0.5), b = vector(0.5);
      model.add_spring({.body_a = fmt::format("b{}", i),
                        .body_b = fmt::format("b{}", (i + reach) % count),
                        .anchor_a = a,
                        .anchor_b = b,
                        .stiffness = draw(20, 200),
                        .rest_length = draw(1, 6)});
    }
  }
  return model;
}

}  // namespace

CaseResult run_momentum(Effort effort) {
  const int steps = effort == Effort::Full ? 10000 : 2000;
  CaseResult result;
  Plot history{
      .title = "Change of momentum, relative", .x_label = "step", .y_label = "change", .log_y = true, .series = {}};
  for (const std::string stepper : {"moreau", "koziara"}) {
    Simulation simulation(make_cloud(100, stepper));
    const Momentum start = momentum(simulation);
    double linear = 0, angular = 0;
    Series p{.label = "linear, " + stepper, .x = {}, .y = {}}, l{.label = "angular, " + stepper, .x = {}, .y = {}};
    for (int i = 1; i <= steps; ++i) {
      simulation.step();
      if (i % 20 != 0) continue;
      const Momentum now = momentum(simulation);
      const double dp = (now.linear - start.linear).norm() / start.linear.norm();
      const double dl = (now.angular - start.angular).norm() / start.angular.norm();
      linear = std::max(linear, dp), angular = std::max(angular, dl);
      p.x.push_back(i), p.y.push_back(dp), l.x.push_back(i), l.y.push_back(dl);
    }
    history.series.push_back(p);
    history.series.push_back(l);
    record(result, "cloud", simulation);
    result.quantities.push_back(check("change of linear momentum, " + stepper, linear, {0, 1e-12}));
    result.quantities.push_back(check("change of angular momentum, " + stepper, angular, {0, 1e-12}));
  }
  result.plots = {history};
  result.notes = fmt::format("{} steps of 1 ms; the changes are divided by the momentum at the start.", steps);
  return result;
}

}  // namespace cairn::validation
