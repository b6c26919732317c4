// SPDX-License-Identifier: Apache-2.0
// Sparse block Cholesky against dense algebra.
#include "cairn/math/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace cairn {
namespace {

using Block = BlockCholesky::Block;

TEST(BlockCholesky, solves_random_sparse_systems_like_dense_cholesky) {
  std::mt19937 rng(3);
  std::normal_distribution<double> d;
  for (const int n : {1, 2, 7, 30}) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 1; i < n; ++i) pairs.emplace_back(i, static_cast<int>(rng() % static_cast<unsigned>(i)));
    for (int k = 0; k < n; ++k) {
      const int i = static_cast<int>(rng() % static_cast<unsigned>(n)),
                j = static_cast<int>(rng() % static_cast<unsigned>(n));
      if (i != j) pairs.emplace_back(i, j);
    }
    BlockCholesky factor;
    factor.plan(n, pairs);
    MatX A = MatX::Zero(6 * n, 6 * n);
    factor.set_zero();
    for (int i = 0; i < n; ++i) {
      factor.diagonal(i) = 40 * Block::Identity();
      A.block<6, 6>(6 * i, 6 * i) = 40 * Block::Identity();
    }
    for (const auto& [i, j] : pairs) {
      Block B;
      for (double& x : B.reshaped()) x = d(rng);
      factor.add(i, j, B);
      A.block<6, 6>(6 * i, 6 * j) += B;
      A.block<6, 6>(6 * j, 6 * i) += B.transpose();
    }
    ASSERT_TRUE(factor.factor());
    std::vector<Vec6> x(static_cast<std::size_t>(n));
    VecX b(6 * n);
    for (double& value : b) value = d(rng);
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = b.segment<6>(6 * i);
    factor.solve(x);
    const VecX expected = A.llt().solve(b);
    for (int i = 0; i < n; ++i) {
      EXPECT_LT((x[static_cast<std::size_t>(i)] - expected.segment<6>(6 * i)).norm(), 1e-12 * expected.norm()) << n;
    }
  }
}

TEST(BlockCholesky, a_chain_has_no_fill_and_cost_grows_linearly) {
  const auto cost = [](int n) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 1; i < n; ++i) pairs.emplace_back(i - 1, i);
    BlockCholesky factor;
    factor.plan(n, pairs);
    return factor.cost();
  };
  EXPECT_LT(cost(200), 2.1 * cost(100));
}

TEST(BlockCholesky, an_indefinite_matrix_is_refused) {
  BlockCholesky factor;
  factor.plan(2, std::vector<std::pair<int, int>>{{0, 1}});
  factor.set_zero();
  factor.diagonal(0).setIdentity();
  factor.diagonal(1).setIdentity();
  factor.add(0, 1, 2 * Block::Identity());
  EXPECT_FALSE(factor.factor());
}

}  // namespace
}  // namespace cairn
