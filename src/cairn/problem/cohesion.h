// SPDX-License-Identifier: Apache-2.0
// Cohesion of contacts as a shift of the unknown (Koziara 2008, section 10.4): no set of its own, so every law with a
// normal row and every solver of it has it.
//
// A contact that holds up to the impulse c = (force) h against being pulled apart obeys 0 <= U_N _|_ r_N + c >= 0, and
// its friction is bounded by mu (r_N + c). With r' = r + c e_N that is the law without cohesion in r', and
//   U = W r + b = W r' + b',   b' = b - W c e_N.
// Brittle cohesion breaks for ever where the solution has r'_N = 0; adhesion that heals keeps its c.
#pragma once
#include "cairn/problem/local_problem.h"

namespace cairn {

/// From r and b to r' and b'; c [N s] >= 0 per constraint, 0 for none. Throws Error naming the constraint where c is no
/// such number, or the law has no normal impulse (its rows are joints or friction alone).
void apply_cohesion(std::span<const double> cohesion, LocalProblem& problem, VecX& r);

/// Back from r' and b' to r and b. The velocity U is the same in both.
void remove_cohesion(std::span<const double> cohesion, LocalProblem& problem, VecX& r);

/// Constraints whose cohesion is used up in the solution r (of the problem without the shift): r_N + c <= `tolerance`
/// c.
std::vector<int> find_broken_cohesion(std::span<const double> cohesion, const LocalProblem& problem, const VecX& r,
                                      double tolerance = 1e-6);

}  // namespace cairn
