// SPDX-License-Identifier: Apache-2.0
// Broad phase on a dynamic tree of fat boxes: what has not left its fat box costs nothing but a look.
#pragma once
#include "cairn/collision/broad_phase.h"
#include "cairn/collision/study/dynamic_tree.h"

namespace cairn {

/// Any mixture of sizes. The tree is kept between calls. A few boxes that left their fat boxes are taken out and put
/// back; when many did, the tree is refitted; when it has become bad, or the number of boxes changed, it is built anew.
class TreeBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const override { return "tree"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<TreeBroadPhase>(*this); }
  void forget() override { count_ = static_cast<std::size_t>(-1); }

 private:
  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  void update_tree(std::span<const Aabb> boxes);
  void rebuild(std::span<const Aabb> boxes);
  Aabb make_fat(const Aabb& box) const;

  DynamicTree tree_;
  std::size_t count_ = 0;  ///< of boxes in the tree
  double cost_ = 0;        ///< of the tree when it was built
  std::vector<Aabb> fat_;
  std::vector<int> moved_;
  std::vector<DynamicTree::Task> tasks_, stack_;
  std::vector<std::vector<Pair>> chunks_;
  std::vector<std::vector<DynamicTree::Task>> stacks_;
};

}  // namespace cairn
