// SPDX-License-Identifier: Apache-2.0
// Building a box tree: binned surface-area splits, medians where they fail or the tree grows too deep.
#include "cairn/geometry/box_tree.h"

#include <algorithm>
#include <numeric>

#include "cairn/geometry/best_cut.h"

namespace cairn {
namespace {

constexpr int kBins = 16;
constexpr int kSahDepth = 56;  // below, medians halve what is left: 40 more levels hold any number of items

class Builder {
 public:
  Builder(std::span<const Aabb> boxes, BoxTree& tree) : boxes_(boxes), tree_(tree) {
    tree_.items.resize(boxes.size());
    std::iota(tree_.items.begin(), tree_.items.end(), 0);
    for (const Aabb& b : boxes) centres_.emplace_back((b.lo + b.hi) / 2);
    tree_.nodes.reserve(boxes.size());
    if (!boxes.empty()) build(0, static_cast<int>(boxes.size()), 0);
  }

 private:
  void build(int begin, int end, int depth) {
    const std::size_t n = tree_.nodes.size();
    Aabb box, middle;
    for (int k = begin; k < end; ++k) {
      box.merge(boxes_[tree_.items[k]]);
      middle.merge(centres_[tree_.items[k]]);
    }
    tree_.nodes.push_back({box, begin, end - begin});
    if (end - begin <= BoxTree::kLeafItems) return;
    const int split = find_split(begin, end, middle, depth);
    build(begin, split, depth + 1);
    tree_.nodes[n].count = 0;
    tree_.nodes[n].first = static_cast<int>(tree_.nodes.size());
    build(split, end, depth + 1);
  }

  int find_split(int begin, int end, const Aabb& middle, int depth) {
    int axis = 0;
    const Vec3 size = middle.hi - middle.lo;
    size.maxCoeff(&axis);
    const double scale = kBins / size[axis];
    if (depth >= kSahDepth || !(size[axis] > 0) || !std::isfinite(scale)) return split_at_median(begin, end, axis);
    const auto bin_of = [&](int item) {
      return std::clamp(static_cast<int>((centres_[item][axis] - middle.lo[axis]) * scale), 0, kBins - 1);
    };
    std::array<Aabb, kBins> bin_box;
    std::array<int, kBins> bin_count{};
    for (int k = begin; k < end; ++k) {
      const int b = bin_of(tree_.items[k]);
      bin_box[b].merge(boxes_[tree_.items[k]]);
      ++bin_count[b];
    }
    const int best = find_best_cut(bin_box, bin_count);
    if (best == 0) return split_at_median(begin, end, axis);
    const auto first = tree_.items.begin();
    const auto cut = std::stable_partition(first + begin, first + end, [&](int item) { return bin_of(item) < best; });
    return static_cast<int>(cut - first);
  }

  int split_at_median(int begin, int end, int axis) {
    const int mid = begin + (end - begin) / 2;
    const auto first = tree_.items.begin();
    std::nth_element(first + begin, first + mid, first + end,
                     [&](int a, int b) { return std::pair(centres_[a][axis], a) < std::pair(centres_[b][axis], b); });
    return mid;
  }

  std::span<const Aabb> boxes_;
  BoxTree& tree_;
  std::vector<Vec3> centres_;
};

}  // namespace

BoxTree make_box_tree(std::span<const Aabb> boxes) {
  BoxTree tree;
  Builder(boxes, tree);
  return tree;
}

}  // namespace cairn
