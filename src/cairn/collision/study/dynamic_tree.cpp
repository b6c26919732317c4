// SPDX-License-Identifier: Apache-2.0
// Building, refitting and changing a tree of boxes.
#include "cairn/collision/study/dynamic_tree.h"

#include <algorithm>
#include <array>

#include "cairn/base/error.h"
#include "cairn/geometry/best_cut.h"

namespace cairn {
namespace {

constexpr int kBins = 8;        // of the surface heuristic
constexpr int kHalveBelow = 5;  // items that are just halved

Aabb join(const Aabb& a, const Aabb& b) { return {a.lo.cwiseMin(b.lo), a.hi.cwiseMax(b.hi)}; }

}  // namespace

int DynamicTree::new_node() {
  if (!free_.empty()) {
    const int index = free_.back();
    free_.pop_back();
    nodes_[index] = Node{};
    return index;
  }
  nodes_.emplace_back();
  return static_cast<int>(nodes_.size()) - 1;
}

void DynamicTree::build(std::span<const Aabb> boxes) {
  const int n = static_cast<int>(boxes.size());
  nodes_.clear();
  free_.clear();
  nodes_.reserve(2 * boxes.size());
  leaves_.resize(boxes.size());
  centres_.resize(boxes.size());
  for (int i = 0; i < n; ++i) centres_[i] = {(boxes[i].lo + boxes[i].hi) / 2, i};
  building_ = boxes;
  root_ = n == 0 ? none : build_range(boxes, 0, n);
  building_ = {};
}

// Depth first, the left subtree right after its parent. The depth is that of halving by bins: each split leaves at
// least one bin's width of centres on either side, or halves their number.
int DynamicTree::build_range(std::span<const Aabb> boxes, int begin, int end) {
  const int index = new_node();
  if (end - begin == 1) {
    const int item = centres_[begin].item;
    nodes_[index].box = boxes[item];
    nodes_[index].right = item;
    leaves_[item] = index;
    return index;
  }
  const int middle = split(begin, end);
  const int left = build_range(boxes, begin, middle), right = build_range(boxes, middle, end);
  nodes_[index].left = left;
  nodes_[index].right = right;
  nodes_[left].parent = nodes_[right].parent = index;
  update(index);
  return index;
}

// Reorders centres_ in [begin, end) and returns where the second half begins.
int DynamicTree::split(int begin, int end) {
  Vec3 lo = centres_[begin].x, hi = lo;
  for (int k = begin + 1; k < end; ++k) {
    lo = lo.cwiseMin(centres_[k].x);
    hi = hi.cwiseMax(centres_[k].x);
  }
  int axis;
  const double range = (hi - lo).maxCoeff(&axis);
  const int half = begin + (end - begin) / 2;
  const auto halve = [&] {
    std::nth_element(centres_.begin() + begin, centres_.begin() + half, centres_.begin() + end,
                     [&](const Centre& p, const Centre& q) {
                       return p.x[axis] < q.x[axis] || (p.x[axis] == q.x[axis] && p.item < q.item);
                     });
    return half;
  };
  if (end - begin < kHalveBelow || !(range > 0)) return halve();

  const double scale = kBins / range, start = lo[axis];
  const auto bin_of = [&](const Centre& c) {
    return std::min(kBins - 1, static_cast<int>((c.x[axis] - start) * scale));
  };
  std::array<int, kBins> count{};
  std::array<Aabb, kBins> box;
  for (int k = begin; k < end; ++k) {
    const int b = bin_of(centres_[k]);
    ++count[b];
    box[b].merge(building_[centres_[k].item]);
  }
  const int best = find_best_cut(box, count);
  if (best == 0) return halve();
  const auto middle = std::partition(centres_.begin() + begin, centres_.begin() + end,
                                     [&](const Centre& c) { return bin_of(c) < best; });
  return static_cast<int>(middle - centres_.begin());
}

void DynamicTree::update(int index) {
  Node& n = nodes_[index];
  n.box = join(nodes_[n.left].box, nodes_[n.right].box);
  n.height = 1 + std::max(nodes_[n.left].height, nodes_[n.right].height);
}

void DynamicTree::refit() {
  if (empty()) return;
  // Parents first; then backwards, so that children come first.
  order_.assign(1, root_);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Node& n = nodes_[order_[k]];
    if (n.is_leaf()) continue;
    if (!nodes_[n.left].is_leaf()) order_.push_back(n.left);
    if (!nodes_[n.right].is_leaf()) order_.push_back(n.right);
  }
  for (std::size_t k = order_.size(); k-- > 0;)
    if (!nodes_[order_[k]].is_leaf()) update(order_[k]);
}

// Down the path on which the surfaces grow least, until making a sibling here is cheaper than any child can be.
int DynamicTree::find_sibling(const Aabb& box) const {
  int index = root_;
  double inherited = 0;  // growth of the ancestors
  while (!nodes_[index].is_leaf()) {
    const Node& n = nodes_[index];
    const double joined = half_area(join(n.box, box)), here = joined + inherited;
    inherited += joined - half_area(n.box);
    const auto lower_bound = [&](int child) {
      const Node& c = nodes_[child];
      const double grown = half_area(join(c.box, box));
      return inherited + (c.is_leaf() ? grown : grown - half_area(c.box) + half_area(box));
    };
    const double left = lower_bound(n.left), right = lower_bound(n.right);
    if (here < left && here < right) break;
    // Among equals the lower tree, so that equal boxes do not make a chain.
    const bool to_left = left < right || (left == right && nodes_[n.left].height <= nodes_[n.right].height);
    index = to_left ? n.left : n.right;
  }
  return index;
}

void DynamicTree::insert(int item, const Aabb& box) {
  if (static_cast<std::size_t>(item) >= leaves_.size()) leaves_.resize(static_cast<std::size_t>(item) + 1, none);
  const int leaf = new_node();
  nodes_[leaf].box = box;
  nodes_[leaf].right = item;
  leaves_[item] = leaf;
  if (root_ == none) {
    root_ = leaf;
    return;
  }
  const int sibling = find_sibling(box), parent = new_node(), above = nodes_[sibling].parent;
  nodes_[parent].parent = above;
  nodes_[parent].left = sibling;
  nodes_[parent].right = leaf;
  nodes_[sibling].parent = nodes_[leaf].parent = parent;
  if (above == none) {
    root_ = parent;
  } else {
    (nodes_[above].left == sibling ? nodes_[above].left : nodes_[above].right) = parent;
  }
  update_upwards(parent);
}

void DynamicTree::remove(int item) {
  const int leaf = leaf_of(item), parent = nodes_[leaf].parent;
  leaves_[item] = none;
  free_.push_back(leaf);
  if (parent == none) {
    root_ = none;
    return;
  }
  const int sibling = nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
  const int above = nodes_[parent].parent;
  nodes_[sibling].parent = above;
  free_.push_back(parent);
  if (above == none) {
    root_ = sibling;
  } else {
    (nodes_[above].left == parent ? nodes_[above].left : nodes_[above].right) = sibling;
    update_upwards(above);
  }
}

void DynamicTree::update_upwards(int index) {
  for (; index != none; index = nodes_[index].parent) {
    update(index);
    rotate(index);
  }
}

// A child may change places with a child of its sibling: the best of the (at most) four exchanges is made if it makes
// the sibling smaller, or, with the same surface, the tree lower.
void DynamicTree::rotate(int index) {
  const int children[2] = {nodes_[index].left, nodes_[index].right};
  int best_side = none, best_grandchild = none, best_height = nodes_[index].height;
  double best_gain = 0;
  for (int side = 0; side < 2; ++side) {
    const Node &moved = nodes_[children[side]], &sibling = nodes_[children[1 - side]];
    if (sibling.is_leaf()) continue;
    for (const int grandchild : {sibling.left, sibling.right}) {
      const int stays = grandchild == sibling.left ? sibling.right : sibling.left;
      const double gain = half_area(sibling.box) - half_area(join(moved.box, nodes_[stays].box));
      const int height = 1 + std::max(nodes_[grandchild].height, 1 + std::max(moved.height, nodes_[stays].height));
      if (gain > best_gain || (gain == best_gain && height < best_height)) {
        best_side = side;
        best_grandchild = grandchild;
        best_gain = gain;
        best_height = height;
      }
    }
  }
  if (best_side == none) return;
  const int moved = children[best_side], sibling = children[1 - best_side];
  (best_side == 0 ? nodes_[index].left : nodes_[index].right) = best_grandchild;
  nodes_[best_grandchild].parent = index;
  (nodes_[sibling].left == best_grandchild ? nodes_[sibling].left : nodes_[sibling].right) = moved;
  nodes_[moved].parent = sibling;
  update(sibling);
  update(index);
}

double DynamicTree::cost() const {
  if (empty() || nodes_[root_].is_leaf() || !(half_area(nodes_[root_].box) > 0)) return 0;
  double sum = 0;
  for (const Node& n : nodes_)
    if (!n.is_leaf()) sum += half_area(n.box);
  // Freed nodes are counted too until they are used again; they are few.
  return sum / half_area(nodes_[root_].box);
}

void DynamicTree::check() const {
  if (empty()) return;
  std::vector<int> stack{root_};
  if (nodes_[root_].parent != none) throw Error("tree: the root has a parent");
  std::size_t leaves = 0;
  while (!stack.empty()) {
    const int index = stack.back();
    const Node& n = nodes_[index];
    stack.pop_back();
    if (n.is_leaf()) {
      ++leaves;
      if (n.height != 0) throw Error("tree: leaf {} has height {}; must be 0", index, n.height);
      if (leaf_of(n.right) != index) throw Error("tree: item {} is not at its leaf {}", n.right, index);
      continue;
    }
    const Node &l = nodes_[n.left], &r = nodes_[n.right];
    if (l.parent != index || r.parent != index) throw Error("tree: a child of node {} has another parent", index);
    if (n.height != 1 + std::max(l.height, r.height)) throw Error("tree: node {} has height {}", index, n.height);
    const Aabb box = join(l.box, r.box);
    if (box.lo != n.box.lo || box.hi != n.box.hi)
      throw Error("tree: the box of node {} is not that of its children", index);
    stack.push_back(n.left);
    stack.push_back(n.right);
  }
  const auto used =
      static_cast<std::size_t>(std::count_if(leaves_.begin(), leaves_.end(), [](int leaf) { return leaf != none; }));
  if (leaves != used) throw Error("tree: {} leaves for {} items", leaves, used);
}

}  // namespace cairn
