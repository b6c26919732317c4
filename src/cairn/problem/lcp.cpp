// SPDX-License-Identifier: Apache-2.0
// Mixed linear complementarity problems: residual, refinement, standard form.
#include "cairn/problem/lcp.h"

#include "cairn/base/error.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {

void equilibrate(const MatX& A, VecX& row, VecX& column) {
  row = VecX::Ones(A.rows());
  column = VecX::Ones(A.cols());
  const auto fix = [](double largest) { return largest > 0 ? 1 / std::sqrt(largest) : 1.0; };
  for (int sweep = 0; sweep < 6; ++sweep) {
    const MatX scaled = (row.asDiagonal() * A * column.asDiagonal()).cwiseAbs();
    for (Eigen::Index i = 0; i < A.rows(); ++i) row[i] *= fix(scaled.row(i).maxCoeff());
    for (Eigen::Index j = 0; j < A.cols(); ++j) column[j] *= fix(scaled.col(j).maxCoeff());
  }
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Pseudo-inverse in equilibrated variables, for regular blocks the inverse.
class ScaledInverse {
 public:
  explicit ScaledInverse(const MatX& A) {
    equilibrate(A, row_, column_);
    factor_.setThreshold(1e-12);
    factor_.compute(row_.asDiagonal() * A * column_.asDiagonal());
  }
  Eigen::Index rank() const { return factor_.rank(); }
  MatX solve(const MatX& B) const { return column_.asDiagonal() * factor_.solve(row_.asDiagonal() * B).eval(); }

 private:
  VecX row_, column_;
  Eigen::CompleteOrthogonalDecomposition<MatX> factor_;
};

VecX residual_scales(const MatX& M) {
  VecX D = M.diagonal();
  double sum = 0;
  int count = 0;
  for (const double d : D)
    if (d > 0) sum += d, ++count;
  const double mean = count > 0 ? sum / count : 1;
  for (double& d : D)
    if (!(d > 0)) d = mean;
  return D;
}

/// The same with the scales and the size of q at hand; a free row counts with w.
double natural_norm(const Mlcp& p, const VecX& D, const VecX& z) {
  const VecX w = p.slack(z);
  double square = 0;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const bool free = p.lower[i] == -infinity && p.upper[i] == infinity;
    const double F = free ? w[i] : D[i] * (z[i] - std::clamp(z[i] - w[i] / D[i], p.lower[i], p.upper[i]));
    square += F * F;
  }
  return std::sqrt(square);
}

}  // namespace

void check_problem(const Mlcp& p, std::string_view owner) {
  const Eigen::Index n = p.q.size();
  if (p.M.rows() != n || p.M.cols() != n) {
    throw Error("{}: M is {} x {} and q has {} entries; M must be square with the size of q", owner, p.M.rows(),
                p.M.cols(), n);
  }
  if (p.lower.size() != n || p.upper.size() != n) throw Error("{}: bounds must have {} entries", owner, n);
  if (!p.M.allFinite() || !p.q.allFinite()) throw Error("{}: M or q holds numbers that are not finite", owner);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!(p.lower[i] <= p.upper[i])) {
      throw Error("{}: bounds [{}, {}] of row {} hold nothing", owner, p.lower[i], p.upper[i], i);
    }
  }
}

double compute_residual(const Mlcp& p, const VecX& z) {
  const double F = natural_norm(p, residual_scales(p.M), z);
  return F == 0 ? 0 : F / p.q.norm();
}

LocalProblem to_local(const Mlcp& p) {
  LocalProblem local;
  const int n = p.size();
  for (int i = 0; i < n; ++i) {
    ConstraintLaw law;
    if (p.lower[i] == -infinity && p.upper[i] == infinity) {
      law.kind = LawKind::Bilateral;
    } else if (p.lower[i] == 0 && p.upper[i] == infinity) {
      law.kind = LawKind::Frictionless;
    } else {
      law.kind = LawKind::Interval;
      law.lower = p.lower[i], law.upper = p.upper[i];
    }
    local.law.push_back(law);
    local.offset.push_back(i + 1);
  }
  BlockMatrixBuilder builder(local.offset);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (p.M(i, j) != 0) builder.add(i, j, p.M(i, j));
  local.W = builder.finish();
  local.b = p.q;
  return local;
}

bool is_monotone(const MatX& M, double tolerance) {
  if (M.size() == 0) return true;
  const MatX symmetric = 0.5 * (M + M.transpose());
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(symmetric, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[0] >= -tolerance * std::max(M.cwiseAbs().maxCoeff(), 1e-300);
}

void refine_on_active_set(const Mlcp& p, VecX& z) {
  const VecX D = residual_scales(p.M);
  z = z.cwiseMax(p.lower).cwiseMin(p.upper);
  double best = natural_norm(p, D, z);
  const double enough = 1e-15 * p.q.norm();
  for (int step = 0; step < 3 && best > enough; ++step) {
    std::vector<int> active;
    for (int i = 0; i < p.size(); ++i)
      if (z[i] > p.lower[i] && z[i] < p.upper[i]) active.push_back(i);
    if (active.empty()) return;
    const MatX A = p.M(active, active);
    const VecX w = p.slack(z);
    const auto improve = [&](const VecX& d) {
      VecX next = z;
      next(active) -= d;
      next = next.cwiseMax(p.lower).cwiseMin(p.upper);
      const double norm = next.allFinite() ? natural_norm(p, D, next) : infinity;
      if (!(norm < best)) return false;
      best = norm;
      z = next;
      return true;
    };
    // A dependent block is worth the dearer factorisation only while there is something to gain.
    if (improve(Eigen::PartialPivLU<MatX>(A).solve(w(active)))) continue;
    if (best <= 1e-12 * p.q.norm() || !improve(ScaledInverse(A).solve(w(active)))) return;
  }
}

LcpReduction::LcpReduction(const Mlcp& p) {
  const int n = p.size();
  shifted_ = p;
  sign_ = VecX::Ones(n);
  base_ = VecX::Zero(n);
  std::vector<int> free, kept;
  for (int i = 0; i < n; ++i) {
    if (p.lower[i] == -infinity && p.upper[i] == infinity) {
      free.push_back(i);
      continue;
    }
    if (p.lower[i] == -infinity) {
      sign_[i] = -1;
      base_[i] = p.upper[i];
    } else {
      base_[i] = p.lower[i];
    }
    if (p.lower[i] < p.upper[i]) kept.push_back(i);  // rows of one value hold no variable
  }
  shifted_.q += p.M * base_;
  shifted_.q = sign_.cwiseProduct(shifted_.q);
  shifted_.M = sign_.asDiagonal() * p.M * sign_.asDiagonal();
  shifted_.upper = p.upper - p.lower;
  eliminate(free, kept);

  // Standard form: first what is left of the rows (w_rest and z_exchanged of z_rest and w_exchanged), then the boxes.
  const Eigen::Index rest = static_cast<Eigen::Index>(rest_.size());
  const Eigen::Index exchanged = static_cast<Eigen::Index>(solved_.size()) - equations_;
  for (Eigen::Index i = 0; i < rest; ++i)
    if (std::isfinite(shifted_.upper[rest_[static_cast<std::size_t>(i)]])) boxed_.push_back(static_cast<int>(i));
  const Eigen::Index boxes = static_cast<Eigen::Index>(boxed_.size()), size = rest + exchanged + boxes;
  M_ = MatX::Zero(size, size);
  q_.resize(size);
  const MatX down = shifted_.M(rest_, solved_);
  M_.topLeftCorner(rest, rest) = shifted_.M(rest_, rest_) + down * from_rest_;
  M_.block(0, rest, rest, exchanged) = down * from_exchanged_;
  M_.block(rest, 0, exchanged, rest) = from_rest_.bottomRows(exchanged);
  M_.block(rest, rest, exchanged, exchanged) = from_exchanged_.bottomRows(exchanged);
  q_.head(rest) = VecX(shifted_.q(rest_)) + down * constant_;
  q_.segment(rest, exchanged) = constant_.tail(exchanged);
  for (Eigen::Index k = 0; k < boxes; ++k) {
    const int i = boxed_[static_cast<std::size_t>(k)];
    const Eigen::Index row = rest + exchanged + k;
    M_(i, row) = 1;
    M_(row, i) = -1;
    q_[row] = shifted_.upper[rest_[static_cast<std::size_t>(i)]];
  }
}

// With A the block of the equations, Y' A = 0 and A X = 0: the block with rows J of the others is regular when Y' M_J
// and M_J X are. J is chosen one by one, each time the largest product of what the earlier ones leave of both.
std::vector<int> LcpReduction::choose_exchanged(const std::vector<int>& free, const std::vector<int>& kept) const {
  const MatX A = shifted_.M(free, free);
  VecX row, column;
  equilibrate(A, row, column);
  const MatX scaled = row.asDiagonal() * A * column.asDiagonal();
  Eigen::FullPivLU<MatX> factor(scaled), transposed(scaled.transpose());
  factor.setThreshold(1e-12);
  transposed.setThreshold(1e-12);
  const Eigen::Index lost = A.rows() - factor.rank();
  if (lost == 0) return {};
  const MatX X = column.asDiagonal() * factor.kernel();
  const MatX Y = row.asDiagonal() * transposed.kernel();
  std::vector<int> candidates;
  for (const int i : kept)
    if (!std::isfinite(shifted_.upper[i])) candidates.push_back(i);
  if (candidates.empty() || X.cols() != Y.cols()) return {};
  MatX above = Y.transpose() * MatX(shifted_.M(free, candidates));  // lost x candidates
  MatX left = (MatX(shifted_.M(candidates, free)) * X).transpose();
  const double size_above = above.colwise().norm().maxCoeff(), size_left = left.colwise().norm().maxCoeff();
  std::vector<int> chosen;
  for (Eigen::Index k = 0; k < lost; ++k) {
    const VecX a = above.colwise().norm(), l = left.colwise().norm();
    Eigen::Index j;
    a.cwiseProduct(l).maxCoeff(&j);
    if (!(a[j] > 1e-9 * size_above && l[j] > 1e-9 * size_left)) break;
    chosen.push_back(candidates[static_cast<std::size_t>(j)]);
    const VecX ua = above.col(j) / a[j], ul = left.col(j) / l[j];
    above -= ua * (ua.transpose() * above).eval();
    left -= ul * (ul.transpose() * left).eval();
  }
  return chosen;
}

void LcpReduction::eliminate(const std::vector<int>& free, const std::vector<int>& kept) {
  solved_ = free;
  equations_ = static_cast<int>(free.size());
  const std::vector<int> exchanged = free.empty() ? std::vector<int>{} : choose_exchanged(free, kept);
  solved_.insert(solved_.end(), exchanged.begin(), exchanged.end());
  for (const int i : kept)
    if (std::find(exchanged.begin(), exchanged.end(), i) == exchanged.end()) rest_.push_back(i);
  const Eigen::Index k = static_cast<Eigen::Index>(solved_.size()), e = static_cast<Eigen::Index>(exchanged.size());
  if (k == 0) {
    from_rest_.resize(0, static_cast<Eigen::Index>(rest_.size()));
    from_exchanged_.resize(0, 0);
    constant_.resize(0);
    return;
  }
  const MatX K = shifted_.M(solved_, solved_);
  const ScaledInverse inverse(K);
  from_rest_ = -inverse.solve(shifted_.M(solved_, rest_));
  from_exchanged_ = inverse.solve(MatX::Identity(k, k).rightCols(e));
  constant_ = -inverse.solve(shifted_.q(solved_));
  if (inverse.rank() == k) return;
  const Eigen::Index lost = k - inverse.rank();
  const double left = (K * constant_ + VecX(shifted_.q(solved_))).norm();
  const double coupling = (K * from_rest_ + MatX(shifted_.M(solved_, rest_))).norm();
  if (coupling > 1e-8 * shifted_.M.norm()) {
    remark_ = fmt::format("{} of {} equations hold no unknown of their own", lost, equations_);
  } else if (left > 1e-8 * shifted_.q.norm()) {
    contradictory_ = e == 0;
    remark_ = fmt::format("{} of {} equations contradict the others", lost, equations_);
  } else {
    remark_ = fmt::format("{} of {} equations depend on the others", lost, equations_);
  }
}

VecX LcpReduction::recover(const VecX& y) const {
  const Eigen::Index rest = static_cast<Eigen::Index>(rest_.size());
  const Eigen::Index exchanged = static_cast<Eigen::Index>(solved_.size()) - equations_;
  VecX z = VecX::Zero(shifted_.q.size());
  z(rest_) = y.head(rest);
  z(solved_) = from_rest_ * y.head(rest) + from_exchanged_ * y.segment(rest, exchanged) + constant_;
  for (Eigen::Index k = 0; k < exchanged; ++k) {
    double& value = z[solved_[static_cast<std::size_t>(equations_ + k)]];
    value = std::max(0.0, value);
  }
  return base_ + sign_.cwiseProduct(z);
}

std::vector<char> LcpReduction::find_basis(const VecX& z) const {
  const VecX at = sign_.cwiseProduct(z - base_), w = shifted_.slack(at);
  std::vector<char> basis;
  for (const int i : rest_) basis.push_back(at[i] > std::max(w[i], 0.0));
  for (std::size_t k = static_cast<std::size_t>(equations_); k < solved_.size(); ++k)
    basis.push_back(w[solved_[k]] > std::max(at[solved_[k]], 0.0));
  for (const int place : boxed_) {
    const int i = rest_[static_cast<std::size_t>(place)];
    basis.push_back(-w[i] > shifted_.upper[i] - at[i] && at[i] > 0);
  }
  return basis;
}

}  // namespace cairn
