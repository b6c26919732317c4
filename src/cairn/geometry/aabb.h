// SPDX-License-Identifier: Apache-2.0
// Axis-aligned bounding boxes: closed boxes, so that touching ones overlap.
#pragma once
#include <limits>

#include "cairn/math/types.h"

namespace cairn {

/// The closed box lo <= x <= hi. The default is the empty box, neutral for merge(). Sides may be infinite.
struct Aabb {
  Vec3 lo = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 hi = Vec3::Constant(-std::numeric_limits<double>::infinity());

  /// True when the boxes share a point; touching counts.
  bool overlaps(const Aabb& o) const {
    return lo.x() <= o.hi.x() && o.lo.x() <= hi.x() && lo.y() <= o.hi.y() && o.lo.y() <= hi.y() && lo.z() <= o.hi.z() &&
           o.lo.z() <= hi.z();
  }
  bool contains(const Vec3& x) const { return (lo.array() <= x.array()).all() && (x.array() <= hi.array()).all(); }
  bool is_bounded() const { return lo.allFinite() && hi.allFinite(); }

  void merge(const Aabb& o) {
    lo = lo.cwiseMin(o.lo);
    hi = hi.cwiseMax(o.hi);
  }
  void merge(const Vec3& x) {
    lo = lo.cwiseMin(x);
    hi = hi.cwiseMax(x);
  }
  /// Moves all six sides outwards by `distance` (metres).
  void expand(double distance) {
    lo.array() -= distance;
    hi.array() += distance;
  }
};

}  // namespace cairn
