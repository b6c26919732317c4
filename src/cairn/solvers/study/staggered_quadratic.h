// SPDX-License-Identifier: Apache-2.0
// Large convex quadratic problems over a product of simple sets: each projection of Staggered Projections is one.
//
//   minimise f(x) = g0'(x - x0) + 1/2 (x - x0)'A(x - x0),  x in X = X_1 x X_2 x ...,  A symmetric, A >= 0.
// A step is a semismooth Newton step on the natural map F(x) = x - P_X(x - g(x)). With the derivative of P_X equal to
// theta along free directions Z and 0 along the others, where x simply moves by -F, it is the symmetric system
//   (Z'AZ + diag((1 - theta)/theta)) w = -Z'F / theta - Z'A d_fixed,
// solved by conjugate gradients, or by a sparse factorisation where they are slow. The step counts when it lowers f at
// least as much as the projected gradient step of length 1/L, or halves |F|; otherwise that gradient step is made,
// followed by accelerated ones with restart (Nesterov; O'Donoghue and Candes 2015). Every step thus lowers f by at
// least that of the projected gradient method or halves |F|, which makes it converge for every A >= 0 for which there
// is a minimum.
#pragma once
#include "cairn/base/budget.h"
#include "cairn/solvers/study/staggered_sets.h"

#include <Eigen/SparseCore>
#include <vector>

namespace cairn {

class StaggeredQuadratic {
 public:
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  struct Limits {
    double residual = 0;  ///< on |weight F|
    double seconds = 0;   ///< on the stopwatch; 0: none
    int steps = 200;
  };
  struct Result {
    bool solved = false;
    double residual = 0;
    int newton_steps = 0;
    int products = 0;  ///< with A
  };

  /// `weight`: factors of the rows of F in the stopping criterion.
  void set(Matrix A, std::vector<StaggeredSet> sets, VecX weight);
  std::vector<StaggeredSet>& sets() { return sets_; }
  const std::vector<StaggeredSet>& sets() const { return sets_; }
  const Matrix& matrix() const { return A_; }

  /// x: result; the start is the nearest point of X to x0.
  Result minimise(const VecX& x0, const VecX& g0, const Limits& limits, const Budget& budget, VecX& x);

 private:
  void project(const VecX& y, VecX& out) const;
  double natural_map(const VecX& x, const VecX& g, VecX& F) const;
  void newton_direction(const VecX& x, const VecX& g, const VecX& F, double accuracy, VecX& d);
  /// Solves the reduced system by a sparse factorisation; leaves w alone when that fails.
  void factorise(const VecX& stiffness, const VecX& right, VecX& w);
  void gradient_step(const VecX& x, const VecX& g, VecX& s, VecX& As);
  void accelerate(VecX& x, VecX& g, double target, const Limits& limits, const Budget& budget);

  Matrix A_;
  std::vector<StaggeredSet> sets_;
  VecX weight_;
  double L_ = 1;  ///< largest eigenvalue of A, or more
  int products_ = 0;
  std::vector<StaggeredDerivative> derivative_;
  VecX F_, trial_F_, d_, s_, As_, pg_s_, pg_As_, y_, residual_, direction_, A_direction_, z_;
};

}  // namespace cairn
