// SPDX-License-Identifier: Apache-2.0
// The broad phase for those who do not want to choose: brute force for few boxes, the grid for many, and while little
// moves a list of near pairs in place of a search (Verlet 1967, "Computer experiments on classical fluids", section
// I.C).
#pragma once
#include "cairn/collision/broad_phase.h"
#include "cairn/collision/grid.h"

namespace cairn {

/// The list holds all pairs of boxes that were widened, each by some steps of its own motion. While boxes stay within
/// their widened selves, every overlapping pair is on it. The few that leave are tested against all; when they are no
/// longer few, the list is made anew. Where everything moves much, no list is made.
class AutoBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const override { return "auto"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<AutoBroadPhase>(*this); }
  void forget() override {
    last_.clear();
    sample_.clear();
    has_list_ = false;
  }

 private:
  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  bool list_is_good(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile);
  bool moves_little(std::span<const Aabb> boxes) const;
  void take_sample(std::span<const Aabb> boxes);
  void make_list(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, Threads threads);
  void filter_list(std::span<const Aabb> boxes, std::vector<Pair>& pairs) const;
  void add_escaped(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs);

  GridBroadPhase grid_;
  std::vector<Aabb> sample_;      ///< some boxes of the last call
  std::size_t sample_count_ = 0;  ///< of how many
  std::vector<Aabb> last_;        ///< all boxes some calls ago; empty while much moves
  int calls_ = 0;                 ///< since then
  bool has_list_ = false;
  std::vector<std::uint8_t> mobile_;  ///< as they were when the list was made
  std::vector<Aabb> wide_;            ///< the widened boxes
  std::vector<Pair> list_;            ///< their pairs, sorted
  PairSorter list_sorter_;
  std::vector<int> escaped_;
  std::vector<Pair> extra_, merged_;
  int pause_ = 0;  ///< calls for which no list is made, after one that did not last
  int next_pause_ = 1;
};

}  // namespace cairn
