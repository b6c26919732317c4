// SPDX-License-Identifier: Apache-2.0
// J7: ball bearing with pure rolling: the outer ring stands, the inner one turns at omega. With the pitch diameter D
// and balls of diameter d the cage turns at omega/2 (1 - d/D), and the balls at omega D/(2d) (1 - (d/D)^2) as seen from
// the cage.
//
// Nothing is prescribed but the speed of the inner ring: balls roll by dry friction on the rings, loaded by a force
// on the shaft, and carry the cage along by ball joints. The outer ring is a mesh of flat facets; their share in the
// result is of order 1/N^2.
#include "cases.h"
#include "measure.h"
#include "meshes.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double pitch = 0.05, ball = 0.01, omega = 100, begin = 0.02;
constexpr double clearance = 2e-6;  // of the outer ring's radius: without any, rigid balls jam on their way round
constexpr int balls = 8;

Model make_bearing(double h, int facets) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0.3, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-9);
  const double inside = (0.5 * (pitch + ball) + clearance) / std::cos(pi / facets);  // facets touch the true circle
  model.add_fixed(
      {.name = "outer ring",
       .shape = to_shape(make_turned({{inside, -0.004}, {0.04, -0.004}, {0.04, 0.004}, {inside, 0.004}}, facets),
                         "outer ring")});
  model.add_rigid({.name = "shaft", .shape = Cylinder{0.5 * (pitch - ball), 0.004}, .mass = 0.5});
  model.add_joint({.kind = JointKind::Planar, .name = "level", .body_a = "shaft"});
  model.add_coordinate_law({.kind = CoordinateLawKind::Motor, .terms = {{"level", "angle"}}, .target = [](double t) {
                              return omega * std::min(t / begin, 1.0);
                            }});
  model.add_load({.body = "shaft", .force = [](double) { return Vec3(0, -100, 0); }});
  model.add_rigid({.name = "cage", .mass = 0.01, .inertia = Mat3(1e-5 * Mat3::Identity())});
  model.add_joint({.kind = JointKind::Revolute, .name = "cage", .body_a = "cage"});
  for (int i = 0; i < balls; ++i) {
    const double angle = 2 * pi * (i + 0.5) / balls;
    const std::string name = fmt::format("ball {}", i + 1);
    const Vec3 at(0.5 * pitch * std::cos(angle), 0.5 * pitch * std::sin(angle), 0);
    model.add_rigid({.name = name, .shape = Sphere{0.5 * ball}, .position = at, .density = 7800});
    // The pocket leaves the ball free along the radius.
    model.add_joint(
        {.kind = JointKind::PointOnLine, .body_a = name, .body_b = "cage", .position = at, .axis = at.normalized()});
  }
  return model;
}

}  // namespace

CaseResult run_ball_bearing(Effort effort) {
  CaseResult result;
  const int facets = effort == Effort::Full ? 1440 : 360;
  const double cage_exact = 0.5 * omega * (1 - ball / pitch);
  const double spin_exact = omega * pitch / (2 * ball) * (1 - std::pow(ball / pitch, 2));
  Study study(2e-4);
  Plot plot{.title = "Speed of the cage, finest step",
            .x_label = "t [s]",
            .y_label = "[rad/s]",
            .series = {{.label = "cage"}}};
  for (const double h : study.steps()) {
    Simulation simulation(make_bearing(h, facets));
    const Model& model = simulation.model();
    const BodyId cage = model.body("cage");
    const int turn = model.system().joints[static_cast<std::size_t>(model.joint("cage").value)].first_coordinate;
    constexpr double settled = 0.055, end = 0.08;
    double from = 0, spin = 0, steps = 0;
    simulation.run(end, [&](const Simulation& s) {
      const double t = s.state().time();
      if (t < settled + 0.5 * h) from = s.state().motion.s[turn];
      if (t > settled + 0.5 * h) {
        for (int i = 0; i < balls; ++i)
          spin +=
              (s.angular_velocity(cage) - s.angular_velocity(model.body(fmt::format("ball {}", i + 1)))).z() / balls;
        ++steps;
      }
      if (h == study.steps().back()) {
        plot.series[0].x.push_back(t);
        plot.series[0].y.push_back(s.angular_velocity(cage).z());
      }
      return true;
    });
    study.add("mean speed of the cage", (simulation.state().motion.s[turn] - from) / (end - settled));
    study.add("mean spin of the balls in the cage", spin / steps);
    study.add("worst penetration", simulation.summary().penetration);
    record(result, "bearing", simulation);
  }
  result.quantities = {
      study.check("mean speed of the cage", {cage_exact, 1e-3, true, {}, "rad/s"}),
      study.check("mean spin of the balls in the cage", {spin_exact, 1e-3, true, {}, "rad/s"}),
      study.check("worst penetration", {0, 1e-5, false, {}, "m"}),
  };
  result.plots = {plot};
  return result;
}

}  // namespace cairn::validation
