// SPDX-License-Identifier: Apache-2.0
// Buckets, lists and trees of the rectangle structures.
#include "cairn/collision/study/rectangle_set.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr double kManyVoxels = 64;  // a rectangle that covers more is kept apart

}  // namespace

void RectangleSet::start(std::span<const Aabb> boxes, int axis) {
  boxes_ = boxes;
  first_ = (axis + 1) % 3;
  second_ = (axis + 2) % 3;
  // The mean of the longer sides, (9.3.16), which one huge rectangle does not spoil.
  double sum = 0, count = 0;
  for (const Aabb& b : boxes) {
    const double w = std::max(b.hi[first_] - b.lo[first_], b.hi[second_] - b.lo[second_]);
    if (!std::isfinite(w)) continue;
    sum += w;
    ++count;
  }
  inverse_side_ = sum > 0 && std::isfinite(count / sum) ? count / sum : 1;
  buckets_.assign(structure_ == RectangleStructure::Pst2d ? 1 : std::max<std::size_t>(1, boxes.size()), -1);
  stamp_ = 0;
  marker_.assign(boxes.size(), 0);
  place_.resize(boxes.size());
  items_.clear();
  free_.clear();
  trees_.clear();
  active_.clear();
  large_.clear();
}

int RectangleSet::voxel(double x) const {
  return static_cast<int>(std::floor(std::clamp(x * inverse_side_, -1e9, 1e9)));  // clamping keeps order
}

bool RectangleSet::is_large(int i) const {
  if (structure_ == RectangleStructure::Pst2d) return false;
  const auto covered = [&](int axis) {
    return static_cast<double>(voxel(boxes_[i].hi[axis])) - voxel(boxes_[i].lo[axis]) + 1;
  };
  return covered(second_) * (structure_ == RectangleStructure::H1dPst ? 1 : covered(first_)) > kManyVoxels;
}

void RectangleSet::insert_item(int& bucket, int i) {
  if (has_trees()) return trees_.insert(bucket, boxes_[i].hi[first_], -boxes_[i].lo[first_], i);
  for (int k = bucket; k >= 0; k = items_[k].next)
    if (items_[k].box == i) return;
  int item;
  if (free_.empty()) {
    item = static_cast<int>(items_.size());
    items_.push_back({});
  } else {
    item = free_.back();
    free_.pop_back();
  }
  items_[item] = {i, bucket};
  bucket = item;
}

void RectangleSet::erase_item(int& bucket, int i) {
  if (has_trees()) return trees_.erase(bucket, boxes_[i].hi[first_], i);
  for (int* link = &bucket; *link >= 0; link = &items_[*link].next) {
    if (items_[*link].box != i) continue;
    free_.push_back(*link);
    *link = items_[*link].next;
    return;
  }
}

void RectangleSet::erase(int i) {
  if (is_large(i)) {
    large_.erase(std::find(large_.begin(), large_.end(), i));
  } else {
    for_each_bucket(i, [&](std::size_t b) { erase_item(buckets_[b], i); });
  }
  active_[place_[i]] = active_.back();
  place_[active_.back()] = place_[i];
  active_.pop_back();
}

}  // namespace cairn
