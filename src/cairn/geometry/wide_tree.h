// SPDX-License-Identifier: Apache-2.0
// A box tree with four children per node, looked at side by side: for pairs of two surfaces.
//
// What a node holds also lies between two planes across the mean normal of its patch, low <= normal.x <= high: patches
// of a surface are thin that way, whichever way they lie, and boxes along axes are not.
#pragma once
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "cairn/geometry/box_tree.h"
#include "cairn/math/four.h"

namespace cairn {

struct WideTree {
  /// A box and its slab.
  struct Bound {
    Vec3 centre, half, normal;
    double low, high;
  };
  /// Up to four bounds side by side; absent ones are empty and near nothing.
  struct Node {
    Four centre[3], half[3], normal[3], low, high;
    std::array<int, 4> child;  ///< >= 0: a node; < 0: ~child is a leaf
    int count;
  };
  struct Leaf {
    Bound bound;
    int first, count;  ///< in the items of the binary tree
  };
  std::vector<Node> nodes;  ///< the root first; none when there is a single leaf
  std::vector<Leaf> leaves;
};

/// The leaves of a binary tree over triangles, under nodes of four.
WideTree make_wide_tree(const BoxTree& tree, std::span<const Vec3> vertices,
                        std::span<const std::array<int, 3>> triangles);

/// No length grows by more under M.
inline double bound_stretch(const Mat3& M) { return is_rotation(M, 1e-12) ? 1 : M.norm(); }

/// A bound in one frame against four in another, which is placed in the first at x = A X + c.
class WideTest {
 public:
  WideTest(const Placement& other, double margin);
  /// Bit k: child k may come within the margin.
  int near(const WideTree::Bound& p, const WideTree::Node& q) const;

 private:
  Mat3 A_, abs_A_, B_, abs_B_;  ///< B = A^-1
  Vec3 c_, back_, margin_there_;
  double margin_, stretch_there_;
};

inline int WideTest::near(const WideTree::Bound& p, const WideTree::Node& q) const {
  // Rounding of the transformation must not part what touches.
  constexpr double epsilon = 32 * std::numeric_limits<double>::epsilon();
  const double room = epsilon * (p.centre.cwiseAbs().sum() + p.half.sum() + c_.cwiseAbs().sum());
  const Vec3 there = B_ * p.centre + back_;
  FourFlags apart{};
  for (int i = 0; i < 3; ++i) {
    // Along the axes of the other frame, then along those of this one.
    const double reach = abs_B_.row(i).dot(p.half) + margin_there_[i] + room * stretch_there_;
    apart |= absolute(q.centre[i] - there[i]) > q.half[i] + reach;
    const Four image = q.centre[0] * A_(i, 0) + q.centre[1] * A_(i, 1) + q.centre[2] * A_(i, 2) + (c_[i] - p.centre[i]);
    const Four extent = q.half[0] * abs_A_(i, 0) + q.half[1] * abs_A_(i, 1) + q.half[2] * abs_A_(i, 2);
    apart |= absolute(image) > extent + (p.half[i] + margin_ + room);
  }
  // The slab of p against the boxes, and the other slabs against the box of p.
  const Vec3 n = A_.transpose() * p.normal;
  const Four middle = q.centre[0] * n[0] + q.centre[1] * n[1] + q.centre[2] * n[2] + p.normal.dot(c_);
  const Four width =
      q.half[0] * std::abs(n[0]) + q.half[1] * std::abs(n[1]) + q.half[2] * std::abs(n[2]) + (margin_ + room);
  apart |= (middle - width > p.high) | (middle + width < p.low);
  const Four height = q.normal[0] * there[0] + q.normal[1] * there[1] + q.normal[2] * there[2];
  Four reach = make_four((margin_ + room) * stretch_there_);
  for (int i = 0; i < 3; ++i)
    reach += absolute(q.normal[0] * B_(0, i) + q.normal[1] * B_(1, i) + q.normal[2] * B_(2, i)) * p.half[i];
  apart |= (height - reach > q.high) | (height + reach < q.low);
  return ~to_bits(apart) & 15;
}

/// Calls f(leaf_a, leaf_b) for all pairs of leaves that come within `margin` (metres in the frame of a) when b is
/// placed in a. It may report more, never less. `stack` is scratch.
template <class F>
void for_each_leaf_pair(const WideTree& a, const WideTree& b, const Placement& b_in_a, double margin,
                        std::vector<std::array<int, 2>>& stack, F&& f) {
  if (a.leaves.empty() || b.leaves.empty()) return;
  const Mat3 inverse = b_in_a.A.inverse();
  const WideTest to_b(b_in_a, margin);
  const WideTest to_a({inverse, -(inverse * b_in_a.c)}, margin * bound_stretch(inverse));
  const auto bound = [](const WideTree::Node& n, int k) {
    return WideTree::Bound{{n.centre[0][k], n.centre[1][k], n.centre[2][k]},
                           {n.half[0][k], n.half[1][k], n.half[2][k]},
                           {n.normal[0][k], n.normal[1][k], n.normal[2][k]},
                           n.low[k],
                           n.high[k]};
  };
  const auto push = [&](int i, int j) {
    if (i < 0 && j < 0)
      f(~i, ~j);
    else
      stack.push_back({i, j});
  };
  stack.clear();
  push(a.nodes.empty() ? ~0 : 0, b.nodes.empty() ? ~0 : 0);
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    if (i < 0 || j < 0) {
      // A leaf against the children of a node.
      const bool leaf_a = i < 0;
      const WideTree::Node& node = leaf_a ? b.nodes[static_cast<std::size_t>(j)] : a.nodes[static_cast<std::size_t>(i)];
      const WideTree::Leaf& leaf =
          leaf_a ? a.leaves[static_cast<std::size_t>(~i)] : b.leaves[static_cast<std::size_t>(~j)];
      const int bits = leaf_a ? to_b.near(leaf.bound, node) : to_a.near(leaf.bound, node);
      for (int m = 0; m < node.count; ++m) {
        if (!(bits >> m & 1)) continue;
        const int child = node.child[static_cast<std::size_t>(m)];
        leaf_a ? push(i, child) : push(child, j);
      }
      continue;
    }
    const WideTree::Node &p = a.nodes[static_cast<std::size_t>(i)], &q = b.nodes[static_cast<std::size_t>(j)];
    for (int k = 0; k < p.count; ++k) {
      const int bits = to_b.near(bound(p, k), q);
      for (int m = 0; m < q.count; ++m)
        if (bits >> m & 1) push(p.child[static_cast<std::size_t>(k)], q.child[static_cast<std::size_t>(m)]);
    }
  }
}

}  // namespace cairn
