// SPDX-License-Identifier: Apache-2.0
// Islands: groups of constraints that share no body with others. Each is a problem of its own.
#pragma once
#include "cairn/problem/local_problem.h"

namespace cairn {

/// Island of each constraint, numbered from 0 in the order of their first constraint.
std::vector<int> find_islands(const LocalProblem& problem);
std::vector<int> find_islands(const PairProblem& problem);

/// The constraints of every island, in order.
std::vector<std::vector<int>> group_islands(const std::vector<int>& island);

/// The problem of some constraints alone: what couples them with others is left out (islands have nothing there).
LocalProblem extract(const LocalProblem& problem, std::span<const int> constraints);
/// Blocks of z are numbered anew.
PairProblem extract(const PairProblem& problem, std::span<const int> constraints);

}  // namespace cairn
