// SPDX-License-Identifier: Apache-2.0
// Where to divide boxes sorted into bins: the cut of least surface times number (Wald 2007, binned surface-area
// splits).
#pragma once
#include <array>

#include "cairn/geometry/aabb.h"

namespace cairn {

/// Half the surface of a box that holds something.
inline double half_area(const Aabb& box) {
  const Vec3 d = box.hi - box.lo;
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

/// The b > 0 for which bins below b and the rest cost least; 0 when all items are in one bin.
template <std::size_t n>
int find_best_cut(const std::array<Aabb, n>& box, const std::array<int, n>& count) {
  std::array<double, n> right_cost{};
  Aabb sum;
  int items = 0;
  for (std::size_t b = n - 1; b > 0; --b) {
    sum.merge(box[b]);
    items += count[b];
    right_cost[b] = items > 0 ? items * half_area(sum) : 0;
  }
  const int all = items + count[0];
  sum = {};
  items = 0;
  std::size_t best = 0;
  double best_cost = 0;
  for (std::size_t b = 1; b < n; ++b) {
    sum.merge(box[b - 1]);
    items += count[b - 1];
    if (items == 0 || items == all) continue;
    const double cost = items * half_area(sum) + right_cost[b];
    if (best == 0 || cost < best_cost) best = b, best_cost = cost;
  }
  return static_cast<int>(best);
}

}  // namespace cairn
