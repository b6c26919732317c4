// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: see the header.
#include "cairn/solvers/gauss_seidel.h"

#include <cmath>
#include "cairn/base/stopwatch.h"

namespace cairn {
namespace {

/// Decides when the true residual is worth computing: it costs about one sweep. The update of a sweep, scaled like the
/// residual, is a cheap estimate of it; after a miss the next look waits until the estimate fell by the missing factor.
struct Watch {
  double tolerance;
  double threshold;
  explicit Watch(double tol) : tolerance(tol), threshold(tol) {}
  bool look(double estimate) const { return estimate <= threshold; }
  void missed(double estimate, double residual) { threshold = 0.9 * estimate * std::min(1.0, tolerance / residual); }
};

}  // namespace

void GaussSeidel::prepare(Local& local, const Mat3& W, LawKind law, int rows) const {
  local.W = W;
  local.scale = W.trace() / rows;
  local.lambda = 0;
  if (law == LawKind::Bilateral) {
    local.W = W.inverse();
  } else if (rows == 3) {
    local.contact.prepare(W);
  } else {
    local.contact.inverse_nn = 1 / W(0, 0);
  }
}

// Inlined into both sweeps: a call per contact is a tenth of a sweep.
[[gnu::always_inline]] inline Vec3 GaussSeidel::solve_one(Local& local, LawKind law, double mu, const Vec3& U,
                                                          const Vec3& r) const {
  Vec3 next =
      law == LawKind::Bilateral ? Vec3(r - local.W * U) : local.contact.solve(U - local.W * r, mu, local.lambda);
  if (settings_.relaxation != 1) {
    next = r + settings_.relaxation * (next - r);
    if (law != LawKind::Bilateral) next = project_on_cone(next, mu);
  }
  return next;
}

double GaussSeidel::sweep(const PairProblem& problem, std::vector<Vec3>& r, bool forward) {
  const std::size_t n = problem.size();
  double change = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = forward ? k : n - 1 - k;
    const PairBlock& c = problem.blocks[i];
    Local& local = local_[i];
    const Vec3 next = solve_one(local, c.law, c.mu, local_velocity(c, z_), r[i]);
    const Vec3 dr = next - r[i];
    r[i] = next;
    apply_impulse(c, dr, z_);
    change += local.scale * local.scale * dr.squaredNorm();
  }
  return std::sqrt(change);
}

SolveReport GaussSeidel::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads) {
  const Stopwatch stopwatch;
  SolveReport report;
  const std::size_t n = problem.size();
  report.residual = compute_residual(problem, r, z_, U_);
  local_.resize(n);
  double b_norm = 0;
  for (std::size_t i = 0; i < n; ++i) {
    prepare(local_[i], diagonal_block(problem.blocks[i]), problem.blocks[i].law, 3);
    b_norm += problem.blocks[i].b.squaredNorm();
  }
  b_norm = std::sqrt(b_norm);
  Watch watch(settings_.tolerance);
  const auto good = [&] { return report.residual.scaled <= settings_.tolerance; };
  const Residual warm = report.residual;
  const bool warm_good = good();
  if (warm_good) warm_ = r;
  while (n > 0 && (report.iterations < settings_.min_iterations || (!good() && !warm_good))) {
    if (report.iterations >= settings_.max_iterations || !std::isfinite(report.residual.scaled)) break;
    if (settings_.max_seconds > 0 && stopwatch.seconds() > settings_.max_seconds) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    const double change = sweep(problem, r, !settings_.symmetric || report.iterations % 2 == 0);
    ++report.iterations;
    const double estimate = b_norm > 0 ? change / b_norm : change;
    if (watch.look(estimate) || warm_good || report.iterations % 64 == 0 ||
        report.iterations >= settings_.max_iterations) {
      report.residual = compute_residual(problem, r, z_, U_);
      if (!good()) watch.missed(estimate, report.residual.scaled);
    } else {
      report.residual.scaled = std::max(estimate, 2 * settings_.tolerance);  // not looked at: not good yet
    }
  }
  if (warm_good && !(report.residual.scaled <= warm.scaled)) {
    // Sweeps beyond the need are kept only when they helped.
    r = warm_;
    report.residual = warm;
  }
  if (!std::isfinite(report.residual.scaled)) {
    report.status = SolveStatus::NotFinite;
    std::fill(r.begin(), r.end(), Vec3::Zero());
    report.residual = compute_residual(problem, r, z_, U_);
  } else if (good()) {
    report.status = SolveStatus::Converged;
  } else if (report.status != SolveStatus::TimeLimit) {
    report.status = SolveStatus::IterationLimit;
  }
  report.seconds = stopwatch.seconds();
  return report;
}

double GaussSeidel::sweep(const LocalProblem& problem, VecX& r, bool forward) {
  const int n = problem.size();
  double change = 0;
  for (int k = 0; k < n; ++k) {
    const int i = forward ? k : n - 1 - k;
    const std::size_t row = static_cast<std::size_t>(i);
    const int rows = problem.rows(i), offset = problem.offset[row];
    double U[max_rows], next[max_rows];
    const int* column = problem.W.column.data() + problem.W.row_start[row];
    const int* last = problem.W.column.data() + problem.W.row_start[row + 1];
    const double* B = problem.W.values.data() + problem.W.start[static_cast<std::size_t>(problem.W.row_start[row])];
    if (rows == 3) {
      Vec3 sum = problem.b.segment<3>(offset);
      for (; column != last; ++column) {
        const int width = problem.rows(*column);
        const double* x = r.data() + problem.offset[static_cast<std::size_t>(*column)];
        if (width == 3) {
          sum += Eigen::Map<const Mat3>(B) * Eigen::Map<const Vec3>(x);
        } else {
          for (int c = 0; c < width; ++c) sum += Eigen::Map<const Vec3>(B + 3 * c) * x[c];
        }
        B += 3 * width;
      }
      Eigen::Map<Vec3>{U} = sum;
    } else {
      std::copy_n(problem.b.data() + offset, rows, U);
      for (; column != last; ++column) {
        const int width = problem.rows(*column);
        const double* x = r.data() + problem.offset[static_cast<std::size_t>(*column)];
        for (int c = 0; c < width; ++c)
          for (int l = 0; l < rows; ++l) U[l] += B[l + c * rows] * x[c];
        B += rows * width;
      }
    }
    double* x = r.data() + offset;
    const ConstraintLaw& law = problem.law[row];
    solver_[row].solve(law, rows, U, x, next);
    if (settings_.relaxation != 1) {
      for (int l = 0; l < rows; ++l) next[l] = x[l] + settings_.relaxation * (next[l] - x[l]);
      project(law, rows, next, next);
    }
    double square = 0;
    for (int l = 0; l < rows; ++l) {
      square += (next[l] - x[l]) * (next[l] - x[l]);
      x[l] = next[l];
    }
    change += scales_[i] * scales_[i] * square;
  }
  return std::sqrt(change);
}

SolveReport GaussSeidel::solve(const LocalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  SolveReport report;
  const int n = problem.size();
  if (!r.allFinite()) r.setZero();
  scales_ = problem.scales();
  velocity_.resize(problem.b.size());
  report.residual = compute_residual(problem, scales_, r, velocity_);
  const auto good = [&] { return report.residual.scaled <= settings_.tolerance; };
  const bool warm_good = good();
  if (warm_good && settings_.min_iterations == 0) {
    report.seconds = stopwatch.seconds();
    return report;
  }
  if (warm_good) warm_r_ = r;
  const Residual warm = report.residual;
  solver_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    const double* diagonal = nullptr;
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k)
      if (problem.W.column[static_cast<std::size_t>(k)] == i)
        diagonal = problem.W.values.data() + problem.W.start[static_cast<std::size_t>(k)];
    solver_[row].prepare(problem.law[row], problem.rows(i), diagonal);
  }
  const double b_norm = problem.b.norm();
  Watch watch(settings_.tolerance);
  while (n > 0 && (report.iterations < settings_.min_iterations || (!good() && !warm_good))) {
    if (report.iterations >= settings_.max_iterations || !std::isfinite(report.residual.scaled)) break;
    if (settings_.max_seconds > 0 && stopwatch.seconds() > settings_.max_seconds) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    const double change = sweep(problem, r, !settings_.symmetric || report.iterations % 2 == 0);
    ++report.iterations;
    const double estimate = b_norm > 0 ? change / b_norm : change;
    note(report.iterations, stopwatch.seconds(), estimate);
    if (watch.look(estimate) || warm_good || report.iterations % 64 == 0 ||
        report.iterations >= settings_.max_iterations) {
      report.residual = compute_residual(problem, scales_, r, velocity_);
      if (!good()) watch.missed(estimate, report.residual.scaled);
    } else {
      report.residual.scaled = std::max(estimate, 2 * settings_.tolerance);  // not looked at: not good yet
    }
  }
  report.residual = compute_residual(problem, scales_, r, velocity_);
  if (warm_good && !(report.residual.scaled <= warm.scaled)) {
    r = warm_r_;
    report.residual = warm;
  }
  if (!std::isfinite(report.residual.scaled)) {
    report.status = SolveStatus::NotFinite;
    r.setZero();
    report.residual = compute_residual(problem, scales_, r, velocity_);
  } else if (good()) {
    report.status = SolveStatus::Converged;
  } else if (report.status != SolveStatus::TimeLimit) {
    report.status = SolveStatus::IterationLimit;
  }
  report.seconds = stopwatch.seconds();
  return report;
}

}  // namespace cairn
