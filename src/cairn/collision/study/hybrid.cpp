// SPDX-License-Identifier: Apache-2.0
// The segment tree over the points is never stored: the recursion walks through it and hands on parts of two arrays.
#include "cairn/collision/study/hybrid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr std::size_t kScanBelow = 400;  // boxes

inline bool overlap(const double* lo_a, const double* hi_a, const double* lo_b, const double* hi_b, int d) {
  return lo_a[d] <= hi_b[d] && lo_b[d] <= hi_a[d];
}

}  // namespace

// In dimension 0, where all others are known to overlap: pairs in which the point lies in the interval.
void HybridBroadPhase::scan_one_way(Range intervals, Range points, std::vector<Pair>& pairs) {
  const auto before = [](const Entry& a, const Entry& b) { return key(a, 0) < key(b, 0); };
  std::sort(intervals.begin(), intervals.end(), before);
  std::sort(points.begin(), points.end(), before);
  std::size_t first = 0;
  for (const Entry& i : intervals) {
    while (first < points.size() && key(points[first], 0) <= key(i, 0)) ++first;
    for (std::size_t k = first; k < points.size() && points[k].lo[0] <= i.hi[0]; ++k) {
      const Entry& p = points[k];
      if (i.mobile || p.mobile) pairs.push_back({std::min(i.id, p.id), std::max(i.id, p.id)});
    }
  }
}

// Any overlap in dimension 0, found by a scan; checked in those between; the point in the interval in dimension d.
void HybridBroadPhase::scan_two_ways(Range intervals, Range points, int d, std::vector<Pair>& pairs) {
  const auto before = [](const Entry& a, const Entry& b) { return key(a, 0) < key(b, 0); };
  std::sort(intervals.begin(), intervals.end(), before);
  std::sort(points.begin(), points.end(), before);
  const auto check = [&](const Entry& i, const Entry& p) {
    if (!(p.lo[d] <= i.hi[d] && key(i, d) < key(p, d)) || !(i.mobile || p.mobile)) return;
    for (int e = 1; e < d; ++e)
      if (!overlap(i.lo, i.hi, p.lo, p.hi, e)) return;
    pairs.push_back({std::min(i.id, p.id), std::max(i.id, p.id)});
  };
  std::size_t a = 0, b = 0;
  while (a < intervals.size() && b < points.size()) {
    if (key(intervals[a], 0) < key(points[b], 0)) {
      const Entry& i = intervals[a++];
      for (std::size_t k = b; k < points.size() && points[k].lo[0] <= i.hi[0]; ++k) check(i, points[k]);
    } else {
      const Entry& p = points[b++];
      for (std::size_t k = a; k < intervals.size() && intervals[k].lo[0] <= p.hi[0]; ++k) check(intervals[k], p);
    }
  }
}

// Median of three medians of three ... of 3^height points drawn at random (Clarkson et al. 1996).
HybridBroadPhase::Key HybridBroadPhase::approximate_median(Range points, int d, int height) {
  if (height == 0) {
    random_ = random_ * 1664525u + 1013904223u;  // Numerical Recipes; any generator will do
    return key(points[(static_cast<std::uint64_t>(random_) * points.size()) >> 32], d);
  }
  const Key a = approximate_median(points, d, height - 1), b = approximate_median(points, d, height - 1),
            c = approximate_median(points, d, height - 1);
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// The node [lo, hi) of the tree in dimension d: all lower sides of `points` lie in it, all `intervals` meet it.
void HybridBroadPhase::search(Range intervals, Range points, Key lo, Key hi, int d, std::vector<Pair>& pairs) {
  if (intervals.empty() || points.empty()) return;
  if (d == 0) return scan_one_way(intervals, points, pairs);
  if (intervals.size() < kScanBelow || points.size() < kScanBelow) return scan_two_ways(intervals, points, d, pairs);

  // Intervals that span the node contain all its points: this dimension is done.
  const auto rest_begin = std::partition(intervals.begin(), intervals.end(),
                                         [&](const Entry& i) { return key(i, d) < lo && i.hi[d] >= hi.value; });
  const Range spanning(intervals.begin(), rest_begin), rest(rest_begin, intervals.end());
  if (!spanning.empty()) {
    const double inf = std::numeric_limits<double>::infinity();
    const Key first{-inf, -1}, last{inf, std::numeric_limits<int>::max()};
    search(spanning, points, first, last, d - 1, pairs);
    search(points, spanning, first, last, d - 1, pairs);
  }

  const int height = static_cast<int>(std::log2(static_cast<double>(points.size())) / 3);
  Key middle = approximate_median(points, d, height);
  const auto split = [&] {
    return std::partition(points.begin(), points.end(), [&](const Entry& p) { return key(p, d) < middle; });
  };
  auto right_begin = split();
  if (right_begin == points.begin()) {  // the draw was the least of all; the true median makes two parts
    const auto half = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
    std::nth_element(points.begin(), half, points.end(),
                     [&](const Entry& a, const Entry& b) { return key(a, d) < key(b, d); });
    middle = key(*half, d);
    right_begin = half;
  }
  const Range left(points.begin(), right_begin), right(right_begin, points.end());
  const auto left_end = std::partition(rest.begin(), rest.end(),
                                       [&](const Entry& i) { return key(i, d) < middle && i.hi[d] >= lo.value; });
  search({rest.begin(), left_end}, left, lo, middle, d, pairs);
  const auto meets_end = std::partition(rest.begin(), rest.end(),
                                        [&](const Entry& i) { return key(i, d) < hi && i.hi[d] >= middle.value; });
  search({rest.begin(), meets_end}, right, middle, hi, d, pairs);
}

void HybridBroadPhase::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                            Threads) {
  intervals_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto &lo = boxes[i].lo, &hi = boxes[i].hi;
    intervals_[i] = {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, static_cast<int>(i), mobile[i] != 0};
  }
  points_ = intervals_;
  random_ = 1;
  const double inf = std::numeric_limits<double>::infinity();
  search(intervals_, points_, {-inf, -1}, {inf, std::numeric_limits<int>::max()}, 2, pairs);
}

}  // namespace cairn
