// SPDX-License-Identifier: Apache-2.0
// Sweeps: mixing, colours, islands and relaxation change the way, not the end; nothing is allocated on the way.
#include <gtest/gtest.h>

#include "cairn/solvers/island_sweeps.h"
#include "cairn/solvers/solver.h"
#include "solvers/random_problem.h"
#include "support/counting_malloc.h"

namespace cairn {
namespace {

TEST(Mixing, finds_the_solution_of_a_linear_iteration_in_two_dimensions_at_once) {
  // x -> M x + c with two eigenvalues: two differences span everything, so the third mixture is exact.
  const Mat2 M = (Mat2() << 0.9, 0.1, 0.05, 0.8).finished();
  const Vec2 c(1, -2), exact = (Mat2::Identity() - M).inverse() * c;
  Mixing mixing;
  mixing.set(2);
  MixingState state;
  Vec2 x(5, 3);
  double gamma[2];
  for (int k = 0; k < 3; ++k) {
    const Vec2 g = M * x + c, F = g - x;
    x = g;
    if (!mixing.weights(0, 2, state, F.data(), g.data(), gamma)) continue;
    for (int l = 0; l < 2; ++l) x[l] = mixing.mixed(l, g[l], gamma);
  }
  EXPECT_LT((x - exact).norm(), 1e-10 * exact.norm());
}

TEST(Mixing, drops_its_memory_and_turns_round_where_updates_grow) {
  MixingState state;
  for (int k = 0; k < 5; ++k) EXPECT_FALSE(state.due(1));
  EXPECT_TRUE(state.due(1));
  state.memory = 2;
  EXPECT_FALSE(state.turned());
  EXPECT_TRUE(state.due(2.1));
  EXPECT_EQ(state.memory, -1);
  EXPECT_TRUE(state.turned());
}

TEST(Mixing, leaves_it_to_plain_sweeps_where_it_gains_nothing_for_longer_each_time) {
  MixingState state;
  const auto count = [&](bool mixed) {  // sweeps until the answer changes
    int sweeps = 0;
    while (state.due(1) == mixed && sweeps < 10000) ++sweeps;
    return sweeps;
  };
  while (!state.due(1)) {
  }
  const int first = count(true), rest = count(false);
  EXPECT_GT(first, 30);
  EXPECT_LT(first, 100);
  const int again = count(true), longer = count(false);
  EXPECT_LT(again, first);
  EXPECT_GT(longer, 1.5 * rest);
}

TEST(Mixing, goes_on_where_it_gains) {
  MixingState state;
  double change = 1;
  for (int k = 0; k < 1000; ++k, change *= 0.98) EXPECT_EQ(state.due(change), k >= 5);
}

TEST(GaussSeidel, ends_at_the_same_velocity_whatever_the_kind_of_sweeps) {
  const PairProblem problem = random_problem(3, 30, 36, 3, 0.4);
  const LocalProblem local = to_local(problem);
  VecX reference;
  for (const char* accelerated : {"true", "false"})
    for (const char* coloured : {"true", "false"})
      for (const char* symmetric : {"true", "false"})
        for (const char* relaxation : {"1", "1.3"}) {
          const auto solver = solvers().make("gauss-seidel", {{"tolerance", "1e-10"},
                                                              {"max_iterations", "20000"},
                                                              {"accelerated", accelerated},
                                                              {"coloured", coloured},
                                                              {"symmetric", symmetric},
                                                              {"relaxation", relaxation}});
          VecX r = VecX::Zero(local.b.size()), r_local = r;
          EXPECT_EQ(solver->solve(problem, r).status, SolveStatus::Converged);
          EXPECT_EQ(solver->solve(local, r_local).status, SolveStatus::Converged);
          const VecX U = local.velocity(r);
          if (reference.size() == 0) reference = U;
          EXPECT_LT((U - reference).norm(), 1e-7 * reference.norm());
          EXPECT_LT((local.velocity(r_local) - reference).norm(), 1e-7 * reference.norm());
        }
}

TEST(GaussSeidel, mixing_saves_sweeps) {
  const LocalProblem local = to_local(random_problem(4, 40, 90, 5, 0.6));
  const auto sweeps = [&](const char* accelerated) {
    VecX r = VecX::Zero(local.b.size());
    return solvers()
        .make("gauss-seidel", {{"tolerance", "1e-9"}, {"max_iterations", "20000"}, {"accelerated", accelerated}})
        ->solve(local, r)
        .iterations;
  };
  EXPECT_LT(2 * sweeps("true"), sweeps("false"));
}

TEST(IslandSweeps, allocate_nothing_after_the_first_rounds) {
  if (!CAIRN_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns the allocator";
  const LocalProblem local = to_local(random_problem(4, 40, 90, 5, 0.6));
  IslandSweeps sweeps;
  sweeps.set(local, 1e-14, 1, true);
  VecX r = VecX::Zero(local.b.size());
  sweeps.start(r);
  sweeps.round(r, true);  // prepares contacts when they first close; equations keep their inverse
  for (int k = 0; k < 30; ++k) sweeps.round(r, true);
  ASSERT_GT(sweeps.active(), 0);
  const long before = cairn_test::allocations;
  for (int k = 0; k < 100; ++k) sweeps.round(r, true);
  EXPECT_EQ(cairn_test::allocations - before, 0);
}

TEST(IslandSweeps, an_island_that_is_solved_rests) {
  // Two islands: one contact on its own, solved by one sweep, and a net.
  PairProblem problem = random_problem(6, 10, 20, 0, 0.3);
  PairBlock alone = problem.blocks[0];
  alone.first = problem.block_count++;
  alone.second = -1;
  alone.beta = 0;
  alone.G2.setZero();
  alone.b = {-1, 0.1, 0};
  problem.blocks.push_back(alone);
  const LocalProblem local = to_local(problem);
  IslandSweeps sweeps;
  sweeps.set(local, 1e-12, 1, true);
  VecX r = VecX::Zero(local.b.size());
  sweeps.start(r);
  const int before = sweeps.active();
  sweeps.round(r, true);
  sweeps.round(r, true);
  EXPECT_EQ(sweeps.active(), before - 1);
  const Vec3 kept = r.tail<3>();
  for (int k = 0; k < 10; ++k) sweeps.round(r, true);
  EXPECT_EQ(Vec3(r.tail<3>()), kept);
  const Residual claimed = sweeps.residual(r), again = compute_residual(local, r);
  EXPECT_NEAR(claimed.scaled, again.scaled, 1e-15 + 1e-12 * again.scaled);
  EXPECT_NEAR(claimed.relative, again.relative, 1e-15 + 1e-12 * again.relative);
}

}  // namespace
}  // namespace cairn
