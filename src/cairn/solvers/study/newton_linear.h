// SPDX-License-Identifier: Apache-2.0
// The linear systems of Newton methods in contact space, (A (W + eps I) + B) x = -F with A, B block diagonal and W in
// blocks, unsymmetric: dense LU with partial pivoting when small, sparse LU in the minimum-degree order of the blocks
// (Amestoy, Davis and Duff 1996; Li 2005, as in Eigen) otherwise, analysed once.
#pragma once
#include "cairn/problem/local_problem.h"
#include "cairn/solvers/study/newton_functions.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <span>

namespace cairn {

class NewtonLinear {
 public:
  /// Rows below which the matrix is dense.
  static constexpr int dense_rows = 200;

  /// Takes the pattern of W; `problem` must outlive the object or the next plan.
  void plan(const LocalProblem& problem);

  /// Puts the system together with eps on the diagonal of W, and factorises it. False: singular.
  bool factor(std::span<const NewtonBlocks> blocks, double eps);
  /// x of the last factorisation for the F of these blocks, refined once. False: singular to rounding, or not finite.
  bool solve(std::span<const NewtonBlocks> blocks, VecX& x);

  bool dense() const { return dense_; }
  /// Entries of the matrix and, after a sparse factorisation, of its factors.
  long entries() const { return dense_ ? static_cast<long>(full_.size()) : static_cast<long>(sparse_.nonZeros()); }
  long factor_entries() const;

 private:
  void assemble(std::span<const NewtonBlocks> blocks, double eps);
  void plan_sparse();

  const LocalProblem* problem_ = nullptr;
  bool dense_ = true;
  MatX full_;
  Eigen::PartialPivLU<MatX> full_factor_;
  std::vector<int> order_;              ///< first row of each constraint in the ordered system
  Eigen::SparseMatrix<double> sparse_;  ///< ordered
  std::vector<int> place_;              ///< of each column of each block of W: where it begins in the values
  std::vector<int> first_place_;        ///< of each block: its first entry in place_
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>> sparse_factor_;
  VecX right_, ordered_, rest_;
};

}  // namespace cairn
