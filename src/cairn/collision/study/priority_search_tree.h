// SPDX-License-Identifier: Apache-2.0
// Priority search trees (McCreight 1985) on red-black trees, leaf oriented: Koziara 2008, section 9.1.4 and algorithms
// 9.1.15 to 9.1.24, with the slips of the listings mended.
#pragma once
#include <cstddef>
#include <vector>

namespace cairn {

/// Many trees that share one store of nodes. A tree is known by its root, which the caller keeps and which starts as
/// `none`. It holds points (x, y) with an id: a search tree on (x, id) and a heap on y at once. Insertion and removal
/// are O(log n); all points with x >= x0 and y >= y0 are found in O(log n + k).
///
/// All data are in leaves. Each leaf is queued at exactly one element of the path from the root to it (`queued`), so
/// that y of the queued leaves decreases downwards.
class PrioritySearchTrees {
 public:
  static constexpr int none = -1;

  void clear() {
    nodes_.clear();
    free_.clear();
  }
  /// A second point with the same (x, id) is ignored.
  void insert(int& root, double x, double y, int id);
  /// A point that is not there is ignored.
  void erase(int& root, double x, int id);

  /// Calls f(id) for all points with x >= x0 and y >= y0.
  template <class F>
  void query(int root, double x0, double y0, F&& f) const {
    for (int v = root; v != none;) {
      const Node& n = nodes_[v];
      if (n.queued == none || nodes_[n.queued].y < y0) return;
      if (nodes_[n.queued].x >= x0) f(nodes_[n.queued].id);
      if (n.is_leaf()) return;
      if (x0 <= n.x) {  // all on the right are beyond x0
        report_down(n.right, y0, f);
        v = n.left;
      } else {
        v = n.right;
      }
    }
  }

  /// Number of points; throws Error if the tree is not what it should be (order, colours, heap, queues); for tests.
  std::size_t check(int root) const;

 private:
  struct Node {
    double x = 0, y = 0;  ///< of a leaf: its point; else (x, id) parts: not after it on the left
    int id = 0;
    int parent = none, left = none, right = none;
    int queued = none;  ///< a leaf
    bool red = false;
    bool is_leaf() const { return left == none; }
  };
  template <class F>
  void report_down(int v, double y0, F& f) const {
    const Node& n = nodes_[v];
    if (n.queued == none || nodes_[n.queued].y < y0) return;
    f(nodes_[n.queued].id);
    if (n.is_leaf()) return;
    report_down(n.left, y0, f);
    report_down(n.right, y0, f);
  }
  static bool not_after(double x, int id, const Node& n) { return x < n.x || (x == n.x && id <= n.id); }
  int new_leaf(double x, double y, int id);
  void push(int v, int leaf);
  void pull(int v);
  void rotate(int& root, int x, bool left);
  void replace_child(int& root, int parent, int old_child, int new_child);
  void fix_insertion(int& root, int x);
  void fix_removal(int& root, int x);
  std::size_t check_below(int v, int& black_height, int& points, const Node* low, const Node* high,
                          double y_limit) const;
  int child(int v, bool left) const { return left ? nodes_[v].left : nodes_[v].right; }

  std::vector<Node> nodes_;
  std::vector<int> free_;
};

}  // namespace cairn
