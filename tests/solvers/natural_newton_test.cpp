// SPDX-License-Identifier: Apache-2.0
// Newton on the natural map: quadratic, the same in both spaces, regular without full rank.
#include "cairn/solvers/natural_newton.h"

#include <gtest/gtest.h>

#include "solvers/random_problem.h"

namespace cairn {
namespace {

struct Outcome {
  SolveReport report;
  VecX r, U;
};

template <class Space, class Problem>
Outcome run(Space& space, const Problem& problem, double tolerance, int iterations = 100) {
  space.set(problem);
  EXPECT_TRUE(space.plan(1e12));
  NaturalNewton::Settings settings;
  settings.tolerance = tolerance;
  settings.max_iterations = iterations;
  NaturalNewton newton(settings);
  Outcome out;
  VecX x = VecX::Zero(space.laws().total());
  newton.iterate(space, x, out.report, {});
  out.r = x.cwiseQuotient(space.laws().scale);
  space.velocity(x, out.U);
  return out;
}

TEST(NaturalNewton, takes_the_same_way_in_both_spaces) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PairProblem problem = random_problem(seed, 12, 14, 3, 0.3);
    ContactSpace contact;
    VelocitySpace velocity;
    const Outcome a = run(contact, to_local(problem), 1e-9), b = run(velocity, problem, 1e-9);
    EXPECT_EQ(a.report.status, SolveStatus::Converged) << seed;
    EXPECT_EQ(a.report.iterations, b.report.iterations) << seed;
    EXPECT_LT((a.U - b.U).norm(), 1e-6 * a.U.norm()) << seed;
  }
}

TEST(NaturalNewton, squares_the_residual_near_the_solution) {
  // One iteration more from 1e-4 or below gains far more than any linear rate would.
  int fast = 0, seen = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const LocalProblem problem = to_local(random_problem(seed, 12, 14, 3, 0.3));
    ContactSpace space;
    double before = 1;
    for (int iterations = 1; iterations < 40; ++iterations) {
      const double now = run(space, problem, 1e-13, iterations).report.residual.scaled;
      if (before < 1e-3 && before > 1e-6) {
        ++seen;
        fast += now < 0.02 * before ? 1 : 0;
      }
      before = now;
      if (now < 1e-12) break;
    }
    EXPECT_LT(before, 1e-11) << seed;
  }
  EXPECT_GT(seen, 10);
  EXPECT_GT(fast, 0.8 * seen);
}

TEST(NaturalNewton, converges_without_full_rank) {
  const PairProblem problem = four_legged_table();
  ContactSpace contact;
  VelocitySpace velocity;
  const Outcome a = run(contact, to_local(problem), 1e-12), b = run(velocity, problem, 1e-12);
  EXPECT_EQ(a.report.status, SolveStatus::Converged);
  EXPECT_EQ(b.report.status, SolveStatus::Converged);
  EXPECT_LT(a.U.norm(), 1e-11);
  double weight = 0;
  for (int i = 0; i < 4; ++i) weight += a.r[3 * i];
  EXPECT_NEAR(weight, 0.1, 1e-10);
}

}  // namespace
}  // namespace cairn
