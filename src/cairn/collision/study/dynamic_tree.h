// SPDX-License-Identifier: Apache-2.0
// A binary tree of boxes that can be built at once, refitted, and changed leaf by leaf (Ericson 2005, chapter 6;
// insertion and rotations after Catto 2019, "Dynamic bounding volume hierarchies").
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cairn/geometry/aabb.h"

namespace cairn {

/// Every leaf holds one item; every other node has two children and the smallest box that holds theirs. Boxes must be
/// finite. A value: copying it is a snapshot.
class DynamicTree {
 public:
  static constexpr int none = -1;
  struct Node {
    Aabb box;
    int parent = none;
    int left = none;   ///< none for a leaf
    int right = none;  ///< of a leaf: the item
    int height = 0;    ///< of a leaf: 0
    bool is_leaf() const { return left == none; }
  };

  /// Replaces the tree by one over items 0 .. boxes.size()-1; leaf_of(i) is the leaf of item i.
  /// Splits the longest side of the centres where the surface heuristic is least, in O(n log n).
  void build(std::span<const Aabb> boxes);
  /// Gives the item a leaf. It is put where the sum of the surfaces grows least (greedily).
  void insert(int item, const Aabb& box);
  void remove(int item);
  /// Changes the box of an item without changing the tree; the boxes above are wrong until refit().
  void set_box(int item, const Aabb& box) { nodes_[leaf_of(item)].box = box; }
  /// Recomputes all boxes above the leaves.
  void refit();

  bool empty() const { return root_ == none; }
  int root() const { return root_; }
  const Node& node(int index) const { return nodes_[static_cast<std::size_t>(index)]; }
  int leaf_of(int item) const { return leaves_[static_cast<std::size_t>(item)]; }
  /// Sum of the surfaces of the nodes above the leaves, over that of the root: what a query costs, up to a factor.
  double cost() const;
  /// Throws Error if a link, a height or a box is wrong; for tests.
  void check() const;

  /// Calls f(item) for every leaf whose box overlaps `box`.
  template <class F>
  void for_each_overlap(const Aabb& box, std::vector<int>& stack, F&& f) const {
    if (empty()) return;
    stack.assign(1, root_);
    while (!stack.empty()) {
      const Node& n = node(stack.back());
      stack.pop_back();
      if (!n.box.overlaps(box)) continue;
      if (n.is_leaf()) {
        f(n.right);
      } else {
        stack.push_back(n.left);
        stack.push_back(n.right);
      }
    }
  }

  /// A piece of the search for overlapping leaves: within one subtree (a == b), or between two.
  using Task = std::pair<int, int>;
  /// Does one piece: calls f(item, item) for overlapping leaves, or adds smaller pieces to `tasks`.
  template <class F>
  void expand(const Task& task, std::vector<Task>& tasks, F&& f) const {
    const auto [a, b] = task;
    const Node &p = node(a), &q = node(b);
    if (a == b) {
      if (p.is_leaf()) return;
      tasks.push_back({p.left, p.left});
      tasks.push_back({p.right, p.right});
      if (node(p.left).box.overlaps(node(p.right).box)) tasks.push_back({p.left, p.right});
    } else if (p.is_leaf() && q.is_leaf()) {
      f(p.right, q.right);
    } else if (q.is_leaf() || (!p.is_leaf() && p.height >= q.height)) {
      if (node(p.left).box.overlaps(q.box)) tasks.push_back({p.left, b});
      if (node(p.right).box.overlaps(q.box)) tasks.push_back({p.right, b});
    } else {
      if (node(q.left).box.overlaps(p.box)) tasks.push_back({a, q.left});
      if (node(q.right).box.overlaps(p.box)) tasks.push_back({a, q.right});
    }
  }

 private:
  int new_node();
  int build_range(std::span<const Aabb> boxes, int begin, int end);
  int split(int begin, int end);
  int find_sibling(const Aabb& box) const;
  void update_upwards(int index);
  void update(int index);
  void rotate(int index);

  int root_ = none;
  std::vector<Node> nodes_;
  std::vector<int> free_;
  std::vector<int> leaves_;  ///< of each item; none if it is not in the tree
  struct Centre {
    Vec3 x;
    int item;
  };
  std::vector<Centre> centres_;     ///< scratch of build()
  std::span<const Aabb> building_;  ///< valid during build()
  std::vector<int> order_;          ///< scratch of refit()
};

}  // namespace cairn
