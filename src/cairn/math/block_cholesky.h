// SPDX-License-Identifier: Apache-2.0
// Sparse Cholesky factorisation of a symmetric positive definite matrix of 6 x 6 blocks (one block row per body).
// Minimum-degree ordering of the block graph, left-looking by block columns (George and Liu 1981).
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "cairn/math/types.h"

namespace cairn {

class BlockCholesky {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// Plans for n block rows with the given off-diagonal pairs (i != j, any order, repeats allowed).
  /// Keeps the old plan when nothing changed.
  void plan(int n, std::span<const std::pair<int, int>> pairs);
  /// Multiplications of one factorisation, to decide whether it is worth it.
  double cost() const { return cost_; }

  void set_zero();
  Block& diagonal(int i) { return diagonal_[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])]; }
  /// Adds B to block (i, j) and its transpose to block (j, i).
  void add(int i, int j, const Block& B);

  /// False when a pivot is not positive.
  bool factor();
  /// x = A^-1 x, n vectors of six.
  void solve(std::span<Vec6> x) const;

 private:
  int find(int row, int column) const;

  int n_ = 0;
  double cost_ = 0;
  std::vector<std::pair<int, int>> pairs_;  ///< pattern of the plan, sorted
  std::vector<int> order_, place_;          ///< order_[k] is eliminated k-th; place_ is its inverse
  std::vector<int> column_start_, row_;     ///< rows below the diagonal of each column of L, in elimination order
  std::vector<Block, Eigen::aligned_allocator<Block>> diagonal_, value_;
  mutable std::vector<Vec6> work_;
  std::vector<int> chain_, link_, next_row_, position_;
};

}  // namespace cairn
