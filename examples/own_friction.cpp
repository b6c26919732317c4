// SPDX-License-Identifier: Apache-2.0
// User-defined friction curve: a coefficient that depends on the sliding speed as one likes, here mu = 0.1 (1 + v).
// Written against public headers only.
//
// Expected: v' = -0.1 g (1 + v), so that a block thrown at 2 m/s slides at (1 + 2) exp(-0.1 g t) - 1 and stops after
// ln(3)/(0.1 g) = 1.12 s.
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

int main() {
  cairn::Model model;
  model.run.step = 1e-4;
  model.set_contact({.own_friction = [](double speed) { return 0.1 * (1 + speed); }});
  model.add_fixed({.name = "ground", .shape = cairn::HalfSpace{}});
  const cairn::BodyId block = model.add_rigid({.name = "block",
                                               .shape = cairn::Box{cairn::Vec3(0.2, 0.2, 0.02)},
                                               .position = {0, 0, 0.02},
                                               .velocity = {2, 0, 0}});
  cairn::Simulation simulation(model);
  double worst = 0, stop = 0;
  simulation.run(1.5, [&](const cairn::Simulation& s) {
    const double t = s.state().time(), v = s.velocity(block).x();
    if (v > 1e-6) {
      worst = std::max(worst, std::abs(v - (3 * std::exp(-0.981 * t) - 1)));
    } else if (stop == 0) {
      stop = t;
    }
    return true;
  });
  std::printf("slides within %.1e m/s of the formula and stops after %.4f s (expected %.4f)\n", worst, stop,
              std::log(3) / 0.981);
  return worst < 1e-3 && std::abs(stop - std::log(3) / 0.981) < 1e-3 ? 0 : 1;
}
