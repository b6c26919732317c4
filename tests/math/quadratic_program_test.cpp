// SPDX-License-Identifier: Apache-2.0
// The dual active-set method against the optimality conditions, and against every possible active set.
#include "cairn/math/quadratic_program.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <numbers>
#include <random>

namespace cairn {
namespace {

struct Program {
  MatX G;
  VecX a;
  LinearConstraints equalities, inequalities;
  double value(const VecX& x) const { return 0.5 * x.dot(G * x) + a.dot(x); }
};

MatX random_matrix(std::mt19937& rng, int rows, int columns) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, columns, [&] { return normal(rng); });
}

/// Feasible by construction: every constraint holds at a random point.
Program random_program(unsigned seed, int n, int equalities, int inequalities) {
  std::mt19937 rng(seed);
  const MatX root = random_matrix(rng, n, n);
  Program p{root * root.transpose() + 0.1 * MatX::Identity(n, n), 3 * random_matrix(rng, n, 1), {}, {}};
  const VecX inside = random_matrix(rng, n, 1);
  p.equalities.C = random_matrix(rng, n, equalities);
  p.equalities.c0 = -(p.equalities.C.transpose() * inside);
  p.inequalities.C = random_matrix(rng, n, inequalities);
  const VecX slack = random_matrix(rng, inequalities, 1).cwiseAbs();
  p.inequalities.c0 = slack - p.inequalities.C.transpose() * inside;
  return p;
}

void expect_optimal(const Program& p, const QuadraticSolution& s, double tolerance) {
  ASSERT_EQ(s.status, QuadraticStatus::Optimal);
  const VecX gradient = p.G * s.x + p.a - p.equalities.C * s.equality_multipliers - p.inequalities.C * s.multipliers;
  EXPECT_LT(gradient.norm(), tolerance);
  const VecX values = p.inequalities.C.transpose() * s.x + p.inequalities.c0;
  if (p.equalities.count() > 0) {
    EXPECT_LT((p.equalities.C.transpose() * s.x + p.equalities.c0).cwiseAbs().maxCoeff(), tolerance);
  }
  for (int i = 0; i < values.size(); ++i) {
    EXPECT_GE(values[i], -tolerance);
    EXPECT_GE(s.multipliers[i], 0);
    EXPECT_LT(std::abs(values[i] * s.multipliers[i]), tolerance * (1 + s.multipliers[i]));
  }
}

/// The least value over all subsets of inequalities taken as equalities whose minimum is feasible.
double brute_force_value(const Program& p) {
  const int n = static_cast<int>(p.a.size()), me = p.equalities.count(), mi = p.inequalities.count();
  double best = INFINITY;
  for (int mask = 0; mask < (1 << mi); ++mask) {
    const int q = me + std::popcount(static_cast<unsigned>(mask));
    if (q > n) continue;
    MatX K = MatX::Zero(n + q, n + q);
    VecX right(n + q);
    K.topLeftCorner(n, n) = p.G;
    right.head(n) = -p.a;
    int row = n;
    const auto put = [&](const VecX& c, double c0) {
      K.col(row).head(n) = c;
      K.row(row).head(n) = c.transpose();
      right[row++] = -c0;
    };
    for (int i = 0; i < me; ++i) put(p.equalities.C.col(i), p.equalities.c0[i]);
    for (int i = 0; i < mi; ++i)
      if (mask & (1 << i)) put(p.inequalities.C.col(i), p.inequalities.c0[i]);
    const Eigen::FullPivLU<MatX> lu(K);
    if (!lu.isInvertible()) continue;
    const VecX x = lu.solve(right).head(n);
    if (mi > 0 && (p.inequalities.C.transpose() * x + p.inequalities.c0).minCoeff() < -1e-9) continue;
    best = std::min(best, p.value(x));
  }
  return best;
}

TEST(QuadraticProgram, random_programs_reach_the_value_of_the_best_of_all_active_sets) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const int n = 1 + static_cast<int>(seed % 6), me = static_cast<int>(seed / 6 % 3), mi = static_cast<int>(seed % 9);
    if (me > n) continue;
    const Program p = random_program(seed, n, me, mi);
    const QuadraticSolution s = solve_quadratic_program(p.G, p.a, p.equalities, p.inequalities);
    expect_optimal(p, s, 1e-9);
    EXPECT_NEAR(p.value(s.x), brute_force_value(p), 1e-8 * (1 + std::abs(p.value(s.x)))) << "seed " << seed;
  }
}

TEST(QuadraticProgram, repeated_and_combined_constraints_change_nothing) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Program p = random_program(1000 + seed, 4, 1, 5);
    Program q = p;
    q.equalities.C.conservativeResize(4, 2);
    q.equalities.C.col(1) = -2 * p.equalities.C.col(0);
    q.equalities.c0.conservativeResize(2);
    q.equalities.c0[1] = -2 * p.equalities.c0[0];
    q.inequalities.C.conservativeResize(4, 12);
    q.inequalities.c0.conservativeResize(12);
    for (int i = 0; i < 5; ++i) {
      q.inequalities.C.col(5 + i) = 3 * p.inequalities.C.col(i);
      q.inequalities.c0[5 + i] = 3 * p.inequalities.c0[i];
    }
    for (int i = 0; i < 2; ++i) {
      q.inequalities.C.col(10 + i) = p.inequalities.C.col(i) + p.inequalities.C.col(i + 1);
      q.inequalities.c0[10 + i] = p.inequalities.c0[i] + p.inequalities.c0[i + 1];
    }
    const QuadraticSolution once = solve_quadratic_program(p.G, p.a, p.equalities, p.inequalities);
    const QuadraticSolution twice = solve_quadratic_program(q.G, q.a, q.equalities, q.inequalities);
    expect_optimal(q, twice, 1e-9);
    EXPECT_LT((once.x - twice.x).norm(), 1e-9 * (1 + once.x.norm())) << "seed " << seed;
  }
}

TEST(QuadraticProgram, many_constraints_through_one_point_end_at_that_point) {
  // Cone with 40 facets at the origin, minimum of |x - (0, 0, -1)|^2 far below it: the apex, with 37 constraints too
  // many.
  LinearConstraints facets{MatX(3, 40), VecX::Zero(40)};
  for (int j = 0; j < 40; ++j)
    facets.C.col(j) << std::cos(j * std::numbers::pi / 20), std::sin(j * std::numbers::pi / 20), 1;
  const QuadraticSolution s =
      solve_quadratic_program(MatX::Identity(3, 3), Vec3(0, 0, 1), {MatX(3, 0), VecX(0)}, facets);
  ASSERT_EQ(s.status, QuadraticStatus::Optimal);
  EXPECT_LT(s.x.norm(), 1e-12);
}

TEST(QuadraticProgram, constraints_that_exclude_each_other_are_reported) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    // Farkas: the last normal is minus a positive combination of the others, with a value that cannot be reached.
    Program p = random_program(2000 + seed, 5, 0, 4);
    p.inequalities.C.conservativeResize(5, 5);
    p.inequalities.c0.conservativeResize(5);
    p.inequalities.C.col(4) = -p.inequalities.C.leftCols(4) * Eigen::Vector4d(1, 0.5, 2, 0.3);
    p.inequalities.c0[4] = -p.inequalities.c0.head(4).dot(Eigen::Vector4d(1, 0.5, 2, 0.3)) - 0.01;
    const QuadraticSolution s = solve_quadratic_program(p.G, p.a, p.equalities, p.inequalities);
    EXPECT_EQ(s.status, QuadraticStatus::Infeasible) << "seed " << seed;
  }
  LinearConstraints contradictory{MatX::Ones(1, 2), VecX::Zero(2)};
  contradictory.c0[1] = 1;
  const LinearConstraints none{MatX(1, 0), VecX(0)};
  EXPECT_EQ(solve_quadratic_program(MatX::Identity(1, 1), VecX::Zero(1), contradictory, none).status,
            QuadraticStatus::Infeasible);
}

TEST(QuadraticProgram, an_indefinite_matrix_is_refused) {
  MatX G = MatX::Identity(2, 2);
  G(1, 1) = -1;
  const LinearConstraints none{MatX(2, 0), VecX(0)};
  EXPECT_EQ(solve_quadratic_program(G, VecX::Zero(2), none, none).status, QuadraticStatus::NotDefinite);
}

TEST(QuadraticProgram, a_singular_matrix_is_solved_to_the_optimality_conditions_by_proximal_steps) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    // Redundant contacts: G = N'N of rank 3 with 8 columns, a in its range, x >= 0.
    std::mt19937 rng(seed);
    const MatX N = random_matrix(rng, 3, 8);
    const Program p{N.transpose() * N,
                    N.transpose() * random_matrix(rng, 3, 1),
                    {MatX(8, 0), VecX(0)},
                    {MatX::Identity(8, 8), VecX::Zero(8)}};
    const DualActiveSet solver(p.G, 1e-8);
    ASSERT_TRUE(solver.definite());
    const QuadraticSolution s = solver.solve(p.a, p.equalities, p.inequalities);
    expect_optimal(p, s, 1e-10);
    EXPECT_LE(s.proximal_steps, 10);
  }
}

TEST(QuadraticProgram, an_objective_that_falls_forever_is_called_unbounded) {
  // G sees only x1; x2 >= 0 may grow without limit.
  MatX G = MatX::Zero(2, 2);
  G(0, 0) = 1;
  const LinearConstraints none{MatX(2, 0), VecX(0)}, bounds{MatX::Identity(2, 2), VecX::Zero(2)};
  EXPECT_EQ(DualActiveSet(G, 1e-8).solve(Vec2(-1, -1), none, bounds).status, QuadraticStatus::Unbounded);
}

TEST(QuadraticProgram, starting_from_the_last_active_set_needs_no_constraint_to_be_dropped) {
  const Program p = random_program(77, 6, 0, 20);
  const DualActiveSet solver(p.G);
  const QuadraticSolution cold = solver.solve(p.a, p.equalities, p.inequalities);
  const QuadraticSolution warm = solver.solve(p.a, p.equalities, p.inequalities, {}, cold.active);
  expect_optimal(p, warm, 1e-9);
  EXPECT_LE(warm.iterations, static_cast<int>(cold.active.size()) + 2);
  EXPECT_LE(warm.iterations, cold.iterations);
}

}  // namespace
}  // namespace cairn
