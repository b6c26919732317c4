// SPDX-License-Identifier: Apache-2.0
// Broad phase by hashed uniform grids, one for each size of boxes.
#pragma once
#include "cairn/collision/broad_phase.h"
#include "cairn/collision/grid_level.h"

namespace cairn {

/// The fastest for boxes of similar size, built anew at every call. Boxes too large for one level make the next one.
class GridBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const override { return "grid"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<GridBroadPhase>(*this); }

 private:
  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  void sweep_rest(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs);

  std::vector<GridLevel> levels_;
  std::vector<int> rest_;  ///< boxes that no level has taken yet
};

}  // namespace cairn
