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
    /// The triangles side by side: coordinate l of corner k, and unit normals. Beyond the count the last one again.
    Four corners[3][3], normal[3];
  };
  std::vector<Node> nodes;  ///< the root first; none when there is a single leaf
  std::vector<Leaf> leaves;
};

/// The leaves of a binary tree over triangles, under nodes of four.
WideTree make_wide_tree(const BoxTree& tree, std::span<const Vec3> vertices,
                        std::span<const std::array<int, 3>> triangles);

/// A node of one bound, four times.
inline WideTree::Node spread(const WideTree::Bound& bound) {
  WideTree::Node r;
  for (int i = 0; i < 3; ++i) {
    r.centre[i] = make_four(bound.centre[i]);
    r.half[i] = make_four(bound.half[i]);
    r.normal[i] = make_four(bound.normal[i]);
  }
  r.low = make_four(bound.low);
  r.high = make_four(bound.high);
  r.child = {};
  r.count = 1;
  return r;
}

/// No length grows by more under M.
inline double bound_stretch(const Mat3& M) { return is_rotation(M, 1e-12) ? 1 : M.norm(); }

/// Four bounds in one frame against four in another, which is placed in the first at x = A X + c. What depends on one
/// of the two nodes only is computed once for all its partners.
class WideTest {
 public:
  /// Bounds of the first frame as the second sees them.
  struct Seen {
    Four centre[3], half[3];
    Four extent[3], low, high;                 ///< half sides and slab with the margin and room for rounding
    Four there[3], reach[3], normal[3], room;  ///< centres, extents, normals and that room in the other frame
  };
  /// Bounds of the second frame as the first sees them.
  struct Image {
    Four centre[3], half[3];
    Four across[3];  ///< extent of an axis of the first frame across the slab
  };
  WideTest(const Placement& other, double margin);
  Seen see(const WideTree::Node& p) const;
  Image make_image(const WideTree::Node& q) const;
  /// Bit m: child m of q may come within the margin of child k of p.
  static int near(const Seen& p, int k, const Image& image, const WideTree::Node& q);

 private:
  Mat3 A_, abs_A_, B_, abs_B_;  ///< B = A^-1
  Vec3 c_, back_, margin_there_;
  double margin_, stretch_there_;
};

inline WideTest::Seen WideTest::see(const WideTree::Node& p) const {
  // Rounding of the transformation must not part what touches.
  constexpr double epsilon = 32 * std::numeric_limits<double>::epsilon();
  const Four room = (absolute(p.centre[0]) + absolute(p.centre[1]) + absolute(p.centre[2]) + p.half[0] + p.half[1] +
                     p.half[2] + c_.cwiseAbs().sum()) *
                    epsilon;
  Seen r;
  r.room = (room + margin_) * stretch_there_;
  for (int i = 0; i < 3; ++i) {
    r.centre[i] = p.centre[i];
    r.half[i] = p.half[i];
    r.extent[i] = p.half[i] + room + margin_;
    r.there[i] = p.centre[0] * B_(i, 0) + p.centre[1] * B_(i, 1) + p.centre[2] * B_(i, 2) + back_[i];
    r.reach[i] = p.half[0] * abs_B_(i, 0) + p.half[1] * abs_B_(i, 1) + p.half[2] * abs_B_(i, 2) +
                 room * stretch_there_ + margin_there_[i];
    r.normal[i] = p.normal[0] * A_(0, i) + p.normal[1] * A_(1, i) + p.normal[2] * A_(2, i);
  }
  const Four shift = p.normal[0] * c_[0] + p.normal[1] * c_[1] + p.normal[2] * c_[2];
  r.low = p.low - shift - room - margin_;
  r.high = p.high - shift + room + margin_;
  return r;
}

inline WideTest::Image WideTest::make_image(const WideTree::Node& q) const {
  Image r;
  for (int i = 0; i < 3; ++i) {
    r.centre[i] = q.centre[0] * A_(i, 0) + q.centre[1] * A_(i, 1) + q.centre[2] * A_(i, 2) + c_[i];
    r.half[i] = q.half[0] * abs_A_(i, 0) + q.half[1] * abs_A_(i, 1) + q.half[2] * abs_A_(i, 2);
    r.across[i] = absolute(q.normal[0] * B_(0, i) + q.normal[1] * B_(1, i) + q.normal[2] * B_(2, i));
  }
  return r;
}

inline int WideTest::near(const Seen& p, int k, const Image& image, const WideTree::Node& q) {
  FourFlags apart{};
  // Along the axes of the other frame, then along those of this one.
  for (int i = 0; i < 3; ++i) {
    apart |= absolute(q.centre[i] - p.there[i][k]) > q.half[i] + p.reach[i][k];
    apart |= absolute(image.centre[i] - p.centre[i][k]) > image.half[i] + p.extent[i][k];
  }
  if (to_bits(apart) == 15) return 0;
  // The slab of p against the boxes, and the other slabs against the box of p.
  Four middle = make_four(0), width = middle, height = middle, reach = make_four(p.room[k]);
  for (int i = 0; i < 3; ++i) {
    middle += q.centre[i] * p.normal[i][k];
    width += q.half[i] * std::abs(p.normal[i][k]);
    height += q.normal[i] * p.there[i][k];
    reach += image.across[i] * p.half[i][k];
  }
  apart |= (middle - width > p.high[k]) | (middle + width < p.low[k]);
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
      const WideTest& test = leaf_a ? to_b : to_a;
      const int bits = WideTest::near(test.see(spread(leaf.bound)), 0, test.make_image(node), node);
      for (int m = 0; m < node.count; ++m) {
        if (!(bits >> m & 1)) continue;
        const int child = node.child[static_cast<std::size_t>(m)];
        leaf_a ? push(i, child) : push(child, j);
      }
      continue;
    }
    const WideTree::Node &p = a.nodes[static_cast<std::size_t>(i)], &q = b.nodes[static_cast<std::size_t>(j)];
    const WideTest::Seen seen = to_b.see(p);
    const WideTest::Image image = to_b.make_image(q);
    for (int k = 0; k < p.count; ++k) {
      const int bits = WideTest::near(seen, k, image, q);
      for (int m = 0; m < q.count; ++m)
        if (bits >> m & 1) push(p.child[static_cast<std::size_t>(k)], q.child[static_cast<std::size_t>(m)]);
    }
  }
}

}  // namespace cairn
