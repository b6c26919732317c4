// SPDX-License-Identifier: Apache-2.0
// J8: screw, pair of gears, rack and pinion, and universal joint over one turn of their input.
//
//   screw      slide = pitch/(2 pi) angle          gears      n1 angle_1 + n2 angle_2 = 0
//   rack       slide = r angle                     universal  tan(out) = cos(bend) tan(in), from the position in which
//   the arm of the input is square to the plane of the shafts; speeds are in the ratio cos(bend)/(1 - sin(bend)^2
//   sin(in)^2), between cos(bend) and 1/cos(bend).
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi, bend = pi / 6, speed = 2 * pi;
constexpr double pitch = 0.005, radius = 0.03;
constexpr int teeth_1 = 20, teeth_2 = 35;

Model make_couplings(double h) {
  Model model;
  model.run.step = h;
  set_tolerance(model, 1e-12);
  const Vec3 shaft(std::cos(bend), 0, std::sin(bend));
  const auto add = [&](const std::string& name, const Vec3& at, const Vec3& v, const Vec3& omega) {
    model.add_rigid({.name = name,
                     .position = at,
                     .velocity = v,
                     .angular_velocity = omega,
                     .mass = 1.0,
                     .inertia = Mat3(Vec3(0.01, 0.012, 0.015).asDiagonal())});
  };
  const auto drive = [&](const std::string& joint) {
    model.add_coordinate_law(
        {.kind = CoordinateLawKind::Motor, .terms = {{joint, "angle"}}, .target = [](double) { return speed; }});
  };
  const auto couple = [&](const CoordinateLawSpec::Term& one, const CoordinateLawSpec::Term& two) {
    model.add_coordinate_law({.kind = CoordinateLawKind::Coupling, .terms = {one, two}});
  };
  // All start at the speeds that fit.
  add("screw", {0, 0, 0}, {0, 0, pitch}, {0, 0, speed});
  model.add_joint({.kind = JointKind::Screw, .name = "screw", .body_a = "screw", .pitch = pitch});
  drive("screw");
  const double slow = speed * teeth_1 / teeth_2;
  add("wheel 1", {1, 0, 0}, Vec3::Zero(), {0, 0, speed});
  add("wheel 2", {1.1, 0, 0}, Vec3::Zero(), {0, 0, -slow});
  add("rack", {1.1, radius, 0}, {slow * radius, 0, 0}, Vec3::Zero());
  model.add_joint({.kind = JointKind::Revolute, .name = "wheel 1", .body_a = "wheel 1", .position = {1, 0, 0}});
  model.add_joint({.kind = JointKind::Revolute, .name = "wheel 2", .body_a = "wheel 2", .position = {1.1, 0, 0}});
  model.add_joint({.kind = JointKind::Prismatic,
                   .name = "rack",
                   .body_a = "rack",
                   .position = {1.1, radius, 0},
                   .axis = Vec3::UnitX()});
  couple({"wheel 1", "angle", teeth_1}, {"wheel 2", "angle", teeth_2});
  couple({"rack", "slide", 1}, {"wheel 2", "angle", radius});
  drive("wheel 1");
  add("input", {2, 0, 0}, Vec3::Zero(), {speed, 0, 0});
  add("output", {2, 0, 0}, Vec3::Zero(), speed * std::cos(bend) * shaft);
  model.add_joint(
      {.kind = JointKind::Revolute, .name = "input", .body_a = "input", .position = {2, 0, 0}, .axis = Vec3::UnitX()});
  model.add_joint(
      {.kind = JointKind::Revolute, .name = "output", .body_a = "output", .position = {2, 0, 0}, .axis = shaft});
  model.add_joint({.kind = JointKind::Universal,
                   .name = "cross",
                   .body_a = "output",
                   .body_b = "input",
                   .position = {2, 0, 0},
                   .axis = shaft.cross(Vec3::UnitY()),
                   .second_axis = Vec3(Vec3::UnitY())});
  drive("input");
  return model;
}

}  // namespace

CaseResult run_couplings(Effort) {
  CaseResult result;
  Study study(4e-4);
  Plot plot{.title = "Universal joint: output over input speed, finest step",
            .x_label = "input [rad]",
            .y_label = "",
            .series = {{.label = "ratio"}}};
  for (const double h : study.steps()) {
    Simulation simulation(make_couplings(h));
    const Model& model = simulation.model();
    const auto coordinate = [&](const Simulation& s, const std::string& joint, int index = 0) {
      const Joint& j = model.system().joints[static_cast<std::size_t>(model.joint(joint).value)];
      return s.state().motion.s[j.first_coordinate + index];
    };
    const BodyId input = model.body("input"), output = model.body("output");
    const Vec3 shaft(std::cos(bend), 0, std::sin(bend));
    double screw = 0, gears = 0, rack = 0, angle = 0, rate = 0, least = 2, most = 0;
    simulation.run(2 * pi / speed, [&](const Simulation& s) {
      screw = std::max(screw, std::abs(coordinate(s, "screw", 1) - pitch / (2 * pi) * coordinate(s, "screw")));
      gears = std::max(gears, std::abs(coordinate(s, "wheel 2") + coordinate(s, "wheel 1") * teeth_1 / teeth_2));
      rack = std::max(rack, std::abs(coordinate(s, "rack") + radius * coordinate(s, "wheel 2")));
      const double in = coordinate(s, "input"), out = coordinate(s, "output");
      const double exact = std::atan2(std::cos(bend) * std::sin(in), std::cos(in));
      angle = std::max(angle, std::abs(std::remainder(out - exact, 2 * pi)));
      const double ratio = s.angular_velocity(output).dot(shaft) / s.angular_velocity(input).x();
      const double expected = std::cos(bend) / (1 - std::pow(std::sin(bend) * std::sin(in), 2));
      rate = std::max(rate, std::abs(ratio - expected));
      least = std::min(least, ratio);
      most = std::max(most, ratio);
      if (h == study.steps().back()) {
        plot.series[0].x.push_back(in);
        plot.series[0].y.push_back(ratio);
      }
      return true;
    });
    study.add("turns of the screw", coordinate(simulation, "screw") / (2 * pi));
    study.add("screw: way off pitch times turns", screw);
    study.add("gears: angle off the ratio of teeth", gears);
    study.add("rack: way off radius times angle", rack);
    study.add("universal: angle off tan(out) = cos(bend) tan(in)", angle);
    study.add("universal: ratio of speeds off the formula", rate);
    study.add("universal: least ratio", least);
    study.add("universal: largest ratio", most);
    record(result, "couplings", simulation);
  }
  result.quantities = {
      study.check("turns of the screw", {1, 1e-9}),
      study.check("screw: way off pitch times turns", {0, 1e-9, false, {}, "m"}),
      study.check("gears: angle off the ratio of teeth", {0, 1e-9, false, {}, "rad"}),
      study.check("rack: way off radius times angle", {0, 1e-9, false, {}, "m"}),
      study.check("universal: angle off tan(out) = cos(bend) tan(in)", {0, 1e-9, false, 2, "rad"}),
      study.check("universal: ratio of speeds off the formula", {0, 1e-6, false, 2}),
      study.check("universal: least ratio", {std::cos(bend), 1e-6, false, {}}),
      study.check("universal: largest ratio", {1 / std::cos(bend), 1e-6, false, {}}),
  };
  result.plots = {plot};
  result.notes =
      "Angles and ways are held to 1e-9. Velocities at the end of a step fit the joints to second order only: the rule "
      "`curved` closes positions.";
  return result;
}

}  // namespace cairn::validation
