// SPDX-License-Identifier: Apache-2.0
// The path of De Saxce's shift: it leads to solutions from a bad start, the same in both spaces, and tells where there
// is none.
#include "cairn/solvers/shift_path.h"

#include <gtest/gtest.h>

#include "cairn/solvers/auto_solver.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

template <class Space, class Problem>
SolveReport run(Space& space, const Problem& problem, VecX& r, VecX& U, int iterations = 2000) {
  space.set(problem);
  EXPECT_TRUE(space.plan(1e12));
  ShiftPath::Settings settings;
  settings.tolerance = 1e-9;
  settings.max_iterations = iterations;
  ShiftPath path(settings);
  SolveReport report;
  VecX x = VecX::Zero(space.laws().total());
  path.iterate(space, x, report, {});
  r = x.cwiseQuotient(space.laws().scale);
  space.velocity(x, U);
  return report;
}

TEST(ShiftPath, solves_problems_from_zero_in_both_spaces) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PairProblem problem = random_problem(seed, 12, 14, 3, 0.3);
    const LocalProblem local = to_local(problem);
    ContactSpace contact;
    VelocitySpace velocity;
    VecX ra, rb, Ua, Ub;
    EXPECT_EQ(run(contact, local, ra, Ua).status, SolveStatus::Converged) << seed;
    EXPECT_EQ(run(velocity, problem, rb, Ub).status, SolveStatus::Converged) << seed;
    EXPECT_LE(compute_residual(local, ra).scaled, 1e-9) << seed;
    EXPECT_LE(compute_residual(local, rb).scaled, 1e-9) << seed;
  }
}

TEST(ShiftPath, needs_no_full_rank) {
  const PairProblem problem = four_legged_table();
  ContactSpace contact;
  VecX r, U;
  EXPECT_EQ(run(contact, to_local(problem), r, U).status, SolveStatus::Converged);
  EXPECT_LT(U.norm(), 1e-8);
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 0.1, 1e-8);
}

TEST(ShiftPath, ends_at_its_budget_with_the_best_it_has) {
  const PairProblem problem = random_problem(3, 12, 14, 3, 0.3);
  ContactSpace contact;
  VecX r, U;
  const SolveReport report = run(contact, to_local(problem), r, U, 2);
  EXPECT_EQ(report.status, SolveStatus::IterationLimit);
  EXPECT_TRUE(r.allFinite());
}

/// A unit mass between two walls that close in on it at 1 m/s each: U_1N = v + b, U_2N = -v + b, b = -1. Friction acts
/// against the only motion that De Saxce's shift could live on, so there is no solution whatever mu is.
LocalProblem closing_walls(double mu) {
  LocalProblem problem;
  problem.offset = {0, 3, 6};
  problem.law.assign(2, {LawKind::Coulomb, mu});
  const Mat3 same = Mat3::Identity(), other = Vec3(-1, 1, 1).asDiagonal();
  problem.W.row_start = {0, 2, 4};
  problem.W.column = {0, 1, 0, 1};
  problem.W.start = {0, 9, 18, 27};
  for (const Mat3& B : {same, other, other, same})
    problem.W.values.insert(problem.W.values.end(), B.data(), B.data() + 9);
  problem.b = VecX::Zero(6);
  problem.b[0] = problem.b[3] = -1;
  return problem;
}

TEST(ShiftPath, tells_a_problem_without_solution) {
  for (const double mu : {0.1, 0.5, 2.0}) {
    const LocalProblem problem = closing_walls(mu);
    ContactSpace contact;
    VecX r, U;
    const SolveReport report = run(contact, problem, r, U);
    EXPECT_EQ(report.status, SolveStatus::Infeasible) << mu;
    EXPECT_NE(report.message.find("no solution"), std::string::npos);
    EXPECT_TRUE(r.allFinite());
    // auto says the same, with the best iterate it has.
    AutoSolver solver({});
    VecX best = VecX::Zero(6);
    const SolveReport whole = solver.solve(problem, best);
    EXPECT_EQ(whole.status, SolveStatus::Infeasible) << mu;
    EXPECT_TRUE(best.allFinite());
  }
}

}  // namespace
}  // namespace cairn
