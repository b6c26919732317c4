// SPDX-License-Identifier: Apache-2.0
// L9: a capsule of 45 g held between two pads by friction alone: it stays for ever while N >= W/(2 mu), and below that
// falls at g - 2 mu N/m.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double mass = 0.045, mu = 0.7, g = 9.81, radius = 0.004;

/// Two pads on slides, each pressed by `squeeze`; the capsule stands upright between them.
Model make_grip(double squeeze, double h) {
  Model model;
  model.set_contact({.friction = mu, .restitution = 0});
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_rigid({.name = "capsule", .shape = Capsule{radius, 0.02}, .mass = mass});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "pad 1" : "pad 2";
    const Vec3 at(side * (radius + 0.005), 0, 0);
    model.add_rigid({.name = name, .shape = Box{{0.005, 0.01, 0.015}}, .position = at, .mass = 0.1});
    model.add_joint({.kind = JointKind::Prismatic, .body_a = name, .position = at, .axis = Vec3::UnitX()});
    model.add_load({.body = name, .force = [=](double) { return Vec3(-side * squeeze, 0, 0); }});
  }
  return model;
}

}  // namespace

CaseResult run_grip(Effort effort) {
  CaseResult result;
  const double duration = effort == Effort::Full ? 60 : 1;
  const double least = mass * g / (2 * mu);
  const auto speed = [](const Simulation& s) {
    const BodyId capsule = s.model().body("capsule");
    return s.velocity(capsule).norm() + radius * s.angular_velocity(capsule).norm();
  };
  for (const double squeeze : {12.0, 60.0, least * (1 + 1e-6)}) {
    Study study(4e-3);
    const auto named = [&](const std::string& what) { return fmt::format("{}, {:.7g} N", what, squeeze); };
    for (const double h : study.steps()) {
      Simulation simulation(make_grip(squeeze, h));
      double fastest = 0;
      simulation.run(duration, [&](const Simulation& s) {
        fastest = std::max(fastest, speed(s));
        return true;
      });
      study.add(named("fastest"), fastest);
      study.add(named("creep"), simulation.position(simulation.model().body("capsule")).norm() / duration);
      record(result, named("grip"), simulation);
    }
    result.quantities.push_back(study.check(named("fastest"), {0, 1e-9, false, {}, "m/s"}));
    result.quantities.push_back(study.check(named("creep"), {0, 1e-9, false, {}, "m/s"}));
  }
  for (const double share : {1 - 1e-6, 0.5}) {
    Study study(4e-3);
    const std::string name = fmt::format("acceleration, {:.7g} N", share * least);
    const double exact = g * (1 - share);
    for (const double h : study.steps()) {
      Simulation simulation(make_grip(share * least, h));
      simulation.run(0.04);
      study.add(name, -simulation.velocity(simulation.model().body("capsule")).z() / 0.04);
      record(result, name, simulation);
    }
    result.quantities.push_back(study.check(name, {exact, 1e-8 * g, false, {}, "m/s^2"}));
  }
  return result;
}

}  // namespace cairn::validation
