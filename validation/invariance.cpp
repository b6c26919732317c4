// SPDX-License-Identifier: Apache-2.0
// U3, U4, U5: the same mechanics told in other units, from another frame, with the bodies in another order, gives the
// same motion.
#include "cases.h"
#include "measure.h"
#include "scenes.h"

#include <numeric>
#include <random>

namespace cairn::validation {
namespace {

/// A run of the throw and its state at every step, told back in the original units and frame.
struct ThrowRun {
  std::vector<std::vector<BodyState>> states;
  State last;
};

ThrowRun run_throw(const Telling& telling, double tolerance, const std::string& label, CaseResult& result) {
  Model model = make_throw(telling);
  set_tolerance(model, tolerance);
  Simulation simulation(model);
  ThrowRun run;
  run.states.push_back(read_throw(simulation, telling));
  simulation.run(model.run.duration, [&](const Simulation& s) {
    run.states.push_back(read_throw(s, telling));
    return true;
  });
  run.last = simulation.state();
  record(result, label, simulation);
  return run;
}

/// Largest difference at any step; NaN when a run stopped early.
double compare(const ThrowRun& a, const ThrowRun& b, const std::string& label, Plot& plot) {
  Series series{.label = label, .x = {}, .y = {}};
  double worst = a.states.size() == b.states.size() ? 0 : NAN;
  for (std::size_t i = 0; i < std::min(a.states.size(), b.states.size()); ++i) {
    const double difference = largest_difference(a.states[i], b.states[i]);
    series.x.push_back(static_cast<double>(i));
    series.y.push_back(std::max(difference, 1e-17));
    worst = std::max(worst, difference);
  }
  plot.series.push_back(series);
  return worst;
}

Plot difference_plot() {
  return {.title = "Largest difference of positions and velocities (1e-17 stands for none)",
          .x_label = "step",
          .y_label = "difference",
          .log_y = true,
          .series = {}};
}

Plot paths(const ThrowRun& run) {
  Plot plot{.title = "The scene: paths of the bodies", .x_label = "x [m]", .y_label = "z [m]", .series = {}};
  for (int i = 0; i < throw_count; ++i) {
    Series s{.label = fmt::format("body {}", i), .x = {}, .y = {}};
    for (const auto& state : run.states) {
      s.x.push_back(state[static_cast<std::size_t>(i)].x.x());
      s.y.push_back(state[static_cast<std::size_t>(i)].x.z());
    }
    plot.series.push_back(s);
  }
  return plot;
}

}  // namespace

CaseResult run_units(Effort) {
  CaseResult result;
  Plot plot = difference_plot();
  const ThrowRun si = run_throw({}, 1e-13, "metre, kilogram, second", result);
  const Telling small{.length = 1e3, .mass = 1e3, .time = 1e3};
  const Telling binary{.length = 0x1p10, .mass = 0x1p-6, .time = 0x1p4};
  const double decimal = compare(si, run_throw(small, 1e-13, "millimetre, gram, millisecond", result),
                                 "millimetre, gram, millisecond", plot);
  const double exact = compare(si, run_throw(binary, 1e-13, "powers of two", result), "powers of two", plot);
  result.quantities = {check("difference in mm, g, ms", decimal, {0, 1e-10}),
                       check("difference in units of 2^-10 m, 2^6 kg, 2^-4 s", exact, {0, 0})};
  result.plots = {paths(si), plot};
  result.notes =
      "Certificates are in the units of each run. "
      "Numbers multiplied by powers of two lose nothing to rounding, so the second difference must be zero to the last "
      "bit; a single "
      "hidden length, mass or time in the code would show. The first also carries the rounding of the units, which "
      "collisions amplify.";
  return result;
}

CaseResult run_turned_frame(Effort effort) {
  CaseResult result;
  Plot plot = difference_plot();
  const ThrowRun upright = run_throw({}, 1e-13, "upright", result);
  std::vector<std::pair<std::string, Quat>> turns{
      {"90 degrees about x", Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0)},
      {"1 rad about (1, 2, 3)", Quat(Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()))},
      {"2.5 rad about (-2, 1, 0.3)", Quat(Eigen::AngleAxisd(2.5, Vec3(-2, 1, 0.3).normalized()))}};
  if (effort == Effort::Full) {
    std::mt19937 random(5);
    for (int i = 0; i < 20; ++i) {
      Eigen::Vector4d q;
      for (int k = 0; k < 4; ++k) q[k] = random() / 2147483648.0 - 1;
      q.normalize();
      turns.emplace_back(fmt::format("random turn {}", i + 1), Quat(q[0], q[1], q[2], q[3]));
    }
  }
  for (const auto& [label, turn] : turns) {
    const double difference = compare(upright, run_throw({.turn = turn}, 1e-13, label, result), label, plot);
    result.quantities.push_back(check("difference, " + label, difference, {0, 1e-9}));
  }
  result.plots = {plot};
  return result;
}

CaseResult run_body_order(Effort effort) {
  CaseResult result;
  Plot plot = difference_plot();
  constexpr double tolerance = 1e-12;
  const ThrowRun plain = run_throw({}, tolerance, "in order", result);
  const ThrowRun again = run_throw({}, tolerance, "in order, again", result);
  result.quantities.push_back(check("values that differ in a repeated run",
                                    static_cast<double>(differing_values(plain.last, again.last)), {0, 0}));
  std::mt19937 random(9);
  for (int i = 0; i < (effort == Effort::Full ? 20 : 3); ++i) {
    std::vector<int> order(throw_count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t k = order.size(); k-- > 1;) std::swap(order[k], order[random() % (k + 1)]);
    const std::string label = fmt::format("shuffle {}", i + 1);
    const double difference = compare(plain, run_throw({.order = order}, tolerance, label, result), label, plot);
    result.quantities.push_back(check("difference, " + label, difference, {0, 1e-9}));
  }
  result.plots = {plot};
  result.notes =
      "Solver tolerance 1e-12; collisions amplify what it leaves, so 1e-9 is asked of positions and velocities.\n\nThe "
      "scene ends before a box slides on a "
      "whole face. There the share of each corner is open, and with it the turning moment of friction: rigid bodies "
      "with Coulomb friction then have more than one "
      "motion, and the order of the contacts chooses.";
  return result;
}

}  // namespace cairn::validation
