// SPDX-License-Identifier: Apache-2.0
// From a contact problem to a method on a space (prox_space.h) and back: what all such solvers share.
#pragma once
#include "cairn/solvers/prox_space.h"
#include "cairn/solvers/solver.h"

namespace cairn {

/// Calls iterate(space, x, report) with the impulses in scaled variables, in velocity space where the problem gives it,
/// else in contact space; too-costly where a factorisation in both is beyond max_cost multiplications.
template <class Iterate>
SolveReport solve_in_space(const ContactProblem& problem, double max_cost, ContactSpace& contact,
                           VelocitySpace& velocity, VecX& r, Iterate&& iterate) {
  SolveReport report;
  const auto solve_on = [&](auto& space) {
    const VecX& scale = space.laws().scale;
    VecX x = r.cwiseProduct(scale);
    iterate(space, x, report);
    r = x.cwiseQuotient(scale);
  };
  if (velocity.set(problem) && velocity.plan(max_cost)) {
    solve_on(velocity);
  } else if (contact.set(problem.local()) && contact.plan(max_cost)) {
    solve_on(contact);
  } else {
    report.status = SolveStatus::TooCostly;
  }
  report.residual = problem.residual(r);
  if (!std::isfinite(report.residual.scaled)) {
    report.status = SolveStatus::NotFinite;
    r.setZero();
  }
  return report;
}

}  // namespace cairn
