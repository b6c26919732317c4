// SPDX-License-Identifier: Apache-2.0
// Sweep and prune along one axis (Baraff 1992, PhD thesis, section 4.3; one axis as in Ericson 2005, section 7.5).
#pragma once
#include "cairn/collision/broad_phase.h"

namespace cairn {

/// Boxes sorted by their lower side along the axis of greatest spread. From one call to the next the order changes
/// little, so insertion sort restores it in nearly linear time. Good for things in a row; in a pile the grid is faster.
class SweepAndPrune final : public BroadPhase {
 public:
  std::string_view name() const override { return "sweep-and-prune"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<SweepAndPrune>(*this); }
  void forget() override { order_.clear(); }

 private:
  struct Entry {
    Aabb box;
    int index;
    bool mobile;
  };
  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  void update_axis(std::span<const Aabb> boxes);
  void update_order(std::span<const Aabb> boxes);

  int axis_ = -1;
  std::vector<int> order_;
  std::vector<Entry> entries_;
};

}  // namespace cairn
