// SPDX-License-Identifier: Apache-2.0
// Block principal pivoting: see the header.
#include "cairn/solvers/study/block_pivoting.h"

#include "cairn/solvers/lemke.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <memory>

namespace cairn {
namespace {

constexpr double feasible = 1e-11;  ///< of z and w, which are near 1 in scaled variables

/// Solves M_FF x = y for sets F that change little by little: one factorisation, later sets by bordering it with the
/// rows that came (A) and unit rows for those that went (R), until that border is a tenth of it.
class ActiveBlock {
 public:
  explicit ActiveBlock(const MatX& M) : M_(M) {}

  /// False when the block is singular to working accuracy.
  bool solve(const std::vector<int>& F, const VecX& y, VecX& x) {
    const double goal = 1e-9 * (y.norm() + 1e-30);
    const auto good = [&] { return x.allFinite() && (M_(F, F) * x - y).norm() <= goal; };
    if (factor_) {
      if (solve_bordered(F, y, x) && good()) return true;
    }
    reference_ = F;
    factor_ = std::make_unique<Eigen::PartialPivLU<MatX>>(M_(F, F));
    x = factor_->solve(y);
    if (!x.allFinite()) {
      factor_.reset();
      return false;
    }
    x += factor_->solve((y - M_(F, F) * x).eval());
    if (good()) return true;
    factor_.reset();
    return false;
  }

 private:
  bool solve_bordered(const std::vector<int>& F, const VecX& y, VecX& x) const {
    std::vector<int> added, removed;  // added: rows; removed: places in the reference
    std::vector<int> place(static_cast<std::size_t>(M_.rows()), -1);
    for (std::size_t k = 0; k < reference_.size(); ++k)
      place[static_cast<std::size_t>(reference_[k])] = static_cast<int>(k);
    std::vector<char> now(static_cast<std::size_t>(M_.rows()), 0);
    for (const int i : F) {
      now[static_cast<std::size_t>(i)] = 1;
      if (place[static_cast<std::size_t>(i)] < 0) added.push_back(i);
    }
    for (std::size_t k = 0; k < reference_.size(); ++k)
      if (!now[static_cast<std::size_t>(reference_[k])]) removed.push_back(static_cast<int>(k));
    const Eigen::Index n = static_cast<Eigen::Index>(reference_.size()), a = static_cast<Eigen::Index>(added.size()),
                       k = a + static_cast<Eigen::Index>(removed.size());
    if (k > std::max<Eigen::Index>(4, n / 10)) return false;
    MatX right = MatX::Zero(n, k), below = MatX::Zero(k, n), corner = MatX::Zero(k, k);
    right.leftCols(a) = M_(reference_, added);
    below.topRows(a) = M_(added, reference_);
    corner.topLeftCorner(a, a) = M_(added, added);
    for (std::size_t l = 0; l < removed.size(); ++l) {
      right(removed[l], a + static_cast<Eigen::Index>(l)) = 1;
      below(a + static_cast<Eigen::Index>(l), removed[l]) = 1;
    }
    VecX top = VecX::Zero(n), bottom = VecX::Zero(k);
    std::vector<Eigen::Index> added_place(static_cast<std::size_t>(M_.rows()), -1);
    for (std::size_t l = 0; l < added.size(); ++l)
      added_place[static_cast<std::size_t>(added[l])] = static_cast<int>(l);
    for (std::size_t i = 0; i < F.size(); ++i) {
      const std::size_t row = static_cast<std::size_t>(F[i]);
      (place[row] >= 0 ? top[place[row]] : bottom[added_place[row]]) = y[static_cast<Eigen::Index>(i)];
    }
    VecX head = factor_->solve(top), tail;
    if (k > 0) {
      const MatX through = factor_->solve(right);
      tail = Eigen::PartialPivLU<MatX>(corner - below * through).solve(bottom - below * head);
      head -= through * tail;
    }
    x.resize(y.size());
    for (std::size_t i = 0; i < F.size(); ++i) {
      const std::size_t row = static_cast<std::size_t>(F[i]);
      x[static_cast<Eigen::Index>(i)] = place[row] >= 0 ? head[place[row]] : tail[added_place[row]];
    }
    return true;
  }

  const MatX& M_;
  std::vector<int> reference_;
  std::unique_ptr<Eigen::PartialPivLU<MatX>> factor_;
};

/// Projected Gauss-Seidel on rows with a diagonal.
void sweep(const Mlcp& p, VecX& z, int count) {
  for (; count > 0; --count)
    for (Eigen::Index i = 0; i < z.size(); ++i) {
      const double D = p.M(i, i);
      if (D > 0) z[i] = std::clamp(z[i] - (p.M.row(i).dot(z) + p.q[i]) / D, p.lower[i], p.upper[i]);
    }
}

/// States that fit z: free where z - w lies between the bounds.
std::vector<PivotState> predict_states(const Mlcp& p, const VecX& z) {
  const VecX aim = z - p.slack(z);
  std::vector<PivotState> states;
  for (Eigen::Index i = 0; i < aim.size(); ++i) {
    states.push_back(aim[i] <= p.lower[i]   ? PivotState::Lower
                     : aim[i] >= p.upper[i] ? PivotState::Upper
                                            : PivotState::Free);
  }
  return states;
}

/// The iteration itself; `block` belongs to p.M and may know sets of earlier runs.
BlockPivotRun pivot(const Mlcp& p, ActiveBlock& block, std::vector<PivotState>& states, VecX& z, int allowed,
                    const std::function<bool()>& expired) {
  BlockPivotRun run;
  const int n = p.size();
  constexpr int patience = 10;  // block steps without progress, as Judice and Pires advise
  constexpr int most_restarts = 6;
  int best = n + 1, left = patience, restarts = 0;
  VecX slow = z.size() == n ? VecX(z.cwiseMax(p.lower).cwiseMin(p.upper)) : VecX();
  while (run.iterations < allowed && !expired()) {
    ++run.iterations;
    std::vector<int> F;
    VecX next(n);
    for (int i = 0; i < n; ++i) {
      const PivotState state = states[static_cast<std::size_t>(i)];
      next[i] = state == PivotState::Lower ? p.lower[i] : state == PivotState::Upper ? p.upper[i] : 0;
      if (state == PivotState::Free) F.push_back(i);
    }
    if (!F.empty()) {
      const VecX known = p.slack(next);
      VecX x;
      if (!block.solve(F, -known(F), x)) {
        run.singular = true;
        return run;
      }
      next(F) = x;
    }
    z = next;
    const VecX w = p.slack(z);
    // Who breaks its condition, and where it would go.
    std::vector<std::pair<int, PivotState>> wrong;
    for (int i = 0; i < n; ++i) {
      const PivotState state = states[static_cast<std::size_t>(i)];
      if (state == PivotState::Free) {
        if (z[i] < p.lower[i] - feasible) wrong.emplace_back(i, PivotState::Lower);
        if (z[i] > p.upper[i] + feasible) wrong.emplace_back(i, PivotState::Upper);
      } else if (p.lower[i] < p.upper[i]) {
        if (state == PivotState::Lower && w[i] < -feasible) wrong.emplace_back(i, PivotState::Free);
        if (state == PivotState::Upper && w[i] > feasible) wrong.emplace_back(i, PivotState::Free);
      }
    }
    const int count = static_cast<int>(wrong.size());
    if (count == 0) {
      run.solved = true;
      z = z.cwiseMax(p.lower).cwiseMin(p.upper);
      return run;
    }
    if (count < best) {
      best = count;
      left = patience;
    } else if (left > 0) {
      --left;
    } else if (restarts < most_restarts && slow.size() == n) {
      // Gauss-Seidel sweeps, which go on where the last ones ended, predict a better set.
      sweep(p, slow, 10 << restarts);
      ++restarts;
      states = predict_states(p, slow);
      best = n + 1, left = patience;
      continue;
    } else {
      wrong.erase(wrong.begin(), wrong.end() - 1);  // the last index alone: cannot cycle when all minors are positive
      ++run.single;
    }
    for (const auto& [i, state] : wrong) states[static_cast<std::size_t>(i)] = state;
  }
  return run;
}

/// Friction bounds mu r_N from these impulses (scaled).
void update_bounds(PolyhedralModel& box, const VecX& r) {
  for (const FrictionDisc& disc : box.discs) {
    const double bound = disc.bound(r);
    box.mlcp.lower.segment(disc.first_column, disc.tangents) = -bound * disc.stretch.head(disc.tangents);
    box.mlcp.upper.segment(disc.first_column, disc.tangents) = bound * disc.stretch.head(disc.tangents);
  }
}

}  // namespace

BlockPivotRun run_block_pivoting(const Mlcp& p, std::vector<PivotState>& states, VecX& z, int allowed,
                                 const std::function<bool()>& expired) {
  ActiveBlock block(p.M);
  return pivot(p, block, states, z, allowed, expired);
}

SolveReport BlockPivoting::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  require_laws(*this, problem.law);
  SolveReport report;
  report.residual = compute_residual(problem, r);
  const FrictionModel model{FrictionModel::Kind::Box};
  const auto good = [&] { return report.residual.scaled <= settings_.tolerance; };
  const auto finish = [&](SolveStatus status, std::string message) {
    report.status = good() ? SolveStatus::Converged : status;
    report.message = std::move(message);
    return report;
  };
  if (!std::isfinite(report.residual.scaled)) {
    r.setZero();
    return finish(SolveStatus::NotFinite, "the problem holds numbers that are not finite");
  }
  const int unknowns = count_unknowns(problem, model);
  if (unknowns > settings_.max_unknowns) {
    return finish(SolveStatus::TooCostly,
                  fmt::format("{} unknowns, more than max_unknowns {}", unknowns, settings_.max_unknowns));
  }
  if (good()) return finish(SolveStatus::Converged, "warm start is good enough");
  const auto expired = [&] { return budget.over(); };
  const auto consider = [&](const VecX& candidate) {
    if (!candidate.allFinite()) return;
    const Residual residual = compute_residual(problem, candidate);
    if (!(residual.scaled < report.residual.scaled)) return;
    r = candidate;
    report.residual = residual;
  };

  const BalancedProblem scaled(problem);
  const std::vector<FrictionDisc> discs = make_discs(scaled, 4);
  const double goal = std::min(1e-11, 0.01 * settings_.tolerance);
  VecX x = scaled.to_scaled(r), z;
  std::vector<PivotState> states, last_states;
  double model_residual = 0;
  int single = 0, passes = 0, proximal = 0;
  bool solved = true, tried = false;
  PolyhedralModel box = to_mlcp(scaled, model, discs, x);
  ActiveBlock block(box.mlcp.M);
  // Past a few steps per row the single pivots no longer lead anywhere in practice.
  const auto allowed = [&] { return std::min(settings_.max_iterations - report.iterations, 150 + unknowns / 2); };
  const auto finish_by_newton = [&] {
    VecX finished = x;
    finish_on_cone(scaled, finished, 1e-14, 50);
    consider(scaled.from_scaled(finished));
  };
  while (passes < settings_.max_passes && solved && !good() && !expired()) {
    // The first pass has the bounds of the warm start: none from a cold one, that is the frictionless problem.
    update_bounds(box, x);
    ++passes;
    z = find_unknowns(box, scaled, x);
    // From a prediction, or from the last sets; the first two passes know little of who slides.
    const VecX from = z;
    const std::vector<PivotState> predicted = predict_states(box.mlcp, from);
    states = passes <= 2 ? predicted : last_states;
    BlockPivotRun run = pivot(box.mlcp, block, states, z, allowed(), expired);
    report.iterations += run.iterations;
    single += run.single;
    if (!run.solved && !run.singular && passes > 1) {
      z = from;
      states = passes <= 2 ? last_states : predicted;
      run = pivot(box.mlcp, block, states, z, allowed(), expired);
      report.iterations += run.iterations;
      single += run.single;
    }
    if (run.singular) {
      // Proximal point: M + e is regular for positive semidefinite M, and z = z_k solves the problem itself.
      constexpr double e = 1e-6;
      Mlcp regular = box.mlcp;
      regular.M.diagonal().array() += e;
      ActiveBlock regular_block(regular.M);
      z = find_unknowns(box, scaled, x).cwiseMax(box.mlcp.lower).cwiseMin(box.mlcp.upper);
      states = predict_states(regular, z);
      double last = compute_residual(box.mlcp, z);
      for (int k = 0; k < 30 && last > goal; ++k) {
        regular.q = box.mlcp.q - e * z;
        VecX next = z;
        run = pivot(regular, regular_block, states, next, allowed(), expired);
        report.iterations += run.iterations;
        single += run.single;
        ++proximal;
        if (!run.solved) break;
        const double now = compute_residual(box.mlcp, next);
        z = next;
        if (now > 0.9 * last && now < 1e-8) break;
        last = now;
      }
    }
    solved = run.solved;
    if (!z.allFinite()) break;
    refine_on_active_set(box.mlcp, z);
    model_residual = compute_residual(box.mlcp, z);
    const VecX next = from_mlcp(box, z);
    const double change = (next - x).norm();
    x = next;
    consider(scaled.from_scaled(x));
    note(report.iterations, budget.seconds(), report.residual.scaled);
    if (discs.empty() || change <= 1e-14 * (1 + x.norm())) break;
    if (settings_.refine && !tried && states == last_states) {
      tried = true;
      finish_by_newton();
    }
    last_states = states;
  }
  if (settings_.refine && !good() && x.allFinite()) finish_by_newton();

  std::string message = describe_model(problem, model, model_residual) + fmt::format(" after {} passes", passes);
  if (has_spatial_friction(problem)) message += fmt::format("; true cone {:.0e}", report.residual.scaled);
  if (proximal > 0) message += fmt::format("; {} proximal steps (singular block)", proximal);
  if (single > 0) message += fmt::format("; {} single pivots", single);
  if (expired()) return finish(SolveStatus::TimeLimit, message);
  if (report.iterations >= settings_.max_iterations) return finish(SolveStatus::IterationLimit, message);
  if (!solved) return finish(SolveStatus::Stalled, "no complementary set found; " + message);
  return finish(SolveStatus::Stalled, message);
}

}  // namespace cairn
