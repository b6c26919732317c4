// SPDX-License-Identifier: Apache-2.0
// Bars between points: their energy is that of uniform rods, and what makes no chain is refused.
#include "cairn/bodies/bar_chain.h"

#include "cairn/base/error.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(BarChain, energy_of_a_bar_is_that_of_a_uniform_rod) {
  // A rod of 2 m and 3 kg along x: centre at v, turning about z at w; T = m v^2/2 + (m L^2/12) w^2/2.
  const Vec3 v(0.3, -1, 0.2);
  const double w = 1.7, m = 3, length = 2;
  const Vec3 turn = w * Vec3::UnitZ().cross(Vec3(1, 0, 0));
  const BarChain chain({.points = {{-1, 0, 5}, {1, 0, 5}}, .velocities = {v - turn, v + turn}, .bars = {{0, 1, m}}});
  VecX q(6), u(6);
  chain.initial(q, u);
  const Energy e = chain.energy(q, u, {0, 0, -9.81});
  EXPECT_NEAR(e.kinetic, 0.5 * m * v.squaredNorm() + 0.5 * m * length * length / 12 * w * w, 1e-14);
  EXPECT_NEAR(e.gravity, m * 9.81 * 5, 1e-12);
  // Momentum under gravity: the weight.
  MatX M(6, 6);
  VecX impulse(6);
  chain.free_motion(q, u, {.h = 0.1, .gravity = {0, 0, -9.81}}, M, impulse);
  EXPECT_NEAR(impulse[2] + impulse[5], -0.1 * m * 9.81, 1e-14);
  // The point at three quarters of the bar moves as the rod does there.
  Mat3X J(3, 6);
  chain.point_jacobian(q, {0.5, 0, 5}, J);
  EXPECT_LT((J * u - (v + 0.5 * turn)).norm(), 1e-15);
}

TEST(BarChain, what_makes_no_chain_is_refused) {
  EXPECT_THROW(BarChain({.points = {{0, 0, 0}}}), Error);
  EXPECT_THROW(BarChain({.points = {{0, 0, 0}, {1, 0, 0}}, .bars = {{0, 2, 1}}}), Error);
  EXPECT_THROW(BarChain({.points = {{0, 0, 0}, {1, 0, 0}}, .bars = {{0, 1, -1}}}), Error);
  EXPECT_THROW(BarChain({.points = {{0, 0, 0}, {1, 0, 0}}}), Error);  // no mass
  EXPECT_THROW(BarChain({.points = {{0, 0, 0}, {1, 0, 0}}, .held = {true, true}, .bars = {{0, 1, 1}}}), Error);
  EXPECT_THROW(BarChain({.points = {{0, 0, 0}, {1, 0, 0}}, .held = {true}, .bars = {{0, 1, 1}}}), Error);
}

}  // namespace
}  // namespace cairn
