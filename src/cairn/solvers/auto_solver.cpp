// SPDX-License-Identifier: Apache-2.0
// The default solver, and the registry of all.
#include "cairn/solvers/auto_solver.h"

namespace cairn {

AutoSolver::AutoSolver(const Settings& s)
    : settings_(s),
      gauss_seidel_({.tolerance = s.tolerance}),
      newton_({.tolerance = s.tolerance,
               .max_iterations = 250,
               .max_bodies = s.newton_bodies,
               .max_cost_per_contact = s.newton_cost}) {}

template <class Sweeps, class Newton>
SolveReport AutoSolver::chain(std::size_t contacts, Sweeps&& sweeps, Newton&& newton) {
  // Sweeps are cheap on small problems, a factorisation is not: the fewer contacts, the more sweeps come first.
  const int quick = std::max(8, settings_.quick_work / std::max(1, static_cast<int>(contacts)));
  gauss_seidel_.set_max_iterations(std::min(quick, settings_.max_iterations));
  SolveReport report = sweeps();
  if (report.status != SolveStatus::IterationLimit) return report;
  // Each stage starts from the best of the one before; iterations and time add up.
  const auto join = [&](const SolveReport& next) {
    const int iterations = report.iterations + next.iterations;
    const double seconds = report.seconds + next.seconds;
    report = next;
    report.iterations = iterations;
    report.seconds = seconds;
  };
  join(newton());
  if (report.status == SolveStatus::TooCostly || report.status == SolveStatus::IterationLimit) {
    gauss_seidel_.set_max_iterations(settings_.max_iterations);
    join(sweeps());
  }
  return report;
}

SolveReport AutoSolver::solve(const LocalProblem& problem, VecX& r) {
  return chain(
      static_cast<std::size_t>(problem.size()), [&] { return gauss_seidel_.solve(problem, r); },
      [&] { return newton_.solve(problem, r); });
}

SolveReport AutoSolver::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) {
  return chain(
      problem.size(), [&] { return gauss_seidel_.solve(problem, r, threads); },
      [&] { return newton_.solve(problem, r, threads); });
}

const Registry<Solver>& solvers() {
  static const Registry<Solver> registry = [] {
    Registry<Solver> r("solver");
    r.add<AutoSolver>("auto",
                      "quick Gauss-Seidel, then proximal Newton, then Gauss-Seidel for what is too large; the default");
    r.add<GaussSeidel>("gauss-seidel",
                       "block Gauss-Seidel with the exact solution of each contact; robust for any rank of W");
    r.add<ProximalNewton>("proximal-newton",
                          "proximal point over semismooth Newton with sparse factorisation; accurate on stacks");
    return r;
  }();
  return registry;
}

}  // namespace cairn
