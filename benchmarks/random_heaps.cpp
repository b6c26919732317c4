// SPDX-License-Identifier: Apache-2.0
// Contact problems of random heaps as FCLib files, for solvers to be tried on: boxes, capsules, cylinders and spheres
// of small, large and unequal friction or weight that fall into a bin.
//
//   random_heaps DIR [SIDE TIME...]      default: 4 0.4 0.8 1.5 and 6 1.0; SIDE^3 bodies, steps after TIME seconds
#include "benchmarks/scene_parts.h"
#include "cairn/base/error.h"
#include "cairn/io/problem_dump.h"

#include <fmt/format.h>

#include <cmath>

namespace cairn {
namespace {

struct Heap {
  std::string name;
  Shape shape = Sphere{0.1};
  double friction = 0.5;
  double decades = 0;  ///< of densities
  double spacing = 0.26;
};

Model build(const Heap& heap, int side) {
  Model model = make_bench_model(heap.name, 3, heap.friction, "1e-4", "60");
  model.run.solver.name = "gauss-seidel";  // cheap: only the way to the problem, which is solved elsewhere
  add_bin(model, side * heap.spacing / 2 + 0.1, side * heap.spacing + 2);
  Draw draw;
  for (int k = 0; k < side; ++k) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        const Vec3 place(heap.spacing * (i - (side - 1) / 2.0), heap.spacing * (j - (side - 1) / 2.0),
                         0.2 + heap.spacing * k);
        const Vec3 position = place + draw.three(0.02), turn = draw.three(1);
        const double decade = heap.decades > 0 ? draw.one(-heap.decades / 2, heap.decades / 2) : 0;
        model.add_rigid({.shape = heap.shape,
                         .position = position,
                         .orientation = Quat(1, turn[0], turn[1], turn[2]).normalized(),
                         .density = 2000 * std::pow(10.0, decade)});
      }
    }
  }
  return model;
}

void write_problems(const Heap& heap, int side, const std::vector<double>& times, const std::string& folder) {
  Simulation simulation(build(heap, side));
  simulation.keep_problem(true);
  ProblemDump dump(folder, fmt::format("{}{}", heap.name, side), DumpCondition("", "random_heaps"));
  double now = 0;
  for (const double time : times) {
    simulation.run(time - now);
    now = time;
    simulation.step();
    dump.after_step(simulation);
  }
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  using namespace cairn;
  if (argc < 2) {
    fmt::print(stderr, "random_heaps DIR [SIDE TIME...]\n");
    return 2;
  }
  const std::vector<Heap> heaps{{.name = "boxes", .shape = Box{Vec3(0.08, 0.07, 0.06)}},
                                {.name = "capsules", .shape = Capsule{0.07, 0.08}, .spacing = 0.34},
                                {.name = "cylinders", .shape = Cylinder{0.08, 0.07}},
                                {.name = "lowmu", .friction = 0.05},
                                {.name = "highmu", .friction = 2},
                                {.name = "ratio", .decades = 6}};
  try {
    for (const Heap& heap : heaps) {
      if (argc > 2) {
        std::vector<double> times;
        for (int k = 3; k < argc; ++k) times.push_back(std::stod(argv[k]));
        write_problems(heap, std::stoi(argv[2]), times, argv[1]);
      } else {
        write_problems(heap, 4, {0.4, 0.8, 1.5}, argv[1]);
        write_problems(heap, 6, {1.0}, argv[1]);
      }
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "random_heaps: {}\n", error.what());
    return 2;
  }
}
