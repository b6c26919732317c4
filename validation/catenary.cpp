// SPDX-License-Identifier: Apache-2.0
// C3: a chain of thin rods on ball joints hangs at rest between two points: the catenary (Bernoulli, Leibniz, Huygens
// 1691).
//
// With n rods of weight w and length l, equilibrium of each about its ends gives tan(angle_i) = w (i + 1/2 - n/2)/H,
// and the rods' widths add up to the span; n to infinity is the catenary.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

/// Rods between the points, joined to each other, the first one to the world; all together 1 kg per metre.
std::vector<BodyId> add_chain(Model& model, const std::vector<Vec3>& points, double damping) {
  std::vector<BodyId> rods;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 along = points[i + 1] - points[i];
    const double length = along.norm(), mass = length;
    const double wide = mass * length * length / 12;
    const std::string name = fmt::format("rod {}", i);
    rods.push_back(model.add_rigid({.name = name,
                                    .position = 0.5 * (points[i] + points[i + 1]),
                                    .orientation = Quat::FromTwoVectors(Vec3::UnitX(), along),
                                    .mass = mass,
                                    .inertia = Mat3(Vec3(0.01 * wide, wide, wide).asDiagonal()),
                                    .linear_damping = damping,
                                    .angular_damping = damping}));
    model.add_joint(
        {.body_a = name, .body_b = i == 0 ? std::string() : fmt::format("rod {}", i - 1), .position = points[i]});
  }
  return rods;
}

Vec3 end_of(const Simulation& s, BodyId rod, double length) {
  return s.position(rod) + s.orientation(rod) * Vec3(0.5 * length, 0, 0);
}

struct Hanging {
  double sag = 0, across = 0, tension = 0;  ///< [m], horizontal force and tension at the end over the weight
};

/// n rods of 2/n m between points 1 m apart, from statics.
Hanging exact_chain(int n) {
  const double length = 2.0 / n, weight = 1.0 / n;  // the chain's weight is 1
  const auto width = [&](double force) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += length / std::hypot(1.0, weight * (i + 0.5 - 0.5 * n) / force);
    return sum;
  };
  double low = 1e-3, high = 10;
  for (int k = 0; k < 200; ++k) (width(0.5 * (low + high)) > 1 ? high : low) = 0.5 * (low + high);
  Hanging chain;
  chain.across = 0.5 * (low + high);
  for (int i = 0; i < n / 2; ++i) {
    const double slope = weight * (0.5 * n - i - 0.5) / chain.across;
    chain.sag += length * slope / std::hypot(1.0, slope);
  }
  chain.tension = std::hypot(chain.across, 0.5);
  return chain;
}

Hanging hang(int n, CaseResult& result) {
  Model model;
  model.run.step = 0.01;
  set_tolerance(model, 1e-11);
  const double length = 2.0 / n, depth = std::sqrt(0.75);
  std::vector<Vec3> points;
  for (int i = 0; i <= n; ++i) {
    const double share = 2.0 * i / n;
    points.emplace_back(-0.5 + 0.5 * share, 0, share <= 1 ? -depth * share : -depth * (2 - share));
  }
  const std::vector<BodyId> rods = add_chain(model, points, 6);
  model.add_joint({.body_a = fmt::format("rod {}", n - 1), .position = points.back()});
  Simulation simulation(model);
  simulation.run(12);
  record(result, fmt::format("{} rods", n), simulation);
  Hanging chain;
  chain.sag = -end_of(simulation, rods[static_cast<std::size_t>(n / 2 - 1)], length).z();
  const Vec3 force = simulation.joint_impulses()[0].force / (0.01 * 2 * 9.81);
  chain.across = std::abs(force.x());
  chain.tension = force.norm();
  return chain;
}

}  // namespace

CaseResult run_catenary(Effort) {
  CaseResult result;
  Study study(0.2);
  std::vector<Quantity> discrete;
  for (const double length : study.steps()) {
    const int n = static_cast<int>(std::lround(2 / length));
    const Hanging got = hang(n, result), exact = exact_chain(n);
    study.add("sag", got.sag);
    study.add("horizontal force over weight", got.across);
    study.add("end tension over weight per metre", 2 * got.tension);
    const auto named = [&](const std::string& what) { return fmt::format("{}, {} rods against statics", what, n); };
    discrete.push_back(check(named("sag"), got.sag, {exact.sag, 1e-7, false, {}, "m"}));
    discrete.push_back(check(named("horizontal force over weight"), got.across, {exact.across, 1e-7}));
    discrete.push_back(check(named("end tension over weight"), got.tension, {exact.tension, 1e-7}));
  }
  result.quantities = {study.check("sag", {0.79638835586, 1e-3, false, 2, "m", "the step is the length of a rod"}),
                       study.check("horizontal force over weight", {0.114820107539, 1e-3, false, 2}),
                       study.check("end tension over weight per metre", {1.02602857094, 1e-3, false, 2})};
  result.plots = {error_plot("Difference from the catenary against the length of a rod", result.quantities, 2)};
  result.quantities.insert(result.quantities.end(), discrete.begin(), discrete.end());
  result.notes = "Bodies are damped by 6/s until they rest; forces are those of the first joint.";
  return result;
}

}  // namespace cairn::validation
