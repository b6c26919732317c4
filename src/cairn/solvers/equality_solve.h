// SPDX-License-Identifier: Apache-2.0
// Problems of equalities only, W r + b = 0: mechanisms without contact. One factorisation instead of sweeps.
//
// Redundant rows make W singular. With D the diagonal of W, W + eps D is factorised and the remainder put through it
// again (proximal point from r = 0), so that of all solutions the one of least r'D r comes out.
#pragma once
#include "cairn/math/sparse_cholesky.h"
#include "cairn/problem/local_problem.h"

#include <Eigen/Cholesky>

namespace cairn {

class EqualitySolve {
 public:
  /// Whether all laws are bilateral.
  static bool applies(std::span<const ConstraintLaw> laws);
  /// Factorisations and corrections; the result is in r. Returns how many corrections it took, or 0 when W cannot be
  /// factorised (it is not positive semidefinite), in which case r is not changed.
  int solve(const LocalProblem& problem, VecX& r);

 private:
  bool factor_dense(const LocalProblem& problem);
  bool factor_sparse(const LocalProblem& problem);

  VecX scale_, remainder_, U_, found_;
  MatX dense_;
  Eigen::LLT<MatX> llt_;
  SparseCholesky sparse_;
  bool is_dense_ = true;
};

}  // namespace cairn
