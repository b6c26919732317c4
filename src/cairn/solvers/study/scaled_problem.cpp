// SPDX-License-Identifier: Apache-2.0
// Scaling of the local problem and the record of an iteration: see the header.
#include "cairn/solvers/study/scaled_problem.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Whether W r is so large that b disappears in its rounding: U = 0 then means nothing.
bool lost_in_rounding(const LocalProblem& problem, const VecX& scales, const VecX& r, double tolerance) {
  double square = 0;
  for (int i = 0; i < problem.size(); ++i)
    square +=
        scales[i] * scales[i] * r.segment(problem.offset[static_cast<std::size_t>(i)], problem.rows(i)).squaredNorm();
  return 1e-16 * std::sqrt(square) > tolerance * problem.b.norm() && square > 0;
}

constexpr std::string_view model_names[] = {"coulomb", "convex"};

/// Mean of the diagonal of W over rows [first, last) of block `W`; 0 where it is too small to scale with.
double part_scale(const MatX& W, int first, int last, double whole) {
  const double mean = first < last ? W.diagonal().segment(first, last - first).mean() : 0;
  return mean > 1e-12 * whole ? mean : 0;
}

}  // namespace

void FirstOrderSettings::describe_first_order(ParameterVisitor& v) {
  describe_limits(v);
  v.choice("relaxation_model", relaxation_model, model_names,
           "law solved: Coulomb's, or its convex relaxation (CCP), for comparison: sliding contacts then separate");
}

void ScaledProblem::prepare(const LocalProblem& problem, RelaxationModel model) {
  problem_ = &problem;
  model_ = model;
  D_ = problem.scales();
  b_norm_ = problem.b.norm();
  if (b_norm_ == 0) b_norm_ = 1;
  scaled_ = problem;
  factor_.resize(problem.b.size());
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    const int rows = problem.rows(i), first = problem.offset[c];
    ConstraintLaw& law = scaled_.law[c];
    const MatX W = problem.diagonal(i);
    factor_.segment(first, rows).setConstant(1 / std::sqrt(D_[i]));
    const auto set_part = [&](int from, int to) {
      const double scale = part_scale(W, from, to, D_[i]);
      if (scale > 0) factor_.segment(first + from, to - from).setConstant(1 / std::sqrt(scale));
    };
    if (law.kind == LawKind::Bilateral) {
      for (int l = 0; l < rows; ++l) set_part(l, l + 1);
    } else if (law.has_normal()) {
      set_part(0, 1);
    }
    // A disc stays round; an ellipsoid may be stretched along its axes, those with one coefficient alike.
    LawPart parts[max_parts];
    const int count = law_parts(law, rows, parts);
    for (int p = 0; p < count; ++p) {
      const int from = parts[p].first, to = from + parts[p].count;
      if (parts[p].round) {
        set_part(from, to);
      } else {
        set_part(from, to - 1);  // contensou: both tangents
        set_part(to - 1, to);
      }
    }
    scale_law_rows(law, rows, factor_.data() + first);
  }
  b_ = problem.b.cwiseProduct(factor_);
  scaled_.b.setZero();
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const std::size_t j = static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)]);
      double* value = scaled_.W.values.data() + problem.W.start[static_cast<std::size_t>(k)];
      for (int col = problem.offset[j]; col < problem.offset[j + 1]; ++col)
        for (int l = problem.offset[row]; l < problem.offset[row + 1]; ++l) *value++ *= factor_[l] * factor_[col];
    }
  }
}

void ScaledProblem::project(const VecX& x, VecX& out) const {
  for (int i = 0; i < scaled_.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    cairn::project(scaled_.law[c], scaled_.rows(i), x.data() + scaled_.offset[c], out.data() + scaled_.offset[c]);
  }
}

void ScaledProblem::shift(const VecX& V, VecX& s) const {
  s.setZero();
  if (model_ == RelaxationModel::Convex) return;
  for (int i = 0; i < scaled_.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    s[scaled_.offset[c]] = velocity_shift(scaled_.law[c], scaled_.rows(i), V.data() + scaled_.offset[c]);
  }
}

void ScaledProblem::shifted(const VecX& V, VecX& out) const {
  if (&out != &V) out = V;
  if (model_ == RelaxationModel::Convex) return;
  for (int i = 0; i < scaled_.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    out[scaled_.offset[c]] += velocity_shift(scaled_.law[c], scaled_.rows(i), V.data() + scaled_.offset[c]);
  }
}

double ScaledProblem::residual(const VecX& y, const VecX& V) const {
  const LocalProblem& p = *problem_;
  double sum = 0, U[max_rows], r[max_rows];
  for (int i = 0; i < p.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    const ConstraintLaw& law = p.law[c];
    const int rows = p.rows(i), first = p.offset[c];
    for (int l = 0; l < rows; ++l) {
      r[l] = factor_[first + l] * y[first + l];
      U[l] = V[first + l] / factor_[first + l];
    }
    // natural_map adds the shift itself: the relaxed law takes it away beforehand.
    if (model_ == RelaxationModel::Convex) U[0] -= velocity_shift(law, rows, U);
    sum += natural_map(law, rows, U, r, D_[i], nullptr);
  }
  return std::sqrt(sum) / b_norm_;
}

double ScaledProblem::frozen_residual(const VecX& y, const VecX& V, const VecX& s) const {
  double sum = 0, x[max_rows];
  for (int i = 0; i < scaled_.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    const int rows = scaled_.rows(i), first = scaled_.offset[c];
    for (int l = 0; l < rows; ++l) x[l] = y[first + l] - V[first + l] - s[first + l];
    cairn::project(scaled_.law[c], rows, x, x);
    for (int l = 0; l < rows; ++l) sum += (y[first + l] - x[l]) * (y[first + l] - x[l]);
  }
  return std::sqrt(sum);
}

double ScaledProblem::largest_eigenvalue(int iterations, VecX& x, VecX& Wx) const {
  // A start that no symmetry of the problem makes orthogonal to the answer, the same on every run.
  for (Eigen::Index k = 0; k < size(); ++k) x[k] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(k) + 0.3);
  double lambda = 0;
  for (int k = 0; k < iterations; ++k) {
    const double norm = x.norm();
    if (!(norm > 0)) break;
    x /= norm;
    apply(x, Wx);
    lambda = std::max(lambda, x.dot(Wx));
    x.swap(Wx);
  }
  return lambda;
}

void IterationRecord::start(const SolverLimits& limits, const ScaledProblem& problem, int progress_window,
                            const Budget& budget) {
  start(limits, problem.original(), progress_window, budget);
  scaled_ = &problem;
}

void IterationRecord::start(const SolverLimits& limits, const LocalProblem& problem, int progress_window,
                            const Budget& budget) {
  limits_ = limits;
  problem_ = &problem;
  scaled_ = nullptr;
  budget_ = budget;
  iterations_ = last_progress_ = 0;
  progress_window_ = progress_window;
  residual_ = best_residual_ = progress_residual_ = std::numeric_limits<double>::infinity();
  target_ = limits.tolerance;
  status_ = SolveStatus::Converged;
  message_.clear();
  best_ = VecX::Zero(problem.b.size());
  r_.resize(problem.b.size());
  U_.resize(problem.b.size());
  scales_ = problem.scales();
}

void IterationRecord::to_impulse(const VecX& y, VecX& r) const {
  if (scaled_) {
    scaled_->to_impulse(y, r);
  } else {
    r = y;
  }
}

void IterationRecord::stop(SolveStatus status, std::string message) {
  status_ = status;
  message_ = std::move(message);
}

bool IterationRecord::within_limits() {
  if (iterations_ >= limits_.max_iterations) return stop(SolveStatus::IterationLimit, ""), false;
  if (budget_.over()) return stop(SolveStatus::TimeLimit, ""), false;
  if (iterations_ - last_progress_ > progress_window_ + iterations_ / 2) {
    stop(SolveStatus::Stalled, fmt::format("no progress in the last {} iterations", iterations_ - last_progress_));
    return false;
  }
  return true;
}

bool IterationRecord::proceed_unmeasured(double estimate) {
  residual_ = estimate;
  if (!std::isfinite(estimate)) return stop(SolveStatus::NotFinite, "the iteration blew up"), false;
  return within_limits();
}

bool IterationRecord::proceed(const VecX& y, double residual) {
  residual_ = residual;
  if (!std::isfinite(residual)) return stop(SolveStatus::NotFinite, "the iteration blew up"), false;
  if (residual < best_residual_) {
    best_residual_ = residual;
    best_ = y;
    if (residual < 0.99 * progress_residual_) {
      progress_residual_ = residual;
      last_progress_ = iterations_;
    }
  }
  if (residual <= target_) {
    if (scaled_ && scaled_->model() == RelaxationModel::Convex) return stop(SolveStatus::Converged, ""), false;
    // What counts is the residual from scratch; rounding can make it differ.
    to_impulse(y, r_);
    if (lost_in_rounding(*problem_, scales_, r_, limits_.tolerance)) {
      best_.setZero();
      return stop(SolveStatus::Stalled, "impulses grow without bound: there is probably no solution"), false;
    }
    if (compute_residual(*problem_, scales_, r_, U_).scaled <= limits_.tolerance)
      return stop(SolveStatus::Converged, ""), false;
    target_ = std::min(target_, residual) / 2;
  }
  return within_limits();
}

SolveReport IterationRecord::finish(VecX& r) {
  SolveReport report;
  to_impulse(best_, r);
  if (lost_in_rounding(*problem_, scales_, r, limits_.tolerance)) r.setZero();
  report.residual = compute_residual(*problem_, scales_, r, U_);
  if (std::isnan(report.residual.scaled)) {
    r.setZero();
    report.residual = compute_residual(*problem_, scales_, r, U_);
    status_ = SolveStatus::NotFinite;
  }
  report.iterations = iterations_;
  if (report.residual.scaled <= limits_.tolerance) return report;
  report.status = status_;
  report.message = message_;
  if (status_ == SolveStatus::Converged) {
    report.status = SolveStatus::Stalled;
    report.message = fmt::format("the convex relaxation is solved to {:.1e}; Coulomb's law is not", best_residual_);
  }
  return report;
}

void start_iterate(const ScaledProblem& problem, const VecX& r, VecX& y) {
  y.resize(problem.size());
  problem.to_scaled(r, y);
  for (double& x : y)
    if (!std::isfinite(x)) x = 0;
  problem.project(y, y);
}

}  // namespace cairn
