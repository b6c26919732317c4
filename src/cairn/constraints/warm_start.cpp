// SPDX-License-Identifier: Apache-2.0
// Matching of contact points from step to step.
#include "cairn/constraints/warm_start.h"

#include <limits>

namespace cairn {
namespace {

template <class T>
bool pair_less(const T& x, int a, int b) {
  return x.a < a || (x.a == a && x.b < b);
}

}  // namespace

void match_contacts(std::span<const KeptContact> kept, std::span<const ContactPoint> points, std::vector<int>& match,
                    std::vector<char>& taken) {
  match.assign(points.size(), -1);
  std::size_t old_begin = 0;
  for (std::size_t begin = 0; begin < points.size();) {
    // The points of one pair are contiguous and pairs are sorted in both lists: one merge pass.
    const int a = points[begin].a, b = points[begin].b;
    std::size_t end = begin + 1;
    while (end < points.size() && points[end].a == a && points[end].b == b) ++end;
    while (old_begin < kept.size() && pair_less(kept[old_begin], a, b)) ++old_begin;
    std::size_t old_end = old_begin;
    while (old_end < kept.size() && kept[old_end].a == a && kept[old_end].b == b) ++old_end;
    if (end - begin == 1 && old_end - old_begin == 1) {
      match[begin] = static_cast<int>(old_begin);
    } else {
      const auto take_nearest = [&](std::size_t i, auto&& fits) {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t k = old_begin; k < old_end; ++k) {
          if (taken[k - old_begin] || !fits(kept[k])) continue;
          const double distance = (kept[k].point - points[i].point).squaredNorm();
          if (distance < best) best = distance, match[i] = static_cast<int>(k);
        }
        if (match[i] >= 0) taken[static_cast<std::size_t>(match[i]) - old_begin] = 1;
      };
      taken.assign(old_end - old_begin, 0);
      for (std::size_t i = begin; i < end; ++i) {
        const ContactPoint& p = points[i];
        take_nearest(i, [&](const KeptContact& c) { return c.feature_a == p.feature_a && c.feature_b == p.feature_b; });
      }
      for (std::size_t i = begin; i < end; ++i)
        if (match[i] < 0) take_nearest(i, [](const KeptContact&) { return true; });
    }
    old_begin = old_end;
    begin = end;
  }
}

}  // namespace cairn
