// SPDX-License-Identifier: Apache-2.0
// Sparse factorisations of matrices of dense blocks, multifrontal, with dense kernels on the fronts of a FrontalPlan:
// Cholesky for symmetric positive definite ones, LU (pivots chosen within fronts) for unsymmetric ones with symmetric
// pattern.
#pragma once
#include "cairn/math/aligned_vector.h"
#include "cairn/math/frontal_plan.h"

#include <algorithm>

namespace cairn {

class SparseCholesky {
 public:
  bool plan(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs, double max_cost = 1e300);
  double cost() const { return plan_.cost(); }

  void set_zero() { std::fill(panel_.begin(), panel_.end(), 0.0); }
  /// Adds x to entry (row, column) of the diagonal block of node i; the lower triangle is enough.
  void add_diagonal(int i, int row, int column, double x) {
    const FrontalPlan::Place& p = plan_.diagonal[static_cast<std::size_t>(i)];
    panel_[p.start + static_cast<std::size_t>(row + column * p.stride)] += x;
  }
  void add_diagonal(int i, Eigen::Ref<const MatX> B);
  /// Adds B, the block (pairs[k].first, pairs[k].second) of the plan, and its transpose on the other side.
  void add_pair(int k, Eigen::Ref<const MatX> B);

  /// False when a pivot is not positive.
  bool factor();
  /// x = A^-1 x, nodes one after the other.
  void solve(VecX& x) const;

 private:
  FrontalPlan plan_;
  AlignedVector panel_, front_, stack_;
  std::vector<int> pending_;  ///< fronts whose updates lie on the stack
  mutable VecX work_;
};

class SparseLu {
 public:
  bool plan(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs, double max_cost = 1e300);
  double cost() const { return 2 * plan_.cost(); }

  void set_zero();
  void add_diagonal(int i, int row, int column, double x) {
    const FrontalPlan::Place& p = plan_.diagonal[static_cast<std::size_t>(i)];
    panel_[p.start + static_cast<std::size_t>(row + column * p.stride)] += x;
  }
  void add_diagonal(int i, Eigen::Ref<const MatX> B);
  /// Adds B to block (pairs[k].first, pairs[k].second) and C to block (pairs[k].second, pairs[k].first).
  void add_pair(int k, Eigen::Ref<const MatX> B, Eigen::Ref<const MatX> C);
  /// The same for the most frequent size.
  void add_diagonal3(int i, const Mat3& B);
  void add_pair3(int k, const Mat3& B, const Mat3& C);

  /// False when the pivots of a front are singular to rounding.
  bool factor();
  void solve(VecX& x) const;
  /// Of the matrix factorised last: 1 or -1.
  int determinant_sign() const;

 private:
  FrontalPlan plan_;
  AlignedVector panel_, side_, front_, stack_;
  std::vector<int> pivots_;  ///< row exchanges, by scalar pivot, within its front
  std::vector<int> pending_;
  mutable VecX work_;
};

}  // namespace cairn
