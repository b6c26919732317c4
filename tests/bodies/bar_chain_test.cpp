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
  BodyTerms terms;
  terms.clear(6, Terms::Force);
  chain.evaluate({q, u, 0, {0, 0, -9.81}}, Terms::Force, terms);
  EXPECT_NEAR(terms.force[2] + terms.force[5], -m * 9.81, 1e-13);
  // The point at three quarters of the bar moves as the rod does there.
  RowArena arena;
  const SparseRows rows = chain.point_rows(q, chain.locate(q, {0.5, 0, 5}), arena);
  EXPECT_LT((rows.times(u) - (v + 0.5 * turn)).norm(), 1e-15);
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
