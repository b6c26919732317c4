// SPDX-License-Identifier: Apache-2.0
// Complementarity problems: residual, standard form against enumeration, and the Stewart-Trinkle form of contacts.
#include "cairn/problem/lcp.h"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/base/error.h"
#include "cairn/problem/polyhedral.h"
#include "cairn/problem/residual.h"
#include "problem/enumerate_mlcp.h"

namespace cairn {
namespace {

const double inf = std::numeric_limits<double>::infinity();

TEST(mlcp, residual_is_zero_at_enumerated_solutions_and_positive_elsewhere) {
  const Mlcp p = random_mlcp(1, 6);
  const std::vector<VecX> solutions = enumerate_solutions(p);
  ASSERT_EQ(solutions.size(), 1u);  // the symmetric part is positive definite
  EXPECT_LT(compute_residual(p, solutions[0]), 1e-12);
  VecX off = solutions[0];
  off[0] += 0.1;
  EXPECT_GT(compute_residual(p, off), 1e-3);
}

TEST(mlcp, as_a_contact_problem_it_has_the_same_residual) {
  Mlcp p = random_mlcp(2, 4);
  VecX z = p.lower.cwiseMax(-1).cwiseMin(1);
  z[2] = 0.15;
  EXPECT_NEAR(compute_residual(to_local(p), z).scaled, compute_residual(p, z), 1e-13);
}

TEST(mlcp, standard_form_has_the_solution_of_the_bounded_one) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Mlcp p = random_mlcp(seed, 6);
    const std::vector<VecX> expected = enumerate_solutions(p);
    ASSERT_EQ(expected.size(), 1u);
    const LcpReduction reduction(p);
    Mlcp standard{reduction.M(), reduction.q(), VecX::Zero(reduction.q().size()),
                  VecX::Constant(reduction.q().size(), inf)};
    const std::vector<VecX> found = enumerate_solutions(standard);
    ASSERT_EQ(found.size(), 1u) << seed;
    EXPECT_LT((reduction.recover(found[0]) - expected[0]).norm(), 1e-9) << seed;
    const std::vector<char> basis = reduction.find_basis(expected[0]);
    for (Eigen::Index i = 0; i < found[0].size(); ++i)
      EXPECT_TRUE(basis[static_cast<std::size_t>(i)] || found[0][i] <= 1e-6) << seed << " " << i;
  }
}

TEST(mlcp, equation_without_diagonal_takes_a_complementarity_row_with_it) {
  // w0 = z1 - 2 = 0 with z0 free, w1 = -z0 + z1 + 5 _|_ z1 >= 0: z1 = 2, hence w1 = 0 and z0 = 7.
  Mlcp p;
  p.M.resize(2, 2);
  p.M << 0, 1, -1, 1;
  p.q = vec({-2, 5});
  p.lower = vec({-inf, 0});
  p.upper = vec({inf, inf});
  const LcpReduction reduction(p);
  ASSERT_EQ(reduction.q().size(), 1);
  EXPECT_NEAR(reduction.q()[0], 2, 1e-12);  // its variable is w1 = 0, its slack z1 = 2
  EXPECT_LT((reduction.recover(VecX::Zero(1)) - vec({7, 2})).norm(), 1e-12);
  EXPECT_TRUE(reduction.remark().empty());
}

TEST(mlcp, dependent_and_contradictory_equations_are_told_apart) {
  Mlcp p;
  p.M = MatX::Ones(2, 2);
  p.q = vec({-1, -1});
  p.lower = vec({-inf, -inf});
  p.upper = vec({inf, inf});
  const LcpReduction dependent(p);
  EXPECT_FALSE(dependent.contradictory());
  EXPECT_NEAR(dependent.recover(VecX()).sum(), 1, 1e-12);
  p.q[1] = 3;
  EXPECT_TRUE(LcpReduction(p).contradictory());
}

TEST(mlcp, refinement_solves_the_active_rows_again) {
  const Mlcp p = random_mlcp(3, 6);
  const VecX exact = enumerate_solutions(p).at(0);
  VecX z = exact;
  for (int i = 0; i < p.size(); ++i)
    if (z[i] > p.lower[i] + 1e-6 && z[i] < p.upper[i] - 1e-6) z[i] *= 1 + 1e-7;
  ASSERT_GT(compute_residual(p, z), 1e-9);
  refine_on_active_set(p, z);
  EXPECT_LT(compute_residual(p, z), 1e-14);
}

TEST(mlcp, monotone_means_positive_semidefinite_symmetric_part) {
  MatX skew(2, 2), indefinite(2, 2);
  skew << 0, 1, -1, 0;
  indefinite << 0, 1, 1, 0;
  EXPECT_TRUE(is_monotone(skew));
  EXPECT_FALSE(is_monotone(indefinite));
}

TEST(mlcp, rejects_sizes_and_bounds_that_do_not_fit) {
  Mlcp p = random_mlcp(4, 3);
  EXPECT_NO_THROW(check_problem(p, "test"));
  p.lower[0] = 2;
  p.upper[0] = 1;
  EXPECT_THROW(check_problem(p, "test"), Error);
  p.lower.resize(2);
  EXPECT_THROW(check_problem(p, "test"), Error);
}

// W with trace(W)/rows = 1 and max |b| = 1: scaled variables are the plain ones.
LocalProblem unit_contact() {
  MatX W(3, 3);
  W << 1.2, 0.1, -0.2, 0.1, 0.8, 0.3, -0.2, 0.3, 1;
  return one_contact(W, {LawKind::Coulomb, 0.4}, vec({-1, 0.5, -0.25}));
}

TEST(polyhedral, pyramid_is_the_stewart_trinkle_matrix) {
  const LocalProblem problem = unit_contact();
  const int m = 6;
  const PolyhedralModel model = to_mlcp(problem, {FrictionModel::Kind::Pyramid, m});
  ASSERT_EQ(model.mlcp.size(), m + 2);
  ASSERT_EQ(count_unknowns(problem, {FrictionModel::Kind::Pyramid, m}), m + 2);
  // Kaufman 2.5.7: [N'WN N'WD 0; D'WN D'WD E; mu -E' 0] with D the directions in the tangent plane.
  const MatX W = problem.diagonal(0);
  MatX D(2, m);
  for (int j = 0; j < m; ++j) {
    const double angle = 2 * std::numbers::pi * j / m;
    D.col(j) << std::cos(angle), std::sin(angle);
  }
  MatX A = MatX::Zero(m + 2, m + 2);
  A(0, 0) = W(0, 0);
  A.block(0, 1, 1, m) = W.block(0, 1, 1, 2) * D;
  A.block(1, 0, m, 1) = D.transpose() * W.block(1, 0, 2, 1);
  A.block(1, 1, m, m) = D.transpose() * W.block(1, 1, 2, 2) * D;
  A.block(1, m + 1, m, 1).setOnes();
  A(m + 1, 0) = 0.4;
  A.block(m + 1, 1, 1, m).setConstant(-1);
  EXPECT_LT((model.mlcp.M - A).norm(), 1e-13);
  EXPECT_LT((model.mlcp.q.segment(1, m) - D.transpose() * problem.b.tail(2)).norm(), 1e-14);
}

TEST(polyhedral, impulses_survive_the_way_there_and_back) {
  const LocalProblem problem = unit_contact();
  const BalancedProblem scaled(problem);
  for (const auto kind : {FrictionModel::Kind::Pyramid, FrictionModel::Kind::Box}) {
    const PolyhedralModel model = to_mlcp(scaled, {kind, 8}, make_discs(scaled, 8));
    for (int k = 0; k < 20; ++k) {
      const VecX r = vec({1, 0.3 * std::cos(0.7 * k), 0.3 * std::sin(0.7 * k)});
      const VecX z = find_unknowns(model, scaled, r);
      EXPECT_LT((from_mlcp(model, z) - r).norm(), 1e-13);
      if (kind == FrictionModel::Kind::Pyramid) {
        EXPECT_GE(z.minCoeff(), 0);
      }
    }
  }
}

TEST(polyhedral, plane_friction_has_two_directions_and_box_bounds_follow_the_lagged_normal_impulse) {
  MatX W(2, 2);
  W << 1, 0.2, 0.2, 1;
  const LocalProblem plane = one_contact(W, {LawKind::Coulomb, 0.3}, vec({-1, 0.5}));
  EXPECT_EQ(to_mlcp(plane, {FrictionModel::Kind::Pyramid, 16}).mlcp.size(), 4);
  EXPECT_FALSE(has_spatial_friction(plane));
  const PolyhedralModel box = to_mlcp(plane, {FrictionModel::Kind::Box}, vec({2, 0}));
  ASSERT_EQ(box.mlcp.size(), 2);
  EXPECT_NEAR(box.mlcp.upper[1], 0.6, 1e-14);
  EXPECT_NEAR(box.mlcp.lower[1], -0.6, 1e-14);
}

TEST(polyhedral, units_of_the_problem_do_not_change_the_model) {
  LocalProblem small = unit_contact(), large = unit_contact();
  for (double& x : large.W.values) x *= 1e6;
  large.b *= 1e-4;
  const PolyhedralModel a = to_mlcp(small, {}), c = to_mlcp(large, {});
  EXPECT_LT((a.mlcp.M - c.mlcp.M).norm(), 1e-12);
  EXPECT_LT((a.mlcp.q - c.mlcp.q).norm(), 1e-12);
}

TEST(polyhedral, odd_numbers_of_facets_are_refused) {
  EXPECT_THROW(to_mlcp(unit_contact(), {FrictionModel::Kind::Pyramid, 5}), Error);
}

}  // namespace
}  // namespace cairn
