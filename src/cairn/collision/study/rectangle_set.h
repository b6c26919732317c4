// SPDX-License-Identifier: Apache-2.0
// A set of rectangles that reports, for each one added, those that overlap it: the four dynamic rectangle structures of
// Koziara 2008, section 9.3.3 (algorithms 9.3.14 to 9.3.20).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/collision/study/priority_search_tree.h"
#include "cairn/geometry/aabb.h"

namespace cairn {

enum class RectangleStructure {
  H2d,     ///< plane hashed in squares, each bucket a list
  H2dPst,  ///< plane hashed in squares, each bucket a priority search tree along the first direction
  H1dPst,  ///< plane hashed in strips across the second direction, each bucket a tree along the first
  Pst2d,   ///< one tree along the first direction
};

/// The rectangles are two sides of boxes. Squares and strips are as wide as the mean rectangle; one that covers very
/// many of them is kept apart and tested against all.
class RectangleSet {
 public:
  explicit RectangleSet(RectangleStructure structure) : structure_(structure) {}

  /// Empties the set; from now on it is about the given boxes seen along `axis`. They must stay alive and unchanged.
  void start(std::span<const Aabb> boxes, int axis);
  /// Calls report(j) for every box j of the set that overlaps box i in the plane, then adds i.
  template <class Report>
  void insert(int i, Report&& report);
  void erase(int i);

 private:
  struct Item {
    int box, next;
  };
  bool has_trees() const { return structure_ != RectangleStructure::H2d; }
  bool overlap(int i, int j, int axis) const {
    const Aabb &p = boxes_[i], &q = boxes_[j];
    return p.lo[axis] <= q.hi[axis] && q.lo[axis] <= p.hi[axis];
  }
  int voxel(double x) const;
  /// Calls f(bucket) for every voxel that the box covers; several voxels may share a bucket.
  template <class F>
  void for_each_bucket(int i, F&& f) const;
  bool is_large(int i) const;
  void insert_item(int& bucket, int i);
  void erase_item(int& bucket, int i);

  RectangleStructure structure_;
  std::span<const Aabb> boxes_;
  int first_ = 0, second_ = 1;  ///< the two directions
  double inverse_side_ = 1;
  std::vector<int> buckets_;  ///< first item of each list, or root of each tree
  int stamp_ = 0;             ///< number of the insertion
  std::vector<int> marker_;   ///< of each box: the last insertion to which it was reported
  std::vector<Item> items_;
  std::vector<int> free_;
  PrioritySearchTrees trees_;
  std::vector<int> active_, place_;  ///< the boxes of the set, and where each stands in active_
  std::vector<int> large_;           ///< those of the set that are kept apart
};

template <class F>
void RectangleSet::for_each_bucket(int i, F&& f) const {
  if (structure_ == RectangleStructure::Pst2d) return f(std::size_t{0});
  const Aabb& b = boxes_[i];
  const auto u = [](int k) { return static_cast<std::uint32_t>(k); };
  const int first = voxel(b.lo[second_]), last = voxel(b.hi[second_]);
  if (structure_ == RectangleStructure::H1dPst) {
    for (int k = first; k <= last; ++k) f((u(k) * 73856093u) % buckets_.size());
    return;
  }
  const int from = voxel(b.lo[first_]), to = voxel(b.hi[first_]);
  for (int k = first; k <= last; ++k)
    for (int m = from; m <= to; ++m) f(((u(m) * 73856093u) ^ (u(k) * 19349663u)) % buckets_.size());
}

template <class Report>
void RectangleSet::insert(int i, Report&& report) {
  const auto visit = [&](int j) {  // of another box in one of our buckets, known to overlap along the first direction
    if (marker_[j] == stamp_ || !overlap(i, j, second_)) return;
    marker_[j] = stamp_;
    report(j);
  };
  ++stamp_;
  const bool large = is_large(i);
  for (const int j : large ? active_ : large_)
    if (overlap(i, j, first_) && overlap(i, j, second_)) report(j);
  if (large) {
    large_.push_back(i);
  } else {
    marker_[i] = stamp_;  // it may be in the bucket already, by way of another voxel
    for_each_bucket(i, [&](std::size_t b) {
      int& bucket = buckets_[b];
      if (has_trees()) {
        // Interval [lo, hi] is the point (hi, -lo): those that overlap ours have hi' >= lo and -lo' >= -hi.
        trees_.query(bucket, boxes_[i].lo[first_], -boxes_[i].hi[first_], visit);
      } else {
        for (int k = bucket; k >= 0; k = items_[k].next)
          if (overlap(i, items_[k].box, first_)) visit(items_[k].box);
      }
      insert_item(bucket, i);
    });
  }
  place_[i] = static_cast<int>(active_.size());
  active_.push_back(i);
}

}  // namespace cairn
