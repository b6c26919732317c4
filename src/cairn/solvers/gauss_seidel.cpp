// SPDX-License-Identifier: Apache-2.0
// Block Gauss-Seidel: see the header.
#include "cairn/solvers/gauss_seidel.h"

#include <bit>
#include <cmath>
#include <numeric>

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

void GaussSeidel::order_by_colour(const PairProblem& problem) {
  // The lowest colour that neither body has yet; what needs more than there are comes last, one by one.
  constexpr int colours = 64;
  const std::size_t n = problem.size();
  std::vector<std::uint64_t> used(static_cast<std::size_t>(problem.block_count), 0);
  std::vector<int> colour(n);
  colour_start_.assign(colours + 2, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const PairBlock& c = problem.blocks[i];
    std::uint64_t taken = used[static_cast<std::size_t>(c.first)];
    if (c.second >= 0) taken |= used[static_cast<std::size_t>(c.second)];
    colour[i] = std::countr_one(taken);
    ++colour_start_[static_cast<std::size_t>(colour[i]) + 1];
    if (colour[i] == colours) continue;
    used[static_cast<std::size_t>(c.first)] |= std::uint64_t{1} << colour[i];
    if (c.second >= 0) used[static_cast<std::size_t>(c.second)] |= std::uint64_t{1} << colour[i];
  }
  std::partial_sum(colour_start_.begin(), colour_start_.end(), colour_start_.begin());
  std::vector<int> next = colour_start_;
  order_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    order_[static_cast<std::size_t>(next[static_cast<std::size_t>(colour[i])]++)] = static_cast<int>(i);
}

[[gnu::always_inline]] inline void GaussSeidel::update(const PairProblem& problem, std::size_t i, VecX& r) {
  const PairBlock& c = problem.blocks[i];
  Local& local = local_[i];
  const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
  const Vec3 old = r.segment<3>(row);
  const Vec3 next = solve_one(local, c.law, c.mu, local_velocity(c, z_), old);
  const Vec3 dr = next - old;
  r.segment<3>(row) = next;
  F_.segment<3>(row) = local.scale * dr;
  apply_impulse(c, dr, z_);
}

double GaussSeidel::sweep(const PairProblem& problem, VecX& r, bool forward, Threads threads) {
  const std::size_t n = problem.size();
  double square = 0;
  if (!settings_.coloured) {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = forward ? k : n - 1 - k;
      update(problem, i, r);
      square += F_.segment<3>(3 * static_cast<Eigen::Index>(i)).squaredNorm();
    }
    return std::sqrt(square);
  }
  const std::size_t colours = colour_start_.size() - 1;
  for (std::size_t k = 0; k < colours; ++k) {
    const std::size_t colour = forward ? k : colours - 1 - k;
    const std::size_t first = static_cast<std::size_t>(colour_start_[colour]);
    const std::size_t count = static_cast<std::size_t>(colour_start_[colour + 1]) - first;
    constexpr std::size_t grain = 64;
    parallel_chunks(colour + 1 == colours ? Threads{1} : threads, count, grain,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t m = begin; m < end; ++m)
                        update(problem, static_cast<std::size_t>(order_[first + m]), r);
                    });
  }
  for (Eigen::Index row = 0; row < F_.size(); row += 3) square += F_.segment<3>(row).squaredNorm();
  return std::sqrt(square);
}

void GaussSeidel::mix(const PairProblem& problem, VecX& r) {
  double gamma[2];
  if (!mixing_.weights(0, static_cast<int>(r.size()), mixing_state_, F_.data(), r.data(), gamma)) return;
  int row = 0;
  for (const PairBlock& c : problem.blocks) {
    Vec3 next;
    for (int l = 0; l < 3; ++l) next[l] = mixing_.mixed(row + l, r[row + l], gamma);
    if (c.law != LawKind::Bilateral) next = project_on_cone(next, c.mu);
    apply_impulse(c, next - r.segment<3>(row), z_);
    r.segment<3>(row) = next;
    row += 3;
  }
}

SolveReport GaussSeidel::run(const ContactProblem& problem, VecX& r, const Budget& budget) {
  if (problem.pairs()) return run_pairs(*problem.pairs(), r, problem.threads(), budget);
  return run_local(problem.local(), r, budget);
}

SolveReport GaussSeidel::run_pairs(const PairProblem& problem, VecX& r, Threads threads, const Budget& budget) {
  SolveReport report;
  const std::size_t n = problem.size();
  report.residual = compute_residual(problem, r, z_, U_);
  local_.resize(n);
  F_.resize(r.size());
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
  if (settings_.coloured) order_by_colour(problem);
  mixing_state_ = {};
  const bool mixing = settings_.accelerated && !warm_good && n > 0;
  if (mixing) mixing_.set(3 * static_cast<int>(n));
  while (n > 0 && (report.iterations < settings_.min_iterations || (!good() && !warm_good))) {
    if (report.iterations >= settings_.max_iterations || !std::isfinite(report.residual.scaled)) break;
    if (budget.over()) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    const bool forward = !settings_.symmetric || report.iterations % 2 == 0;
    const double change = sweep(problem, r, forward != mixing_state_.turned(), threads);
    ++report.iterations;
    const double estimate = b_norm > 0 ? change / b_norm : change;
    note(report.iterations, budget.seconds(), estimate);
    const bool last = report.iterations >= settings_.max_iterations;
    if (watch.look(estimate) || warm_good || report.iterations % 64 == 0 || last) {
      report.residual = compute_residual(problem, r, z_, U_);
      if (!good()) watch.missed(estimate, report.residual.scaled);
    } else {
      report.residual.scaled = std::max(estimate, 2 * settings_.tolerance);  // not looked at: not good yet
    }
    if (mixing && !last && !good() && mixing_state_.due(change)) mix(problem, r);
  }
  if (report.status == SolveStatus::TimeLimit) report.residual = compute_residual(problem, r, z_, U_);
  if (warm_good && !(report.residual.scaled <= warm.scaled)) {
    // Sweeps beyond the need are kept only when they helped.
    r = warm_;
    report.residual = warm;
  }
  if (!std::isfinite(report.residual.scaled)) {
    report.status = SolveStatus::NotFinite;
    r.setZero();
    report.residual = compute_residual(problem, r, z_, U_);
  } else if (good()) {
    report.status = SolveStatus::Converged;
  } else if (report.status != SolveStatus::TimeLimit) {
    report.status = SolveStatus::IterationLimit;
  }
  return report;
}

SolveReport GaussSeidel::run_local(const LocalProblem& problem, VecX& r, const Budget& budget) {
  SolveReport report;
  sweeps_.set(problem, settings_.tolerance, settings_.relaxation, settings_.accelerated, settings_.coloured);
  sweeps_.start(r);
  const bool warm_good = sweeps_.active() == 0;
  if (warm_good && settings_.min_iterations > 0) {
    warm_ = r;
    const Residual warm = sweeps_.residual(r);
    for (; report.iterations < settings_.min_iterations; ++report.iterations) {
      for (int k = 0; k < sweeps_.islands().size(); ++k) sweeps_.set_active(k, true);
      sweeps_.round(r, !settings_.symmetric || report.iterations % 2 == 0);
    }
    report.residual = sweeps_.residual(r);
    if (!(report.residual.scaled <= warm.scaled)) {
      // Sweeps beyond the need are kept only when they helped.
      r = warm_;
      report.residual = warm;
    }
    return report;
  }
  double now = 0;
  while (sweeps_.active() > 0 && report.iterations < settings_.max_iterations && std::isfinite(now)) {
    if (budget.over()) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    now = sweeps_.round(r, !settings_.symmetric || report.iterations % 2 == 0);
    ++report.iterations;
    note(report.iterations, budget.seconds(), now);
  }
  report.residual = sweeps_.residual(r);
  if (!std::isfinite(report.residual.scaled)) {
    report.status = SolveStatus::NotFinite;
    r.setZero();
    report.residual = compute_residual(problem, r);
  } else if (report.residual.scaled <= settings_.tolerance) {
    report.status = SolveStatus::Converged;
  } else if (report.status != SolveStatus::TimeLimit) {
    report.status = SolveStatus::IterationLimit;
  }
  return report;
}

}  // namespace cairn
