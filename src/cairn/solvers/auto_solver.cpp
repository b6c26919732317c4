// SPDX-License-Identifier: Apache-2.0
// The default solver, and the registry of all.
#include "cairn/solvers/auto_solver.h"

namespace cairn {

AutoSolver::AutoSolver(const Settings& s)
    : settings_(s),
      quick_({.tolerance = s.tolerance, .max_iterations = s.quick_sweeps}),
      long_({.tolerance = s.tolerance, .max_iterations = s.max_iterations}),
      newton_({.tolerance = s.tolerance, .max_cost = s.max_cost}) {}

template <class Quick, class Newton, class Long>
SolveReport AutoSolver::chain(Quick&& quick, Newton&& newton, Long&& rest) {
  SolveReport report = quick();
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
  if (report.status == SolveStatus::TooCostly || report.status == SolveStatus::IterationLimit) join(rest());
  return report;
}

SolveReport AutoSolver::solve(const LocalProblem& problem, VecX& r) {
  return chain([&] { return quick_.solve(problem, r); }, [&] { return newton_.solve(problem, r); },
               [&] { return long_.solve(problem, r); });
}

SolveReport AutoSolver::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) {
  return chain([&] { return quick_.solve(problem, r, threads); }, [&] { return newton_.solve(problem, r, threads); },
               [&] { return long_.solve(problem, r, threads); });
}

const Registry<Solver>& solvers() {
  static const Registry<Solver> registry = [] {
    Registry<Solver> r("solver");
    r.add<AutoSolver>("auto", "quick Gauss-Seidel, then proximal Newton, then Gauss-Seidel for what is too large; the default");
    r.add<GaussSeidel>("gauss-seidel", "block Gauss-Seidel with the exact solution of each contact; robust for any rank of W");
    r.add<ProximalNewton>("proximal-newton", "proximal point over semismooth Newton with sparse factorisation; accurate on stacks");
    return r;
  }();
  return registry;
}

}  // namespace cairn
