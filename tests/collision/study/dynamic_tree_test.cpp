// SPDX-License-Identifier: Apache-2.0
// The dynamic tree keeps its links, boxes and heights through every change, and finds what brute force finds.
#include "cairn/collision/study/dynamic_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace cairn {
namespace {

class DynamicTreeTest : public ::testing::Test {
 protected:
  double uniform() { return distribution_(random_); }
  Aabb make_box() {
    const double x = uniform(), y = uniform(), z = uniform();
    const Vec3 lo = 10 * Vec3(x, y, z);
    return {lo, lo + Vec3(uniform(), uniform(), uniform())};
  }
  void expect_queries_as_brute_force(const DynamicTree& tree, const std::vector<Aabb>& boxes,
                                     const std::set<int>& items) {
    std::vector<int> stack;
    for (int k = 0; k < 20; ++k) {
      const Aabb box = make_box();
      std::set<int> expected, found;
      for (const int i : items)
        if (boxes[i].overlaps(box)) expected.insert(i);
      tree.for_each_overlap(box, stack, [&](int i) { EXPECT_TRUE(found.insert(i).second); });
      EXPECT_EQ(found, expected);
    }
  }
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> distribution_{0, 1};
};

TEST_F(DynamicTreeTest, stays_sound_when_leaves_come_and_go) {
  DynamicTree tree;
  std::vector<Aabb> boxes;
  for (int i = 0; i < 300; ++i) boxes.push_back(make_box());
  std::set<int> items;
  for (int step = 0; step < 2000; ++step) {
    const int i = static_cast<int>(300 * uniform());
    if (items.count(i)) {
      tree.remove(i);
      items.erase(i);
    } else {
      boxes[i] = make_box();
      tree.insert(i, boxes[i]);
      items.insert(i);
    }
    ASSERT_NO_THROW(tree.check()) << "step " << step;
    ASSERT_EQ(tree.empty(), items.empty());
    if (step % 100 == 0) expect_queries_as_brute_force(tree, boxes, items);
  }
  while (!items.empty()) {
    tree.remove(*items.begin());
    items.erase(items.begin());
    ASSERT_NO_THROW(tree.check());
  }
  EXPECT_TRUE(tree.empty());
}

TEST_F(DynamicTreeTest, built_at_once_and_refitted_finds_the_same_as_brute_force) {
  std::vector<Aabb> boxes;
  std::set<int> items;
  for (int i = 0; i < 1000; ++i) {
    boxes.push_back(make_box());
    items.insert(i);
  }
  DynamicTree tree;
  tree.build(boxes);
  tree.check();
  expect_queries_as_brute_force(tree, boxes, items);
  for (int i = 0; i < 1000; i += 2) tree.set_box(i, boxes[i] = make_box());
  tree.refit();
  tree.check();
  expect_queries_as_brute_force(tree, boxes, items);
}

TEST_F(DynamicTreeTest, changed_leaf_by_leaf_is_about_as_good_as_built_at_once) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 2000; ++i) boxes.push_back(make_box());
  DynamicTree built, grown;
  built.build(boxes);
  for (int i = 0; i < 2000; ++i) grown.insert(i, boxes[i]);
  EXPECT_LT(grown.cost(), 1.5 * built.cost());
}

TEST_F(DynamicTreeTest, equal_boxes_do_not_make_a_chain) {
  const std::vector<Aabb> boxes(1024, Aabb{Vec3::Zero(), Vec3::Ones()});
  DynamicTree built, grown;
  built.build(boxes);
  for (int i = 0; i < 1024; ++i) grown.insert(i, boxes[i]);
  grown.check();
  EXPECT_EQ(built.node(built.root()).height, 10);
  EXPECT_LE(grown.node(grown.root()).height, 20);  // twice the least
}

}  // namespace
}  // namespace cairn
