// SPDX-License-Identifier: Apache-2.0
// J4: stiff flyball governor (IFToMM benchmark library): two rods with balls hang on a shaft that turns freely, and
// carry a slider by two stiff spring-dampers.
//
// Reference: shaft, rod angle a (below horizontal) and slider z are three coordinates; the angular momentum about the
// shaft gives its speed, the other two equations are integrated by Radau (tolerance 1e-11).
#include "cases.h"
#include "measure.h"

#include <cmath>
#include <numbers>

namespace cairn::validation {
namespace {

constexpr double pi = std::numbers::pi;

Model make_governor(double turns, double h) {
  constexpr double thick = 0.01, rod = 3000 * thick * thick, ball = 5, slider = 3, cube = 0.1, reach = 0.05;
  constexpr double spin = rod * 2 * thick * thick / 12, tilt = rod * (1 + thick * thick) / 12;
  constexpr double arm = (0.5 * rod + ball) / (rod + ball);  // of the common centre, from the hinge
  Model model;
  model.run.step = h;
  set_tolerance(model, 1e-10);
  const Vec3 omega(0, 0, 2 * pi * turns);
  model.add_rigid({.name = "shaft",
                   .position = {0, 0, 0.5},
                   .angular_velocity = omega,
                   .mass = rod,
                   .inertia = Mat3(Vec3(tilt, tilt, spin).asDiagonal())});
  model.add_rigid({.name = "slider",
                   .position = {0, 0, 0.5},
                   .angular_velocity = omega,
                   .mass = slider,
                   .inertia = Mat3(Mat3::Identity() * (slider * cube * cube / 6))});
  model.add_joint({.kind = JointKind::Revolute, .name = "bearing", .body_a = "shaft", .position = {0, 0, 0}});
  model.add_joint(
      {.kind = JointKind::Prismatic, .name = "slide", .body_a = "slider", .body_b = "shaft", .position = {0, 0, 0.5}});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "rod 1" : "rod 2";
    const Vec3 hinge(side * reach, 0, 1), way(side * std::cos(pi / 6), 0, -std::sin(pi / 6));
    const Vec3 centre = hinge + arm * way;
    // A thin rod and a point at its end; body axis x along the rod.
    const double bend = tilt + rod * std::pow(arm - 0.5, 2) + ball * std::pow(1 - arm, 2);
    const Quat turn = Quat::FromTwoVectors(Vec3::UnitX(), way);
    model.add_rigid({.name = name,
                     .position = centre,
                     .orientation = turn,
                     .velocity = omega.cross(centre),
                     .angular_velocity = omega,
                     .mass = rod + ball,
                     .inertia = Mat3(Vec3(spin, bend, bend).asDiagonal())});
    model.add_joint({.kind = JointKind::Revolute,
                     .name = name,
                     .body_a = name,
                     .body_b = "shaft",
                     .position = hinge,
                     .axis = side * Vec3::UnitY()});
    model.add_spring({.body_a = "slider",
                      .body_b = name,
                      .anchor_a = {side * reach, 0, 0},
                      .anchor_b = {0.5 - arm, 0, 0},
                      .stiffness = 8e5,
                      .damping = 4e4,
                      .rest_length = 0.5});
  }
  return model;
}

struct State3 {
  double t, angle, slider, speed;  ///< [s], [degrees], [m], [rad/s]
};

}  // namespace

CaseResult run_governor(Effort effort) {
  const bool full = effort == Effort::Full;
  CaseResult result;
  struct Run {
    double turns;
    std::vector<State3> states;
  };
  std::vector<Run> runs{{0.16,
                         {{0.1, 32.4849656, 0.46290643, 1.05649720},
                          {0.3, 51.7661796, 0.21448188, 1.88370453},
                          {0.5, 79.2993744, 0.01735175, 15.00480954}}}};
  if (full) {
    runs[0].states.push_back({1, 30.1910543, 0.49709482, 1.00898548});
    runs.push_back({1, {{0.5, 14.8677610, 0.74324942, 5.10341542}}});
  }
  Plot history{.title = "Height of the slider", .x_label = "t [s]", .y_label = "z [m]", .series = {}};
  std::vector<Quantity> shown;
  for (const Run& run : runs) {
    Study study(full ? 1e-4 : 2e-4);
    const auto named = [&](const std::string& what, double t) {
      return fmt::format("{}({} s), {} turns/s", what, t, run.turns);
    };
    for (const double h : study.steps()) {
      Simulation simulation(make_governor(run.turns, h));
      const Model& model = simulation.model();
      const BodyId shaft = model.body("shaft"), slider = model.body("slider");
      const int hinge = model.system().joints[static_cast<std::size_t>(model.joint("rod 1").value)].first_coordinate;
      Track height;
      for (const State3& at : run.states) {
        simulation.run(at.t - simulation.state().time(), [&](const Simulation& s) {
          if (h == study.steps().back()) height.add(s.state().time(), s.position(slider).z(), s.velocity(slider).z());
          return true;
        });
        study.add(named("rod angle", at.t), 30 + simulation.state().motion.s[hinge] * 180 / pi);
        study.add(named("slider", at.t), simulation.position(slider).z());
        study.add(named("shaft", at.t), simulation.angular_velocity(shaft).z());
      }
      record(result, fmt::format("{} turns/s", run.turns), simulation);
      if (h == study.steps().back())
        history.series.push_back(height.series(fmt::format("{} turns/s, finest step", run.turns)));
    }
    for (const State3& at : run.states) {
      result.quantities.push_back(study.check(named("rod angle", at.t), {at.angle, 1e-4, true, 2, "degrees"}));
      result.quantities.push_back(study.check(named("slider", at.t), {at.slider, 1e-4, false, 2, "m"}));
      result.quantities.push_back(study.check(named("shaft", at.t), {at.speed, 1e-4, true, 2, "rad/s"}));
      shown.push_back(result.quantities[result.quantities.size() - 2]);
    }
  }
  result.plots = {history, error_plot("Error of the slider against the step", shown, 2)};
  return result;
}

}  // namespace cairn::validation
