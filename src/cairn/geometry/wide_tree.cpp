// SPDX-License-Identifier: Apache-2.0
// A box tree with four children per node: see the header.
#include "cairn/geometry/wide_tree.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Builder {
 public:
  Builder(const BoxTree& tree, std::span<const Vec3> vertices, std::span<const std::array<int, 3>> triangles,
          WideTree& wide)
      : tree_(tree), vertices_(vertices), triangles_(triangles), wide_(wide) {
    // The items below a node lie side by side: where they begin and end.
    const std::size_t count = tree.nodes.size();
    begin_.resize(count);
    end_.resize(count);
    for (std::size_t n = count; n-- > 0;) {
      const BoxTree::Node& node = tree.nodes[n];
      begin_[n] = node.is_leaf() ? node.first : begin_[n + 1];
      end_[n] = node.is_leaf() ? node.first + node.count : end_[static_cast<std::size_t>(node.first)];
    }
    if (count > 0) build(0);
  }

 private:
  /// A node or leaf for the binary node n; its reference.
  int build(int n) {
    const BoxTree::Node& root = node(n);
    if (root.is_leaf()) {
      wide_.leaves.push_back({make_bound(n), root.first, root.count, {}, {}});
      fill(wide_.leaves.back());
      return ~(static_cast<int>(wide_.leaves.size()) - 1);
    }
    // Children are opened, the largest first, until there are four.
    std::vector<int> open{n + 1, root.first};
    while (open.size() < 4) {
      int largest = -1;
      double size = -1;
      for (std::size_t k = 0; k < open.size(); ++k) {
        const Vec3 extent = node(open[k]).box.hi - node(open[k]).box.lo;
        if (!node(open[k]).is_leaf() && extent.squaredNorm() > size)
          size = extent.squaredNorm(), largest = static_cast<int>(k);
      }
      if (largest < 0) break;
      const int opened = open[static_cast<std::size_t>(largest)];
      open[static_cast<std::size_t>(largest)] = opened + 1;
      open.push_back(node(opened).first);
    }
    const std::size_t place = wide_.nodes.size();
    WideTree::Node wide;
    wide.count = static_cast<int>(open.size());
    for (int k = 0; k < 4; ++k) {
      WideTree::Bound bound{Vec3::Zero(), Vec3::Constant(-kInfinity), Vec3::UnitZ(), -kInfinity, kInfinity};
      if (k < wide.count) bound = make_bound(open[static_cast<std::size_t>(k)]);
      for (int i = 0; i < 3; ++i) {
        wide.centre[i][k] = bound.centre[i];
        wide.half[i][k] = bound.half[i];
        wide.normal[i][k] = bound.normal[i];
      }
      wide.low[k] = bound.low;
      wide.high[k] = bound.high;
      wide.child[static_cast<std::size_t>(k)] = 0;
    }
    wide_.nodes.push_back(wide);
    for (std::size_t k = 0; k < open.size(); ++k) {
      const int child = build(open[k]);
      wide_.nodes[place].child[k] = child;
    }
    return static_cast<int>(place);
  }

  const Vec3& corner(int item, int k) const {
    return vertices_[static_cast<std::size_t>(triangles_[static_cast<std::size_t>(
        tree_.items[static_cast<std::size_t>(item)])][static_cast<std::size_t>(k)])];
  }
  /// Across the triangle, as long as its area is twice.
  Vec3 cross(int item) const { return (corner(item, 1) - corner(item, 0)).cross(corner(item, 2) - corner(item, 0)); }

  void fill(WideTree::Leaf& leaf) const {
    for (int i = 0; i < BoxTree::kLeafItems; ++i) {
      const int item = leaf.first + std::min(i, leaf.count - 1);
      const Vec3 n = cross(item).normalized();
      for (int axis = 0; axis < 3; ++axis) {
        leaf.normal[axis][i] = n[axis];
        for (int k = 0; k < 3; ++k) leaf.corners[k][axis][i] = corner(item, k)[axis];
      }
    }
  }

  WideTree::Bound make_bound(int n) const {
    const Aabb& box = node(n).box;
    WideTree::Bound bound{(box.lo + box.hi) / 2, (box.hi - box.lo) / 2, Vec3::UnitZ(), kInfinity, -kInfinity};
    Vec3 sum = Vec3::Zero();
    const int begin = begin_[static_cast<std::size_t>(n)], end = end_[static_cast<std::size_t>(n)];
    for (int t = begin; t < end; ++t) sum += cross(t);
    if (sum.norm() > 0) bound.normal = sum.normalized();
    for (int t = begin; t < end; ++t)
      for (int k = 0; k < 3; ++k) {
        const double height = bound.normal.dot(corner(t, k));
        bound.low = std::min(bound.low, height);
        bound.high = std::max(bound.high, height);
      }
    return bound;
  }

  const BoxTree::Node& node(int n) const { return tree_.nodes[static_cast<std::size_t>(n)]; }

  const BoxTree& tree_;
  std::span<const Vec3> vertices_;
  std::span<const std::array<int, 3>> triangles_;
  WideTree& wide_;
  std::vector<int> begin_, end_;
};

}  // namespace

WideTree make_wide_tree(const BoxTree& tree, std::span<const Vec3> vertices,
                        std::span<const std::array<int, 3>> triangles) {
  WideTree wide;
  Builder(tree, vertices, triangles, wide);
  return wide;
}

WideTest::WideTest(const Placement& other, double margin)
    : A_(other.A),
      abs_A_(other.A.cwiseAbs()),
      B_(other.A.inverse()),
      abs_B_(B_.cwiseAbs()),
      c_(other.c),
      back_(-(B_ * other.c)),
      margin_there_(margin * B_.rowwise().norm()),
      margin_(margin),
      stretch_there_(bound_stretch(B_)) {}

}  // namespace cairn
