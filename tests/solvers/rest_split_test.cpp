// SPDX-License-Identifier: Apache-2.0
// Moving and resting bodies in turn: bodies are found, a sliding block on a resting one is solved, the budget is kept.
#include "cairn/solvers/rest_split.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/tower_problem.h"

namespace cairn {
namespace {

using namespace tower_problem;

RestSplit::Settings settings(int iterations) {
  RestSplit::Settings s;
  s.tolerance = 1e-9;
  s.max_iterations = iterations;
  return s;
}

TEST(RestSplit, six_dofs_are_a_body_although_the_mass_couples_none) {
  const std::vector<int> body = find_bodies(tower(3));
  ASSERT_EQ(body.size(), 18u);
  for (int k = 0; k < 18; ++k) EXPECT_EQ(body[static_cast<std::size_t>(k)], k / 6);
}

TEST(RestSplit, velocity_space_has_a_block_per_body_although_the_mass_couples_none) {
  VelocitySpace space;
  ASSERT_TRUE(space.set(tower(3)));
  EXPECT_EQ(space.parts(), 3);
}

TEST(RestSplit, dofs_that_are_not_six_by_six_are_grouped_by_the_mass) {
  GlobalProblem problem = tower(2);
  problem.M.coeffRef(0, 7) = problem.M.coeffRef(7, 0) = 0.1;  // couples what would be two bodies
  const std::vector<int> body = find_bodies(problem);
  EXPECT_EQ(body[0], body[7]);
  EXPECT_NE(body[0], body[1]);
}

TEST(RestSplit, block_slides_on_blocks_that_rest) {
  const GlobalProblem problem = tower(3);
  VecX r = VecX::Zero(problem.w.size());
  RestSplit split(settings(20000));
  ASSERT_TRUE(split.supports(problem));
  SolveReport report;
  split.iterate(problem, r, report, {});
  EXPECT_EQ(report.status, SolveStatus::Converged);
  EXPECT_LE(compute_residual(to_local(problem), r).scaled, 1e-9);
  const VecX v = global_velocity(problem, MassFactor(problem.M), r);
  EXPECT_LT(v.head(12).norm(), 1e-8);
  EXPECT_NEAR(v[12], speed - mu * g * h, 1e-8);  // friction of the whole weight: no corner lifts at this slow turning
}

TEST(RestSplit, one_round_solves_both_parts_once_it_is_known_who_moves) {
  // Sweeps leave some speed in the blocks below; held, and loaded with what the sliding block gives, they rest.
  const GlobalProblem problem = tower(6);
  RestSplit split(settings(20000));
  const Budget budget;
  ASSERT_TRUE(split.set(problem, budget));
  VecX x = VecX::Zero(problem.w.size());
  split.whole().prepare_sweeps(x);
  for (int k = 0; k < 200; ++k) split.whole().sweep(x, true);
  const double swept = split.residual_of(x);
  ASSERT_GT(swept, 1e-6);
  ASSERT_LT(swept, 1e-2);
  EXPECT_LE(split.split(x, swept, 0), 1e-9);
}

TEST(RestSplit, ends_at_its_budget_and_gives_nothing_worse_back) {
  const GlobalProblem problem = tower(6);
  VecX r = VecX::Zero(problem.w.size());
  const double before = compute_residual(to_local(problem), r).scaled;
  RestSplit split(settings(1));
  SolveReport report;
  split.iterate(problem, r, report, {});
  EXPECT_TRUE(r.allFinite());
  EXPECT_LE(compute_residual(to_local(problem), r).scaled, before);
  EXPECT_LE(report.iterations, 2);
}

}  // namespace
}  // namespace cairn
