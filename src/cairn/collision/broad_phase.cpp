// SPDX-License-Identifier: Apache-2.0
// What all broad phases share: checks, brute force, and the list of kinds.
#include "cairn/collision/broad_phase.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "cairn/base/error.h"
#include "cairn/collision/auto_broad_phase.h"
#include "cairn/collision/grid.h"
#include "cairn/collision/study/hash3d.h"
#include "cairn/collision/study/hybrid.h"
#include "cairn/collision/study/plane_sweep.h"
#include "cairn/collision/study/sweep_and_prune.h"
#include "cairn/collision/study/tree_broad_phase.h"

namespace cairn {
namespace {

/// Every pair is tested: the oracle of the tests, and the fastest for a handful of boxes.
class BruteForce final : public BroadPhase {
 public:
  std::string_view name() const override { return "brute-force"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<BruteForce>(*this); }

 private:
  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads) override {
    find_pairs_by_brute_force(boxes, mobile, pairs);
  }
};

template <class Method>
std::unique_ptr<BroadPhase> make() {
  return std::make_unique<Method>();
}
template <RectangleStructure structure>
std::unique_ptr<BroadPhase> make_sweep() {
  return std::make_unique<PlaneSweep>(structure);
}

constexpr BroadPhaseInfo kKinds[] = {
    {"auto", "grid, and a list of near pairs while little moves; the default", Tier::Core, make<AutoBroadPhase>},
    {"grid", "hashed uniform grids, one per size of boxes; the fastest from scratch", Tier::Core, make<GridBroadPhase>},
    {"brute-force", "every pair; for a handful of boxes and for checks", Tier::Specialist, make<BruteForce>},
    {"tree", "dynamic tree of fat boxes, kept between calls; any mixture of sizes", Tier::Study, make<TreeBroadPhase>},
    {"hybrid", "streamed segment trees and scans (Zomorodian-Edelsbrunner); any sizes, nothing kept between calls",
     Tier::Study, make<HybridBroadPhase>},
    {"hash3d", "every box in all voxels it covers, the voxels hashed (HASH3D); boxes of one size", Tier::Study,
     make<Hash3dBroadPhase>},
    {"plane-sweep-h2d", "plane sweep over a hash of squares with lists (SWEEP-H2D)", Tier::Study,
     make_sweep<RectangleStructure::H2d>},
    {"plane-sweep-h2dpst", "plane sweep over a hash of squares with priority search trees (SWEEP-H2DPST)", Tier::Study,
     make_sweep<RectangleStructure::H2dPst>},
    {"plane-sweep-h1dpst", "plane sweep over a hash of strips with priority search trees (SWEEP-H1DPST)", Tier::Study,
     make_sweep<RectangleStructure::H1dPst>},
    {"plane-sweep-pst2d", "plane sweep over one priority search tree (SWEEP-PST2D)", Tier::Study,
     make_sweep<RectangleStructure::Pst2d>},
    {"sweep-and-prune", "boxes sorted along the axis of greatest spread, the order kept between calls", Tier::Study,
     make<SweepAndPrune>},
};

}  // namespace

void find_pairs_by_brute_force(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                               std::vector<Pair>& pairs) {
  const int n = static_cast<int>(boxes.size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if ((mobile[i] | mobile[j]) && boxes[i].overlaps(boxes[j])) pairs.push_back({i, j});
}

void BroadPhase::find_pairs(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                            Threads threads) {
  if (mobile.size() != boxes.size())
    throw Error("broad phase: {} boxes but {} mobile flags; must be equal", boxes.size(), mobile.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Aabb& b = boxes[i];  // written so that a NaN fails
    if (!(b.lo.x() <= b.hi.x() && b.lo.y() <= b.hi.y() && b.lo.z() <= b.hi.z()))
      throw Error("broad phase: box {} is from ({}, {}, {}) to ({}, {}, {}); must hold no NaN and lo <= hi", i,
                  b.lo.x(), b.lo.y(), b.lo.z(), b.hi.x(), b.hi.y(), b.hi.z());
  }
  pairs.clear();
  find(boxes, mobile, pairs, threads);
  sorter_.sort(boxes.size(), pairs, threads);
}

void find_changes(std::span<const Pair> before, std::span<const Pair> after, std::vector<Pair>& created,
                  std::vector<Pair>& released) {
  created.clear();
  released.clear();
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(created));
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(released));
}

std::span<const BroadPhaseInfo> broad_phase_kinds() { return kKinds; }

std::unique_ptr<BroadPhase> make_broad_phase(std::string_view name) {
  std::string known;
  for (const BroadPhaseInfo& kind : kKinds) {
    if (kind.name == name) return kind.make();
    known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.name);
  }
  throw Error("broad phase '{}' is unknown; must be one of: {}", name, known);
}

}  // namespace cairn
