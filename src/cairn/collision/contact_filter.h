// SPDX-License-Identifier: Apache-2.0
// Which colliders may touch: pairs of bodies that never do, and groups of colliders that ignore each other.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn {

/// The colliders of one body never touch each other; jointed bodies are listed as pairs unless their joint says
/// otherwise.
struct ContactFilter {
  static constexpr int kMaxGroups = 64;

  std::vector<std::pair<int, int>> pairs;           ///< of bodies that never touch, sorted, first < second
  std::vector<std::uint8_t> group;                  ///< of each collider; empty: all in group 0
  std::array<std::uint64_t, kMaxGroups> ignores{};  ///< bit h of ignores[g]: groups g and h pass through each other

  void exclude_bodies(int a, int b) {
    const std::pair pair{std::min(a, b), std::max(a, b)};
    const auto it = std::lower_bound(pairs.begin(), pairs.end(), pair);
    if (it == pairs.end() || *it != pair) pairs.insert(it, pair);
  }
  /// g = h: members of the group pass through each other.
  void exclude_groups(int g, int h) {
    ignores[static_cast<std::size_t>(g)] |= std::uint64_t{1} << h;
    ignores[static_cast<std::size_t>(h)] |= std::uint64_t{1} << g;
  }
  /// May colliders i and j, of bodies a and b, touch?
  bool allows(std::size_t i, std::size_t j, int a, int b) const {
    if (a == b && a >= 0) return false;
    if (!group.empty() && (ignores[group[i]] >> group[j] & 1)) return false;
    return pairs.empty() || !std::binary_search(pairs.begin(), pairs.end(), std::pair{std::min(a, b), std::max(a, b)});
  }
};

}  // namespace cairn
