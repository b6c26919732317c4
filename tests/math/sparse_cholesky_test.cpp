// SPDX-License-Identifier: Apache-2.0
// Sparse Cholesky against dense algebra, for many patterns and block sizes.
#include "cairn/math/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <random>
#include <set>

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
  for (const int n : {1, 2, 3, 7, 20, 60, 150}) {  // the last: fronts with more than 48 pivots, by blocks
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

// Multiplications of a factorisation in a given order: for each node, the nodes that its elimination joins.
double cost_in_order(int n, const std::vector<std::pair<int, int>>& pairs, const std::vector<int>& order, double size) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<int> place(at(n));
  for (int k = 0; k < n; ++k) place[at(order[at(k)])] = k;
  std::vector<std::set<int>> later(at(n));
  for (const auto& [i, j] : pairs)
    later[at(std::min(place[at(i)], place[at(j)]))].insert(std::max(place[at(i)], place[at(j)]));
  double cost = 0;
  for (int k = 0; k < n; ++k) {
    const std::set<int>& below = later[at(k)];
    if (!below.empty()) later[at(*below.begin())].insert(std::next(below.begin()), below.end());
    const double height = size * static_cast<double>(below.size());
    cost += size * (size * size / 6 + size * height / 2 + height * height / 2);
  }
  return cost;
}

TEST(SparseCholesky, heap_in_space_is_dissected_where_that_is_cheaper_than_minimum_degree) {
  const int m = 12, n = m * m * m, size = 6;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < n; ++i) {
    const int x = i % m, y = i / m % m, z = i / (m * m);
    if (x + 1 < m) pairs.emplace_back(i, i + 1);
    if (y + 1 < m) pairs.emplace_back(i + m, i);
    if (z + 1 < m) pairs.emplace_back(i, i + m * m);
    if (x + 1 < m && y + 1 < m) pairs.emplace_back(i, i + 1 + m);
  }
  const std::vector<int> sizes(n, size);
  Eigen::SparseMatrix<double> graph(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1);
  for (const auto& [i, j] : pairs) entries.insert(entries.end(), {{i, j, 1}, {j, i, 1}});
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> p;
  Eigen::AMDOrdering<int>()(graph, p);
  const double by_degree = cost_in_order(n, pairs, {p.indices().data(), p.indices().data() + n}, size);

  SparseCholesky factor, again;
  ASSERT_TRUE(factor.plan(sizes, pairs));
  EXPECT_LT(factor.cost(), 0.8 * by_degree);
  ASSERT_TRUE(again.plan(sizes, pairs));
  EXPECT_EQ(factor.cost(), again.cost());
  EXPECT_FALSE(again.plan(std::vector<int>(n, size + 1), pairs, 0.1 * by_degree));

  factor.set_zero();
  const MatX D = 20 * MatX::Identity(size, size), B = MatX::Constant(size, size, 0.3);
  for (int i = 0; i < n; ++i) factor.add_diagonal(i, D);
  for (std::size_t k = 0; k < pairs.size(); ++k) factor.add_pair(static_cast<int>(k), B);
  ASSERT_TRUE(factor.factor());
  const VecX wanted = VecX::LinSpaced(n * size, -1, 1);
  VecX x = 20 * wanted;  // A wanted
  for (const auto& [i, j] : pairs) {
    x.segment<6>(size * i) += B * wanted.segment<6>(size * j);
    x.segment<6>(size * j) += B * wanted.segment<6>(size * i);
  }
  factor.solve(x);
  EXPECT_LT((x - wanted).norm(), 1e-11 * wanted.norm());
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
