// SPDX-License-Identifier: Apache-2.0
// Numeric factorisation on fronts: see the header.
#include "cairn/math/sparse_cholesky.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Map3 = Eigen::Map<Mat3, 0, Eigen::OuterStride<>>;
using Map = Eigen::Map<MatX, 0, Eigen::OuterStride<>>;
using ConstMap = Eigen::Map<const MatX, 0, Eigen::OuterStride<>>;
using Front = FrontalPlan::Front;
using Place = FrontalPlan::Place;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Lower Cholesky factor in place; false when a pivot is not positive. Small ones by hand: they are most of the fronts.
bool cholesky_in_place(Map A) {
  const int n = static_cast<int>(A.rows());
  if (n > 32) return Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(A) < 0;
  const Eigen::Index stride = A.outerStride();
  double* a = A.data();
  for (int j = 0; j < n; ++j) {
    double* column = a + j * stride;
    double pivot = column[j];
    if (!(pivot > 0)) return false;
    pivot = std::sqrt(pivot);
    const double inverse = 1 / pivot;
    for (int i = j; i < n; ++i) column[i] *= inverse;
    column[j] = pivot;
    for (int k = j + 1; k < n; ++k) {
      const double x = column[k];
      double* target = a + k * stride;
      for (int i = k; i < n; ++i) target[i] -= x * column[i];
    }
  }
  return true;
}

/// LU with row exchanges among the first `c` rows of the whole front (all its columns), carried out on its first
/// `extent` rows and columns; false when singular.
bool lu_in_place(double* F, int m, int c, int extent, int* exchange) {
  for (int j = 0; j < c; ++j) {
    double* column = F + at(j) * at(m);
    int best = j;
    for (int i = j + 1; i < c; ++i)
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    exchange[j] = best;
    if (!(std::abs(column[best]) > 1e-300)) return false;
    if (best != j)
      for (int k = 0; k < m; ++k) std::swap(F[at(k) * at(m) + at(j)], F[at(k) * at(m) + at(best)]);
    const double inverse = 1 / column[j];
    for (int i = j + 1; i < extent; ++i) column[i] *= inverse;
    for (int k = j + 1; k < extent; ++k) {
      double* target = F + at(k) * at(m);
      const double x = target[j];
      if (x == 0) continue;
      for (int i = j + 1; i < extent; ++i) target[i] -= x * column[i];
    }
  }
  return true;
}

/// The same for the first c rows and columns of a large front, by blocks; the exchanges reach the columns behind too.
bool blocked_lu_in_place(double* F, int m, int c, int* exchange) {
  int exchanges = 0;
  using Lu = Eigen::internal::partial_lu_impl<double, Eigen::ColMajor, int>;
  if (Lu::blocked_lu(c, c, F, m, exchange, exchanges) >= 0) return false;
  for (int k = c; k < m; ++k) {
    double* column = F + at(k) * at(m);
    for (int j = 0; j < c; ++j) std::swap(column[j], column[exchange[j]]);
  }
  return true;
}

}  // namespace

bool SparseCholesky::plan(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs, double max_cost) {
  if (!plan_.make(sizes, pairs, max_cost)) return false;
  panel_.resize(plan_.panel_size);
  front_.resize(plan_.largest_front);
  stack_.resize(plan_.stack_size);
  return true;
}

void SparseCholesky::add_pair(int k, Eigen::Ref<const MatX> B) {
  const Place& p = plan_.pair_place[at(k)];
  if (p.below) {
    Map(panel_.data() + p.start, B.rows(), B.cols(), Eigen::OuterStride<>(p.stride)) += B;
  } else {
    Map(panel_.data() + p.start, B.cols(), B.rows(), Eigen::OuterStride<>(p.stride)) += B.transpose();
  }
}

void SparseCholesky::add_diagonal(int i, Eigen::Ref<const MatX> B) {
  const Place& p = plan_.diagonal[at(i)];
  Map(panel_.data() + p.start, B.rows(), B.cols(), Eigen::OuterStride<>(p.stride)) += B;
}

bool SparseCholesky::factor() {
  // In postorder the updates of a front's children are on top of the stack.
  std::size_t top = 0;
  pending_.clear();
  const std::vector<Front>& fronts = plan_.fronts;
  for (int f = 0; f < static_cast<int>(fronts.size()); ++f) {
    const Front& front = fronts[at(f)];
    const int m = front.rows, c = front.columns, below = m - c;
    double* F = front_.data();
    // Pivot columns from the panel, the rest zero; only the lower triangle counts.
    std::copy_n(panel_.data() + front.panel, at(m) * at(c), F);
    for (int j = c; j < m; ++j) std::fill(F + at(j) * at(m) + at(j), F + at(j + 1) * at(m), 0.0);
    while (!pending_.empty() && fronts[at(pending_.back())].parent == f) {
      const Front& child = fronts[at(pending_.back())];
      const int k = child.rows - child.columns;
      top -= at(k) * at(k);
      const double* S = stack_.data() + top;
      const int* to = plan_.relative.data() + child.relative;
      for (int j = 0; j < k; ++j) {
        double* target = F + at(to[j]) * at(m);
        const double* source = S + at(j) * at(k);
        for (int i = j; i < k; ++i) target[to[i]] += source[i];
      }
      pending_.pop_back();
    }
    Map pivots(F, c, c, Eigen::OuterStride<>(m));
    if (!cholesky_in_place(pivots)) return false;
    if (below > 0) {
      Map L21(F + c, below, c, Eigen::OuterStride<>(m));
      pivots.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(L21);
      Map S(F + at(c) * at(m) + at(c), below, below, Eigen::OuterStride<>(m));
      S.selfadjointView<Eigen::Lower>().rankUpdate(L21, -1.0);
      double* out = stack_.data() + top;
      for (int j = 0; j < below; ++j)
        std::copy(F + at(c + j) * at(m) + at(c + j), F + at(c + j + 1) * at(m), out + at(j) * at(below) + at(j));
      top += at(below) * at(below);
      pending_.push_back(f);
    }
    std::copy_n(F, at(m) * at(c), panel_.data() + front.panel);
  }
  return true;
}

void SparseCholesky::solve(VecX& x) const {
  plan_.permute(x, work_);
  for (const Front& front : plan_.fronts) {
    const ConstMap L(panel_.data() + front.panel, front.rows, front.columns, Eigen::OuterStride<>(front.rows));
    const int* rows = plan_.row_list.data() + front.first_row;
    auto head = work_.segment(front.pivot, front.columns);
    L.topRows(front.columns).triangularView<Eigen::Lower>().solveInPlace(head);
    for (int j = 0; j < front.columns; ++j) {
      const double y = head[j];
      const double* column = L.data() + at(j) * at(front.rows);
      for (int i = front.columns; i < front.rows; ++i) work_[rows[i]] -= column[i] * y;
    }
  }
  for (std::size_t f = plan_.fronts.size(); f-- > 0;) {
    const Front& front = plan_.fronts[f];
    const ConstMap L(panel_.data() + front.panel, front.rows, front.columns, Eigen::OuterStride<>(front.rows));
    const int* rows = plan_.row_list.data() + front.first_row;
    auto head = work_.segment(front.pivot, front.columns);
    for (int j = 0; j < front.columns; ++j) {
      const double* column = L.data() + at(j) * at(front.rows);
      double sum = 0;
      for (int i = front.columns; i < front.rows; ++i) sum += column[i] * work_[rows[i]];
      head[j] -= sum;
    }
    L.topRows(front.columns).triangularView<Eigen::Lower>().transpose().solveInPlace(head);
  }
  plan_.permute_back(work_, x);
}

bool SparseLu::plan(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs, double max_cost) {
  if (!plan_.make(sizes, pairs, max_cost / 2)) return false;
  panel_.resize(plan_.panel_size);
  side_.resize(plan_.side_size);
  front_.resize(plan_.largest_front);
  stack_.resize(plan_.stack_size);
  pivots_.resize(at(plan_.scalar.back()));
  return true;
}

void SparseLu::set_zero() {
  std::fill(panel_.begin(), panel_.end(), 0.0);
  std::fill(side_.begin(), side_.end(), 0.0);
}

void SparseLu::add_diagonal(int i, Eigen::Ref<const MatX> B) {
  const Place& p = plan_.diagonal[at(i)];
  Map(panel_.data() + p.start, B.rows(), B.cols(), Eigen::OuterStride<>(p.stride)) += B;
}

void SparseLu::add_diagonal3(int i, const Mat3& B) {
  const Place& p = plan_.diagonal[at(i)];
  Map3(panel_.data() + p.start, Eigen::OuterStride<>(p.stride)) += B;
}

void SparseLu::add_pair3(int k, const Mat3& B, const Mat3& C) {
  const Place& p = plan_.pair_place[at(k)];
  Map3(panel_.data() + p.start, Eigen::OuterStride<>(p.stride)) += p.below ? B : C;
  double* side = (p.side_in_panel ? panel_.data() : side_.data()) + p.side;
  Map3(side, Eigen::OuterStride<>(p.side_stride)) += p.below ? C : B;
}

void SparseLu::add_pair(int k, Eigen::Ref<const MatX> B, Eigen::Ref<const MatX> C) {
  const Place& p = plan_.pair_place[at(k)];
  const Eigen::Ref<const MatX>&lower = p.below ? B : C, upper = p.below ? C : B;
  Map(panel_.data() + p.start, lower.rows(), lower.cols(), Eigen::OuterStride<>(p.stride)) += lower;
  double* side = (p.side_in_panel ? panel_.data() : side_.data()) + p.side;
  Map(side, upper.rows(), upper.cols(), Eigen::OuterStride<>(p.side_stride)) += upper;
}

bool SparseLu::factor() {
  std::size_t top = 0;
  pending_.clear();
  const std::vector<Front>& fronts = plan_.fronts;
  for (int f = 0; f < static_cast<int>(fronts.size()); ++f) {
    const Front& front = fronts[at(f)];
    const int m = front.rows, c = front.columns, below = m - c;
    double* F = front_.data();
    std::copy_n(panel_.data() + front.panel, at(m) * at(c), F);
    for (int j = 0; j < below; ++j) {
      double* column = F + at(c + j) * at(m);
      std::copy_n(side_.data() + front.side + at(j) * at(c), at(c), column);
      std::fill(column + c, column + m, 0.0);
    }
    while (!pending_.empty() && fronts[at(pending_.back())].parent == f) {
      const Front& child = fronts[at(pending_.back())];
      const int k = child.rows - child.columns;
      top -= at(k) * at(k);
      const double* S = stack_.data() + top;
      const int* to = plan_.relative.data() + child.relative;
      for (int j = 0; j < k; ++j) {
        double* target = F + at(to[j]) * at(m);
        const double* source = S + at(j) * at(k);
        for (int i = 0; i < k; ++i) target[to[i]] += source[i];
      }
      pending_.pop_back();
    }
    // Small fronts in one go: below this size the blocked kernels spend more on packing than on arithmetic.
    const bool small = m <= 48;
    int* exchange = pivots_.data() + front.pivot;
    if (!(c <= 48 ? lu_in_place(F, m, c, small ? m : c, exchange) : blocked_lu_in_place(F, m, c, exchange)))
      return false;
    if (below > 0 && !small) {
      const Map pivots(F, c, c, Eigen::OuterStride<>(m));
      Map L21(F + c, below, c, Eigen::OuterStride<>(m)), U12(F + at(c) * at(m), c, below, Eigen::OuterStride<>(m));
      pivots.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(L21);
      pivots.triangularView<Eigen::UnitLower>().solveInPlace(U12);
      Map S(F + at(c) * at(m) + at(c), below, below, Eigen::OuterStride<>(m));
      S.noalias() -= L21 * U12;
    }
    if (below > 0) {
      double* out = stack_.data() + top;
      for (int j = 0; j < below; ++j) std::copy_n(F + at(c + j) * at(m) + at(c), at(below), out + at(j) * at(below));
      top += at(below) * at(below);
      pending_.push_back(f);
      for (int j = 0; j < below; ++j)
        std::copy_n(F + at(c + j) * at(m), at(c), side_.data() + front.side + at(j) * at(c));
    }
    std::copy_n(F, at(m) * at(c), panel_.data() + front.panel);
  }
  return true;
}

void SparseLu::solve(VecX& x) const {
  plan_.permute(x, work_);
  for (const Front& front : plan_.fronts) {
    const ConstMap L(panel_.data() + front.panel, front.rows, front.columns, Eigen::OuterStride<>(front.rows));
    const int* rows = plan_.row_list.data() + front.first_row;
    auto head = work_.segment(front.pivot, front.columns);
    for (int j = 0; j < front.columns; ++j) std::swap(head[j], head[pivots_[at(front.pivot + j)]]);
    const bool small = front.columns <= 32;
    if (!small) L.topRows(front.columns).triangularView<Eigen::UnitLower>().solveInPlace(head);
    for (int j = 0; j < front.columns; ++j) {
      const double y = head[j];
      const double* column = L.data() + at(j) * at(front.rows);
      if (small)
        for (int i = j + 1; i < front.columns; ++i) head[i] -= column[i] * y;
      for (int i = front.columns; i < front.rows; ++i) work_[rows[i]] -= column[i] * y;
    }
  }
  for (std::size_t f = plan_.fronts.size(); f-- > 0;) {
    const Front& front = plan_.fronts[f];
    const ConstMap L(panel_.data() + front.panel, front.rows, front.columns, Eigen::OuterStride<>(front.rows));
    const int* rows = plan_.row_list.data() + front.first_row;
    auto head = work_.segment(front.pivot, front.columns);
    for (int j = front.columns; j < front.rows; ++j) {
      const double y = work_[rows[j]];
      const double* column = side_.data() + front.side + at(j - front.columns) * at(front.columns);
      for (int i = 0; i < front.columns; ++i) head[i] -= column[i] * y;
    }
    if (front.columns > 32) {
      L.topRows(front.columns).triangularView<Eigen::Upper>().solveInPlace(head);
      continue;
    }
    for (int j = front.columns; j-- > 0;) {
      const double* column = L.data() + at(j) * at(front.rows);
      const double y = head[j] /= column[j];
      for (int i = 0; i < j; ++i) head[i] -= column[i] * y;
    }
  }
  plan_.permute_back(work_, x);
}

int SparseLu::determinant_sign() const {
  bool negative = false;
  for (const Front& front : plan_.fronts) {
    const double* F = panel_.data() + front.panel;
    for (int j = 0; j < front.columns; ++j) {
      negative ^= pivots_[at(front.pivot + j)] != j;
      negative ^= F[at(j) * at(front.rows) + at(j)] < 0;
    }
  }
  return negative ? -1 : 1;
}

}  // namespace cairn
