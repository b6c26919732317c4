// SPDX-License-Identifier: Apache-2.0
// G7: random convex rocks fall into a bin and come to rest: then none is in another by more than 1e-5 of its size, the
// floor carries the weight, and nothing moves. The heap is that of the benchmark rocks1k.
#include "benchmarks/scene_parts.h"
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
  double load_error = 0;   ///< of what the bin carries, over the weight
  double fall = 0;         ///< deepest overlap of the whole run [m]
};

Rest settle(int side, double duration, CaseResult& result) {
  Model model = make_rocks(side);
  model.run.solver = {"gauss-seidel", {{"tolerance", "1e-6"}, {"max_iterations", "200"}}};
  Simulation simulation(model);
  Rest rest;
  simulation.run(duration, [&](const Simulation& s) {
    const double deepest = s.certificate().penetration;
    rest.fall = std::max(rest.fall, deepest);
    if (s.state().time() >= duration - 0.5) rest.penetration = std::max(rest.penetration, deepest);
    return true;
  });
  // Bodies: the bin of five, then the rocks. What the bin carries is the weight.
  constexpr int bin = 5;
  double up = 0, weight = 0;
  for (const ContactResult& c : simulation.contacts()) {
    if (c.body_a < bin) up -= c.impulse.z() / model.run.step;
    if (c.body_b < bin) up += c.impulse.z() / model.run.step;
  }
  for (int i = bin; i < model.body_count(); ++i) {
    const Collider& rock = model.system().colliders[static_cast<std::size_t>(model.collider_of(i))];
    weight += 2000 * gravity * compute_mass_properties(rock.shape).volume;
    rest.speed = std::max(rest.speed, simulation.velocity(BodyId{i}).norm());
  }
  rest.load_error = std::abs(up / weight - 1);
  record(result, fmt::format("{} rocks", side * side * side), simulation);
  return rest;
}

}  // namespace

CaseResult run_rocks_at_rest(Effort effort) {
  CaseResult result;
  const Rest rest = effort == Effort::Full ? settle(10, 4.5, result) : settle(4, 2.2, result);
  result.quantities = {
      check("deepest overlap at rest over the size", rest.penetration / size,
            {0, 1e-5, false, {}, "", fmt::format("deepest while falling {:.1e} m", rest.fall)}),
      check("largest speed at the end", rest.speed, {0, 1e-3, false, {}, "m/s"}),
      check("load on the bin over the weight, error", rest.load_error, {0, 1e-3}),
  };
  result.notes =
      "At rest means the last half second. While the rocks fall, overlaps of millimetres appear and are pushed out again: "
      "contacts are linearised over a step, in which a rock of 5 m/s moves by 20 mm and turns; they shrink with the square "
      "of the step and do not depend on how well the solver converges.";
  return result;
}

}  // namespace cairn::validation
