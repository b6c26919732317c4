// SPDX-License-Identifier: Apache-2.0
// What solvers share: names of statuses, the one entrance, and which laws they know.
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

SolveReport Solver::solve(const ContactProblem& problem, VecX& r) {
  Budget budget{limits().max_seconds};
  if (max_seconds_ > 0 && (budget.max_seconds == 0 || max_seconds_ < budget.max_seconds))
    budget.max_seconds = max_seconds_;
  return solve(problem, r, budget);
}

SolveReport Solver::solve(const ContactProblem& problem, VecX& r, const Budget& budget) {
  const Stopwatch stopwatch;
  if (!r.allFinite()) r.setZero();
  SolveReport report = problem.parts().empty() ? run(problem, r, budget) : solve_parts(problem, r, budget);
  report.seconds = stopwatch.seconds();
  return report;
}

SolveReport Solver::solve_parts(const ContactProblem& problem, VecX& r, const Budget& budget) {
  SolveReport report;
  int row = 0;
  for (const ContactProblem& part : problem.parts()) {
    VecX x = r.segment(row, part.row_count());
    const SolveReport one = solve(part, x, budget);
    r.segment(row, x.size()) = x;
    row += part.row_count();
    report.iterations += one.iterations;
    if (one.status == SolveStatus::Converged) continue;
    report.status = one.status;
    report.message = one.message;
  }
  report.residual = problem.residual(r);
  return report;
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
