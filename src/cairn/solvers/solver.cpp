// SPDX-License-Identifier: Apache-2.0
// What solvers share: names of statuses, and ways from the other forms of the problem to the local one.
#include "cairn/solvers/solver.h"

namespace cairn {

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged: return "converged";
    case SolveStatus::IterationLimit: return "iteration-limit";
    case SolveStatus::TimeLimit: return "time-limit";
    case SolveStatus::Stalled: return "stalled";
    case SolveStatus::NotFinite: return "not-finite";
    case SolveStatus::TooCostly: return "too-costly";
    case SolveStatus::Infeasible: return "infeasible";
    case SolveStatus::Unsupported: return "unsupported";
  }
  return "?";
}

SolveReport Solver::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads) {
  const Stopwatch stopwatch;
  const LocalProblem local = to_local(problem);
  VecX x(local.b.size());
  for (std::size_t i = 0; i < r.size(); ++i) x.segment<3>(3 * static_cast<int>(i)) = r[i];
  SolveReport report = solve(local, x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = x.segment<3>(3 * static_cast<int>(i));
  report.seconds = stopwatch.seconds();
  return report;
}

SolveReport Solver::solve(const GlobalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  const LocalProblem local = to_local(problem);
  SolveReport report = solve(local, r);
  report.seconds = stopwatch.seconds();
  return report;
}

void check_start(const VecX& b, VecX& r) {
  if (!r.allFinite() || b.isZero(0)) r.setZero();
}

const ConstraintLaw* find_unsupported(const Solver& solver, std::span<const ConstraintLaw> laws) {
  for (const ConstraintLaw& law : laws)
    if (!solver.supports(law)) return &law;
  return nullptr;
}

std::vector<std::string> solvers_of_law(const ConstraintLaw& law) {
  std::vector<std::string> names;
  for (const auto& entry : solvers().entries())
    if (entry.make({})->supports(law)) names.push_back(entry.name);
  return names;
}

void require_laws(const Solver& solver, std::span<const ConstraintLaw> laws, std::string_view setting) {
  const ConstraintLaw* law = find_unsupported(solver, laws);
  if (!law) return;
  throw Error("solver '{}'{}{} does not know the law '{}' of constraint {}; {} do", solver.name(),
              setting.empty() ? "" : " with ", setting, law_name(law->kind), law - laws.data(),
              join(solvers_of_law(*law)));
}

}  // namespace cairn
