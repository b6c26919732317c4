// SPDX-License-Identifier: Apache-2.0
// JORprox and SORprox: see the header.
#include "cairn/solvers/study/prox_iteration.h"

#include "cairn/math/ellipsoid_set.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr std::size_t npos = static_cast<std::size_t>(-1);

/// A residual beyond this many times |b| is not on its way to a solution.
constexpr double diverged = 1e6;

/// 2 / (largest + smallest eigenvalue) of the symmetric part of W scaled by D: Studer's best single r.
double best_single_step(const LocalProblem& problem, const VecX& D) {
  LocalProblem scaled = problem;
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const int j = problem.W.column[static_cast<std::size_t>(k)];
      double* value = scaled.W.values.data() + problem.W.start[static_cast<std::size_t>(k)];
      for (int l = 0; l < problem.rows(i) * problem.rows(j); ++l) value[l] /= std::sqrt(D[i] * D[j]);
    }
  }
  scaled.b.setZero();
  const Eigen::Index n = problem.b.size();
  VecX x(n), Wx(n);
  // Power iteration on W - shift: the eigenvalue farthest from the shift.
  const auto farthest = [&](double shift) {
    for (Eigen::Index k = 0; k < n; ++k) x[k] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(k) + 0.3);
    double value = 0, last = 0;
    for (int k = 0; k < 300; ++k) {
      x.normalize();
      scaled.velocity(x, Wx);
      value = x.dot(Wx);
      Wx -= shift * x;
      if (k > 10 && std::abs(value - last) < 1e-9 * std::abs(value)) break;
      last = value;
      if (!(Wx.norm() > 0)) break;
      x.swap(Wx);
    }
    return value;
  };
  const double largest = farthest(0), smallest = std::max(0.0, farthest(largest));
  return largest > 0 ? 2 / (largest + smallest) : 1;
}

}  // namespace

void ProxSettings::describe_prox(ParameterVisitor& v) {
  describe_limits(v);
  v.choice("step", step, prox_step_names, "R of the prox: what the velocity is divided by (docs/prox-iterations.md)");
  v.real("factor", factor, "", {0, 2, true}, "alpha on the step; below 1 for safety, above 1 for over-relaxation");
  v.real("relaxation", relaxation, "", {0, 2, true, true}, "share of each update that is taken; 1: all of it");
}

void ProxIteration::prepare(const LocalProblem& problem, ProxStep step, double factor, double relaxation) {
  problem_ = &problem;
  step_ = step;
  factor_ = factor;
  relaxation_ = relaxation;
  D_ = problem.scales();
  b_norm_ = problem.b.norm();
  if (b_norm_ == 0) b_norm_ = 1;
  parts_.clear();
  part_start_.assign(1, 0);
  diagonal_.assign(static_cast<std::size_t>(problem.size()), npos);
  const double spectral = step == ProxStep::Spectral ? best_single_step(problem, D_) : 0;
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[c]; k < problem.W.row_start[c + 1]; ++k)
      if (problem.W.column[static_cast<std::size_t>(k)] == i)
        diagonal_[c] = problem.W.start[static_cast<std::size_t>(k)];
    const std::size_t first = parts_.size();
    make_parts(problem.law[c], problem.rows(i));
    for (std::size_t p = first; p < parts_.size(); ++p) choose_step(i, parts_[p], D_[i], spectral);
    part_start_.push_back(static_cast<int>(parts_.size()));
  }
}

void ProxIteration::make_parts(const ConstraintLaw& law, int rows) {
  const auto add = [&](Set set, int first, int count) -> Part& {
    Part part;
    part.set = set, part.first = first, part.rows = count;
    parts_.push_back(part);
    return parts_.back();
  };
  if (law.kind == LawKind::Bilateral) {
    // Free rows are laws of their own, unless R is to couple them.
    const bool coupled = step_ == ProxStep::REqualsG || step_ == ProxStep::Block;
    for (int l = 0; l < rows; l += coupled ? rows : 1) add(Set::Free, l, coupled ? rows : 1);
    return;
  }
  if (law.kind == LawKind::Interval) {
    Part& part = add(Set::Interval, 0, 1);
    part.low = law.lower, part.high = law.upper;
    return;
  }
  if (law.has_normal()) add(Set::NonNegative, 0, 1);
  LawPart frictions[max_parts];
  const int count = law_parts(law, rows, frictions);
  for (int p = 0; p < count; ++p) add(Set::Friction, frictions[p].first, frictions[p].count).friction = frictions[p];
}

double ProxIteration::row_sum(int i, int row) const {
  const std::size_t c = static_cast<std::size_t>(i);
  double sum = 0;
  for (int k = problem_->W.row_start[c]; k < problem_->W.row_start[c + 1]; ++k)
    sum += problem_->block(i, k).row(row).cwiseAbs().sum();
  return sum;
}

void ProxIteration::choose_step(int i, Part& part, double D, double spectral) {
  const int n = part.rows;
  const MatX whole = problem_->diagonal(i).block(part.first, part.first, n, n);
  const MatX G = 0.5 * (whole + whole.transpose());
  double divisor = 0;
  switch (step_) {
    case ProxStep::Diagonal: divisor = G.diagonal().maxCoeff(); break;
    case ProxStep::RowSum:
      for (int l = 0; l < n; ++l) divisor = std::max(divisor, row_sum(i, part.first + l));
      break;
    case ProxStep::Spectral: divisor = D / spectral; break;
    case ProxStep::Block:
    case ProxStep::REqualsG: divisor = Eigen::SelfAdjointEigenSolver<MatX>(G).eigenvalues().maxCoeff(); break;
  }
  if (!(divisor > 1e-12 * D)) divisor = D;
  part.step = factor_ / divisor;
  if (step_ != ProxStep::REqualsG || n == 1) return;
  Eigen::Map<const VecX> axes(part.friction.axes, part.set == Set::Friction ? n : 0);
  if (part.set == Set::Friction && !(axes.minCoeff() > 0)) return;  // flat: nothing couples its rows
  part.skewed = true;
  // R = G/alpha with eigenvalues kept off zero, so that the metric is one.
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(G);
  const VecX values = eigen.eigenvalues().cwiseMax(1e-9 * divisor) / factor_;
  const MatX Rinv = eigen.eigenvectors() * values.cwiseInverse().asDiagonal() * eigen.eigenvectors().transpose();
  std::copy(Rinv.data(), Rinv.data() + n * n, part.Rinv.begin());
  if (part.set != Set::Friction) return;
  const MatX R = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  const Eigen::SelfAdjointEigenSolver<MatX> scaled(axes.asDiagonal() * R * axes.asDiagonal());
  part.turn.topLeftCorner(n, n) = scaled.eigenvectors();
  part.root.head(n) = scaled.eigenvalues().cwiseMax(0).cwiseSqrt();
}

void ProxIteration::project_skewed(const Part& part, double r_N, double* x) const {
  // The nearest z = A w with |w| <= r_N in the metric R (Studer 4.2.6): in the eigenvectors of A R A, stretched by the
  // roots of its eigenvalues, the ball of w is an ellipsoid with the semi-axes r_N root.
  const int n = part.rows;
  const double size = part.friction.fixed ? 1 : std::max(0.0, r_N), *axes = part.friction.axes;
  double w[3] = {}, local[3] = {}, stretched[3] = {}, semi[3] = {}, shrink[3] = {}, square = 0;
  for (int l = 0; l < n; ++l) w[l] = x[l] / axes[l], square += w[l] * w[l];
  if (square <= size * size) return;
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l < n; ++l) local[k] += part.turn(l, k) * w[l];
    stretched[k] = part.root[k] * local[k];
    semi[k] = size * part.root[k];
  }
  sets::shrink_to_ellipsoid(n, semi, stretched, shrink);
  for (int l = 0; l < n; ++l) {
    double z = 0;
    for (int k = 0; k < n; ++k) z += part.turn(l, k) * shrink[k] * local[k];
    x[l] = axes[l] * z;
  }
}

void ProxIteration::project(const Part& part, double r_N, double* x) const {
  switch (part.set) {
    case Set::Free: break;
    case Set::NonNegative: return sets::project(sets::NonNegative{1}, x, x);
    case Set::Interval: return sets::project(sets::Interval{part.low, part.high}, x, x);
    case Set::Friction: return project_part(part.friction, r_N, x, x);
  }
}

double ProxIteration::update(const Part& part, const double* Uc, double* rc) const {
  double x[max_rows];
  const int n = part.rows;
  const double *U = Uc + part.first, normal = rc[0];
  double* r = rc + part.first;
  const bool skewed = part.skewed;
  for (int l = 0; l < n; ++l) {
    double change = 0;
    if (skewed) {
      for (int k = 0; k < n; ++k) change += part.Rinv[static_cast<std::size_t>(l + n * k)] * U[k];
    } else {
      change = part.step * U[l];
    }
    x[l] = r[l] - change;
  }
  if (skewed && part.set == Set::Friction) {
    project_skewed(part, normal, x);
  } else {
    project(part, normal, x);
  }
  if (relaxation_ != 1) {
    for (int l = 0; l < n; ++l) x[l] = r[l] + relaxation_ * (x[l] - r[l]);
    project(part, normal, x);
  }
  double largest = 0;
  for (int l = 0; l < n; ++l) {
    largest = std::max(largest, std::abs(x[l] - r[l]));
    r[l] = x[l];
  }
  return largest;
}

double ProxIteration::sweep_jacobi(const VecX& U, VecX& r) const {
  double largest = 0;
  for (std::size_t c = 0; c + 1 < part_start_.size(); ++c) {
    const int first = problem_->offset[c];
    for (int p = part_start_[c]; p < part_start_[c + 1]; ++p)
      largest = std::max(largest, update(parts_[static_cast<std::size_t>(p)], U.data() + first, r.data() + first));
  }
  return largest;
}

double ProxIteration::sweep_gauss_seidel(VecX& r, bool forward, double& residual) const {
  const LocalProblem& P = *problem_;
  double largest = 0, sum = 0, U[max_rows], old[max_rows];
  const int n = P.size();
  for (int q = 0; q < n; ++q) {
    const int i = forward ? q : n - 1 - q;
    const std::size_t c = static_cast<std::size_t>(i);
    const int rows = P.rows(i), first = P.offset[c];
    double* rc = r.data() + first;
    for (int l = 0; l < rows; ++l) U[l] = P.b[first + l];
    for (int k = P.W.row_start[c]; k < P.W.row_start[c + 1]; ++k) {
      const std::size_t j = static_cast<std::size_t>(P.W.column[static_cast<std::size_t>(k)]);
      const double* value = P.W.values.data() + P.W.start[static_cast<std::size_t>(k)];
      for (int col = P.offset[j]; col < P.offset[j + 1]; ++col)
        for (int l = 0; l < rows; ++l) U[l] += *value++ * r[col];
    }
    sum += natural_map(P.law[c], rows, U, rc, D_[i], nullptr);
    for (int p = part_start_[c]; p < part_start_[c + 1]; ++p) {
      const Part& part = parts_[static_cast<std::size_t>(p)];
      for (int l = 0; l < part.rows; ++l) old[l] = rc[part.first + l];
      largest = std::max(largest, update(part, U, rc));
      // The laws of this constraint that follow see the new impulse too.
      if (p + 1 == part_start_[c + 1] || diagonal_[c] == npos) continue;
      for (int l = 0; l < part.rows; ++l) {
        const double change = rc[part.first + l] - old[l];
        const double* column = P.W.values.data() + diagonal_[c] + static_cast<std::size_t>((part.first + l) * rows);
        for (int m = 0; m < rows; ++m) U[m] += column[m] * change;
      }
    }
  }
  residual = std::sqrt(sum) / b_norm_;
  return largest;
}

double ProxIteration::residual(const VecX& U, const VecX& r) const {
  double sum = 0;
  for (int i = 0; i < problem_->size(); ++i) {
    const std::size_t c = static_cast<std::size_t>(i);
    const int first = problem_->offset[c];
    sum += natural_map(problem_->law[c], problem_->rows(i), U.data() + first, r.data() + first, D_[i], nullptr);
  }
  return std::sqrt(sum) / b_norm_;
}

SolveReport JorProx::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  record_.start(settings_, problem, 10000, budget);
  iteration_.prepare(problem, settings_.step, settings_.factor, settings_.relaxation);
  U_.resize(problem.b.size());
  for (;;) {
    problem.velocity(r, U_);
    const bool more = record_.proceed(r, iteration_.residual(U_, r));
    note(record_.iterations(), record_.seconds(), record_.residual());
    if (!more) break;
    if (record_.residual() > diverged * std::max(1.0, record_.best())) {
      record_.stop(SolveStatus::Stalled, "the iteration diverges: a smaller factor or another step is needed");
      break;
    }
    record_.count_iteration();
    iteration_.sweep_jacobi(U_, r);
  }
  return record_.finish(r);
}

SolveReport SorProx::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  record_.start(settings_, problem, 10000, budget);
  iteration_.prepare(problem, settings_.step, settings_.factor, settings_.relaxation);
  U_.resize(problem.b.size());
  problem.velocity(r, U_);
  bool more = record_.proceed(r, iteration_.residual(U_, r));
  double threshold = record_.target();
  while (more) {
    record_.count_iteration();
    double estimate = 0;
    iteration_.sweep_gauss_seidel(r, !settings_.symmetric || record_.iterations() % 2 == 1, estimate);
    // A look at the true residual costs a product: only when the sweep met small errors, and now and then.
    if (estimate <= threshold || record_.iterations() % 32 == 0 || record_.iterations() >= settings_.max_iterations) {
      problem.velocity(r, U_);
      more = record_.proceed(r, iteration_.residual(U_, r));
      if (estimate <= threshold) threshold = 0.9 * estimate * std::min(1.0, record_.target() / record_.residual());
    } else {
      more = record_.proceed_unmeasured(estimate);
    }
    note(record_.iterations(), record_.seconds(), record_.residual());
    if (more && estimate > diverged * std::max(1.0, record_.best())) {
      record_.stop(SolveStatus::Stalled, "the iteration diverges: a smaller factor or another step is needed");
      break;
    }
  }
  return record_.finish(r);
}

}  // namespace cairn
