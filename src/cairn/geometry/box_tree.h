// SPDX-License-Identifier: Apache-2.0
// A static tree of bounding boxes over primitives of one shape: overlaps, pairs of two trees, nearest, rays.
//
// Built by binned surface-area splits (Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"), the
// same tree for the same boxes on every machine. Nodes are in depth-first order: the left child follows its parent.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "cairn/geometry/shape.h"
#include "cairn/math/four.h"

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

  /// What lies in a node is also between two planes, low <= normal.x <= high. Patches of a surface are thin across
  /// their mean normal, whichever way they lie: boxes along axes are not.
  struct Slab {
    Vec3 normal;
    double low, high;  ///< infinite where the slab is so thick that the box says as much
  };

  std::vector<Node> nodes;  ///< the root first; none for an empty tree
  std::vector<Slab> slabs;  ///< one per node, or none
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

/// Calls f(node_a, node_b) for all pairs of leaves whose boxes come within `margin` (metres in the frame of tree a)
/// when tree b is placed at x_a = A X_b + c. Tests the three axes of both frames: it may report more, never less.
template <class F>
void for_each_leaf_pair(const BoxTree& a, const BoxTree& b, const Placement& b_in_a, double margin, F&& f) {
  if (a.nodes.empty() || b.nodes.empty()) return;
  const Mat3 inverse = b_in_a.A.inverse();
  const FourMatrix A(b_in_a.A), abs_A(b_in_a.A.cwiseAbs()), B(inverse), abs_B(inverse.cwiseAbs());
  const auto farthest = [](const Aabb& box) { return box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).eval(); };
  // Rounding of the transformation itself must not part boxes that touch.
  const Vec3 far_a = farthest(a.nodes[0].box),
             far_b = b_in_a.c.cwiseAbs() + b_in_a.A.cwiseAbs() * farthest(b.nodes[0].box);
  const Vec3 room = 16 * std::numeric_limits<double>::epsilon() * (far_a + far_b);
  const Four room_a = make_four(Vec3(room + Vec3::Constant(margin)));
  const Four room_b = make_four(Vec3(margin * inverse.rowwise().norm() + inverse.cwiseAbs() * room));
  const Four shift = make_four(b_in_a.c), half = make_four(0.5);
  const auto apart = [&](const Aabb& p, const Aabb& q) {
    const Four plo = make_four(p.lo), phi = make_four(p.hi), qlo = make_four(q.lo), qhi = make_four(q.hi);
    const Vec3 qc = 0.5 * (q.lo + q.hi), qh = 0.5 * (q.hi - q.lo), ph = 0.5 * (p.hi - p.lo);
    const Four delta = A.apply(qc[0], qc[1], qc[2]) + shift - half * (plo + phi);
    const Four room_here = half * (phi - plo) + abs_A.apply(qh[0], qh[1], qh[2]) + room_a;
    const Four room_there = half * (qhi - qlo) + abs_B.apply(ph[0], ph[1], ph[2]) + room_b;
    // Both at once: a branch that cannot be foreseen costs more than the second test.
    return to_bits((absolute(delta) > room_here) | (absolute(B.apply(delta[0], delta[1], delta[2])) > room_there)) != 0;
  };
  // The box of the one against the slab of the other.
  const bool has_slabs = !a.slabs.empty() && !b.slabs.empty();
  const Mat3 to_a = b_in_a.A;
  const double room_slab = margin + room.norm();
  const auto beyond = [](const BoxTree::Slab& slab, const Mat3& to, const Vec3& shift_to, const Aabb& box,
                         double more) {
    const Vec3 n = to.transpose() * slab.normal;
    const double reach = 0.5 * n.cwiseAbs().dot(box.hi - box.lo) + more;
    const double middle = 0.5 * n.dot(box.lo + box.hi) + slab.normal.dot(shift_to);
    return middle - reach > slab.high || middle + reach < slab.low;
  };
  const Vec3 back = -(inverse * b_in_a.c);
  const double room_slab_b = room_slab * inverse.norm();
  std::array<std::pair<int, int>, 2 * BoxTree::kMaxDepth + 4> stack;
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [i, j] = stack[--top];
    const BoxTree::Node &p = a.nodes[i], &q = b.nodes[j];
    if (apart(p.box, q.box)) continue;
    if (has_slabs && ((a.slabs[i].high < 1e300 && beyond(a.slabs[i], to_a, b_in_a.c, q.box, room_slab)) ||
                      (b.slabs[j].high < 1e300 && beyond(b.slabs[j], inverse, back, p.box, room_slab_b))))
      continue;
    if (p.is_leaf() && q.is_leaf()) {
      f(i, j);
      continue;
    }
    // The larger box is split.
    const bool split_a =
        q.is_leaf() || (!p.is_leaf() && (p.box.hi - p.box.lo).squaredNorm() >= (q.box.hi - q.box.lo).squaredNorm());
    if (split_a) {
      stack[top++] = {p.first, j};
      stack[top++] = {i + 1, j};
    } else {
      stack[top++] = {i, q.first};
      stack[top++] = {i, j + 1};
    }
  }
}

/// The same for all pairs of items of such leaves.
template <class F>
void for_each_pair(const BoxTree& a, const BoxTree& b, const Placement& b_in_a, double margin, F&& f) {
  for_each_leaf_pair(a, b, b_in_a, margin, [&](int i, int j) {
    const BoxTree::Node &p = a.nodes[i], &q = b.nodes[j];
    for (int k = 0; k < p.count; ++k)
      for (int m = 0; m < q.count; ++m) f(a.items[p.first + k], b.items[q.first + m]);
  });
}

}  // namespace cairn
