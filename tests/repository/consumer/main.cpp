// SPDX-License-Identifier: Apache-2.0
// The first program, outside the tree: a ball dropped from one metre comes to rest on the ground.
#include <cairn/sim/simulation.h>

#include <cmath>
#include <cstdio>

int main() {
  cairn::Model model;
  model.add_fixed({.name = "ground", .shape = cairn::HalfSpace{}});
  const cairn::BodyId ball = model.add_rigid({.name = "ball", .shape = cairn::Sphere{0.1}, .position = {0, 0, 1}});
  cairn::Simulation simulation(model);
  simulation.run(1);
  std::printf("rests at height %.9f m\n", simulation.position(ball).z());
  return std::abs(simulation.position(ball).z() - 0.1) < 1e-6 ? 0 : 1;
}
