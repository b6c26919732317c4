// SPDX-License-Identifier: Apache-2.0
// Proximal point over semismooth Newton: see the header.
#include "cairn/solvers/proximal_newton.h"

#include "cairn/base/stopwatch.h"
#include "cairn/laws/cone_derivative.h"

#include <Eigen/LU>
#include <cmath>

namespace cairn {
namespace {

constexpr double smallest_compliance = 1e-6;

Vec3 project(LawKind law, double mu, const Vec3& y) { return law == LawKind::Bilateral ? y : project_on_cone(y, mu); }

Mat3 project_derivative(LawKind law, double mu, const Vec3& y) {
  return law == LawKind::Bilateral ? Mat3(Mat3::Identity()) : cone_projection_derivative(y, mu);
}

double dot(std::span<const PairVelocity> a, std::span<const PairVelocity> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].linear.dot(b[i].linear) + a[i].angular.dot(b[i].angular);
  return sum;
}

}  // namespace

bool ProximalNewton::prepare(const PairProblem& problem) {
  node_.assign(static_cast<std::size_t>(problem.block_count), -1);
  block_of_node_.clear();
  pairs_.clear();
  const auto number = [&](int block) {
    int& node = node_[static_cast<std::size_t>(block)];
    if (node < 0) {
      node = static_cast<int>(block_of_node_.size());
      block_of_node_.push_back(block);
    }
    return node;
  };
  for (const PairBlock& c : problem.blocks) {
    const int first = number(c.first);
    if (c.second >= 0) pairs_.emplace_back(first, number(c.second));
  }
  if (static_cast<int>(block_of_node_.size()) > settings_.max_bodies) return false;
  factor_.plan(static_cast<int>(block_of_node_.size()), pairs_);
  const std::size_t n = problem.size();
  scale_.resize(n);
  R_.resize(n);
  shift_.resize(n);
  y_.resize(n);
  gamma_.resize(n);
  dU_.resize(n);
  for (std::size_t i = 0; i < n; ++i) scale_[i] = diagonal_block(problem.blocks[i]).trace() / 3;
  return factor_.cost() <= std::min(settings_.max_cost, settings_.max_cost_per_contact * static_cast<double>(n));
}

void ProximalNewton::velocities(const PairProblem& problem, std::span<const PairVelocity> z,
                                std::vector<Vec3>& U) const {
  for (std::size_t i = 0; i < problem.size(); ++i) U[i] = local_velocity(problem.blocks[i], z);
}

double ProximalNewton::gradient(const PairProblem& problem) {
  // grad f = z - H~' P_K(y).
  grad_ = z_;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PairBlock& c = problem.blocks[i];
    y_[i] = r_[i] - (U_[i] + Vec3(shift_[i], 0, 0)) / R_[i];
    gamma_[i] = project(c.law, c.mu, y_[i]);
    apply_impulse(c, -gamma_[i], grad_);
  }
  return std::sqrt(dot(grad_, grad_));
}

double ProximalNewton::slope(const PairProblem& problem, double alpha) const {
  double sum = dot(dz_, z_) + alpha * dot(dz_, dz_);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PairBlock& c = problem.blocks[i];
    const Vec3 y = r_[i] - (U_[i] + alpha * dU_[i] + Vec3(shift_[i], 0, 0)) / R_[i];
    sum -= dU_[i].dot(project(c.law, c.mu, y));
  }
  return sum;
}

bool ProximalNewton::newton_step(const PairProblem& problem) {
  using Rows = Eigen::Matrix<double, 3, 6>;
  factor_.set_zero();
  const int nodes = static_cast<int>(block_of_node_.size());
  for (int k = 0; k < nodes; ++k) factor_.diagonal(k).setIdentity();
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PairBlock& c = problem.blocks[i];
    const Mat3 G = project_derivative(c.law, c.mu, y_[i]) / R_[i];
    if (G.isZero(0)) continue;
    Rows H1;
    H1 << c.D, c.G1;
    const Rows GH1 = G * H1;
    const int first = node_[static_cast<std::size_t>(c.first)];
    factor_.diagonal(first).noalias() += H1.transpose() * GH1;
    if (c.second < 0) continue;
    Rows H2;
    H2 << c.beta * c.D, c.G2;
    const int second = node_[static_cast<std::size_t>(c.second)];
    factor_.diagonal(second).noalias() += H2.transpose() * (G * H2);
    factor_.add(second, first, H2.transpose() * GH1);
  }
  if (!factor_.factor()) return false;
  rhs_.resize(static_cast<std::size_t>(nodes));
  for (int k = 0; k < nodes; ++k) {
    const PairVelocity& g = grad_[static_cast<std::size_t>(block_of_node_[static_cast<std::size_t>(k)])];
    rhs_[static_cast<std::size_t>(k)] << -g.linear, -g.angular;
  }
  factor_.solve(rhs_);
  dz_.assign(z_.size(), PairVelocity{});
  for (int k = 0; k < nodes; ++k) {
    const Vec6& x = rhs_[static_cast<std::size_t>(k)];
    dz_[static_cast<std::size_t>(block_of_node_[static_cast<std::size_t>(k)])] = {x.head<3>(), x.tail<3>()};
  }
  for (std::size_t i = 0; i < problem.size(); ++i)
    dU_[i] = local_velocity(problem.blocks[i], dz_) - problem.blocks[i].b;

  // f is convex: find where its slope along dz vanishes, by the Illinois variant of regula falsi.
  const double slope0 = -std::abs(dot(grad_, dz_));
  double alpha = 1, high_slope = slope(problem, 1);
  if (high_slope > 0.1 * -slope0) {
    double low = 0, low_slope = slope0, high = 1;
    for (int i = 0; i < 30; ++i) {
      alpha = (low * high_slope - high * low_slope) / (high_slope - low_slope);
      const double s = slope(problem, alpha);
      if (std::abs(s) <= 0.05 * -slope0) break;
      if (s > 0) {
        high = alpha, high_slope = s;
        low_slope *= 0.5;
      } else {
        low = alpha, low_slope = s;
        high_slope *= 0.5;
      }
    }
  }
  for (std::size_t k = 0; k < z_.size(); ++k) {
    z_[k].linear += alpha * dz_[k].linear;
    z_[k].angular += alpha * dz_[k].angular;
  }
  velocities(problem, z_, U_);
  return true;
}

SolveReport ProximalNewton::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads) {
  const Stopwatch stopwatch;
  SolveReport report;
  r_ = r;
  report.residual = compute_residual(problem, r_, z_, U_);
  const auto finish = [&](SolveStatus status) {
    report.status = status;
    report.seconds = stopwatch.seconds();
    return report;
  };
  if (report.residual.scaled <= settings_.tolerance) return finish(SolveStatus::Converged);
  if (!std::isfinite(report.residual.scaled)) {
    std::fill(r.begin(), r.end(), Vec3::Zero());
    return finish(SolveStatus::NotFinite);
  }
  if (!prepare(problem)) return finish(SolveStatus::TooCostly);

  best_ = r_;
  Residual best = report.residual;
  double eps = settings_.compliance;
  int without_progress = 0;
  // Once below the tolerance it goes on to the target while that is cheap: the next step then starts inside the
  // tolerance.
  const double target = settings_.overshoot * settings_.tolerance;
  const auto patience = [&] { return best.scaled <= settings_.tolerance ? 1 : 8; };
  const auto enough_progress = [&](double before) {
    return best.scaled < (best.scaled <= settings_.tolerance ? 0.1 : 0.7) * before;
  };
  while (report.iterations < settings_.max_iterations && without_progress < patience()) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const PairBlock& c = problem.blocks[i];
      R_[i] = eps * scale_[i];
      shift_[i] = c.law == LawKind::Coulomb ? c.mu * std::hypot(U_[i][1], U_[i][2]) : 0;
    }
    // Inner Newton iteration; z and its gradient have the size of the momenta, so the stop is relative to them.
    double previous = INFINITY, norm = 0;
    int inner = 0;
    bool solved = false;
    for (; inner < 40 && report.iterations < settings_.max_iterations; ++inner) {
      norm = gradient(problem);
      const double size = std::sqrt(dot(z_, z_));
      if (!std::isfinite(norm)) break;
      solved = norm <= 1e-12 * size || (norm >= 0.5 * previous && norm <= 1e-7 * size);
      if (solved) break;
      previous = norm;
      ++report.iterations;
      if (!newton_step(problem)) break;
    }
    if (!solved) {
      // Too stiff for its starting point: softer, from the last good impulses.
      eps *= 30;
      ++without_progress;
      compute_residual(problem, r_, z_, U_);
      continue;
    }
    gradient(problem);
    r_ = gamma_;
    const double before = best.scaled;
    const Residual now = compute_residual(problem, r_, scratch_, U_);
    if (now.scaled < best.scaled) {
      best = now;
      best_ = r_;
    }
    if (!std::isfinite(now.scaled)) break;
    if (best.scaled <= target) break;
    z_ = scratch_;
    without_progress = enough_progress(before) ? 0 : without_progress + 1;
    // Small compliance makes the outer steps fast, but the inner ones slow, and costs the factorisation digits.
    if (inner <= 12) eps = std::max(smallest_compliance, (inner <= 5 ? 0.1 : 0.3) * eps);
  }
  r = best_;
  report.residual = best;
  return finish(best.scaled <= settings_.tolerance ? SolveStatus::Converged : SolveStatus::IterationLimit);
}

SolveReport ProximalNewton::solve(const LocalProblem& problem, VecX& r) {
  // The same iteration in contact space, dense: r = P_K(r_k - (W r + b + s)/R) by semismooth Newton.
  const Stopwatch stopwatch;
  SolveReport report;
  report.residual = compute_residual(problem, r);
  const auto finish = [&](SolveStatus status) {
    report.status = status;
    report.seconds = stopwatch.seconds();
    return report;
  };
  if (report.residual.scaled <= settings_.tolerance) return finish(SolveStatus::Converged);
  if (!std::isfinite(report.residual.scaled)) {
    r.setZero();
    return finish(SolveStatus::NotFinite);
  }
  const int n = problem.offset.back();
  if (static_cast<double>(n) * n * n / 3 > settings_.max_cost) return finish(SolveStatus::TooCostly);
  MatX W = MatX::Zero(n, n);
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const int j = problem.W.column[static_cast<std::size_t>(k)];
      W.block(problem.offset[row], problem.offset[static_cast<std::size_t>(j)], problem.rows(i), problem.rows(j)) =
          problem.block(i, k);
    }
  }
  VecX best_r = r;
  Residual best = report.residual;
  double eps = settings_.compliance;
  int without_progress = 0;
  while (report.iterations < settings_.max_iterations && without_progress < 8 && best.scaled > settings_.tolerance) {
    const VecX centre = r;
    VecX R(problem.size());
    VecX U = W * r + problem.b;
    VecX s = VecX::Zero(problem.size());
    for (int i = 0; i < problem.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      R[i] = eps * problem.diagonal(i).trace() / problem.rows(i);
      if (problem.law[k] == LawKind::Coulomb) s[i] = problem.mu[k] * U.segment<2>(problem.offset[k] + 1).norm();
    }
    // Residual P(y(r)) - r and its derivative -dP/R W - I.
    const auto evaluate = [&](const VecX& x, VecX& F, MatX* derivative) {
      U = W * x + problem.b;
      for (int i = 0; i < problem.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const int rows = problem.rows(i), o = problem.offset[k];
        Vec3 y = Vec3::Zero();
        y.head(rows) = centre.segment(o, rows) - U.segment(o, rows) / R[i];
        y[0] -= s[i] / R[i];
        F.segment(o, rows) = project(problem.law[k], problem.mu[k], y).head(rows) - x.segment(o, rows);
        if (derivative) {
          const Mat3 J = project_derivative(problem.law[k], problem.mu[k], y) / R[i];
          derivative->middleRows(o, rows) = -J.topLeftCorner(rows, rows) * W.middleRows(o, rows);
          derivative->block(o, o, rows, rows) -= MatX::Identity(rows, rows);
        }
      }
    };
    VecX F(n), trial(n);
    MatX derivative(n, n);
    for (int inner = 0; inner < 30 && report.iterations < settings_.max_iterations; ++inner) {
      evaluate(r, F, &derivative);
      const double norm = F.norm();
      if (!std::isfinite(norm) || norm <= 1e-14 * r.norm()) break;
      ++report.iterations;
      const VecX dr = -derivative.partialPivLu().solve(F);
      double alpha = 1;
      for (int halving = 0; halving < 20; ++halving, alpha *= 0.5) {
        evaluate(r + alpha * dr, trial, nullptr);
        if (trial.norm() < (1 - 1e-4 * alpha) * norm) break;
      }
      r += alpha * dr;
      if (trial.norm() >= norm) break;
    }
    for (int i = 0; i < problem.size(); ++i) {  // onto the cones
      const std::size_t k = static_cast<std::size_t>(i);
      Vec3 x = Vec3::Zero();
      x.head(problem.rows(i)) = r.segment(problem.offset[k], problem.rows(i));
      r.segment(problem.offset[k], problem.rows(i)) = project(problem.law[k], problem.mu[k], x).head(problem.rows(i));
    }
    const double before = best.scaled;
    const Residual now = compute_residual(problem, r);
    if (!std::isfinite(now.scaled)) break;
    if (now.scaled < best.scaled) {
      best = now;
      best_r = r;
    }
    without_progress = best.scaled < 0.7 * before ? 0 : without_progress + 1;
    eps = std::max(smallest_compliance, 0.1 * eps);
  }
  r = best_r;
  report.residual = best;
  return finish(best.scaled <= settings_.tolerance ? SolveStatus::Converged : SolveStatus::IterationLimit);
}

}  // namespace cairn
