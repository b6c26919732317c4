// SPDX-License-Identifier: Apache-2.0
// Direct solution of problems of equalities.
#include "cairn/solvers/equality_solve.h"

#include "cairn/problem/dense_matrix.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr int dense_rows = 90;   // above, the fronts of the sparse factorisation are cheaper
constexpr double ridge = 1e-10;  // of the diagonal: small against what is not redundant, large against rounding

}  // namespace

bool EqualitySolve::applies(std::span<const ConstraintLaw> laws) {
  return !laws.empty() &&
         std::all_of(laws.begin(), laws.end(), [](const ConstraintLaw& law) { return law.kind == LawKind::Bilateral; });
}

bool EqualitySolve::factor_dense(const LocalProblem& problem) {
  dense_ = scale_.asDiagonal() * to_dense(problem) * scale_.asDiagonal();
  dense_.diagonal().array() += ridge;
  llt_.compute(dense_);
  return llt_.info() == Eigen::Success;
}

bool EqualitySolve::factor_sparse(const LocalProblem& problem) {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < problem.size(); ++i) {
    sizes.push_back(problem.rows(i));
    const auto row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k)
      if (const int j = problem.W.column[static_cast<std::size_t>(k)]; j < i) pairs.emplace_back(i, j);
  }
  if (!sparse_.plan(sizes, pairs)) return false;
  sparse_.set_zero();
  int pair = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const int j = problem.W.column[static_cast<std::size_t>(k)];
      if (j > i) continue;
      const auto B = problem.block(i, k);
      MatX scaled = scale_.segment(problem.offset[row], B.rows()).asDiagonal() * B *
                    scale_.segment(problem.offset[static_cast<std::size_t>(j)], B.cols()).asDiagonal();
      if (j < i) {
        sparse_.add_pair(pair++, scaled);
      } else {
        scaled.diagonal().array() += ridge;
        sparse_.add_diagonal(i, scaled);
      }
    }
  }
  return sparse_.factor();
}

int EqualitySolve::solve(const LocalProblem& problem, VecX& r) {
  scale_.setOnes(problem.offset.back());
  for (int i = 0; i < problem.size(); ++i) {
    const MatX B = problem.diagonal(i);
    for (int l = 0; l < B.rows(); ++l)
      if (B(l, l) > 0) scale_[problem.offset[static_cast<std::size_t>(i)] + l] = 1 / std::sqrt(B(l, l));
  }
  is_dense_ = problem.offset.back() <= dense_rows;
  if (!(is_dense_ ? factor_dense(problem) : factor_sparse(problem))) return 0;
  found_.setZero(problem.offset.back());
  U_.resize(problem.offset.back());
  double last = INFINITY;
  constexpr int most = 12;
  for (int count = 1; count <= most; ++count) {
    problem.velocity(found_, U_);
    remainder_ = -scale_.cwiseProduct(U_);
    const double size = remainder_.norm();
    if (!(size < 0.5 * last)) return count;  // rounding is reached (or the equalities contradict each other)
    last = size;
    if (is_dense_) {
      llt_.solveInPlace(remainder_);
    } else {
      sparse_.solve(remainder_);
    }
    found_ += scale_.cwiseProduct(remainder_);
    if (!found_.allFinite()) return 0;
    r = found_;
  }
  return most;
}

}  // namespace cairn
