// SPDX-License-Identifier: Apache-2.0
// Contact problems of dry brick walls that slide, tilt or are hit by a ball, as FCLib files: hyperstatic structures of
// which a part moves, the hardest family for solvers that is known here (docs/solvers.md).
//
//   moving_walls DIR      48 walls of 95 or 147 bricks, 0.4 s each, every tenth step: 464 problems, to 1645 contacts
#include "benchmarks/scene_parts.h"
#include "cairn/base/error.h"
#include "cairn/io/problem_dump.h"

#include <fmt/format.h>

namespace cairn {
namespace {

struct Wall {
  int courses = 10, columns = 10;
  double friction = 0.3;
  Vec3 pull = Vec3::Zero();  ///< horizontal part of gravity, along the wall and across it [m/s^2]
  double step = 0.01;
  double gap = 0;         ///< between the bricks of a course [m]
  double ball_speed = 0;  ///< of a ball that flies across the wall; 0: none
};

Model build(const Wall& wall, const std::string& name) {
  constexpr double length = 0.25, width = 0.12, height = 0.065;
  Model model = make_bench_model(name, 0.4, wall.friction, "1e-6", "20000");
  model.run.solver.parameters["max_seconds"] = "1";  // only the way to the problems, which are solved elsewhere
  model.run.step = wall.step;
  model.set_gravity(wall.pull - gravity * Vec3::UnitZ());
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  for (int k = 0; k < wall.courses; ++k)
    for (int i = 0; i < wall.columns - k % 2; ++i)
      model.add_rigid({.shape = Box{0.5 * Vec3(length, width, height)},
                       .position = Vec3((length + wall.gap) * (i + 0.5 * (k % 2)), 0, height * (k + 0.5))});
  if (wall.ball_speed > 0)
    model.add_rigid({.name = "ball",
                     .shape = Sphere{0.1},
                     .position = Vec3(length * wall.columns / 2, -0.2, height * wall.courses / 2),
                     .velocity = Vec3(0, wall.ball_speed, 0)});
  return model;
}

std::vector<Wall> walls() {
  std::vector<Wall> all;
  for (const auto& [courses, columns] : {std::pair{10, 10}, std::pair{14, 11}}) {
    for (const double mu : {0.3, 0.6}) {
      // At rest, just below and above sliding along the wall, nearly sliding across it, and far from both.
      const Vec3 pulls[] = {
          {0, 0, 0}, {0.98 * mu * gravity, 0, 0}, {1.02 * mu * gravity, 0, 0}, {0, 0.9 * mu * gravity, 0}, {1, 1, 0}};
      for (const Vec3& pull : pulls)
        for (const double step : {0.01, 0.0025})
          all.push_back({courses, columns, mu, pull, step, all.size() % 3 == 0 ? 0.002 : 0.0});
    }
    for (const double mu : {0.3, 0.6})
      for (const double speed : {3.0, 10.0}) all.push_back({courses, columns, mu, Vec3::Zero(), 0.005, 0.002, speed});
  }
  return all;
}

void write_problems(const Wall& wall, int number, const std::string& folder) {
  const std::string name = fmt::format("wall{:02}", number);
  Simulation simulation(build(wall, name));
  simulation.keep_problem(true);
  ProblemDump dump(folder, name, DumpCondition("", "moving_walls"));
  const int steps = static_cast<int>(0.4 / wall.step + 0.5);
  for (int k = 1; k <= steps; ++k) {
    simulation.step();
    if (k % 10 == 6) dump.after_step(simulation);
  }
  fmt::print("{}: {} problems\n", name, dump.written());
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  using namespace cairn;
  if (argc != 2) {
    fmt::print(stderr, "moving_walls DIR\n");
    return 2;
  }
  try {
    int number = 0;
    for (const Wall& wall : walls()) write_problems(wall, number++, argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "moving_walls: {}\n", error.what());
    return 2;
  }
}
