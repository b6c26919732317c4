// SPDX-License-Identifier: Apache-2.0
// The queue of each element follows every change of the red-black tree; colours after Cormen et al. (appendix A.1 of
// our reading of the thesis).
#include "cairn/collision/study/priority_search_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cairn/base/error.h"

namespace cairn {

int PrioritySearchTrees::new_leaf(double x, double y, int id) {
  int index;
  if (free_.empty()) {
    index = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
    nodes_[index] = Node{};
  }
  nodes_[index].x = x;
  nodes_[index].y = y;
  nodes_[index].id = id;
  return index;
}

// Puts a leaf into the queues from v downwards; on its way it changes places with every one of smaller y.
void PrioritySearchTrees::push(int v, int leaf) {
  while (nodes_[v].queued != none) {
    if (nodes_[nodes_[v].queued].y < nodes_[leaf].y) std::swap(nodes_[v].queued, leaf);
    v = not_after(nodes_[leaf].x, nodes_[leaf].id, nodes_[v]) ? nodes_[v].left : nodes_[v].right;
  }
  nodes_[v].queued = leaf;
}

// Empties the queue of v and fills it from below.
void PrioritySearchTrees::pull(int v) {
  do {
    Node& n = nodes_[v];
    if (n.is_leaf()) {
      n.queued = none;
      return;
    }
    const int l = nodes_[n.left].queued, r = nodes_[n.right].queued;
    const int next = l == none || (r != none && nodes_[r].y > nodes_[l].y) ? n.right : n.left;
    n.queued = nodes_[next].queued;
    v = next;
  } while (nodes_[v].queued != none);
}

void PrioritySearchTrees::replace_child(int& root, int parent, int old_child, int new_child) {
  nodes_[new_child].parent = parent;
  if (parent == none) {
    root = new_child;
  } else {
    (nodes_[parent].left == old_child ? nodes_[parent].left : nodes_[parent].right) = new_child;
  }
}

// To the left: the right child y of x becomes its parent, and inherits the greatest of the queued.
void PrioritySearchTrees::rotate(int& root, int x, bool left) {
  const int y = child(x, !left), middle = child(y, left);
  (left ? nodes_[x].right : nodes_[x].left) = middle;
  nodes_[middle].parent = x;
  replace_child(root, nodes_[x].parent, x, y);
  (left ? nodes_[y].left : nodes_[y].right) = x;
  nodes_[x].parent = y;
  const int displaced = nodes_[y].queued;
  nodes_[y].queued = nodes_[x].queued;
  pull(x);
  if (displaced != none) push(y, displaced);
}

void PrioritySearchTrees::insert(int& root, double x, double y, int id) {
  if (root == none) {
    root = new_leaf(x, y, id);
    nodes_[root].queued = root;
    return;
  }
  int p = root;
  while (!nodes_[p].is_leaf()) p = not_after(x, id, nodes_[p]) ? nodes_[p].left : nodes_[p].right;
  if (nodes_[p].x == x && nodes_[p].id == id) return;

  // The leaf becomes a red node with two leaves: its own point and the new one.
  const int old_leaf = new_leaf(nodes_[p].x, nodes_[p].y, nodes_[p].id), leaf = new_leaf(x, y, id);
  nodes_[old_leaf].parent = nodes_[leaf].parent = p;
  nodes_[p].red = true;
  if (not_after(x, id, nodes_[p])) {
    nodes_[p].left = leaf;
    nodes_[p].right = old_leaf;
    nodes_[p].x = x;
    nodes_[p].id = id;
  } else {
    nodes_[p].left = old_leaf;
    nodes_[p].right = leaf;
  }
  int w = p;  // where the old leaf is queued: it has moved
  while (nodes_[w].queued != p) w = nodes_[w].parent;
  nodes_[w].queued = old_leaf;
  push(root, leaf);
  fix_insertion(root, p);
}

void PrioritySearchTrees::fix_insertion(int& root, int x) {
  while (x != root && nodes_[nodes_[x].parent].red) {
    int parent = nodes_[x].parent;
    const int above = nodes_[parent].parent;  // there is one: the root is black
    const bool left = parent == nodes_[above].left;
    const int uncle = child(above, !left);
    if (nodes_[uncle].red) {
      nodes_[parent].red = nodes_[uncle].red = false;
      nodes_[above].red = true;
      x = above;
      continue;
    }
    if (x == child(parent, !left)) {
      x = parent;
      rotate(root, x, left);
      parent = nodes_[x].parent;
    }
    nodes_[parent].red = false;
    nodes_[above].red = true;
    rotate(root, above, !left);
  }
  nodes_[root].red = false;
}

void PrioritySearchTrees::erase(int& root, double x, int id) {
  if (root == none) return;
  int leaf = root;
  while (!nodes_[leaf].is_leaf()) leaf = not_after(x, id, nodes_[leaf]) ? nodes_[leaf].left : nodes_[leaf].right;
  if (nodes_[leaf].x != x || nodes_[leaf].id != id) return;
  int w = leaf;
  while (nodes_[w].queued != leaf) w = nodes_[w].parent;
  pull(w);

  const int parent = nodes_[leaf].parent;
  free_.push_back(leaf);
  if (parent == none) {
    root = none;
    return;
  }
  const int sibling = nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
  replace_child(root, nodes_[parent].parent, parent, sibling);
  if (nodes_[parent].queued != none) push(sibling, nodes_[parent].queued);
  if (!nodes_[parent].red) fix_removal(root, sibling);
  free_.push_back(parent);
}

// x carries one black too many.
void PrioritySearchTrees::fix_removal(int& root, int x) {
  while (x != root && !nodes_[x].red) {
    const int parent = nodes_[x].parent;
    const bool left = x == nodes_[parent].left;
    int y = child(parent, !left);
    if (nodes_[y].red) {
      nodes_[parent].red = true;
      nodes_[y].red = false;
      rotate(root, parent, left);
      y = child(parent, !left);
    }
    if (!nodes_[nodes_[y].left].red && !nodes_[nodes_[y].right].red) {
      nodes_[y].red = true;
      x = parent;
      continue;
    }
    if (!nodes_[child(y, !left)].red) {
      nodes_[child(y, left)].red = false;
      nodes_[y].red = true;
      rotate(root, y, !left);
      y = child(parent, !left);
    }
    nodes_[y].red = nodes_[parent].red;
    nodes_[parent].red = false;
    nodes_[child(y, !left)].red = false;
    rotate(root, parent, left);
    x = root;
  }
  nodes_[x].red = false;
}

std::size_t PrioritySearchTrees::check(int root) const {
  if (root == none) return 0;
  if (nodes_[root].parent != none) throw Error("priority search tree: the root has a parent");
  if (nodes_[root].red) throw Error("priority search tree: the root is red");
  int black_height = 0, points = 0;
  const std::size_t queued =
      check_below(root, black_height, points, nullptr, nullptr, std::numeric_limits<double>::infinity());
  if (queued != static_cast<std::size_t>(points)) throw Error("priority search tree: {} of {} queued", queued, points);
  return queued;
}

// `low` < all points <= `high`; returns how many leaves are queued here and below.
std::size_t PrioritySearchTrees::check_below(int v, int& black_height, int& points, const Node* low, const Node* high,
                                             double y_limit) const {
  const Node& n = nodes_[v];
  if ((low && not_after(n.x, n.id, *low)) || (high && !not_after(n.x, n.id, *high)))
    throw Error("priority search tree: element {} is not in order", v);
  std::size_t queued = 0;
  if (n.queued != none) {
    const Node& q = nodes_[n.queued];
    if (!q.is_leaf()) throw Error("priority search tree: {} queues something that is no leaf", v);
    if (q.y > y_limit) throw Error("priority search tree: {} queues more than the one above it", v);
    int up = n.queued;
    while (up != v && up != none) up = nodes_[up].parent;
    if (up != v) throw Error("priority search tree: {} queues a leaf that is not below it", v);
    y_limit = q.y;
    queued = 1;
  } else {
    y_limit = -std::numeric_limits<double>::infinity();
  }
  if (n.is_leaf()) {
    if (n.red) throw Error("priority search tree: leaf {} is red", v);
    black_height = 1;
    ++points;
    return queued;
  }
  if (nodes_[n.left].parent != v || nodes_[n.right].parent != v)
    throw Error("priority search tree: a child of {} has another parent", v);
  if (n.red && (nodes_[n.left].red || nodes_[n.right].red))
    throw Error("priority search tree: red {} has a red child", v);
  int left_height = 0, right_height = 0;
  queued += check_below(n.left, left_height, points, low, &n, y_limit);
  queued += check_below(n.right, right_height, points, &n, high, y_limit);
  if (left_height != right_height) throw Error("priority search tree: unequal black heights below {}", v);
  if (n.queued == none && queued > 0) throw Error("priority search tree: {} queues nothing above something", v);
  black_height = left_height + !n.red;
  return queued;
}

}  // namespace cairn
