// SPDX-License-Identifier: Apache-2.0
// The sweep: a lower side adds a rectangle and reports what it overlaps, an upper side takes it out.
#include "cairn/collision/study/plane_sweep.h"

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

constexpr std::size_t kMovesPerSide = 16;  // of insertion sort; beyond this a full sort is faster
constexpr double kBetterAxis = 1.5;        // a new direction must be better by this, or the old order is kept

}  // namespace

std::string_view PlaneSweep::name() const {
  switch (structure_) {
    case RectangleStructure::H2d: return "plane-sweep-h2d";
    case RectangleStructure::H2dPst: return "plane-sweep-h2dpst";
    case RectangleStructure::H1dPst: return "plane-sweep-h1dpst";
    case RectangleStructure::Pst2d: break;
  }
  return "plane-sweep-pst2d";
}

// The direction along which the set is longest, measured in mean boxes: there the plane cuts the fewest.
int PlaneSweep::choose_axis(std::span<const Aabb> boxes) const {
  const double inf = std::numeric_limits<double>::infinity();
  Vec3 lo = Vec3::Constant(inf), hi = -lo, width = Vec3::Zero();
  double count = 0;
  for (const Aabb& b : boxes) {
    if (!b.is_bounded()) continue;
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
    width += b.hi - b.lo;
    ++count;
  }
  if (count == 0) return std::max(axis_, 0);
  // gamma_i / alpha_i; compared crosswise, for the mean width may be 0.
  const Vec3 total = hi - lo;
  const auto better = [&](int a, int b, double factor) { return total[a] * width[b] > factor * total[b] * width[a]; };
  int best = 0;
  for (int a = 1; a < 3; ++a)
    if (better(a, best, 1)) best = a;
  return axis_ < 0 || better(best, axis_, kBetterAxis) ? best : axis_;
}

void PlaneSweep::update_sides(std::span<const Aabb> boxes) {
  const int axis = choose_axis(boxes);
  bool coherent = axis == axis_ && sides_.size() == 2 * boxes.size();
  axis_ = axis;
  if (coherent) {
    for (Side& s : sides_) s.x = s.upper ? boxes[s.box].hi[axis] : boxes[s.box].lo[axis];
    std::size_t moves = 0;
    for (std::size_t k = 1; k < sides_.size() && coherent; ++k) {
      const Side here = sides_[k];
      std::size_t m = k;
      for (; m > 0 && here < sides_[m - 1]; --m) sides_[m] = sides_[m - 1];
      sides_[m] = here;
      moves += k - m;
      coherent = moves <= kMovesPerSide * sides_.size();
    }
  } else {
    sides_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      sides_.push_back({boxes[i].lo[axis], false, static_cast<int>(i)});
      sides_.push_back({boxes[i].hi[axis], true, static_cast<int>(i)});
    }
  }
  if (!coherent) std::sort(sides_.begin(), sides_.end());
}

void PlaneSweep::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                      Threads) {
  update_sides(boxes);
  rectangles_.start(boxes, axis_);
  for (const Side& s : sides_) {
    if (s.upper) {
      rectangles_.erase(s.box);
    } else {
      const int i = s.box;
      rectangles_.insert(i, [&](int j) {
        if (mobile[i] | mobile[j]) pairs.push_back({std::min(i, j), std::max(i, j)});
      });
    }
  }
}

}  // namespace cairn
