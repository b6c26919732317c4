// SPDX-License-Identifier: Apache-2.0
// The single-contact solution and Gauss-Seidel. Properties of all solvers: every_solver_test.cpp.
#include <gtest/gtest.h>

#include "cairn/solvers/single_contact.h"
#include "cairn/solvers/solver.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

Mat3 random_spd(std::mt19937& rng) {
  std::normal_distribution<double> d;
  Mat3 A;
  for (double& x : A.reshaped()) x = d(rng);
  return A * A.transpose() + 0.05 * Mat3::Identity();
}

TEST(SingleContact, solves_random_contacts_exactly) {
  std::mt19937 rng(11);
  std::normal_distribution<double> d;
  int open = 0, stick = 0, slip = 0;
  for (int i = 0; i < 20000; ++i) {
    const Mat3 W = random_spd(rng);
    const Vec3 b(d(rng), d(rng), d(rng));
    const double mu = std::abs(d(rng));
    SingleContact contact;
    contact.prepare(W);
    double lambda = i % 2 ? 0 : std::exp(5 * d(rng));  // any start
    const Vec3 r = contact.solve(b, mu, lambda), U = W * r + b;
    EXPECT_LT(natural_map(LawKind::Coulomb, mu, U, r, 1 / W.trace()).norm(), 1e-11 * (b.norm() + 1)) << i;
    (r.isZero(0) ? open : std::hypot(r[1], r[2]) < mu * r[0] * (1 - 1e-9) ? stick : slip)++;
  }
  EXPECT_GT(open, 1000);
  EXPECT_GT(stick, 1000);
  EXPECT_GT(slip, 1000);
}

TEST(SingleContact, agrees_with_the_closed_form_for_diagonal_w) {
  // Validation problem N1: W = diag(wn, wt, wt).
  SingleContact contact;
  const double wn = 2, wt = 0.5, mu = 0.3;
  contact.prepare(Vec3(wn, wt, wt).asDiagonal());
  double lambda = 0;
  EXPECT_EQ(contact.solve({0.1, 3, 4}, mu, lambda), Vec3::Zero());
  EXPECT_LT((contact.solve({-4, 0.1, -0.2}, mu, lambda) - Vec3(2, -0.2, 0.4)).norm(), 1e-15);
  EXPECT_LT((contact.solve({-4, 3, 4}, mu, lambda) - Vec3(2, -0.6 * 0.6, -0.6 * 0.8)).norm(), 1e-14);
}

TEST(GaussSeidel, says_when_the_iteration_limit_was_reached) {
  const PairProblem problem = random_problem(2, 4, 30, 0, 0.8);
  const auto solver = solvers().make("gauss-seidel", {{"max_iterations", "2"}, {"tolerance", "1e-14"}});
  VecX r = VecX::Zero(3 * static_cast<int>(problem.size()));
  const SolveReport report = solver->solve(problem, r);
  EXPECT_EQ(report.status, SolveStatus::IterationLimit);
  EXPECT_EQ(report.iterations, 2);
}

}  // namespace
}  // namespace cairn
