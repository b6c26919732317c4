// SPDX-License-Identifier: Apache-2.0
// A counting sort of (box, voxel) by bucket, then a scan of each bucket.
#include "cairn/collision/study/hash3d.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr double kManyVoxels = 64;  // a box that covers more is tested against all others instead

}  // namespace

// Voxel side: the mean of the longest sides, not the cube root of the mean volume, which one huge box would spoil.
void Hash3dBroadPhase::choose_voxels(std::span<const Aabb> boxes) {
  const double inf = std::numeric_limits<double>::infinity();
  double sum = 0, count = 0;
  Vec3 least = Vec3::Constant(inf), most = Vec3::Zero(), lo = least, hi = -least;
  for (const Aabb& b : boxes) {
    if (!b.is_bounded()) continue;
    const Vec3 w = b.hi - b.lo;
    sum += w.maxCoeff();
    ++count;
    least = least.cwiseMin(w);
    most = most.cwiseMax(w);
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
  }
  double side = count > 0 ? sum / count : 1;
  if (!(side > 0)) side = (hi - lo).maxCoeff() / std::cbrt(count);  // boxes are points
  if (!(side > 0 && std::isfinite(1 / side))) side = 1;             // all in one place
  inverse_side_ = 1 / side;
  // The direction with the smallest ratio of the widest to the thinnest box.
  scan_axis_ = 0;
  for (int a = 1; a < 3; ++a)
    if (most[a] * least[scan_axis_] < most[scan_axis_] * least[a]) scan_axis_ = a;
}

// Clamping keeps order, so a pair that overlaps still shares a voxel.
Hash3dBroadPhase::Voxel Hash3dBroadPhase::find_voxel(const Vec3& x) const {
  const Vec3 s = (x * inverse_side_).cwiseMax(-1e9).cwiseMin(1e9);
  return {static_cast<int>(std::floor(s.x())), static_cast<int>(std::floor(s.y())),
          static_cast<int>(std::floor(s.z()))};
}

std::size_t Hash3dBroadPhase::hash(const Voxel& v) const {
  const auto u = [](int k) { return static_cast<std::uint32_t>(k); };
  return ((u(v[0]) * 73856093u) ^ (u(v[1]) * 19349663u) ^ (u(v[2]) * 83492791u)) % (start_.size() - 1);
}

void Hash3dBroadPhase::fill_table(std::span<const Aabb> boxes) {
  const std::size_t n = boxes.size();
  start_.assign(n + 1, 0);
  covered_.resize(n);
  large_.clear();
  is_large_.assign(n, 0);
  const auto for_each_voxel = [&](std::size_t i, const auto& f) {
    const auto& [a, b] = covered_[i];
    for (int z = a[2]; z <= b[2]; ++z)
      for (int y = a[1]; y <= b[1]; ++y)
        for (int x = a[0]; x <= b[0]; ++x) f(Voxel{x, y, z});
  };
  for (std::size_t i = 0; i < n; ++i) {
    covered_[i] = {find_voxel(boxes[i].lo), find_voxel(boxes[i].hi)};
    double voxels = 1;
    for (int a = 0; a < 3; ++a) voxels *= static_cast<double>(covered_[i][1][a]) - covered_[i][0][a] + 1;
    if (voxels > kManyVoxels) {
      large_.push_back(static_cast<int>(i));
      is_large_[i] = 1;
    } else {
      for_each_voxel(i, [&](const Voxel& v) { ++start_[hash(v)]; });
    }
  }
  // Running sums give the ends; filling backwards turns them into the beginnings.
  for (std::size_t b = 1; b <= n; ++b) start_[b] += start_[b - 1];
  entries_.resize(start_[n]);
  for (std::size_t i = n; i-- > 0;)
    if (!is_large_[i])
      for_each_voxel(i, [&](const Voxel& v) { entries_[--start_[hash(v)]] = {v, static_cast<int>(i)}; });
}

// Sort along the axis and scan. A pair shares several voxels, and a bucket may hold several: it is reported in the one
// voxel that has the larger of the two lower corners.
void Hash3dBroadPhase::scan(std::span<Entry> bucket, std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                            std::vector<Pair>& pairs) const {
  const int d = scan_axis_;
  std::sort(bucket.begin(), bucket.end(), [&](const Entry& a, const Entry& b) {
    const double x = boxes[a.index].lo[d], y = boxes[b.index].lo[d];
    return x < y || (x == y && a.index < b.index);
  });
  for (std::size_t k = 0; k + 1 < bucket.size(); ++k) {
    const int i = bucket[k].index;
    const Voxel& voxel = bucket[k].voxel;
    const Aabb& p = boxes[i];
    for (std::size_t m = k + 1; m < bucket.size() && boxes[bucket[m].index].lo[d] <= p.hi[d]; ++m) {
      if (bucket[m].voxel != voxel) continue;
      const int j = bucket[m].index;
      bool first = true;
      for (int a = 0; a < 3; ++a) first &= voxel[a] == std::max(covered_[i][0][a], covered_[j][0][a]);
      if (first && (mobile[i] | mobile[j]) && p.overlaps(boxes[j])) pairs.push_back({std::min(i, j), std::max(i, j)});
    }
  }
}

void Hash3dBroadPhase::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                            Threads) {
  if (boxes.empty()) return;
  choose_voxels(boxes);
  fill_table(boxes);
  for (std::size_t b = 0; b + 1 < start_.size(); ++b)
    if (start_[b + 1] - start_[b] > 1)
      scan(std::span(entries_).subspan(start_[b], start_[b + 1] - start_[b]), boxes, mobile, pairs);
  const int n = static_cast<int>(boxes.size());
  for (const int i : large_)
    for (int j = 0; j < n; ++j)
      if (j != i && (!is_large_[j] || j > i) && (mobile[i] | mobile[j]) && boxes[i].overlaps(boxes[j]))
        pairs.push_back({std::min(i, j), std::max(i, j)});
}

}  // namespace cairn
