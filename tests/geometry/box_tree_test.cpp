// SPDX-License-Identifier: Apache-2.0
// Box trees against looking at everything.
#include "cairn/geometry/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "all_shapes.h"

namespace cairn {
namespace {

using namespace testing_shapes;

std::vector<Aabb> random_boxes(std::mt19937& random, int n, double size) {
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Aabb> boxes(n);
  for (Aabb& b : boxes) {
    const Vec3 c(u(random), u(random), u(random)), h = size * Vec3(u(random), u(random), u(random)).cwiseAbs();
    b = {c - h, c + h};
  }
  return boxes;
}

TEST(BoxTree, every_item_is_in_one_leaf_and_inside_all_boxes_above) {
  std::mt19937 random(1);
  for (const int n : {0, 1, 2, 5, 100, 3000}) {
    const auto boxes = random_boxes(random, n, 0.1);
    const BoxTree tree = make_box_tree(boxes);
    std::multiset<int> seen;
    const std::function<void(int, Aabb)> walk = [&](int node, Aabb outer) {
      const BoxTree::Node& t = tree.nodes[node];
      EXPECT_TRUE(outer.contains(t.box.lo) && outer.contains(t.box.hi));
      for (int k = 0; k < t.count; ++k) {
        seen.insert(tree.items[t.first + k]);
        EXPECT_TRUE(t.box.contains(boxes[tree.items[t.first + k]].lo) &&
                    t.box.contains(boxes[tree.items[t.first + k]].hi));
      }
      if (!t.is_leaf()) walk(node + 1, t.box), walk(t.first, t.box);
    };
    if (n > 0) walk(0, tree.nodes[0].box);
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), static_cast<std::size_t>(n));
  }
}

TEST(BoxTree, of_many_equal_or_nested_boxes_is_not_deep) {
  std::vector<Aabb> boxes(5000, Aabb{Vec3::Zero(), Vec3::Ones()});
  for (int round = 0; round < 2; ++round) {
    if (round == 1)  // centres that double: each split of a regular cut would part off one
      for (std::size_t k = 0; k < boxes.size(); ++k)
        boxes[k] = {Vec3::Constant(std::ldexp(1, -static_cast<int>(k % 1000))),
                    Vec3::Constant(std::ldexp(1, -static_cast<int>(k % 1000)))};
    const BoxTree tree = make_box_tree(boxes);
    const std::function<int(int)> depth = [&](int node) -> int {
      return tree.nodes[node].is_leaf() ? 1 : 1 + std::max(depth(node + 1), depth(tree.nodes[node].first));
    };
    EXPECT_LE(depth(0), BoxTree::kMaxDepth);
    int count = 0;
    for_each_overlap(tree, tree.nodes[0].box, [&](int) { ++count; });
    EXPECT_EQ(count, 5000);
  }
}

TEST(BoxTree, overlaps_and_nearest_miss_nothing) {
  std::mt19937 random(2);
  std::normal_distribution<double> g;
  const auto a = random_boxes(random, 300, 0.1);
  const BoxTree ta = make_box_tree(a);
  for (int trial = 0; trial < 50; ++trial) {
    const Aabb box = random_boxes(random, 1, 0.5)[0];
    std::set<int> found;
    for_each_overlap(ta, box, [&](int k) { found.insert(k); });
    for (int k = 0; k < 300; ++k) EXPECT_TRUE(!a[k].overlaps(box) || found.contains(k));

    const Vec3 x(g(random), g(random), g(random));
    double best = std::numeric_limits<double>::infinity(), expected = best;
    find_nearest(ta, x, best, [&](int k, double& d) { d = std::min(d, squared_distance(a[k], x)); });
    for (const Aabb& each : a) expected = std::min(expected, squared_distance(each, x));
    EXPECT_EQ(best, expected);
  }
}

TEST(BoxTree, is_the_same_for_the_same_boxes) {
  std::mt19937 random(3);
  const auto boxes = random_boxes(random, 1000, 0.1);
  const BoxTree one = make_box_tree(boxes), two = make_box_tree(boxes);
  EXPECT_EQ(one.items, two.items);
}

}  // namespace
}  // namespace cairn
