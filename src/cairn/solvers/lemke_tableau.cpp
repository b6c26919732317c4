// SPDX-License-Identifier: Apache-2.0
// Lemke's pivoting on a condensed tableau, recomputed from the data at intervals.
#include "cairn/solvers/lemke_tableau.h"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// x_B = value - T x_N for the system  t - M y - cover z0 = q.  Variables: t_i is i, y_i is n + i, z0 is 2 n.
class Tableau {
 public:
  Tableau(const MatX& M, const VecX& q, const LemkeStart& start) : M_(M), q_(q), n_(static_cast<int>(q.size())) {
    for (int i = 0; i < n_; ++i) {
      const bool y_basic = !start.basis.empty() && start.basis[static_cast<std::size_t>(i)];
      basic_.push_back(y_basic ? n_ + i : i);
      nonbasic_.push_back(y_basic ? i : n_ + i);
    }
    start_basis_ = basic_;
    cover_ = start.cover.size() == n_ ? start.cover : VecX::Ones(n_);
    // The artificial column is -B cover: cover holds in terms of the basic variables of the start.
    VecX y = VecX::Zero(n_), t = VecX::Zero(n_);
    for (int i = 0; i < n_; ++i) (basic_[static_cast<std::size_t>(i)] < n_ ? t : y)[i] = cover_[i];
    cover_ = t - M_ * y;
    nonbasic_.push_back(2 * n_);
    place_.resize(static_cast<std::size_t>(2 * n_ + 1));
    for (int i = 0; i < n_; ++i) place_[static_cast<std::size_t>(basic_[static_cast<std::size_t>(i)])] = i;
    for (int j = 0; j <= n_; ++j) place_[static_cast<std::size_t>(nonbasic_[static_cast<std::size_t>(j)])] = -1 - j;
  }

  int artificial() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  int basic(int row) const { return basic_[static_cast<std::size_t>(row)]; }
  int column_of(int variable) const { return -1 - place_[static_cast<std::size_t>(variable)]; }
  bool is_basic(int variable) const { return place_[static_cast<std::size_t>(variable)] >= 0; }
  int row_of(int variable) const { return place_[static_cast<std::size_t>(variable)]; }
  VecX& value() { return value_; }
  const MatX& T() const { return T_; }

  /// T and value from M and q. Only the block of rows without t and columns with y (or z0) has to be factorised.
  bool refactorise() {
    std::vector<int> rows, kept, inside;  // rows without basic t; with it; basic y and z0
    for (int i = 0; i < n_; ++i) (is_basic(i) ? kept : rows).push_back(i);
    for (const int v : basic_)
      if (v >= n_) inside.push_back(v);
    const Eigen::Index k = static_cast<Eigen::Index>(rows.size());
    MatX columns(n_, k);  // of the basic y and z0 in the system
    for (Eigen::Index j = 0; j < k; ++j) columns.col(j) = column(inside[static_cast<std::size_t>(j)]);
    MatX right(n_, n_ + 2);
    for (int j = 0; j <= n_; ++j) right.col(j) = column(nonbasic_[static_cast<std::size_t>(j)]);
    right.col(n_ + 1) = q_;
    MatX x;
    if (k > 0) {
      const MatX G = columns(rows, Eigen::all);
      const Eigen::PartialPivLU<MatX> factor(G);
      const double smallest = factor.matrixLU().diagonal().cwiseAbs().minCoeff();
      if (!(smallest > 1e-14 * G.cwiseAbs().maxCoeff())) return false;
      const MatX top = right(rows, Eigen::all);
      x = factor.solve(top);
      x += factor.solve((top - G * x).eval());
      if (!x.allFinite()) return false;
    }
    T_.resize(n_, n_ + 1);
    value_.resize(n_);
    for (std::size_t j = 0; j < inside.size(); ++j) {
      const int row = row_of(inside[j]);
      T_.row(row) = x.row(static_cast<Eigen::Index>(j)).head(n_ + 1);
      value_[row] = x(static_cast<Eigen::Index>(j), n_ + 1);
    }
    MatX below = right(kept, Eigen::all);
    if (k > 0) below -= MatX(columns(kept, Eigen::all)) * x;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const int row = row_of(kept[i]);
      T_.row(row) = below.row(static_cast<Eigen::Index>(i)).head(n_ + 1);
      value_[row] = below(static_cast<Eigen::Index>(i), n_ + 1);
    }
    return true;
  }

  void pivot(int row, int column) {
    const double p = T_(row, column);
    VecX f = T_.col(column);
    f[row] = 0;
    T_(row, column) = 1;
    T_.row(row) /= p;
    value_[row] /= p;
    T_.col(column) = VecX::Zero(n_);
    T_(row, column) = 1 / p;
    const Eigen::RowVectorXd pivot_row = T_.row(row);
    T_.noalias() -= f * pivot_row;
    value_ -= f * value_[row];
    int &out = basic_[static_cast<std::size_t>(row)], &in = nonbasic_[static_cast<std::size_t>(column)];
    std::swap(out, in);
    place_[static_cast<std::size_t>(out)] = row;
    place_[static_cast<std::size_t>(in)] = -1 - column;
  }

  /// Row `i` divided by a is lexicographically smaller than row `j` divided by c, in the columns of the first basis.
  bool lexicographically_smaller(int i, double a, int j, double c) const {
    for (const int v : start_basis_) {
      const int row = place_[static_cast<std::size_t>(v)];
      const double x = row >= 0 ? (row == i ? 1.0 : 0.0) : T_(i, -1 - row);
      const double y = row >= 0 ? (row == j ? 1.0 : 0.0) : T_(j, -1 - row);
      const double left = x / a, right = y / c;
      if (std::abs(left - right) > 1e-11 * std::max({1.0, std::abs(left), std::abs(right)})) return left < right;
    }
    return false;
  }

  std::vector<char> basis() const {
    std::vector<char> y_basic(static_cast<std::size_t>(n_));
    for (int i = 0; i < n_; ++i) y_basic[static_cast<std::size_t>(i)] = is_basic(n_ + i);
    return y_basic;
  }

 private:
  VecX column(int variable) const {
    if (variable == 2 * n_) return -cover_;
    if (variable >= n_) return -M_.col(variable - n_);
    return VecX::Unit(n_, variable);
  }

  const MatX& M_;
  const VecX& q_;
  int n_;
  VecX cover_, value_;
  MatX T_;
  std::vector<int> basic_, nonbasic_, start_basis_, place_;  ///< place: row, or -1 - column
};

/// Ratio test: the row that leaves when `column` grows, -1 for a ray. Ties within rounding: the artificial variable,
/// else lexicographic among pivots that are not tiny.
int find_leaving(Tableau& tableau, int column) {
  const auto t = tableau.T().col(column);
  VecX& value = tableau.value();
  const double largest = t.cwiseAbs().maxCoeff(), tiny = 1e-10 * std::max(1.0, largest);
  double step = infinity;
  for (Eigen::Index i = 0; i < t.size(); ++i)
    if (t[i] > tiny) step = std::min(step, (std::max(value[i], 0.0) + 1e-12) / t[i]);
  if (step == infinity) return -1;
  double strongest = 0;
  std::vector<int> ties;
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    if (!(t[i] > tiny) || std::max(value[i], 0.0) / t[i] > step) continue;
    if (tableau.basic(static_cast<int>(i)) == tableau.artificial()) return static_cast<int>(i);
    ties.push_back(static_cast<int>(i));
    strongest = std::max(strongest, t[i]);
  }
  int best = -1;
  for (const int i : ties) {
    if (t[i] < 1e-6 * strongest) continue;
    if (best < 0 || tableau.lexicographically_smaller(i, t[i], best, t[best])) best = i;
  }
  return best;
}

}  // namespace

double lcp_natural_map(const MatX& M, const VecX& q, const VecX& y) {
  return y.cwiseMin(M * y + q).norm();  // y - max(0, y - t) = min(y, t)
}

bool solve_basis(const MatX& M, const VecX& q, const std::vector<char>& basis, VecX& y) {
  std::vector<int> active;
  for (std::size_t i = 0; i < basis.size(); ++i)
    if (basis[i]) active.push_back(static_cast<int>(i));
  y = VecX::Zero(q.size());
  if (active.empty()) return true;
  const MatX G = M(active, active);
  const VecX right = -q(active);
  const Eigen::PartialPivLU<MatX> factor(G);
  VecX x = factor.solve(right);
  if (!x.allFinite() || (G * x - right).norm() > 1e-6 * (right.norm() + 1e-30)) {
    // A singular basis may still hold a solution of the dependent equations.
    const Eigen::CompleteOrthogonalDecomposition<MatX> orthogonal(G);
    x = orthogonal.solve(right);
    if (!x.allFinite() || (G * x - right).norm() > 1e-8 * (right.norm() + 1e-30)) return false;
  } else {
    for (int step = 0; step < 2; ++step) {
      const VecX better = x + factor.solve(right - G * x);
      if (!better.allFinite()) break;
      x = better;
    }
  }
  for (std::size_t k = 0; k < active.size(); ++k) y[active[k]] = x[static_cast<Eigen::Index>(k)];
  return true;
}

LemkeRun run_lemke(const MatX& M, const VecX& q, const LemkeStart& start, int max_pivots,
                   const std::function<bool()>& expired) {
  LemkeRun run;
  const int n = static_cast<int>(q.size());
  run.y = VecX::Zero(n);
  Tableau tableau(M, q, start);
  if (n == 0) {
    run.outcome = LemkeOutcome::Solved;
    return run;
  }
  if (!tableau.refactorise()) return run;
  const auto stop = [&](LemkeOutcome outcome) {
    run.outcome = outcome;
    run.basis = tableau.basis();
    for (int i = 0; i < n; ++i)
      if (tableau.is_basic(n + i)) run.y[i] = std::max(0.0, tableau.value()[tableau.row_of(n + i)]);
    if (VecX y; outcome == LemkeOutcome::Solved && solve_basis(M, q, run.basis, y)) {
      y = y.cwiseMax(0);
      if (lcp_natural_map(M, q, y) < lcp_natural_map(M, q, run.y)) run.y = y;
    }
    if (!run.y.allFinite()) {
      run.y.setZero();
      run.outcome = LemkeOutcome::Broken;
    }
    return run;
  };

  // The artificial variable enters at the basic variable that is worst relative to its cover.
  int entering = tableau.column_of(tableau.artificial());
  {
    const VecX& value = tableau.value();
    if (value.minCoeff() >= -1e-13) return stop(LemkeOutcome::Solved);  // to rounding: values are near 1
    const VecX cover = -tableau.T().col(entering);
    const double worst = value.cwiseQuotient(cover).minCoeff();
    int row = -1;
    for (int i = 0; i < n; ++i) {
      if (value[i] / cover[i] > worst * (1 - 1e-13)) continue;
      if (row < 0 || tableau.lexicographically_smaller(i, cover[i], row, cover[row])) row = i;
    }
    if (row < 0) return stop(LemkeOutcome::Broken);  // a start so nearly singular that its cover is all rounding
    const int leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    ++run.pivots;
    entering = tableau.column_of(tableau.complement(leaving));
  }
  const int interval = std::max(40, n / 4);
  for (int since = 0;; ++since) {
    if (run.pivots >= max_pivots || (run.pivots % 16 == 0 && expired())) return stop(LemkeOutcome::Limit);
    if (since >= interval) {
      since = 0;
      if (!tableau.refactorise()) return stop(LemkeOutcome::Broken);
    }
    int row = find_leaving(tableau, entering);
    if (row >= 0 && since > 0 && std::abs(tableau.T()(row, entering)) < 1e-7) {
      // A small pivot may be all rounding: look at fresh numbers first.
      since = 0;
      if (!tableau.refactorise()) return stop(LemkeOutcome::Broken);
      row = find_leaving(tableau, entering);
    }
    if (row < 0) return stop(LemkeOutcome::Ray);
    const int leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    ++run.pivots;
    if (leaving == tableau.artificial()) return stop(LemkeOutcome::Solved);
    entering = tableau.column_of(tableau.complement(leaving));
  }
}

int fischer_burmeister_newton(const MatX& M, const VecX& q, VecX& y, int max_iterations,
                              const std::function<bool()>& expired) {
  const Eigen::Index n = q.size();
  const auto phi = [&](const VecX& at, VecX& t) {
    t = M * at + q;
    return VecX((at.array().square() + t.array().square()).sqrt() - at.array() - t.array());
  };
  VecX t, F = phi(y, t), next_t;
  double merit = 0.5 * F.squaredNorm();
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    if (merit <= 1e-28 * n || expired()) return iteration;
    VecX da(n), db(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double length = std::hypot(y[i], t[i]);
      // At the kink any element of the generalised Jacobian will do: the one of the direction (1, 1).
      da[i] = length > 1e-14 ? y[i] / length - 1 : std::sqrt(0.5) - 1;
      db[i] = length > 1e-14 ? t[i] / length - 1 : std::sqrt(0.5) - 1;
    }
    MatX J = db.asDiagonal() * M;
    J.diagonal() += da;
    const VecX gradient = J.transpose() * F;
    VecX d = -Eigen::PartialPivLU<MatX>(J).solve(F);
    const auto useful = [&] { return d.allFinite() && gradient.dot(d) < -1e-10 * d.norm() * gradient.norm(); };
    if (!useful()) {
      const MatX normal = J.transpose() * J + (1e-8 + 1e-2 * std::min(1.0, std::sqrt(merit))) * MatX::Identity(n, n);
      d = -normal.llt().solve(gradient);
      if (!useful()) d = -gradient;
    }
    double step = 1;
    bool moved = false;
    for (int cut = 0; cut < 30; ++cut, step /= 2) {
      const VecX candidate = y + step * d, G = phi(candidate, next_t);
      const double next = 0.5 * G.squaredNorm();
      if (!(next <= merit + 1e-4 * step * gradient.dot(d))) continue;
      y = candidate, F = G, t = next_t;
      moved = next < merit * (1 - 1e-12);
      merit = next;
      break;
    }
    if (!moved) return iteration;
  }
  return max_iterations;
}

}  // namespace cairn
