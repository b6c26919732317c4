// SPDX-License-Identifier: Apache-2.0
// Moving and resting bodies in turn: see the header.
#include "cairn/solvers/rest_split.h"

#include "cairn/problem/islands.h"

#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Bodies count as moving from this many times the residual on; nothing is said of speeds below the second (of |b|).
constexpr double moving_share = 10, least_speed = 1e-6;
// Parts are solved to this share of the tolerance, so that both together meet it.
constexpr double part_accuracy = 0.01;
// Starts by their sweeps from zero, and the rounds each of them gets: the search is chaotic, many short ones find more
// than a long one.
constexpr int start_sweeps[] = {3, 5, 10, 20, 40, 7, 15, 30, 4, 6, 12, 25, 50, 9, 18, 35}, start_rounds = 15;
// Residual of a moving part from which on it is worth to insist.
constexpr double near_miss = 1e-6;
// No factorisation is too dear for a problem that got as far as this.
constexpr double any_cost = 1e12;

/// The rows of some constraints.
std::vector<int> rows_of(const GlobalProblem& problem, std::span<const int> constraints) {
  std::vector<int> rows;
  for (const int i : constraints)
    for (int l = problem.offset[at(i)]; l < problem.offset[at(i) + 1]; ++l) rows.push_back(l);
  return rows;
}

VecX gather(const VecX& x, const std::vector<int>& rows) {
  VecX part(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) part[static_cast<Eigen::Index>(k)] = x[rows[k]];
  return part;
}

void scatter(const VecX& part, const std::vector<int>& rows, VecX& x) {
  for (std::size_t k = 0; k < rows.size(); ++k) x[rows[k]] = part[static_cast<Eigen::Index>(k)];
}

/// Limits of the parts.
SolverLimits part_limits(const RestSplit::Settings& settings) {
  SolverLimits limits = settings;
  limits.tolerance = part_accuracy * settings.tolerance;
  return limits;
}

}  // namespace

RestSplit::RestSplit(const Settings& settings)
    : settings_(settings),
      natural_([&] {
        NaturalNewton::Settings s;
        s.tolerance = part_accuracy * settings.tolerance;
        return s;
      }()),
      newton_([&] {
        ProximalNewton::Settings s;
        s.tolerance = part_accuracy * settings.tolerance;
        s.min_compliance = 1e-7;  // the search was tuned with it: many short tries, none that goes far
        return s;
      }()),
      interior_(InteriorPoint::stage(part_limits(settings), InteriorPoint::Shift::Linearised)),
      held_(InteriorPoint::stage(part_limits(settings), InteriorPoint::Shift::Held)) {}

bool RestSplit::supports(const GlobalProblem& problem) const {
  return problem.compliance.size() == 0 &&
         std::all_of(problem.law.begin(), problem.law.end(), [&](const auto& law) { return interior_.supports(law); });
}

int RestSplit::left() const {
  if (budget_->over()) return 0;
  return std::max(0, settings_.max_iterations - work_.iterations);
}

double RestSplit::natural(VelocitySpace& space, VecX& x, double proximal) {
  natural_.set_proximal(proximal);
  natural_.set_max_iterations(std::min(100, left()));
  natural_.iterate(space, x, work_, *budget_);
  return work_.residual.scaled;
}

double RestSplit::newton(VelocitySpace& space, VecX& x, double compliance, int iterations) {
  newton_.set_compliance(compliance);
  newton_.set_max_iterations(std::min(iterations, left()));
  newton_.iterate(space, x, work_, *budget_);
  return work_.residual.scaled;
}

double RestSplit::interior(VelocitySpace& space, VecX& x) {
  interior_.iterate(space, x, work_, *budget_);
  return work_.residual.scaled;
}

void RestSplit::recentre(VecX& x) { held_.iterate(whole_, x, work_, *budget_); }

double RestSplit::solve_moving(VelocitySpace& space, VecX& x, int round) {
  const VecX start = x;
  double best = INFINITY;
  const auto keep = [&](const VecX& y, double residual) {
    if (residual < best) best = residual, x = y;
    return best <= settings_.tolerance || left() == 0;
  };
  const auto sweep = [&](VecX& y, int sweeps, bool symmetric) {
    space.prepare_sweeps(y);
    for (int k = 0; k < sweeps; ++k) space.sweep(y, !symmetric || k % 2 == 0);
  };
  VecX y = start;
  if (keep(y, natural(space, y, 0.01)) || keep(y, newton(space, y, 0.1, 300))) return best;
  for (const double compliance : {1e-2, 1e-3, 1.0}) {
    y = start;
    sweep(y, 10 * (round % 7), true);
    if (keep(y, newton(space, y, compliance, 300))) return best;
    if (best > near_miss) continue;
    y = x;
    if (keep(y, natural(space, y, 0.1))) return best;
    y = x;
    if (keep(y, newton(space, y, compliance, 300))) return best;
  }
  // From zero it finds another solution, which the resting part may not carry: a way out of where it is.
  y.setZero();
  sweep(y, 5 + 3 * round, false);
  natural(space, y, 0.01);
  double cold = newton(space, y, 0.1, 300);
  for (const double compliance : {1e-2, 1e-3, 1e-1, 1e-4}) {
    if (cold <= settings_.tolerance || left() == 0) break;
    sweep(y, 30, true);
    cold = newton(space, y, compliance, 300);
  }
  if (keep(y, cold) || best > near_miss) return best;
  // So near that only few contacts can be wrong: other sweeps and other compliances may turn them.
  for (const int sweeps : {30, 300}) {
    for (const double compliance : {1e-1, 1e-2, 1e-3}) {
      y = x;
      sweep(y, sweeps, true);
      if (keep(y, natural(space, y, compliance)) || keep(y, newton(space, y, compliance, 300))) return best;
    }
  }
  return best;
}

bool RestSplit::set(const GlobalProblem& problem, const Budget& budget) {
  problem_ = &problem;
  budget_ = &budget;
  work_ = {};
  body_ = find_bodies(problem);
  mass_.emplace(problem.M);
  return whole_.set(problem) && whole_.plan(any_cost);
}

double RestSplit::residual_of(const VecX& x) {
  whole_.velocity(x, U_);
  return whole_.laws().residual(x, U_);
}

double RestSplit::split(VecX& x, double residual, int round) {
  const GlobalProblem& problem = *problem_;
  const VecX r = x.cwiseQuotient(whole_.laws().scale);
  // Who moves.
  const VecX v = global_velocity(problem, *mass_, r);
  VecX speed = VecX::Zero(body_.empty() ? 0 : 1 + *std::max_element(body_.begin(), body_.end()));
  for (Eigen::Index k = 0; k < v.size(); ++k) speed[body_[at(static_cast<int>(k))]] += v[k] * v[k];
  const double limit = std::max(moving_share * residual, least_speed) * whole_.laws().b_norm;
  const auto moves = [&](int dof) { return std::sqrt(speed[body_[at(dof)]]) > limit; };
  std::vector<int> moving, resting, moving_dofs, resting_dofs;
  for (int i = 0; i < problem.size(); ++i) {
    bool any = false;
    for (int l = problem.offset[at(i)]; l < problem.offset[at(i) + 1]; ++l)
      for (SparseMatrix::InnerIterator it(problem.H, l); it; ++it)
        any = any || (it.value() != 0 && moves(static_cast<int>(it.row())));
    (any ? moving : resting).push_back(i);
  }
  for (int k = 0; k < static_cast<int>(v.size()); ++k) (moves(k) ? moving_dofs : resting_dofs).push_back(k);
  if (moving.empty() || resting.empty()) return INFINITY;
  // The moving part, the others held.
  const std::vector<int> moving_rows = rows_of(problem, moving), resting_rows = rows_of(problem, resting);
  if (!moving_.set(extract(problem, moving, moving_dofs)) || !moving_.plan(any_cost)) return INFINITY;
  VecX y = gather(r, moving_rows).cwiseProduct(moving_.laws().scale);
  solve_moving(moving_, y, round);
  VecX together = VecX::Zero(r.size());
  scatter(y.cwiseQuotient(moving_.laws().scale), moving_rows, together);
  // The resting part under that load.
  GlobalProblem loaded = extract(problem, resting, resting_dofs);
  loaded.f += gather(problem.H * together, resting_dofs);
  if (!resting_.set(loaded) || !resting_.plan(any_cost)) return INFINITY;
  y = gather(r, resting_rows).cwiseProduct(resting_.laws().scale);
  if (interior(resting_, y) > part_accuracy * settings_.tolerance) natural(resting_, y, 0.01);
  scatter(y.cwiseQuotient(resting_.laws().scale), resting_rows, together);
  x = together.cwiseProduct(whole_.laws().scale);
  return residual_of(x);
}

void RestSplit::iterate(const GlobalProblem& problem, VecX& r, SolveReport& report, const Budget& budget) {
  report.status = SolveStatus::Stalled;
  if (!set(problem, budget)) return;
  const ScaledLaws& laws = whole_.laws();
  VecX x = r.cwiseProduct(laws.scale), best_x = x;
  double best = residual_of(x);
  const auto keep = [&](double residual) {
    if (residual < best) best = residual, best_x = x;
    return best <= settings_.tolerance || left() == 0;
  };
  for (std::size_t start = 0; start < std::size(start_sweeps) && !keep(INFINITY); ++start) {
    // Its own starts: the impulses given are those of a hollow.
    x.setZero();
    whole_.prepare_sweeps(x);
    for (int k = 0; k < start_sweeps[start]; ++k) whole_.sweep(x, true);
    natural(whole_, x, 0.01);
    newton(whole_, x, 1e-3, 200);
    double now = newton(whole_, x, 0.1, 600);
    for (int k = 0; k < 3 && !keep(now); ++k) {
      recentre(x);
      now = newton(whole_, x, 1e-3, 600);
    }
    for (int round = 0; !keep(now) && round < start_rounds; ++round) {
      const double both = split(x, now, round);
      if (!std::isfinite(both) || keep(both)) break;
      recentre(x);
      constexpr double compliances[] = {1e-1, 1e-2, 1e-3};
      now = newton(whole_, x, compliances[round % 3], 300 + 100 * (round % 5));
    }
  }
  r = best_x.cwiseQuotient(laws.scale);
  report.iterations += work_.iterations;
  report.residual.scaled = best;
  if (best <= settings_.tolerance) {
    report.status = SolveStatus::Converged;
  } else if (budget.over()) {
    report.status = SolveStatus::TimeLimit;
  } else if (left() == 0) {
    report.status = SolveStatus::IterationLimit;
  }
}

}  // namespace cairn
