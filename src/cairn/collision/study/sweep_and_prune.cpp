// SPDX-License-Identifier: Apache-2.0
// Sweep and prune along the axis of greatest spread, with the order kept between calls.
#include "cairn/collision/study/sweep_and_prune.h"

#include <algorithm>
#include <numeric>

namespace cairn {

// The axis along which the centres vary most. It is given up only for a clearly better one, so that two equal axes do
// not force a full sort at every call.
void SweepAndPrune::update_axis(std::span<const Aabb> boxes) {
  Vec3 mean = Vec3::Zero(), variance = Vec3::Zero();
  int n = 0;
  for (const Aabb& b : boxes) {
    if (!b.is_bounded()) continue;
    const Vec3 centre = (b.lo + b.hi) / 2, off = centre - mean;
    mean += off / ++n;  // Welford's update
    variance += off.cwiseProduct(centre - mean);
  }
  int widest;
  variance.maxCoeff(&widest);
  if (axis_ < 0 || variance[widest] > 1.5 * variance[axis_]) {
    if (widest != axis_) order_.clear();
    axis_ = widest;
  }
}

void SweepAndPrune::update_order(std::span<const Aabb> boxes) {
  const auto before = [&](int i, int j) {
    const double x = boxes[i].lo[axis_], y = boxes[j].lo[axis_];
    return x < y || (x == y && i < j);
  };
  bool coherent = order_.size() == boxes.size();
  if (coherent) {
    std::size_t moves = 0;
    for (std::size_t k = 1; k < order_.size() && coherent; ++k) {
      const int here = order_[k];
      std::size_t m = k;
      for (; m > 0 && before(here, order_[m - 1]); --m) order_[m] = order_[m - 1];
      order_[m] = here;
      moves += k - m;
      coherent = moves <= 16 * order_.size();  // beyond this a full sort is faster
    }
  } else {
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  if (!coherent) std::sort(order_.begin(), order_.end(), before);
}

void SweepAndPrune::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                         Threads) {
  update_axis(boxes);
  update_order(boxes);
  entries_.resize(boxes.size());
  for (std::size_t k = 0; k < order_.size(); ++k) entries_[k] = {boxes[order_[k]], order_[k], mobile[order_[k]] != 0};

  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& p = entries_[k];
    const double end = p.box.hi[axis_];
    for (std::size_t m = k + 1; m < entries_.size() && entries_[m].box.lo[axis_] <= end; ++m) {
      const Entry& q = entries_[m];
      if ((p.mobile || q.mobile) && p.box.overlaps(q.box))
        pairs.push_back({std::min(p.index, q.index), std::max(p.index, q.index)});
    }
  }
}

}  // namespace cairn
