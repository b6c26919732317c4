// SPDX-License-Identifier: Apache-2.0
// The default solver: see the header.
#include "cairn/solvers/auto_solver.h"

#include "cairn/problem/islands.h"

#include <cmath>

namespace cairn {
namespace {

template <class Settings>
Settings with_limits(const SolverLimits& limits, int max_iterations) {
  Settings settings;
  settings.tolerance = limits.tolerance;
  settings.max_seconds = limits.max_seconds;
  settings.max_iterations = max_iterations;
  return settings;
}

ProximalNewton::Settings newton_settings(const SolverLimits& limits) {
  auto settings = with_limits<ProximalNewton::Settings>(limits, 3000);
  settings.overshoot = 0.01;
  return settings;
}

InteriorPoint::Settings interior_settings(const SolverLimits& limits, InteriorPoint::Shift shift) {
  auto settings = with_limits<InteriorPoint::Settings>(limits, 80);
  settings.sweeps = 0;
  settings.shift = shift;
  return settings;
}

}  // namespace

AutoSolver::AutoSolver(const Settings& s)
    : settings_(s),
      gauss_seidel_(with_limits<GaussSeidel::Settings>(s, s.max_iterations)),
      newton_(newton_settings(s)),
      interior_(interior_settings(s, InteriorPoint::Shift::Linearised)),
      lagged_(interior_settings(s, InteriorPoint::Shift::Lagged)),
      lemke_(with_limits<Lemke::Settings>(s, 100000)) {}

template <class Space>
void AutoSolver::solve_on(Space& space, VecX& x, double residual, SolveReport& report, const Stopwatch& stopwatch) {
  const ScaledLaws& laws = space.laws();
  // Newton runs from where it starts; the interior point method needs cones it knows.
  const bool cones =
      std::all_of(laws.law.begin(), laws.law.end(), [&](const auto& law) { return interior_.supports(law.kind); });
  best_ = x;
  double best = residual;
  const auto keep = [&] {
    if (report.residual.scaled < best) {
      best = report.residual.scaled;
      best_ = x;
    } else {
      x = best_;
    }
    return best <= settings_.tolerance;
  };
  const auto newton = [&](int iterations, double compliance = 1e-3) {
    newton_.set_max_iterations(iterations);
    newton_.set_compliance(compliance);
    newton_.iterate(space, x, report, stopwatch);
    return keep();
  };
  const bool near = residual < 3e-5;
  // The nearer the start, the stiffer the first step may be; a few iterations show whether it was right.
  bool done = near && laws.size() >= 20 && newton(8, std::clamp(10 * best, 1e-5, 1e-3));
  done = done || ((near || !cones) && newton(cones ? 25 : 3000));
  // A second round, with the shift lagged, comes to another place on the way and often past what held up the first.
  for (InteriorPoint* interior : {&interior_, &lagged_}) {
    if (done || !cones || out_of_time(stopwatch)) break;
    interior->iterate(space, x, report, stopwatch);
    done = keep() || (!out_of_time(stopwatch) && newton(2000));
  }
  // Sweeps leave the corner that Newton is stuck in; from there, with another compliance, it takes another way.
  int sweeps = 30;
  for (const double compliance : {1e-2, 1e-3, 1e-1, 1e-4}) {
    if (done || !cones || out_of_time(stopwatch)) break;
    space.prepare_sweeps(x);
    for (int k = 0; k < sweeps; ++k) space.sweep(x, k % 2 == 0);
    sweeps *= 2;
    done = newton(2000, compliance);
  }
  report.residual.scaled = best;
  if (done) report.status = SolveStatus::Converged;
}

SolveReport AutoSolver::solve(const LocalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  const int n = problem.size();
  // Sweeps in batches; the gain of one predicts how many more it takes.
  int batch = n < 20 ? 20 : 8, done = 0;
  double before = INFINITY;
  SolveReport report;
  const int affordable = std::clamp(5 * settings_.quick_work / std::max(1, n), 60, 600);
  while (true) {
    gauss_seidel_.set_max_iterations(batch);
    const SolveReport sweeps = gauss_seidel_.solve(problem, r);
    done += sweeps.iterations;
    report = sweeps;
    report.iterations = done;
    report.seconds = stopwatch.seconds();
    if (sweeps.status != SolveStatus::IterationLimit || out_of_time(stopwatch)) return report;
    const double now = sweeps.residual.scaled;
    const double more = now < before ? batch * std::log(now / settings_.tolerance) / std::log(before / now) : INFINITY;
    if (done >= settings_.max_iterations || (std::isfinite(before) && more > affordable)) break;
    before = now;
  }
  const auto finish = [&](SolveStatus status) {
    const int iterations = report.iterations;
    report.status = status;
    report.residual = compute_residual(problem, r);
    if (report.residual.scaled <= settings_.tolerance) report.status = SolveStatus::Converged;
    report.iterations = iterations;
    report.seconds = stopwatch.seconds();
    return report;
  };
  // Rows without friction: pivoting is exact and does not need a monotone problem.
  const bool linear = std::none_of(problem.law.begin(), problem.law.end(), [](const auto& law) {
    return law.kind == LawKind::Coulomb || law.kind == LawKind::Rolling;
  });
  if (linear && n <= 1000) {
    VecX x = r;
    const SolveReport pivots = lemke_.solve(problem, x);
    report.iterations += pivots.iterations;
    report.message = pivots.message;
    if (pivots.residual.scaled < report.residual.scaled) r = x;
    if (pivots.status == SolveStatus::Converged || pivots.status == SolveStatus::Infeasible)
      return finish(pivots.status);
  }
  // Newton's methods island by island: only those that need it, each with its own steps.
  const auto islands = group_islands(find_islands(problem));
  const double reference = problem.b.norm();
  bool factorised = true;
  SolveStatus worst = SolveStatus::Converged;
  for (const std::vector<int>& island : islands) {
    const bool whole = islands.size() == 1;
    const double share = std::sqrt(static_cast<double>(island.size()) / n);
    const LocalProblem part = whole ? LocalProblem{} : extract(problem, island);
    const LocalProblem& target = whole ? problem : part;
    VecX part_r = r;
    if (!whole) {
      part_r.resize(part.b.size());
      for (std::size_t k = 0; k < island.size(); ++k)
        part_r.segment(part.offset[k], part.rows(static_cast<int>(k))) =
            r.segment(problem.offset[static_cast<std::size_t>(island[k])], part.rows(static_cast<int>(k)));
    }
    if (!contact_.set(target)) {
      factorised = false;
      continue;
    }
    if (reference > 0) contact_.set_reference(share * reference);
    const VecX& scale = contact_.laws().scale;
    x_ = part_r.cwiseProduct(scale);
    VecX U;
    contact_.velocity(x_, U);
    const double residual = contact_.laws().residual(x_, U);
    if (residual <= settings_.tolerance) continue;
    if (!contact_.plan(settings_.newton_cost * static_cast<double>(island.size()))) {
      factorised = false;
      continue;
    }
    solve_on(contact_, x_, residual, report, stopwatch);
    if (report.status != SolveStatus::Converged) worst = report.status;
    x_ = x_.cwiseQuotient(scale);
    for (std::size_t k = 0; k < island.size(); ++k) {
      const int rows = target.rows(static_cast<int>(k));
      r.segment(problem.offset[static_cast<std::size_t>(island[k])], rows) = x_.segment(target.offset[k], rows);
    }
  }
  if (factorised) return finish(worst);
  gauss_seidel_.set_max_iterations(settings_.max_iterations);
  const SolveReport sweeps = gauss_seidel_.solve(problem, r);
  report.iterations += sweeps.iterations;
  return finish(sweeps.status);
}

SolveReport AutoSolver::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) {
  const Stopwatch stopwatch;
  // Sweeps are cheap on small problems, a factorisation is not: the fewer contacts, the more sweeps come first.
  const int n = static_cast<int>(problem.size());
  const int quick = std::max(8, settings_.quick_work / std::max(1, n));
  gauss_seidel_.set_max_iterations(std::min(quick, settings_.max_iterations));
  SolveReport report = gauss_seidel_.solve(problem, r, threads);
  if (report.status != SolveStatus::IterationLimit || out_of_time(stopwatch)) return report;
  const auto islands = group_islands(find_islands(problem));
  double reference = 0;
  for (const PairBlock& c : problem.blocks) reference += c.b.squaredNorm();
  reference = std::sqrt(reference);
  bool factorised = true;
  SolveStatus worst = SolveStatus::Converged;
  for (const std::vector<int>& island : islands) {
    const int size = static_cast<int>(island.size());
    if (islands.size() == 1) {
      velocity_.set(problem);
    } else {
      velocity_.set(extract(problem, island));
    }
    if (reference > 0) velocity_.set_reference(std::sqrt(static_cast<double>(size) / n) * reference);
    const VecX& scale = velocity_.laws().scale;
    x_.resize(3 * size);
    for (int i = 0; i < size; ++i)
      x_.segment<3>(3 * i) = r[static_cast<std::size_t>(island[static_cast<std::size_t>(i)])];
    x_ = x_.cwiseProduct(scale);
    VecX U;
    velocity_.velocity(x_, U);
    const double residual = velocity_.laws().residual(x_, U);
    if (residual <= settings_.tolerance) continue;
    if (velocity_.parts() > settings_.newton_bodies || !velocity_.plan(settings_.newton_cost * size)) {
      factorised = false;
      continue;
    }
    solve_on(velocity_, x_, residual, report, stopwatch);
    if (report.status != SolveStatus::Converged) worst = report.status;
    x_ = x_.cwiseQuotient(scale);
    for (int i = 0; i < size; ++i)
      r[static_cast<std::size_t>(island[static_cast<std::size_t>(i)])] = x_.segment<3>(3 * i);
  }
  if (factorised) {
    report.residual = compute_residual(problem, r, z_, U_);
    report.seconds = stopwatch.seconds();
    report.status = report.residual.scaled <= settings_.tolerance ? SolveStatus::Converged : worst;
    return report;
  }
  gauss_seidel_.set_max_iterations(settings_.max_iterations);
  const int iterations = report.iterations;
  report = gauss_seidel_.solve(problem, r, threads);
  report.iterations += iterations;
  report.seconds = stopwatch.seconds();
  return report;
}

SolveReport AutoSolver::solve(const GlobalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  // Few rows: W is small whatever the bodies are.
  if (problem.size() < 20 || !velocity_.set(problem) || velocity_.parts() > settings_.newton_bodies ||
      !velocity_.plan(settings_.newton_cost * problem.size())) {
    return Solver::solve(problem, r);
  }
  SolveReport report;
  const ScaledLaws& laws = velocity_.laws();
  if (!r.allFinite()) r.setZero();
  x_ = r.cwiseProduct(laws.scale);
  VecX U;
  velocity_.velocity(x_, U);
  double now = laws.residual(x_, U), before = INFINITY;
  if (now > settings_.tolerance) velocity_.prepare_sweeps(x_);
  constexpr int batch = 8;
  const int affordable = std::clamp(5 * settings_.quick_work / std::max(1, problem.size()), 60, 600);
  best_ = x_;
  while (now > settings_.tolerance && report.iterations < settings_.max_iterations && !out_of_time(stopwatch)) {
    for (int k = 0; k < batch; ++k) velocity_.sweep(x_, k % 2 == 0);
    report.iterations += batch;
    velocity_.velocity(x_, U);
    before = now;
    now = laws.residual(x_, U);
    note(report.iterations, stopwatch.seconds(), now);
    const double more = now < before ? batch * std::log(now / settings_.tolerance) / std::log(before / now) : INFINITY;
    if (report.iterations > batch && more > affordable) break;
  }
  report.residual.scaled = now;
  report.status = now <= settings_.tolerance ? SolveStatus::Converged : SolveStatus::IterationLimit;
  if (now > settings_.tolerance) solve_on(velocity_, x_, now, report, stopwatch);
  r = x_.cwiseQuotient(laws.scale);
  report.seconds = stopwatch.seconds();
  report.residual = compute_residual(to_local(problem), r);
  return report;
}

}  // namespace cairn
