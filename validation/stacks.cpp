// SPDX-License-Identifier: Apache-2.0
// L1, L2: stacks of blocks at rest. The interface i blocks below the top carries their weight, and nothing moves,
// however long it stands.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double g = 9.81, half = 0.1;

struct StackRun {
  double force_error = 0;  ///< worst of all interfaces and steps watched, relative to its own load
  double speed = 0;        ///< largest at the end
  double drift = 0;        ///< largest displacement over the block's size
  int worst_interface = 0;
  std::vector<double> forces;  ///< from the floor up
};

/// Masses from the floor up.
StackRun run_stack_of(const std::vector<double>& masses, double h, int steps, const std::string& label,
                      CaseResult& result, Series* speeds = nullptr) {
  Model model;
  model.run.step = h;
  set_tolerance(model, 1e-10);
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  std::vector<BodyId> blocks;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    blocks.push_back(model.add_rigid({.name = fmt::format("block {}", i + 1),
                                      .shape = Box{{half, half, half}},
                                      .position = {0, 0, half * (2.0 * static_cast<double>(i) + 1)},
                                      .mass = masses[i]}));
  }
  Simulation simulation(model);
  std::vector<Vec3> start;
  for (const BodyId b : blocks) start.push_back(simulation.position(b));
  StackRun run;
  for (int i = 0; i < steps; ++i) {
    if (simulation.step().status != StepStatus::Done) break;
    if (speeds && i % std::max(1, steps / 200) == 0) {
      speeds->x.push_back(simulation.state().time());
      speeds->y.push_back(std::max(largest_speed(simulation, half), 1e-20));
    }
  }
  // Interface k is below block k; bodies are the floor (0) and the blocks in order.
  run.forces.assign(masses.size(), 0);
  for (const ContactResult& c : simulation.contacts()) {
    const int upper = std::max(c.body_a, c.body_b);
    run.forces[static_cast<std::size_t>(upper) - 1] += (c.body_a == upper ? 1 : -1) * c.impulse.z() / h;
  }
  double load = 0;
  for (std::size_t k = masses.size(); k-- > 0;) {
    load += masses[k] * g;
    const double error = std::abs(run.forces[k] / load - 1);
    if (error >= run.force_error) run.force_error = error, run.worst_interface = static_cast<int>(k) + 1;
  }
  run.speed = largest_speed(simulation, half);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    run.drift = std::max(run.drift, (simulation.position(blocks[k]) - start[k]).norm() / (2 * half));
  }
  record(result, label, simulation);
  return run;
}

void add_stack(const std::string& label, const std::vector<double>& masses, double h, int steps, CaseResult& result,
               Plot& history) {
  Study study(h);
  for (const double step : study.steps()) {
    Series speeds{.label = label, .x = {}, .y = {}};
    const bool finest = step == study.steps().back();
    const StackRun run = run_stack_of(masses, step, steps, label, result, finest ? &speeds : nullptr);
    study.add("worst interface force error, " + label, run.force_error);
    study.add("largest speed at the end, " + label, run.speed);
    study.add("drift over block size, " + label, run.drift);
    if (finest) history.series.push_back(speeds);
  }
  result.quantities.push_back(study.check("worst interface force error, " + label, {0, 1e-8}));
  result.quantities.push_back(study.check("largest speed at the end, " + label, {0, 1e-9, false, {}, "m/s"}));
  result.quantities.push_back(study.check("drift over block size, " + label, {0, 1e-7}));
}

Plot speed_plot() {
  return {.title = "Largest speed of any block, finest step (1e-20 stands for zero)",
          .x_label = "t [s]",
          .y_label = "[m/s]",
          .log_y = true,
          .series = {}};
}

}  // namespace

CaseResult run_stack(Effort effort) {
  CaseResult result;
  Plot history = speed_plot();
  const int steps = effort == Effort::Full ? 10000 : 1000;
  for (const int n : {3, 10}) {
    add_stack(fmt::format("{} blocks", n), std::vector<double>(static_cast<std::size_t>(n), 2.0), 0.01, steps, result,
              history);
  }
  if (effort == Effort::Full) add_stack("30 blocks", std::vector<double>(30, 2.0), 0.01, steps, result, history);
  result.plots = {history};
  result.notes = fmt::format(
      "{} steps at each of the three step lengths, without sleeping; drift is against U1's bound of 1e-7.", steps);
  return result;
}

CaseResult run_uneven_stack(Effort effort) {
  CaseResult result;
  Plot history = speed_plot();
  const int steps = effort == Effort::Full ? 10000 : 500;
  add_stack("1000 on 1", {1, 1000}, 0.01, steps, result, history);
  add_stack("1 on 1000", {1000, 1}, 0.01, steps, result, history);
  add_stack("1000 on four of 1", {1, 1, 1, 1, 1000}, 0.01, steps, result, history);
  add_stack("1 and 1000 in turn", {1, 1000, 1, 1000, 1}, 0.01, steps, result, history);
  result.plots = {history};
  result.notes = fmt::format(
      "{} steps at each step length. The most solver iterations of any step are in the table of certificates.", steps);
  return result;
}

}  // namespace cairn::validation
