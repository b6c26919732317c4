// SPDX-License-Identifier: Apache-2.0
// Sparse Cholesky against dense algebra, for many patterns and block sizes.
#include "cairn/math/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace cairn {
namespace {

struct Case {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> pairs;
};

Case random_case(std::mt19937& random, int n, double degree) {
  Case c;
  for (int i = 0; i < n; ++i) c.sizes.push_back(1 + static_cast<int>(random() % 6));
  const int edges = static_cast<int>(degree * n / 2);
  for (int e = 0; e < edges && n > 1; ++e) {
    const int i = static_cast<int>(random() % static_cast<unsigned>(n)),
              j = static_cast<int>(random() % static_cast<unsigned>(n));
    if (i != j) c.pairs.emplace_back(i, j);
  }
  return c;
}

TEST(SparseCholesky, solves_like_dense_algebra_for_random_graphs_and_block_sizes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  SparseCholesky factor;
  for (const int n : {1, 2, 3, 7, 20, 60}) {
    for (const double degree : {0.0, 1.5, 3.0, 8.0}) {
      const Case c = random_case(random, n, degree);
      std::vector<int> offset{0};
      for (const int s : c.sizes) offset.push_back(offset.back() + s);
      ASSERT_TRUE(factor.plan(c.sizes, c.pairs));
      for (int repeat = 0; repeat < 2; ++repeat) {
        MatX A = MatX::Zero(offset.back(), offset.back());
        factor.set_zero();
        for (std::size_t k = 0; k < c.pairs.size(); ++k) {
          const auto [i, j] = c.pairs[k];
          const MatX B = MatX::NullaryExpr(c.sizes[static_cast<std::size_t>(i)], c.sizes[static_cast<std::size_t>(j)],
                                           [&] { return number(random); });
          A.block(offset[static_cast<std::size_t>(i)], offset[static_cast<std::size_t>(j)], B.rows(), B.cols()) += B;
          A.block(offset[static_cast<std::size_t>(j)], offset[static_cast<std::size_t>(i)], B.cols(), B.rows()) +=
              B.transpose();
          factor.add_pair(static_cast<int>(k), B);
        }
        for (int i = 0; i < n; ++i) {
          const int s = c.sizes[static_cast<std::size_t>(i)], o = offset[static_cast<std::size_t>(i)];
          const MatX D = (40.0 + degree * 12) * MatX::Identity(s, s);  // diagonally dominant
          A.block(o, o, s, s) += D;
          factor.add_diagonal(i, D);
        }
        ASSERT_TRUE(factor.factor());
        const VecX b = VecX::NullaryExpr(offset.back(), [&] { return number(random); });
        VecX x = b;
        factor.solve(x);
        EXPECT_LT((A * x - b).norm(), 1e-12 * b.norm()) << n << " " << degree;
      }
    }
  }
}

TEST(SparseLu, solves_like_dense_algebra_for_unsymmetric_matrices) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-1, 1);
  SparseLu factor;
  for (const int n : {1, 2, 3, 7, 20, 60}) {
    for (const double degree : {0.0, 1.5, 3.0, 8.0}) {
      const Case c = random_case(random, n, degree);
      std::vector<int> offset{0};
      for (const int s : c.sizes) offset.push_back(offset.back() + s);
      ASSERT_TRUE(factor.plan(c.sizes, c.pairs));
      const auto at = [](int i) { return static_cast<std::size_t>(i); };
      const auto block = [&](int i, int j) {
        return MatX(MatX::NullaryExpr(c.sizes[at(i)], c.sizes[at(j)], [&] { return number(random); }));
      };
      MatX A = MatX::Zero(offset.back(), offset.back());
      factor.set_zero();
      for (std::size_t k = 0; k < c.pairs.size(); ++k) {
        const auto [i, j] = c.pairs[k];
        const MatX B = block(i, j), C = block(j, i);
        A.block(offset[at(i)], offset[at(j)], B.rows(), B.cols()) += B;
        A.block(offset[at(j)], offset[at(i)], C.rows(), C.cols()) += C;
        factor.add_pair(static_cast<int>(k), B, C);
      }
      for (int i = 0; i < n; ++i) {
        // Dominant, but with the large entries off the diagonal of the block: needs exchanges.
        const int s = c.sizes[at(i)], o = offset[at(i)];
        MatX D = block(i, i);
        for (int l = 0; l < s; ++l) D(l, (l + 1) % s) += 40.0 + degree * 12;
        A.block(o, o, s, s) += D;
        factor.add_diagonal(i, D);
      }
      ASSERT_TRUE(factor.factor());
      const VecX b = VecX::NullaryExpr(offset.back(), [&] { return number(random); });
      VecX x = b;
      factor.solve(x);
      EXPECT_LT((A * x - b).norm(), 1e-11 * b.norm()) << n << " " << degree;
      const Eigen::PartialPivLU<MatX> dense(A);
      int sign = static_cast<int>(dense.permutationP().determinant());
      for (const double pivot : dense.matrixLU().diagonal()) sign *= pivot < 0 ? -1 : 1;
      EXPECT_EQ(factor.determinant_sign(), sign) << n << " " << degree;
    }
  }
}

TEST(SparseCholesky, refuses_a_matrix_that_is_not_positive_definite) {
  const std::vector<int> sizes{2, 1};
  const std::vector<std::pair<int, int>> pairs{{0, 1}};
  SparseCholesky factor;
  ASSERT_TRUE(factor.plan(sizes, pairs));
  factor.set_zero();
  factor.add_diagonal(0, MatX::Identity(2, 2));
  factor.add_diagonal(1, MatX::Identity(1, 1));
  factor.add_pair(0, MatX::Constant(2, 1, 1.0));  // Schur complement 1 - 2 < 0
  EXPECT_FALSE(factor.factor());
}

TEST(SparseCholesky, a_chain_costs_in_proportion_to_its_length) {
  const auto cost = [](int n) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
    SparseCholesky factor;
    factor.plan(std::vector<int>(static_cast<std::size_t>(n), 6), pairs);
    return factor.cost();
  };
  EXPECT_NEAR(cost(400) / cost(200), 2, 0.05);
  SparseCholesky factor;
  std::vector<std::pair<int, int>> all;
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < i; ++j) all.emplace_back(i, j);
  EXPECT_FALSE(factor.plan(std::vector<int>(50, 6), all, 1e5));
  EXPECT_TRUE(factor.plan(std::vector<int>(50, 6), all, 1e7));
  EXPECT_NEAR(factor.cost(), 300.0 * 300 * 300 / 6, 0.01 * 300.0 * 300 * 300 / 6);
}

}  // namespace
}  // namespace cairn
