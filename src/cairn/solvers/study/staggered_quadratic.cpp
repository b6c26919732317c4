// SPDX-License-Identifier: Apache-2.0
// Quadratic problems over products of sets: see the header.
#include "cairn/solvers/study/staggered_quadratic.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Keeps the reduced systems of redundant contacts solvable; A has a unit diagonal, so it is relative.
constexpr double damping = 1e-12;
constexpr int gradient_steps = 40;
/// Up to this many rows a reduced system on which conjugate gradients do not converge within a few steps is factorised,
/// with a shift that the next Newton steps make good.
constexpr int factorised_rows = 1500, short_steps = 80;
constexpr double factor_shift = 1e-9;

}  // namespace

void StaggeredQuadratic::set(Matrix A, std::vector<StaggeredSet> sets, VecX weight) {
  A_ = std::move(A);
  sets_ = std::move(sets);
  weight_ = std::move(weight);
  const int n = static_cast<int>(A_.rows());
  // Power iteration from a fixed vector; what it misses, gradient_step() corrects.
  VecX v(n), Av(n);
  for (int i = 0; i < n; ++i) v[i] = 1 + 0.5 * std::sin(1.0 + i);
  L_ = 1;
  for (int k = 0; k < 15 && n > 0; ++k) {
    v.normalize();
    Av.noalias() = A_ * v;
    const double length = Av.norm();
    if (!(length > 0)) break;
    L_ = length;
    v = Av;
  }
  L_ *= 1.05;
}

void StaggeredQuadratic::project(const VecX& y, VecX& out) const {
  out.resize(y.size());
  for (const StaggeredSet& set : sets_) project_on_set(set, y.data() + set.first, out.data() + set.first);
}

double StaggeredQuadratic::natural_map(const VecX& x, const VecX& g, VecX& F) const {
  const VecX y = x - g;
  project(y, F);
  F = x - F;
  return F.cwiseProduct(weight_).norm();
}

void StaggeredQuadratic::newton_direction(const VecX& x, const VecX& g, const VecX& F, double accuracy, VecX& d) {
  // Rows of w live in the frame of each set's derivative; directions with theta = 0 carry a zero.
  const int n = static_cast<int>(x.size());
  derivative_.resize(sets_.size());
  y_ = x - g;
  VecX theta = VecX::Ones(n), F_local(n);
  const auto to_local = [&](const VecX& in, VecX& out) {
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      const StaggeredSet& set = sets_[k];
      if (set.size == 2 && set.kind != StaggeredSetKind::Free) {
        out.segment<2>(set.first) = derivative_[k].direction.transpose() * in.segment<2>(set.first);
      } else {
        out.segment(set.first, set.size) = in.segment(set.first, set.size);
      }
    }
  };
  const auto to_global = [&](const VecX& in, VecX& out) {
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      const StaggeredSet& set = sets_[k];
      if (set.size == 2 && set.kind != StaggeredSetKind::Free) {
        out.segment<2>(set.first) = derivative_[k].direction * in.segment<2>(set.first);
      } else {
        out.segment(set.first, set.size) = in.segment(set.first, set.size);
      }
    }
  };
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    const StaggeredSet& set = sets_[k];
    if (set.kind == StaggeredSetKind::Free) continue;
    derivative_[k] = set_derivative(set, y_.data() + set.first);
    theta.segment(set.first, set.size) = derivative_[k].weight.head(set.size);
  }
  to_local(F, F_local);
  VecX stiffness(n), right(n), w = VecX::Zero(n), local(n), global(n);
  for (int i = 0; i < n; ++i) {
    // Below 1e-12 a circle is a point: nothing to turn on.
    const bool is_free = theta[i] > 1e-12;
    stiffness[i] = is_free ? (1 - theta[i]) / theta[i] + damping : -1;
    local[i] = is_free ? 0 : -F_local[i];
  }
  d.resize(n);
  to_global(local, d);
  global.noalias() = A_ * d;
  ++products_;
  to_local(global, right);
  for (int i = 0; i < n; ++i) right[i] = stiffness[i] < 0 ? 0 : -F_local[i] / theta[i] - right[i];

  // Conjugate gradients, preconditioned by the diagonal (of A it is about 1).
  residual_ = right;
  const double target = accuracy * right.norm();
  const auto precondition = [&] {
    for (int i = 0; i < n; ++i) z_[i] = stiffness[i] < 0 ? 0 : residual_[i] / (1 + stiffness[i]);
  };
  z_.resize(n);
  precondition();
  direction_ = z_;
  double rz = residual_.dot(z_);
  const bool may_factorise = n <= factorised_rows;
  const int most = may_factorise ? short_steps : std::min(1000, 2 * n + 20);
  for (int k = 0; k < most && residual_.norm() > target; ++k) {
    to_global(direction_, global);
    A_direction_.noalias() = A_ * global;
    ++products_;
    to_local(A_direction_, local);
    for (int i = 0; i < n; ++i) local[i] = stiffness[i] < 0 ? 0 : local[i] + stiffness[i] * direction_[i];
    const double curvature = direction_.dot(local);
    if (!(curvature > 0)) break;
    const double step = rz / curvature;
    w += step * direction_;
    residual_ -= step * local;
    precondition();
    const double next = residual_.dot(z_);
    direction_ = z_ + (next / rz) * direction_;
    rz = next;
  }
  if (may_factorise && residual_.norm() > target) factorise(stiffness, right, w);
  to_global(w, global);
  d += global;
}

void StaggeredQuadratic::factorise(const VecX& stiffness, const VecX& right, VecX& w) {
  // Z: free directions as columns.
  const int n = static_cast<int>(right.size());
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> free_rows;
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    const StaggeredSet& set = sets_[k];
    const bool turned = set.size == 2 && set.kind != StaggeredSetKind::Free;
    for (int i = 0; i < set.size; ++i) {
      if (stiffness[set.first + i] < 0) continue;
      const int column = static_cast<int>(free_rows.size());
      free_rows.push_back(set.first + i);
      if (!turned) entries.emplace_back(set.first + i, column, 1);
      for (int l = 0; turned && l < 2; ++l) entries.emplace_back(set.first + l, column, derivative_[k].direction(l, i));
    }
  }
  const int m = static_cast<int>(free_rows.size());
  Matrix Z(n, m);
  Z.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseMatrix<double> K = Z.transpose() * A_ * Z;
  VecX x(m);
  for (int i = 0; i < m; ++i) {
    const int row = free_rows[static_cast<std::size_t>(i)];
    K.coeffRef(i, i) += stiffness[row] + factor_shift;
    x[i] = right[row];
  }
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(K);
  if (factor.info() != Eigen::Success) return;
  x = factor.solve(x);
  if (!x.allFinite()) return;
  w.setZero();
  for (int i = 0; i < m; ++i) w[free_rows[static_cast<std::size_t>(i)]] = x[i];
}

void StaggeredQuadratic::gradient_step(const VecX& x, const VecX& g, VecX& s, VecX& As) {
  for (int tries = 0; tries < 60; ++tries) {
    y_ = x - g / L_;
    project(y_, s);
    s -= x;
    As.noalias() = A_ * s;
    ++products_;
    if (s.dot(As) <= L_ * s.squaredNorm() * (1 + 1e-12)) return;
    L_ *= 1.5;
  }
}

void StaggeredQuadratic::accelerate(VecX& x, VecX& g, double target, const Limits& limits, const Budget& budget) {
  const VecX x_start = x, g_start = g;
  VecX v = x, gv = g, x_new, g_new, s, As;
  double t = 1;
  for (int k = 0; k < gradient_steps; ++k) {
    gradient_step(v, gv, s, As);
    x_new = v + s;
    g_new = gv + As;
    // Restart when the step points uphill of the momentum.
    if (s.dot(x_new - x) < 0 && t > 1) {
      v = x, gv = g, t = 1;
      continue;
    }
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t)), momentum = (t - 1) / next;
    v = x_new + momentum * (x_new - x);
    gv = g_new + momentum * (g_new - g);
    x = x_new;
    g = g_new;
    t = next;
    if (k % 5 == 4 && natural_map(x, g, trial_F_) <= target) break;
    if (limits.seconds > 0 && budget.seconds() > limits.seconds) break;
  }
  // Momentum may end higher than it began; the method is monotone.
  s = x - x_start;
  if (g_start.dot(s) + 0.5 * s.dot(g - g_start) > 0) x = x_start, g = g_start;
}

StaggeredQuadratic::Result StaggeredQuadratic::minimise(const VecX& x0, const VecX& g0, const Limits& limits,
                                                        const Budget& budget, VecX& x) {
  Result result;
  products_ = 0;
  project(x0, x);
  VecX g = g0, best = x, trial;
  double least = INFINITY;
  for (;;) {
    // The gradient from scratch: what the steps add up to drifts by rounding.
    s_ = x - x0;
    if (s_.squaredNorm() > 0) {
      g.noalias() = A_ * s_;
      g += g0;
      ++products_;
    }
    const double residual = natural_map(x, g, F_);
    if (residual < least) least = residual, best = x;
    if (!(residual > limits.residual) || result.newton_steps == limits.steps) break;
    if (limits.seconds > 0 && budget.seconds() > limits.seconds) break;
    ++result.newton_steps;

    gradient_step(x, g, pg_s_, pg_As_);
    const double gradient_gain = g.dot(pg_s_) + 0.5 * pg_s_.dot(pg_As_);
    newton_direction(x, g, F_, std::clamp(0.1 * limits.residual / residual, 1e-5, 1e-2), d_);
    bool accepted = false;
    double length = 1;
    for (int tries = 0; tries < 3 && !accepted; ++tries, length *= 0.3) {
      y_ = x + length * d_;
      project(y_, trial);
      s_ = trial - x;
      As_.noalias() = A_ * s_;
      ++products_;
      const double gain = g.dot(s_) + 0.5 * s_.dot(As_);
      accepted = gain <= gradient_gain;
      if (!accepted) {
        y_ = g + As_;
        const VecX gradient = y_;
        accepted = natural_map(trial, gradient, trial_F_) <= 0.5 * residual;
      }
    }
    if (accepted) {
      x = trial;
      continue;
    }
    x += pg_s_;
    g += pg_As_;
    accelerate(x, g, 0.1 * residual, limits, budget);
  }
  x = best;
  result.residual = least;
  result.solved = least <= limits.residual;
  result.products = products_;
  return result;
}

}  // namespace cairn
