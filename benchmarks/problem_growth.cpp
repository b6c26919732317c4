// SPDX-License-Identifier: Apache-2.0
// What the contact problem of a step costs as scenes grow: walls, pyramids and heaps of spheres and of rocks from 100
// to 20 000 contacts, at two step lengths, solved from zero (cold) and from the impulses of the step before (warm).
//
//   problem_growth [FAMILY...] [SIZE...]   wall, pyramid, spheres, rocks; sizes as in main(); prints tables in Markdown
//                                          (docs/solver-growth.md)
#include "benchmarks/scenes.h"
#include "cairn/sim/simulation.h"

#include "cairn/base/error.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

namespace cairn {
namespace {

struct Family {
  std::string name;
  std::vector<int> sizes;
  Model (*build)(int size);
  double settle;          ///< simulated before measuring, by sweeps that leave no deep overlaps [s]
  std::string tolerance;  ///< of what is measured
};

struct Row {
  int contacts = 0, steps = 0;
  Certificate cold, warm;  ///< warm: the mean of several steps for times and iterations, the worst for the residual
  double memory = 0;       ///< of the process at its largest so far [MB]
};

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Row measure_here(const Family& family, int size, double dt) {
  Model model = family.build(size);
  model.run.step = dt;
  State state;
  if (family.settle > 0) {
    model.run.solver = {"gauss-seidel", {{"tolerance", "1e-4"}, {"max_iterations", "200"}}};
    Simulation falling(model);
    falling.run(family.settle);
    state = falling.state();
  }
  model.run.solver = {"auto", {{"tolerance", family.tolerance}}};
  Simulation simulation(std::move(model));
  if (family.settle > 0) {
    State cold = state;
    cold.warm = {};
    simulation.restore(cold);
  }
  Row row;
  row.cold = simulation.step();
  if (family.settle > 0) simulation.restore(state);
  const int steps = family.settle > 0 && row.cold.contacts > 5000 ? 3 : 10;  // heaps take seconds a step
  row.steps = steps;
  if (family.settle == 0)
    for (int i = 0; i < steps; ++i) simulation.step();  // to rest
  row.warm.residual = 0;
  for (int i = 0; i < steps; ++i) {
    const Certificate& c = simulation.step();
    row.warm.times.solve += c.times.solve / steps;
    row.warm.times.total += c.times.total / steps;
    row.warm.iterations += c.iterations;
    row.warm.residual = std::max(row.warm.residual, c.residual);
    row.contacts = c.contacts;
  }
  row.memory = peak_megabytes();
  return row;
}

/// The same in a process of its own, so that its memory is that of this size alone.
Row measure(const Family& family, int size, double dt) {
  static_assert(std::is_trivially_copyable_v<Row>);
  int ends[2];
  if (pipe(ends) != 0) throw Error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Row row = measure_here(family, size, dt);
    std::_Exit(write(ends[1], &row, sizeof row) == sizeof row ? 0 : 1);
  }
  close(ends[1]);
  Row row;
  const bool complete = child > 0 && read(ends[0], &row, sizeof row) == sizeof row;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!complete) throw Error("{} of size {} failed", family.name, size);
  return row;
}

/// Slope of log(time) over log(contacts), by least squares.
double exponent(const std::vector<Row>& rows, bool cold) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(rows.size());
  for (const Row& row : rows) {
    const double x = std::log(row.contacts), y = std::log((cold ? row.cold : row.warm).times.solve);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void study(const Family& family, const std::vector<int>& sizes) {
  for (const double dt : {1.0 / 240, 1.0 / 60}) {
    fmt::print("### {}, step 1/{:.0f} s, tolerance {}\n\n", family.name, 1 / dt, family.tolerance);
    fmt::print(
        "| contacts | cold: ms | us per contact | iterations | residual | warm: ms | us per contact | iterations | "
        "residual | memory MB |\n|---|---|---|---|---|---|---|---|---|---|\n");
    std::vector<Row> rows;
    for (const int size : sizes) {
      const Row& row = rows.emplace_back(measure(family, size, dt));
      const auto per_contact = [&](const Certificate& c) { return 1e6 * c.times.solve / row.contacts; };
      fmt::print("| {} | {:.2f} | {:.2f} | {} | {:.0e} | {:.3f} | {:.3f} | {:.1f} | {:.0e} | {:.0f} |\n", row.contacts,
                 1e3 * row.cold.times.solve, per_contact(row.cold), row.cold.iterations, row.cold.residual,
                 1e3 * row.warm.times.solve, per_contact(row.warm),
                 static_cast<double>(row.warm.iterations) / row.steps, row.warm.residual, row.memory);
      std::fflush(stdout);
    }
    if (rows.size() > 1)
      fmt::print("\nTime grows with contacts to the power {:.2f} (cold) and {:.2f} (warm).\n\n", exponent(rows, true),
                 exponent(rows, false));
  }
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  using namespace cairn;
  const std::vector<Family> families{{"wall", {3, 6, 10, 20, 42}, make_wall, 0, "1e-8"},
                                     {"pyramid", {5, 10, 20, 40, 72}, make_pyramid, 0, "1e-8"},
                                     {"spheres", {4, 6, 10, 14, 19}, make_spheres, 0.6, "1e-4"},
                                     {"rocks", {4, 5, 8, 11, 14}, make_rocks, 0.8, "1e-4"}};
  std::vector<std::string> names;
  std::vector<int> sizes;
  for (const std::string argument : std::span(argv + 1, argv + argc)) {
    if (const int size = std::atoi(argument.c_str()); size > 0) {
      sizes.push_back(size);
    } else {
      names.push_back(argument);
    }
  }
  for (const Family& family : families)
    if (names.empty() || std::find(names.begin(), names.end(), family.name) != names.end())
      study(family, sizes.empty() ? family.sizes : sizes);
}
