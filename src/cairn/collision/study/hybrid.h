// SPDX-License-Identifier: Apache-2.0
// Streamed segment trees with a cut-off to scanning: HYBRID of Zomorodian & Edelsbrunner 2002, "Fast software for box
// intersections", as in Koziara 2008, section 9.3.4.
#pragma once
#include <array>

#include "cairn/collision/broad_phase.h"

namespace cairn {

/// O(n log^3 n + k) time and O(n) space whatever the sizes and places of the boxes; keeps nothing between calls.
class HybridBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const override { return "hybrid"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<HybridBroadPhase>(*this); }

 private:
  struct Entry {
    double lo[3], hi[3];
    int id;
    bool mobile;
  };
  /// A place in the total order of lower sides: by value, then by index, so that no two boxes are equal and each pair
  /// is found in one of the two roles only.
  struct Key {
    double value;
    int id;
    auto operator<=>(const Key&) const = default;
  };
  using Range = std::span<Entry>;

  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  static Key key(const Entry& e, int d) { return {e.lo[d], e.id}; }
  void search(Range intervals, Range points, Key lo, Key hi, int d, std::vector<Pair>& pairs);
  static void scan_one_way(Range intervals, Range points, std::vector<Pair>& pairs);
  static void scan_two_ways(Range intervals, Range points, int d, std::vector<Pair>& pairs);
  Key approximate_median(Range points, int d, int height);

  std::vector<Entry> intervals_, points_;
  std::uint32_t random_ = 1;
};

}  // namespace cairn
