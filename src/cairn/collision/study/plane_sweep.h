// SPDX-License-Identifier: Apache-2.0
// A plane sweeps over the boxes and keeps the rectangles it cuts in a dynamic structure: SWEEP-H2D, -H2DPST, -H1DPST
// and -PST2D of Koziara 2008, section 9.3.6.
#pragma once
#include "cairn/collision/broad_phase.h"
#include "cairn/collision/study/rectangle_set.h"

namespace cairn {

/// The sides along the direction of sweep stay sorted between calls, so that insertion sort suffices when little moves.
class PlaneSweep final : public BroadPhase {
 public:
  explicit PlaneSweep(RectangleStructure structure) : structure_(structure), rectangles_(structure) {}
  std::string_view name() const override;
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<PlaneSweep>(*this); }
  void forget() override { sides_.clear(); }

 private:
  /// A lower or upper side of a box.
  struct Side {
    double x;
    bool upper;
    int box;
    auto operator<=>(const Side&) const = default;  // at one place lower sides come first: touching boxes overlap
  };
  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  int choose_axis(std::span<const Aabb> boxes) const;
  void update_sides(std::span<const Aabb> boxes);

  RectangleStructure structure_;
  RectangleSet rectangles_;
  int axis_ = -1;
  std::vector<Side> sides_;
};

}  // namespace cairn
