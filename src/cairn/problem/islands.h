// SPDX-License-Identifier: Apache-2.0
// Islands: groups of constraints that share no body with others. Each is a problem of its own.
#pragma once
#include "cairn/problem/global_problem.h"

namespace cairn {

/// Island of each constraint, numbered from 0 in the order of their first constraint.
std::vector<int> find_islands(const LocalProblem& problem);
std::vector<int> find_islands(const PairProblem& problem);

/// The constraints of every island, in order.
struct IslandList {
  std::vector<int> first{0};  ///< of each island in `member`, and one past the last
  std::vector<int> member;
  int size() const { return static_cast<int>(first.size()) - 1; }
  std::span<const int> operator[](int k) const {
    return {member.begin() + first[static_cast<std::size_t>(k)],
            member.begin() + first[static_cast<std::size_t>(k) + 1]};
  }
};
IslandList group_islands(const std::vector<int>& island);

/// The problem of some constraints alone: what couples them with others is left out (islands have nothing there).
LocalProblem extract(const LocalProblem& problem, std::span<const int> constraints);
/// Blocks of z are numbered anew.
PairProblem extract(const PairProblem& problem, std::span<const int> constraints);
/// All bodies stay, also those that no longer carry a constraint.
GlobalProblem extract(const GlobalProblem& problem, std::span<const int> constraints);
/// The same with some degrees of freedom only: the others are held at zero velocity.
GlobalProblem extract(const GlobalProblem& problem, std::span<const int> constraints, std::span<const int> dofs);

}  // namespace cairn
