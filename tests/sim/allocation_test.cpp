// SPDX-License-Identifier: Apache-2.0
// A step of rigid bodies in steady state allocates nothing: counted by standing in for malloc.
#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"
#include "support/counting_malloc.h"

namespace cairn {
namespace {

TEST(SteadyStep, of_a_wall_and_of_rolling_spheres_allocates_nothing) {
  if (!CAIRN_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns the allocator";
  Model model;
  model.run.step = 1.0 / 240;
  model.add_fixed({.shape = Box{Vec3(20, 20, 1)}, .position = {0, 0, -1}});
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 5; ++i)
      model.add_rigid({.shape = Box{Vec3(1, 0.5, 0.5)}, .position = {2. * i + k % 2, 0, 0.5 + k}});
  for (int i = 0; i < 10; ++i) {
    model.add_rigid({.shape = Sphere{0.3},
                     .position = {1. * i, 5, 0.3},
                     .velocity = {0.5, 0, 0},
                     .angular_velocity = {0, 0.5 / 0.3, 0}});
  }
  for (int i = 0; i < 5; ++i) {  // dumbbells, which have two colliders each
    RigidBody body{.position = {2. * i, 7, 0.3}, .velocity = {0.5, 0, 0}, .angular_velocity = {0, 0.5 / 0.3, 0}};
    for (const double y : {-0.5, 0.5}) body.colliders.push_back({.shape = Sphere{0.3}, .position = {0, y, 0}});
    model.add_rigid(body);
  }
  Simulation simulation(model);
  simulation.run(0.5);
  const long before = cairn_test::allocations;
  for (int i = 0; i < 100; ++i) simulation.step();
  EXPECT_EQ(cairn_test::allocations - before, 0);
  EXPECT_GT(simulation.certificate().contacts, 90);
}

}  // namespace
}  // namespace cairn
