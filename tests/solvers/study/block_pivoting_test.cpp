// SPDX-License-Identifier: Apache-2.0
// Block principal pivoting against enumeration, cycling examples, rank deficiency and closed forms.
#include "cairn/solvers/study/block_pivoting.h"

#include <gtest/gtest.h>

#include "cairn/solvers/lemke.h"
#include "problem/enumerate_mlcp.h"

namespace cairn {
namespace {

const double inf = std::numeric_limits<double>::infinity();

Mlcp make_lcp(const MatX& M, const VecX& q) { return {M, q, VecX::Zero(q.size()), VecX::Constant(q.size(), inf)}; }

SolveReport run(const LocalProblem& problem, VecX& r, bool refine = true) {
  BlockPivoting::Settings settings;
  settings.tolerance = 1e-10;
  settings.refine = refine;
  if (r.size() == 0) r = VecX::Zero(problem.b.size());
  return BlockPivoting(settings).solve(problem, r);
}

/// All variables at the given state.
std::vector<PivotState> all(int n, PivotState state) {
  return std::vector<PivotState>(static_cast<std::size_t>(n), state);
}

TEST(block_pivoting, finds_the_unique_solution_of_bounded_problems) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Mlcp p = random_mlcp(seed, 6);
    VecX z;
    const SolveReport report = run(to_local(p), z, false);
    ASSERT_EQ(report.status, SolveStatus::Converged) << seed << ": " << report.message;
    EXPECT_LT((z - enumerate_solutions(p).at(0)).norm(), 1e-9) << seed;
  }
}

TEST(block_pivoting, agrees_with_lemke_on_larger_problems) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Mlcp p = random_mlcp(seed, 60);
    std::vector<PivotState> states = all(60, PivotState::Free);
    for (int i = 0; i < 60; ++i)
      if (p.lower[i] == p.upper[i]) states[static_cast<std::size_t>(i)] = PivotState::Lower;
    VecX z;
    const BlockPivotRun pivots = run_block_pivoting(p, states, z, 5000, [] { return false; });
    ASSERT_TRUE(pivots.solved) << seed;
    const MlcpAnswer answer = solve_by_lemke(p, VecX(), 1e-12, 10000, [] { return false; });
    EXPECT_LT((z - answer.z).norm(), 1e-8 * z.norm()) << seed;
  }
}

// Kostreva 1979: the example on which simple principal pivoting cycles; by symmetry z = (1, 1, 1)/3.
TEST(block_pivoting, single_pivots_end_kostrevas_cycle) {
  MatX M(3, 3);
  M << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const Mlcp p = make_lcp(M, -VecX::Ones(3));
  std::vector<PivotState> states{PivotState::Free, PivotState::Lower, PivotState::Lower};
  VecX z;
  const BlockPivotRun pivots = run_block_pivoting(p, states, z, 200, [] { return false; });
  EXPECT_TRUE(pivots.solved);
  EXPECT_LT((z - VecX::Constant(3, 1.0 / 3)).norm(), 1e-14);
}

// Murty 1988, chapter 6: single pivots need 2^n steps here in the worst order; z = (1, 0, ..., 0).
TEST(block_pivoting, blocks_make_murtys_exponential_example_short) {
  const int n = 10;
  MatX M = MatX::Identity(n, n);
  for (int i = 0; i < n; ++i) M.row(i).head(i).setConstant(2);
  std::vector<PivotState> states = all(n, PivotState::Lower);
  VecX z;
  const BlockPivotRun pivots = run_block_pivoting(make_lcp(M, -VecX::Ones(n)), states, z, 5000, [] { return false; });
  EXPECT_TRUE(pivots.solved);
  EXPECT_LT((z - VecX::Unit(n, 0)).norm(), 1e-14);
  EXPECT_LT(pivots.iterations, 100);
}

TEST(block_pivoting, singular_block_is_reported_by_the_kernel) {
  std::vector<PivotState> states = all(2, PivotState::Free);
  VecX z;
  const BlockPivotRun pivots =
      run_block_pivoting(make_lcp(MatX::Ones(2, 2), vec({-1, -2})), states, z, 100, [] { return false; });
  EXPECT_TRUE(pivots.singular);
  EXPECT_FALSE(pivots.solved);
}

TEST(block_pivoting, rank_deficient_brick_is_solved_by_proximal_steps) {
  const double gh = 0.0981;
  const LocalProblem problem = brick_on_corners(0, Vec3(0.3, -0.2, -gh));
  VecX r;
  const SolveReport report = run(problem, r, false);
  ASSERT_EQ(report.status, SolveStatus::Converged) << report.message;
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], gh, 1e-10);
}

TEST(block_pivoting, plane_friction_is_exact_once_the_bounds_stand_still) {
  // U_N = r_N + 0.3 r_T - 1, slides: r_T = -mu r_N, so r_N = 1 / (1 - 0.3 mu).
  MatX W(2, 2);
  W << 1, 0.3, 0.3, 1;
  VecX r;
  const SolveReport report = run(one_contact(W, {LawKind::Coulomb, 0.4}, vec({-1, 3})), r, false);
  EXPECT_EQ(report.status, SolveStatus::Converged) << report.message;
  EXPECT_NEAR(r[0], 1 / (1 - 0.12), 1e-9);
  EXPECT_NEAR(r[1], -0.4 / (1 - 0.12), 1e-9);
}

TEST(block_pivoting, box_in_space_leaves_the_cone_and_says_so) {
  const LocalProblem problem = particle_contact(1, 0.3, vec({-1, 2, 2}));
  VecX box, exact;
  const SolveReport report = run(problem, box, false);
  EXPECT_EQ(report.status, SolveStatus::Stalled);
  EXPECT_NE(report.message.find("true cone"), std::string::npos) << report.message;
  EXPECT_EQ(run(problem, exact).status, SolveStatus::Converged);
  EXPECT_LT((exact - vec({1, -0.3 * std::sqrt(0.5), -0.3 * std::sqrt(0.5)})).norm(), 1e-9);
}

TEST(block_pivoting, problem_without_solution_is_not_called_solved) {
  VecX z;
  const SolveReport report = run(to_local(make_lcp(MatX::Constant(1, 1, -0.8), VecX::Constant(1, -9.81))), z);
  EXPECT_NE(report.status, SolveStatus::Converged);
  EXPECT_TRUE(z.allFinite());
}

TEST(block_pivoting, declines_large_problems) {
  BlockPivoting::Settings settings;
  settings.max_unknowns = 2;
  VecX r = VecX::Zero(3);
  EXPECT_EQ(BlockPivoting(settings).solve(particle_contact(1, 0.3, vec({-1, 1, 0})), r).status, SolveStatus::TooCostly);
}

}  // namespace
}  // namespace cairn
