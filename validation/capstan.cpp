// SPDX-License-Identifier: Apache-2.0
// C1, C2: a chain slides over half a drum (Euler 1769; Eytelwein 1808). With N corners, each of which turns the chain
// by delta = pi/N, equilibrium of a corner gives
//   T2/T1 = [(cos(delta/2) + mu sin(delta/2))/(cos(delta/2) - mu sin(delta/2))]^N  ->  exp(mu pi).
//
// Corners are small balls on the drum, joined by rods (distance joints) in their points of contact, so that no force
// turns them; their inertia is large, so that they rock slowly about these points. One end is pulled at a constant slow
// speed, on the other pulls a constant force.
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double drum = 0.1, bead = 0.001, pull = 10, slow = 1e-4;

double corner_ratio(int n, double mu) {
  const double c = std::cos(0.5 * pi / n), s = std::sin(0.5 * pi / n);
  return std::pow((c + mu * s) / (c - mu * s), n);
}

/// The chain as it stands, corners evenly on the drum, both ends hanging down. Without `far` the far end is pulled down
/// at `slow`, otherwise by that force.
Model make_capstan(int n, double mu, double h, std::optional<double> far = {}) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-9);
  model.add_fixed(
      {.name = "drum", .shape = Cylinder{drum, 0.05}, .orientation = Quat(Eigen::AngleAxisd(pi / 2, Vec3::UnitX()))});
  const auto corner = [&](int i) {
    const double angle = pi * (i + 0.5) / n;
    return Vec3(-std::cos(angle), 0, std::sin(angle));
  };
  const auto name = [](int i) { return fmt::format("corner {}", i); };
  for (int i = 0; i < n; ++i)
    model.add_rigid({.name = name(i),
                     .shape = Sphere{bead},
                     .position = (drum + bead) * corner(i),
                     .mass = 1e-3,
                     .inertia = Mat3(1e-4 * Mat3::Identity())});
  const auto rod = [&](const std::string& a, const Vec3& at_a, const std::string& b, const Vec3& at_b) {
    model.add_joint({.kind = JointKind::Distance, .body_a = a, .body_b = b, .position = at_a, .second_position = at_b});
  };
  const Vec3 below(0, 0, -0.2);
  const auto weight = [&](const std::string& what, int i, double force) {
    const Vec3 at = drum * corner(i) + below;
    model.add_rigid({.name = what, .position = at, .mass = 1e-2, .inertia = Mat3(1e-6 * Mat3::Identity())});
    model.add_load({.body = what, .force = [=](double) { return Vec3(0, 0, -force); }});
  };
  weight("near", 0, pull);
  rod("near", drum * corner(0) + below, name(0), drum * corner(0));
  for (int i = 0; i + 1 < n; ++i) rod(name(i), drum * corner(i), name(i + 1), drum * corner(i + 1));
  const Vec3 end = drum * corner(n - 1) + below;
  if (far) {
    weight("far", n - 1, *far);
  } else {
    model.add_fixed(
        {.name = "far", .position = end, .motion = PrescribedMotion{[](double) { return Vec3(0, 0, -slow); }, {}}});
  }
  rod(name(n - 1), drum * corner(n - 1), "far", end);
  return model;
}

/// Tension of the pulled end over that of the other one while the chain slides.
double slide(int n, double mu, double h, CaseResult& result) {
  Simulation simulation(make_capstan(n, mu, h));
  simulation.run(20 * h);
  record(result, fmt::format("{} corners, mu = {}", n, mu), simulation);
  const auto joints = simulation.joint_impulses();
  return joints.back().force.norm() / joints.front().force.norm();
}

}  // namespace

CaseResult run_capstan(Effort) {
  CaseResult result;
  for (const double mu : {0.2, 0.3, 0.5}) {
    Study study(pi / 16);
    const std::string name = fmt::format("T2/T1, mu = {}", mu);
    for (const double angle : study.steps())
      study.add(name, slide(static_cast<int>(std::lround(pi / angle)), mu, 1e-3, result));
    result.quantities.push_back(
        study.check(name, {std::exp(mu * pi), 1e-2, true, 2, {}, "the step is the angle between corners"}));
  }
  result.plots = {error_plot("Difference from exp(mu pi) against the angle between corners", result.quantities, 2)};
  return result;
}

CaseResult run_capstan_corners(Effort) {
  CaseResult result;
  constexpr double mu = 0.3;
  for (const int n : {4, 8, 16, 32, 64}) {
    Study study(1e-3);
    const std::string name = fmt::format("T2/T1, {} corners", n);
    for (const double h : study.steps()) study.add(name, slide(n, mu, h, result));
    result.quantities.push_back(study.check(name, {corner_ratio(n, mu), 1e-4, true}));
  }
  // A weight one part in a thousand too light holds, one too heavy slides.
  constexpr int n = 16;
  for (const double share : {0.999, 1.001}) {
    Simulation simulation(make_capstan(n, mu, 1e-3, share * corner_ratio(n, mu) * pull));
    simulation.run(0.1);
    record(result, fmt::format("{} of the largest weight", share), simulation);
    const double speed = -simulation.velocity(simulation.model().body("far")).z();
    if (share < 1) {
      result.quantities.push_back(check("speed with 0.999 of the largest weight", speed, {0, 1e-8, false, {}, "m/s"}));
    } else {
      result.quantities.push_back(
          check_holds("slides with 1.001 of the largest weight", speed > 1e-3, fmt::format("{:.3g} m/s", speed)));
    }
  }
  return result;
}

}  // namespace cairn::validation
