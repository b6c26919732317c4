// SPDX-License-Identifier: Apache-2.0
// The first program: a ball dropped from one metre. It should hit the ground after sqrt(2 (1 - 0.1) / 9.81) = 0.428 s.
#include <cairn/sim/simulation.h>

#include <cstdio>

int main() {
  cairn::Model model;
  model.add_fixed({.name = "ground", .shape = cairn::HalfSpace{}});
  const cairn::BodyId ball = model.add_rigid({.name = "ball", .shape = cairn::Sphere{0.1}, .position = {0, 0, 1}});

  cairn::Simulation simulation(model);
  while (simulation.certificate().contacts == 0 || simulation.contacts()[0].impulse.isZero()) simulation.step();
  std::printf("hit the ground at t = %.3f s, residual %.1e\n", simulation.state().time(),
              simulation.certificate().residual);
  simulation.run(1);
  std::printf("rests at height %.9f m\n", simulation.position(ball).z());
}
