// SPDX-License-Identifier: Apache-2.0
// Cohesion as a shift of the unknown: see the header.
#include "cairn/problem/cohesion.h"

#include "cairn/base/error.h"

#include <cmath>

namespace cairn {
namespace {

void check(std::span<const double> cohesion, const LocalProblem& problem) {
  if (static_cast<int>(cohesion.size()) != problem.size()) {
    throw Error("cohesion has {} entries; must have one for each of the {} constraints", cohesion.size(),
                problem.size());
  }
  for (std::size_t i = 0; i < cohesion.size(); ++i) {
    if (!(std::isfinite(cohesion[i]) && cohesion[i] >= 0)) {
      throw Error("constraint {}: cohesion is {} N s; must be finite and >= 0", i, cohesion[i]);
    }
    if (cohesion[i] > 0 && !problem.law[i].has_normal()) {
      throw Error("constraint {}: cohesion of a {} law, which has no normal impulse; must be a contact", i,
                  law_name(problem.law[i].kind));
    }
  }
}

/// r += sign c e_N, b -= sign W c e_N.
void shift(std::span<const double> cohesion, double sign, LocalProblem& problem, VecX& r) {
  check(cohesion, problem);
  for (std::size_t j = 0; j < cohesion.size(); ++j) r[problem.offset[j]] += sign * cohesion[j];
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const double c = cohesion[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])];
      if (c != 0) problem.b.segment(problem.offset[row], problem.rows(i)) -= sign * c * problem.block(i, k).col(0);
    }
  }
}

}  // namespace

void apply_cohesion(std::span<const double> cohesion, LocalProblem& problem, VecX& r) {
  shift(cohesion, 1, problem, r);
}

void remove_cohesion(std::span<const double> cohesion, LocalProblem& problem, VecX& r) {
  shift(cohesion, -1, problem, r);
}

std::vector<int> find_broken_cohesion(std::span<const double> cohesion, const LocalProblem& problem, const VecX& r,
                                      double tolerance) {
  check(cohesion, problem);
  std::vector<int> broken;
  for (std::size_t i = 0; i < cohesion.size(); ++i)
    if (cohesion[i] > 0 && r[problem.offset[i]] + cohesion[i] <= tolerance * cohesion[i])
      broken.push_back(static_cast<int>(i));
  return broken;
}

}  // namespace cairn
