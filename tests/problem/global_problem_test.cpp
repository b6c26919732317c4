// SPDX-License-Identifier: Apache-2.0
// The global form: condensation against dense algebra, both ways, and refusal of what does not fit.
#include "cairn/problem/global_problem.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "cairn/problem/dense_matrix.h"
#include "cairn/problem/residual.h"

namespace cairn {
namespace {

/// Bodies of the given sizes with random (slightly unsymmetric) masses, contacts of three rows and one equation between
/// them.
GlobalProblem random_global(unsigned seed, const std::vector<int>& bodies, int contacts, double skew) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  GlobalProblem p;
  std::vector<int> start{0};
  for (const int n : bodies) start.push_back(start.back() + n);
  std::vector<Eigen::Triplet<double>> M, H;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const int n = bodies[k];
    const MatX A = MatX::NullaryExpr(n, n, [&] { return d(rng); });
    const MatX S = MatX::NullaryExpr(n, n, [&] { return d(rng); });
    const MatX block = A * A.transpose() + MatX::Identity(n, n) + skew * (S - S.transpose());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M.emplace_back(start[k] + i, start[k] + j, block(i, j));
  }
  for (int c = 0; c <= contacts; ++c) {
    const int rows = c == contacts ? 1 : 3;
    p.law.push_back(c == contacts ? ConstraintLaw{LawKind::Bilateral} : ConstraintLaw{LawKind::Coulomb, 0.4});
    const std::size_t a = rng() % bodies.size(), b = rng() % bodies.size();
    for (const std::size_t body : {a, b})
      for (int l = 0; l < rows; ++l)
        for (int i = 0; i < bodies[body]; ++i) H.emplace_back(start[body] + i, p.offset.back() + l, d(rng));
    p.offset.push_back(p.offset.back() + rows);
  }
  const int n = start.back(), m = p.offset.back();
  p.M.resize(n, n);
  p.M.setFromTriplets(M.begin(), M.end());
  p.H.resize(n, m);
  p.H.setFromTriplets(H.begin(), H.end());
  p.f = VecX::NullaryExpr(n, [&] { return d(rng); });
  p.w = VecX::NullaryExpr(m, [&] { return d(rng); });
  return p;
}

TEST(GlobalProblem, condenses_like_dense_algebra_also_unsymmetric_and_with_large_bodies) {
  for (const auto& bodies : {std::vector<int>{6, 6, 6, 6}, {3, 12, 1}, {450, 6}}) {
    for (const double skew : {0.0, 0.05}) {
      GlobalProblem p = random_global(3, bodies, 6, skew);
      p.compliance = VecX::LinSpaced(p.offset.back(), 0, 0.1);
      const LocalProblem local = to_local(p);
      const MatX M = MatX(p.M), H = MatX(p.H);
      const MatX W = H.transpose() * M.partialPivLu().solve(H) + MatX(p.compliance.asDiagonal());
      EXPECT_LT((to_dense(local) - W).norm(), 1e-11 * W.norm());
      const VecX b = H.transpose() * M.partialPivLu().solve(p.f) + p.w;
      EXPECT_LT((local.b - b).norm(), 1e-11 * b.norm());
      const VecX r = VecX::LinSpaced(p.offset.back(), -1, 1);
      const VecX v = global_velocity(p, MassFactor(p.M), r);
      EXPECT_LT((M * v - p.f - H * r).norm(), 1e-10 * p.f.norm());
      EXPECT_LT((H.transpose() * v + p.w + p.compliance.cwiseProduct(r) - local.velocity(r)).norm(), 1e-10 * b.norm());
    }
  }
}

TEST(GlobalProblem, bodies_are_the_groups_that_the_mass_couples) {
  const GlobalProblem p = random_global(5, {2, 3, 1}, 2, 0);
  EXPECT_EQ(mass_parts(p.M), (std::vector<int>{0, 0, 1, 1, 1, 2}));
}

TEST(GlobalProblem, a_local_problem_has_a_global_form_with_the_same_w) {
  const LocalProblem local = to_local(random_global(6, {6, 6}, 8, 0));  // 25 rows, 12 freedoms: rank deficient
  const LocalProblem back = to_local(to_global(local));
  EXPECT_LT((to_dense(back) - to_dense(local)).norm(), 1e-10 * to_dense(local).norm());
  EXPECT_EQ(back.b, local.b);
  EXPECT_THROW(to_global(to_local(random_global(6, {6, 6}, 3, 0.3))), Error);
}

TEST(GlobalProblem, what_does_not_fit_is_refused_by_name) {
  const auto complaint = [](const GlobalProblem& p) {
    try {
      check_problem(p, "here");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const GlobalProblem good = random_global(7, {6, 6}, 2, 0);
  EXPECT_EQ(complaint(good), "none");
  GlobalProblem p = good;
  p.f.conservativeResize(3);
  EXPECT_NE(complaint(p).find("f has 3 entries"), std::string::npos);
  p = good;
  p.w[2] = std::nan("");
  EXPECT_NE(complaint(p).find("not finite"), std::string::npos);
  p = good;
  p.law[0].mu = -1;
  EXPECT_NE(complaint(p).find("constraint 0"), std::string::npos);
  p = good;
  p.compliance = VecX::Constant(p.offset.back(), -1);
  EXPECT_NE(complaint(p).find("compliance"), std::string::npos);
  p = good;
  p.M.coeffRef(0, 0) = 0;
  for (int i = 0; i < 6; ++i) p.M.coeffRef(0, i) = p.M.coeffRef(i, 0) = 0;
  EXPECT_THROW(to_local(p), Error);
}

TEST(BlockMatrix, builder_adds_up_and_keeps_the_diagonal) {
  const std::vector<int> offset{0, 1, 3};
  BlockMatrixBuilder builder(offset);
  builder.add(2, 0, 1);
  builder.add(2, 0, 2);
  builder.add(1, 2, 5);
  const BlockMatrix W = builder.finish();
  EXPECT_EQ(W.row_start, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(W.column, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(W.values, (std::vector<double>{0, 0, 3, 0, 0, 5, 0}));
}

}  // namespace
}  // namespace cairn
