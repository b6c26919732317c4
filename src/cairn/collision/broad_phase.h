// SPDX-License-Identifier: Apache-2.0
// Pairs of boxes that overlap: one interface, and the list of all methods behind it (docs/broad-phase.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/base/parallel.h"
#include "cairn/base/registry.h"
#include "cairn/collision/pair_sorter.h"
#include "cairn/geometry/aabb.h"

namespace cairn {

/// An object keeps its buffers (and some kinds an order, a tree or a list of near pairs) between calls, to save time;
/// results never depend on them.
class BroadPhase {
 public:
  virtual ~BroadPhase() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<BroadPhase> clone() const = 0;

  /// Replaces `pairs` by all pairs of overlapping boxes (closed: touching counts) of which at least one is mobile,
  /// sorted by (i, j), the same for every thread count. Sides may be infinite. `mobile` has one entry per box.
  /// Throws Error with the index for a box that holds a NaN or has lo > hi.
  void find_pairs(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                  Threads threads = {});
  /// The next call starts from scratch (for measurements; the buffers stay).
  virtual void forget() {}

 protected:
  /// The pairs of another broad phase, in any order, without checks.
  static void find_unsorted(BroadPhase& other, std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                            std::vector<Pair>& pairs, Threads threads) {
    other.find(boxes, mobile, pairs, threads);
  }

 private:
  /// Appends the pairs, in any order.
  virtual void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                    Threads threads) = 0;

  PairSorter sorter_;
};

/// Appends the pairs by testing all of them, in order.
void find_pairs_by_brute_force(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                               std::vector<Pair>& pairs);

/// What changed between two results of find_pairs: pairs that are only in `after`, and only in `before`, in order.
void find_changes(std::span<const Pair> before, std::span<const Pair> after, std::vector<Pair>& created,
                  std::vector<Pair>& released);

/// One row of a list of broad phases.
struct BroadPhaseInfo {
  std::string_view name;
  std::string_view help;
  Tier tier;  ///< what the automatic choice never takes is for studies
  std::unique_ptr<BroadPhase> (*make)();
};
std::span<const BroadPhaseInfo> broad_phase_kinds();

/// A name of broad_phase_kinds(); anything else is an Error that lists them.
std::unique_ptr<BroadPhase> make_broad_phase(std::string_view name = "auto");

}  // namespace cairn
