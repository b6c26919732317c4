// SPDX-License-Identifier: Apache-2.0
// stepper_comparison DOCS [SCENE...]: the ten scenes of case T2 under every stepper, error against cost, written as
// DOCS/stepper-comparison.csv, pictures in DOCS/images and the tables of DOCS/stepper-comparison.md.
//
// Steps from 4 times to a 32nd of the scene's, as far down as the time for one stepper in one scene reaches; start
// states spread over a step where there are events. With names only these scenes are measured and the other rows stay.
// Costs are seconds of the processor; short runs are repeated and the fastest counts. An eleventh scene, "wall", has
// what the ten have not: many contacts. It should stand; how far its bricks move is the error, and a run ends after a
// few seconds of the processor. Steppers that locate switches are for few contacts and left out there.
#include "cairn/sim/simulation.h"
#include "validation/scheme_motions.h"
#include "validation/scheme_page.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/ranges.h>

namespace cairn::validation {
namespace {

constexpr double enough = 0.03;  // [s] of the processor per number
constexpr double budget = 10;    // [s] of the processor per stepper and scene: a step that would exceed it is not run

std::vector<SchemeCost> measure(const SchemeMotion& motion, const std::string& stepper) {
  std::vector<SchemeCost> rows;
  const int starts = steppers().make(stepper)->locates_switches() ? 1 : 6;
  double all = 0, last = 0;
  for (double factor = 4; factor > 0.03 && all + 2 * last < budget; factor /= 2) {
    const double h = motion.step * factor;
    SchemeOutcome best = mean_outcome(motion, stepper, h, starts);
    const double once = best.seconds * motion.duration * (motion.events ? starts : 1);
    last = once;
    all += once;
    for (double spent = once; spent < enough && spent < 50 * once;) {
      const SchemeOutcome again = mean_outcome(motion, stepper, h, starts);
      best.seconds = std::min(best.seconds, again.seconds);
      spent += std::max(once, 1e-3);
    }
    rows.push_back({motion.name, stepper, h, std::isfinite(best.error) ? best.error : 1e300, best.seconds});
  }
  return rows;
}

/// 60 bricks in running bond, at rest.
std::vector<SchemeCost> measure_wall(const std::string& stepper) {
  constexpr double h = 2e-3, duration = 0.2, limit = 5;
  Model model;
  model.run.step = h;
  model.run.stepper.name = stepper;
  if (stepper == "ggl") model.run.stepper.parameters["slack"] = "1e-6";
  model.set_contact({.friction = 0.6});
  model.add_fixed({.shape = HalfSpace{}});
  std::vector<BodyId> bricks;
  for (int layer = 0; layer < 8; ++layer)
    for (int i = 0; i < (layer % 2 ? 7 : 8); ++i)
      bricks.push_back(model.add_rigid({.shape = Box{{0.1, 0.05, 0.05}},
                                        .position = {0.201 * i + (layer % 2 ? 0.1005 : 0), 0, 0.05 + 0.1 * layer},
                                        .mass = 2}));
  Simulation simulation(model);
  std::vector<Vec3> start;
  for (const BodyId brick : bricks) start.push_back(simulation.position(brick));
  const std::clock_t begin = std::clock();
  const auto seconds = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
  simulation.run(duration, [&](const Simulation&) { return seconds() < limit; });
  SchemeCost row{wall_scene, stepper, h, 0, seconds() / simulation.state().time()};
  for (std::size_t i = 0; i < bricks.size(); ++i)
    row.error = std::max(row.error, (simulation.position(bricks[i]) - start[i]).norm());
  return {row};
}

void compare(const std::filesystem::path& docs, const std::vector<std::string>& names) {
  check_page(docs);
  const std::filesystem::path table = docs / "stepper-comparison.csv";
  const auto chosen = [&](const std::string& scene) {
    return names.empty() || std::find(names.begin(), names.end(), scene) != names.end();
  };
  std::vector<std::string> scenes;
  for (const SchemeMotion& motion : scheme_motions()) scenes.push_back(motion.name);
  scenes.push_back(wall_scene);
  for (const std::string& name : names)
    if (std::find(scenes.begin(), scenes.end(), name) == scenes.end())
      throw Error("there is no scene '{}'; there are {}", name, fmt::join(scenes, ", "));
  std::vector<SchemeCost> rows;
  if (!names.empty() && std::filesystem::exists(table)) rows = read_csv(table);
  std::erase_if(rows, [&](const SchemeCost& row) { return chosen(row.scene); });
  const auto add = [&](const std::string& scene, const std::string& stepper, const auto& measured) {
    try {
      const std::vector<SchemeCost> found = measured();
      rows.insert(rows.end(), found.begin(), found.end());
      fmt::print(stderr, "{}, {}\n", scene, stepper);
    } catch (const Error& error) {
      fmt::print(stderr, "{}, {}: {}\n", scene, stepper, error.what());
    }
  };
  const auto place = [&](const SchemeCost& row) { return std::find(scenes.begin(), scenes.end(), row.scene); };
  for (const auto& entry : steppers().entries()) {
    for (const SchemeMotion& motion : scheme_motions())
      if (chosen(motion.name) && makes_claim(motion, entry.name))
        add(motion.name, entry.name, [&] { return measure(motion, entry.name); });
    if (chosen(wall_scene) && !steppers().make(entry.name)->locates_switches())
      add(wall_scene, entry.name, [&] { return measure_wall(entry.name); });
    // Scene by scene, and as far as it has come: a study that is ended early is not lost.
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const SchemeCost& x, const SchemeCost& y) { return place(x) < place(y); });
    write_page(docs, rows);
  }
}

}  // namespace
}  // namespace cairn::validation

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: stepper_comparison DOCS [SCENE...]\n");
    return 2;
  }
  try {
    cairn::validation::compare(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "stepper_comparison: {}\n", error.what());
    return 2;
  }
}
