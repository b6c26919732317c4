// SPDX-License-Identifier: Apache-2.0
// A static tree of bounding boxes over primitives of one shape: overlaps, nearest, rays.
//
// Built by binned surface-area splits (Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"), the
// same tree for the same boxes on every machine. Nodes are in depth-first order: the left child follows its parent.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "cairn/geometry/shape.h"

namespace cairn {

struct BoxTree {
  struct Node {
    Aabb box;
    int first = 0;  ///< leaf: where its items begin; otherwise the right child
    int count = 0;  ///< leaf: how many items; otherwise 0
    bool is_leaf() const { return count > 0; }
  };
  static constexpr int kLeafItems = 4;  ///< a leaf has at most so many
  static constexpr int kMaxDepth = 96;  ///< bound of the builder, so that walks need no memory of their own

  std::vector<Node> nodes;  ///< the root first; none for an empty tree
  std::vector<int> items;   ///< numbers of primitives, leaf after leaf
};

BoxTree make_box_tree(std::span<const Aabb> boxes);

/// Calls f(item) for every item whose leaf box meets `box` (touching counts).
template <class F>
void for_each_overlap(const BoxTree& tree, const Aabb& box, F&& f) {
  if (tree.nodes.empty()) return;
  std::array<int, BoxTree::kMaxDepth + 2> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int n = stack[--top];
    const BoxTree::Node& node = tree.nodes[n];
    if (!node.box.overlaps(box)) continue;
    if (node.is_leaf()) {
      for (int k = 0; k < node.count; ++k) f(tree.items[node.first + k]);
    } else {
      stack[top++] = node.first;
      stack[top++] = n + 1;
    }
  }
}

/// Squared distance from a point to a box, 0 inside.
inline double squared_distance(const Aabb& box, const Vec3& x) {
  return (box.lo - x).cwiseMax(x - box.hi).cwiseMax(0).squaredNorm();
}

/// Visits items that may be nearer to x than `best` (a squared distance), nearer boxes first. f(item, best) lowers
/// `best` where it finds better.
template <class F>
void find_nearest(const BoxTree& tree, const Vec3& x, double& best, F&& f) {
  if (tree.nodes.empty()) return;
  struct Entry {
    int node;
    double distance;
  };
  std::array<Entry, BoxTree::kMaxDepth + 2> stack;
  int top = 0;
  stack[top++] = {0, squared_distance(tree.nodes[0].box, x)};
  while (top > 0) {
    const Entry e = stack[--top];
    if (e.distance > best) continue;
    const BoxTree::Node& node = tree.nodes[e.node];
    if (node.is_leaf()) {
      for (int k = 0; k < node.count; ++k) f(tree.items[node.first + k], best);
      continue;
    }
    Entry left{e.node + 1, squared_distance(tree.nodes[e.node + 1].box, x)};
    Entry right{node.first, squared_distance(tree.nodes[node.first].box, x)};
    if (left.distance <= right.distance) std::swap(left, right);
    stack[top++] = left;
    stack[top++] = right;
  }
}

/// The stretch of the ray x + t d inside a box, cut to [0, t_max]; nothing when first > second. `inverse` is 1/d.
inline std::pair<double, double> clip_ray(const Aabb& box, const Vec3& x, const Vec3& inverse, double t_max) {
  double enter = 0, leave = t_max;
  for (int i = 0; i < 3; ++i) {
    const double a = (box.lo[i] - x[i]) * inverse[i], b = (box.hi[i] - x[i]) * inverse[i];
    // 0 * infinity: the ray runs inside the plane of a side, which bounds nothing.
    if (std::isnan(a) || std::isnan(b)) continue;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return {enter, leave};
}

/// Visits items that the ray x + t d may hit before t_max, in the order of their boxes. f(item, t_max) lowers t_max.
template <class F>
void walk_ray(const BoxTree& tree, const Vec3& x, const Vec3& d, double& t_max, F&& f) {
  if (tree.nodes.empty()) return;
  const Vec3 inverse = d.cwiseInverse();
  // A little room, so that a ray along an edge shared by two boxes meets at least one of them.
  const auto enter = [&](int n) {
    Aabb box = tree.nodes[n].box;
    box.expand(4 * std::numeric_limits<double>::epsilon() *
               std::max({box.lo.cwiseAbs().maxCoeff(), box.hi.cwiseAbs().maxCoeff(), x.cwiseAbs().maxCoeff()}));
    const auto [first, last] = clip_ray(box, x, inverse, t_max);
    return first <= last ? first : std::numeric_limits<double>::infinity();
  };
  struct Entry {
    int node;
    double at;
  };
  std::array<Entry, BoxTree::kMaxDepth + 2> stack;
  int top = 0;
  stack[top++] = {0, enter(0)};
  while (top > 0) {
    const Entry e = stack[--top];
    if (!(e.at <= t_max) || std::isinf(e.at)) continue;
    const BoxTree::Node& node = tree.nodes[e.node];
    if (node.is_leaf()) {
      for (int k = 0; k < node.count; ++k) f(tree.items[node.first + k], t_max);
      continue;
    }
    Entry left{e.node + 1, enter(e.node + 1)}, right{node.first, enter(node.first)};
    if (left.at <= right.at) std::swap(left, right);
    stack[top++] = left;
    stack[top++] = right;
  }
}

}  // namespace cairn
