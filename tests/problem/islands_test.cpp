// SPDX-License-Identifier: Apache-2.0
// Islands: found in both forms, and each the problem it is within the whole.
#include "cairn/problem/islands.h"

#include <gtest/gtest.h>

#include "solvers/random_problem.h"

namespace cairn {
namespace {

/// Two random problems side by side, their constraints alternating.
PairProblem two_islands() {
  const PairProblem a = random_problem(1, 4, 9, 1, 0.5), b = random_problem(2, 3, 9, 0, 0.2);
  PairProblem both;
  both.block_count = 7;
  for (std::size_t i = 0; i < 9; ++i) {
    both.blocks.push_back(a.blocks[i]);
    PairBlock moved = b.blocks[i];
    moved.first += 4;
    if (moved.second >= 0) moved.second += 4;
    both.blocks.push_back(moved);
  }
  return both;
}

TEST(Islands, are_the_same_in_both_forms_and_do_not_mix) {
  const PairProblem problem = two_islands();
  const std::vector<int> pair = find_islands(problem), local = find_islands(to_local(problem));
  EXPECT_EQ(pair, local);
  // Constraints of the two halves never share an island (each half may itself fall apart).
  for (std::size_t i = 0; i < pair.size(); i += 2)
    for (std::size_t j = 1; j < pair.size(); j += 2) EXPECT_NE(pair[i], pair[j]);
}

TEST(Islands, extracted_velocities_are_those_of_the_whole) {
  const PairProblem problem = two_islands();
  const LocalProblem local = to_local(problem);
  const GlobalProblem global = to_global(local);
  std::vector<Vec3> r;
  VecX r_local(local.b.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    r.push_back(Vec3::Random());
    r_local.segment<3>(3 * static_cast<int>(i)) = r.back();
  }
  const VecX U = local.velocity(r_local);
  std::size_t seen = 0;
  const IslandList islands = group_islands(find_islands(problem));
  for (int number = 0; number < islands.size(); ++number) {
    const std::span<const int> island = islands[number];
    const LocalProblem part = extract(local, island), pair_part = to_local(extract(problem, island));
    VecX r_part(part.b.size()), U_part(part.b.size());
    for (std::size_t k = 0; k < island.size(); ++k) {
      r_part.segment<3>(3 * static_cast<int>(k)) = r[static_cast<std::size_t>(island[k])];
      U_part.segment<3>(3 * static_cast<int>(k)) = U.segment<3>(3 * island[k]);
    }
    EXPECT_LT((part.velocity(r_part) - U_part).norm(), 1e-13 * U.norm());
    EXPECT_LT((pair_part.velocity(r_part) - U_part).norm(), 1e-13 * U.norm());
    EXPECT_LT((to_local(extract(global, island)).velocity(r_part) - U_part).norm(), 1e-10 * U.norm());
    seen += island.size();
  }
  EXPECT_EQ(seen, problem.size());
}

TEST(Islands, degrees_of_freedom_left_out_are_held) {
  // As if their mass were beyond measure.
  const GlobalProblem global = to_global(to_local(two_islands()));
  std::vector<int> all, dofs;
  for (int i = 0; i < global.size(); ++i) all.push_back(i);
  GlobalProblem heavy = global;
  for (int k = 0; k < static_cast<int>(global.f.size()); ++k) {
    if (k % 3 != 1) {
      dofs.push_back(k);
      continue;
    }
    heavy.M.coeffRef(k, k) += 1e15;
    heavy.f[k] = 0;
  }
  const GlobalProblem part = extract(global, all, dofs);
  ASSERT_EQ(part.f.size(), static_cast<int>(dofs.size()));
  EXPECT_EQ(part.M.rows(), part.f.size());
  EXPECT_EQ(part.M.cols(), part.f.size());
  const VecX r = VecX::Random(global.w.size());
  const VecX held = to_local(part).velocity(r), expected = to_local(heavy).velocity(r);
  EXPECT_LT((held - expected).norm(), 1e-10 * expected.norm());
}

}  // namespace
}  // namespace cairn
