// SPDX-License-Identifier: Apache-2.0
// Dependent equations of joints: see the header.
#include "cairn/assembly/dependent_rows.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <numeric>

namespace cairn {
namespace {

constexpr int most_rows = 120;       // a dense factorisation in every step
constexpr double dependence = 1e-8;  // of what a row adds, squared: (h omega)^4/64 beside the way of a mechanism
constexpr double agreement = 1e-13;  // of b: equations that agree to rounding may stay
constexpr double mistake =
    1e-2;  // of b: more is no matter of steps (1e-4 at 50 steps a swing); the solver shall say so

/// Equalities of a joint, without yield.
bool counts(const RowBlock& block) {
  return block.work == RowWork::Joint && block.law.kind == LawKind::Bilateral && block.compliance.isZero(0);
}

}  // namespace

bool have_loops(const Bodies& bodies, std::span<const RowBlock> joints) {
  std::vector<int> parent(static_cast<std::size_t>(bodies.size()) + 1);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
    return i;
  };
  for (const RowBlock& block : joints) {
    if (!counts(block)) continue;
    // Of a joint with the ground there is one side only; all bodies that cannot move are the ground.
    const int ground = bodies.size();
    const auto node = [&](int body) { return root(bodies.can_move(body) ? body : ground); };
    const int first = node(block.sides[0].body),
              second = block.side_count > 1 ? node(block.sides[1].body) : root(ground);
    if (first == second || block.side_count > 2) return true;
    parent[static_cast<std::size_t>(first)] = second;
  }
  return false;
}

int DependentRows::leave_out(std::span<const RowBlock> joints, LocalProblem& problem) {
  null_.resize(0, 0);
  left_out_.clear();
  rows_.clear();
  std::vector<int> place(static_cast<std::size_t>(problem.b.size()), -1);  // of a row of the problem in rows_
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!counts(joints[i])) continue;
    for (int l = 0; l < joints[i].rows; ++l) {
      place[static_cast<std::size_t>(problem.offset[i] + l)] = static_cast<int>(rows_.size());
      rows_.push_back(problem.offset[i] + l);
    }
  }
  const int n = static_cast<int>(rows_.size());
  if (n == 0 || n > most_rows) return 0;
  // W of these rows, its diagonal scaled to 1.
  W_.setZero(n, n);
  for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (!counts(joints[row])) continue;
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const auto B = problem.block(i, k);
      const int column = problem.offset[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])];
      if (place[static_cast<std::size_t>(column)] < 0) continue;
      W_.block(place[static_cast<std::size_t>(problem.offset[row])], place[static_cast<std::size_t>(column)], B.rows(),
               B.cols()) = B;
    }
  }
  scale_ = W_.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 1.0; });
  W_ = scale_.asDiagonal() * W_ * scale_.asDiagonal();
  VecX b(n);
  for (int i = 0; i < n; ++i) b[i] = scale_[i] * problem.b[rows_[static_cast<std::size_t>(i)]];
  // Row by row; L_ holds the independent ones.
  L_.setZero(n, n);
  kept_.clear();
  VecX b_kept(n);  // L^-1 b of the rows that are kept, so that c.b = y.b_kept
  std::vector<int> dependent;
  std::vector<VecX> parts;  // their y
  double contradiction = 0;
  for (int i = 0; i < n; ++i) {
    const int k = static_cast<int>(kept_.size());
    VecX y(k);
    for (int j = 0; j < k; ++j) y[j] = W_(i, kept_[static_cast<std::size_t>(j)]);
    L_.topLeftCorner(k, k).triangularView<Eigen::Lower>().solveInPlace(y);
    const double pivot = W_(i, i) - y.squaredNorm();
    const double rest = b[i] - y.dot(b_kept.head(k));
    if (pivot < dependence) {
      contradiction = std::max(contradiction, std::abs(rest));
      dependent.push_back(i);
      parts.push_back(y);
      continue;
    }
    L_.row(k).head(k) = y;
    L_(k, k) = std::sqrt(pivot);
    b_kept[k] = rest / L_(k, k);
    kept_.push_back(i);
  }
  if (!(contradiction > agreement * b.norm() && contradiction < mistake * b.norm())) return 0;
  null_.setZero(n, static_cast<Eigen::Index>(dependent.size()));
  for (std::size_t d = 0; d < dependent.size(); ++d) {
    const auto k = parts[d].size();
    L_.topLeftCorner(k, k).triangularView<Eigen::Lower>().transpose().solveInPlace(parts[d]);
    const auto column = static_cast<Eigen::Index>(d);
    for (Eigen::Index m = 0; m < k; ++m) null_(kept_[static_cast<std::size_t>(m)], column) = -parts[d][m];
    null_(dependent[d], column) = 1;
  }
  std::vector<bool> out(static_cast<std::size_t>(problem.b.size()), false);
  for (const int i : dependent) out[static_cast<std::size_t>(rows_[static_cast<std::size_t>(i)])] = true;
  for (int i = 0; i < problem.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const auto block = static_cast<std::size_t>(k);
      const int columns = problem.W.column[block], rows = problem.rows(i);
      Eigen::Map<MatX> B(problem.W.values.data() + problem.W.start[block], rows, problem.rows(columns));
      for (int l = 0; l < rows; ++l)
        for (int m = 0; m < B.cols(); ++m) {
          const int at_row = problem.offset[row] + l, at_column = problem.offset[static_cast<std::size_t>(columns)] + m;
          if (at_row != at_column &&
              (out[static_cast<std::size_t>(at_row)] || out[static_cast<std::size_t>(at_column)]))
            B(l, m) = 0;
        }
    }
  }
  for (const int i : dependent) {
    left_out_.push_back(rows_[static_cast<std::size_t>(i)]);
    problem.b[left_out_.back()] = 0;
  }
  return static_cast<int>(dependent.size());
}

void DependentRows::spread(VecX& r) const {
  if (null_.cols() == 0) return;
  VecX scaled(null_.rows());
  for (Eigen::Index i = 0; i < scaled.size(); ++i) scaled[i] = r[rows_[static_cast<std::size_t>(i)]] / scale_[i];
  scaled -= null_ * (null_.transpose() * null_).ldlt().solve(null_.transpose() * scaled);
  for (Eigen::Index i = 0; i < scaled.size(); ++i) r[rows_[static_cast<std::size_t>(i)]] = scaled[i] * scale_[i];
}

}  // namespace cairn
