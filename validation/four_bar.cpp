// SPDX-License-Identifier: Apache-2.0
// J1, J6: the N-window four-bar (IFToMM benchmark library): N + 1 upright rods on hinges in the ground, N rods across
// their tops, all of 1 m and 1 kg. One freedom, many more equations than needed, and every half turn a position in
// which all rods lie in one line and the mechanism could fold into another.
//
// All uprights turn alike, the rods across only move: phi'' = -g (3/2)(3N + 1)/(4N + 1) cos phi for the angle of the
// uprights above the ground.
#include "cases.h"
#include "measure.h"

#include <algorithm>
#include <cmath>

namespace cairn::validation {
namespace {

/// The mechanism in the plane y = 0, its uprights vertical, the tops moving at 1 m/s along x. Every hinge `copies`
/// times.
Model make_four_bar(int windows, int copies, const Choice& stepper, double h) {
  Model model;
  model.run.step = h;
  model.run.stepper = stepper;
  set_tolerance(model, 1e-12);
  constexpr double across = 1.0 / 12, along = 1e-4;  // of a thin rod; the motion in a plane does not see the second
  const auto hinge = [&](const std::string& a, const std::string& b, double x, double z) {
    for (int i = 0; i < copies; ++i) {
      model.add_joint(
          {.kind = JointKind::Revolute, .body_a = a, .body_b = b, .position = {x, 0, z}, .axis = Vec3::UnitY()});
    }
  };
  for (int i = 0; i <= windows; ++i) {
    const std::string name = fmt::format("upright {}", i);
    model.add_rigid({.name = name,
                     .position = {static_cast<double>(i), 0, 0.5},
                     .velocity = {0.5, 0, 0},
                     .angular_velocity = Vec3::UnitY(),
                     .mass = 1.0,
                     .inertia = Mat3(Vec3(across, across, along).asDiagonal())});
    hinge(name, "", i, 0);
  }
  for (int i = 0; i < windows; ++i) {
    const std::string name = fmt::format("across {}", i);
    model.add_rigid({.name = name,
                     .position = {i + 0.5, 0, 1},
                     .velocity = {1, 0, 0},
                     .mass = 1.0,
                     .inertia = Mat3(Vec3(along, across, across).asDiagonal())});
    hinge(name, fmt::format("upright {}", i), i, 1);
    hinge(name, fmt::format("upright {}", i + 1), i + 1, 1);
  }
  return model;
}

struct Turning {
  Track x, z;               ///< of the first top
  double period = 0;        ///< mean time of a turn
  double energy_error = 0;  ///< worst, over what a turn converts
  double apart = 0;         ///< largest difference between the turns of two uprights [rad]: whether it folded
  double force = 0;         ///< largest of a hinge while the rods are 0.1 rad and more from lying in a line [N]
  double force_lying = 0;   ///< largest of a hinge in the other steps [N]
  double drift_first = 0, drift_last = 0;  ///< worst error of a hinge in the first and in the last tenth of the run [m]
};

Turning turn(const std::string& label, int windows, int copies, const Choice& stepper, double h, double duration,
             CaseResult& result) {
  Simulation simulation(make_four_bar(windows, copies, stepper, h));
  const System& system = simulation.model().system();
  const BodyId first = simulation.model().body("upright 0");
  const double start = simulation.energy().total();
  const double swing = 9.81 * (3 * windows + 1);  // from the top to the bottom [J]
  Turning run;
  const auto sample = [&](const Simulation& s) {
    const Mat3 R = s.orientation(first).toRotationMatrix();
    const Vec3 arm = R * Vec3(0, 0, 0.5), top = s.position(first) + arm;
    const Vec3 v = s.velocity(first) + s.angular_velocity(first).cross(arm);
    const double t = s.state().time();
    run.x.add(t, top.x(), v.x());
    run.z.add(t, top.z(), v.z());
    run.energy_error = std::max(run.energy_error, std::abs(s.energy().total() - start) / swing);
    const VecX& angles = s.state().motion.s;
    for (int i = 1; i <= windows; ++i) {
      const int joint = i * copies;
      const double angle = angles[system.joints[static_cast<std::size_t>(joint)].first_coordinate];
      run.apart = std::max(run.apart, std::abs(angle - angles[0]));
    }
    double& force = std::abs(std::asin(std::clamp(top.z(), -1.0, 1.0))) > 0.1 ? run.force : run.force_lying;
    for (const JointImpulse& impulse : s.joint_impulses()) force = std::max(force, impulse.force.norm() / h);
    const double drift = s.certificate().joint_drift;
    if (t < 0.1 * duration) run.drift_first = std::max(run.drift_first, drift);
    if (t > 0.9 * duration) run.drift_last = std::max(run.drift_last, drift);
    return true;
  };
  sample(simulation);
  simulation.run(duration, sample);
  const std::vector<double> down = run.x.crossings(0, -1);
  if (down.size() > 1) run.period = (down.back() - down.front()) / static_cast<double>(down.size() - 1);
  record(result, label, simulation);
  return run;
}

}  // namespace

CaseResult run_four_bar(Effort effort) {
  CaseResult result;
  Plot history{.title = "Height of the first top", .x_label = "t [s]", .y_label = "y [m]", .series = {}};
  struct Place {
    int windows;
    double x, z;
  };
  std::vector<Place> places{{1, 0.4783850578, 0.8781501788}, {2, 0.3284581115, 0.9445185382}};
  if (effort == Effort::Full) places.push_back({40, 0.1805122267, 0.9835727406});
  std::vector<Quantity> shown;
  for (const Place& place : places) {
    Study study(2e-3);
    const auto named = [&](const std::string& what) { return fmt::format("{}, N = {}", what, place.windows); };
    for (const double h : study.steps()) {
      const Turning run = turn(fmt::format("N = {}", place.windows), place.windows, 1, {"moreau"}, h, 10, result);
      study.add(named("x(10 s)"), run.x.at(10));
      study.add(named("y(10 s)"), run.z.at(10));
      study.add(named("turn"), run.period);
      study.add(named("energy error"), run.energy_error);
      study.add(named("uprights apart"), run.apart);
      if (h == study.steps().back()) history.series.push_back(run.z.series(named("finest step")));
    }
    result.quantities.push_back(study.check(named("x(10 s)"), {place.x, 1e-4, false, 2, "m"}));
    shown.push_back(result.quantities.back());
    result.quantities.push_back(study.check(named("y(10 s)"), {place.z, 1e-4, false, 2, "m"}));
    if (place.windows == 2)
      result.quantities.push_back(study.check(named("turn"), {1.94251492261, 1e-5, true, 2, "s"}));
    result.quantities.push_back(study.check(named("energy error"), {0, 1e-5, false, 2, {}}));
    result.quantities.push_back(study.check(named("uprights apart"), {0, 1e-9, false, {}, "rad"}));
  }
  result.plots = {history, error_plot("Error at 10 s against the step", shown, 2)};
  // Koziara's rule on the mean velocity, through the first position in which the rods lie in a line.
  const Turning mean = turn("N = 1, mean velocity", 1, 1, {"koziara"}, 2e-3, 0.9, result);
  const RunSummary& summary = result.runs.back().summary;
  result.notes = fmt::format(
      "Joints by the rule `curved`, the default of moreau; koziara with `joints: curved` gives the same motion, for "
      "there are no contacts.\n\nThe rule on the mean velocity (`joints: mean`, the default of koziara) is not for "
      "mechanisms that pass positions with redundant rows: it sends velocities that do not fit back with the opposite "
      "sign. Through the first such position (N = 1, h = 2 ms, 0.9 s) it leaves an energy error of {:.2g}, uprights "
      "{:.2g} rad apart, and {} of {} solves short of their tolerance.",
      mean.energy_error, mean.apart, summary.not_converged, summary.steps);
  return result;
}

CaseResult run_doubled_hinges(Effort effort) {
  CaseResult result;
  Study study(2e-3);
  Turning last;
  for (const double h : study.steps()) {
    const Turning run = turn("doubled hinges", 2, 2, {"moreau"}, h, 10, result);
    study.add("x(10 s)", run.x.at(10));
    study.add("y(10 s)", run.z.at(10));
    study.add("turn", run.period);
    study.add("uprights apart", run.apart);
    if (h == study.steps().front()) {
      const Turning once = turn("single hinges", 2, 1, {"moreau"}, h, 10, result);
      const double away = std::hypot(run.x.at(10) - once.x.at(10), run.z.at(10) - once.z.at(10));
      result.quantities.push_back(check("difference from single hinges", away, {0, 1e-8, false, {}, "m"}));
      result.quantities.push_back(check("largest force over that of single hinges", run.force / once.force,
                                        {0.5, 1e-3, false, {}, {}, "two hinges share it alike"}));
    }
    last = run;
  }
  result.quantities.push_back(study.check("x(10 s)", {0.3284581115, 1e-4, false, 2, "m"}));
  result.quantities.push_back(study.check("y(10 s)", {0.9445185382, 1e-4, false, 2, "m"}));
  result.plots = {error_plot("Error at 10 s against the step", {result.quantities[2], result.quantities[3]}, 2)};
  result.quantities.push_back(study.check("turn", {1.94251492261, 1e-5, true, 2, "s"}));
  result.quantities.push_back(study.check("uprights apart", {0, 1e-9, false, {}, "rad"}));
  if (effort == Effort::Full) last = turn("100 000 steps", 2, 2, {"moreau"}, 1e-3, 100, result);
  result.quantities.push_back(check("worst drift in the last tenth", last.drift_last, {0, 1e-6, false, {}, "m"}));
  result.quantities.push_back(
      check_holds("drift does not grow", last.drift_last <= 1.5 * last.drift_first,
                  fmt::format("{:.3g} m in the first tenth, {:.3g} m in the last", last.drift_first, last.drift_last)));
  result.quantities.push_back(check("energy error of the longest run", last.energy_error, {0, 1e-4}));
  result.notes = fmt::format(
      "Largest force of a hinge in the longest run: {:.4g} N; within 0.1 rad of the positions in which the rods lie in "
      "a "
      "line {:.4g} N.",
      last.force, last.force_lying);
  return result;
}

}  // namespace cairn::validation
