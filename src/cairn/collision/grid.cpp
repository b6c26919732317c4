// SPDX-License-Identifier: Apache-2.0
// Level by level from small boxes to large ones; each level takes at least half of the finite boxes left.
#include "cairn/collision/grid.h"

#include <algorithm>
#include <numeric>

namespace cairn {
namespace {

constexpr std::size_t kBruteForceBelow = 64;  // boxes; measured: fewer are tested faster pair by pair

}  // namespace

// Those that are left, few or infinite: sorted along x and scanned.
void GridBroadPhase::sweep_rest(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                                std::vector<Pair>& pairs) {
  std::sort(rest_.begin(), rest_.end(), [&](int i, int j) {
    return boxes[i].lo.x() < boxes[j].lo.x() || (boxes[i].lo.x() == boxes[j].lo.x() && i < j);
  });
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    const int i = rest_[k];
    for (std::size_t m = k + 1; m < rest_.size() && boxes[rest_[m]].lo.x() <= boxes[i].hi.x(); ++m) {
      const int j = rest_[m];
      if ((mobile[i] | mobile[j]) && boxes[i].overlaps(boxes[j])) pairs.push_back({std::min(i, j), std::max(i, j)});
    }
  }
}

void GridBroadPhase::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                          Threads threads) {
  if (boxes.size() < kBruteForceBelow) return find_pairs_by_brute_force(boxes, mobile, pairs);
  rest_.resize(boxes.size());
  std::iota(rest_.begin(), rest_.end(), 0);
  for (std::size_t k = 0; rest_.size() >= kBruteForceBelow; ++k) {
    if (k == levels_.size()) levels_.emplace_back();
    GridLevel& level = levels_[k];
    level.build(boxes, mobile, rest_, threads);
    if (!level.has_small()) break;  // only infinite ones are left
    level.find_small_pairs(pairs, threads);
    level.find_large_pairs(boxes, mobile, pairs);
    rest_.assign(level.large().begin(), level.large().end());
  }
  sweep_rest(boxes, mobile, pairs);
}

}  // namespace cairn
