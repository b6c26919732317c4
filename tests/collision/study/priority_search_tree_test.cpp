// SPDX-License-Identifier: Apache-2.0
// Priority search trees: order, colours, heap and queues after every change, and queries against brute force.
#include "cairn/collision/study/priority_search_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

namespace cairn {
namespace {

using Points = std::map<std::pair<double, int>, double>;  // (x, id) -> y

std::set<int> find(const PrioritySearchTrees& trees, int root, double x0, double y0) {
  std::set<int> found;
  trees.query(root, x0, y0, [&](int id) { EXPECT_TRUE(found.insert(id).second) << id << " reported twice"; });
  return found;
}

std::set<int> find_by_definition(const Points& points, double x0, double y0) {
  std::set<int> found;
  for (const auto& [key, y] : points)
    if (key.first >= x0 && y >= y0) found.insert(key.second);
  return found;
}

// Coordinates from a small set of numbers make many ties.
void expect_sound_under_random_changes(int values, unsigned seed) {
  PrioritySearchTrees trees;
  int root = PrioritySearchTrees::none;
  Points points;
  std::mt19937 random(seed);
  const auto number = [&] { return static_cast<double>(random() % static_cast<unsigned>(values)); };
  std::map<int, double> x_of;
  for (int step = 0; step < 3000; ++step) {
    const int id = static_cast<int>(random() % 200);
    const auto found = x_of.find(id);
    if (found != x_of.end()) {
      trees.erase(root, found->second, id);
      points.erase({found->second, id});
      x_of.erase(found);
    } else {
      const double x = number(), y = number();
      trees.insert(root, x, y, id);
      points[{x, id}] = y;
      x_of[id] = x;
    }
    std::size_t count = 0;
    ASSERT_NO_THROW(count = trees.check(root)) << "step " << step;
    ASSERT_EQ(count, points.size()) << "step " << step;
    const double x0 = number(), y0 = number();
    ASSERT_EQ(find(trees, root, x0, y0), find_by_definition(points, x0, y0)) << "step " << step;
  }
}

TEST(PrioritySearchTrees, keep_all_invariants_and_answer_like_brute_force_with_distinct_numbers) {
  expect_sound_under_random_changes(1 << 30, 1);
}

TEST(PrioritySearchTrees, keep_all_invariants_and_answer_like_brute_force_with_many_ties) {
  expect_sound_under_random_changes(4, 2);
  expect_sound_under_random_changes(1, 3);
}

TEST(PrioritySearchTrees, grow_and_shrink_in_order_without_losing_balance) {
  // check() compares the black heights, so the height is at most 2 log2(n + 1).
  PrioritySearchTrees trees;
  int root = PrioritySearchTrees::none;
  for (int k = 0; k < 500; ++k) {
    trees.insert(root, k, -k, k);
    ASSERT_EQ(trees.check(root), static_cast<std::size_t>(k) + 1);
  }
  for (int k = 0; k < 500; ++k) {
    trees.erase(root, k, k);
    ASSERT_EQ(trees.check(root), static_cast<std::size_t>(499 - k));
  }
  EXPECT_EQ(root, PrioritySearchTrees::none);
}

TEST(PrioritySearchTrees, ignore_a_second_copy_and_the_removal_of_what_is_not_there) {
  PrioritySearchTrees trees;
  int root = PrioritySearchTrees::none, other = PrioritySearchTrees::none;
  trees.insert(root, 1, 2, 7);
  trees.insert(root, 1, 2, 7);
  trees.insert(other, 5, 5, 7);  // another tree in the same store
  EXPECT_EQ(trees.check(root), 1u);
  trees.erase(root, 1, 8);
  trees.erase(root, 3, 7);
  EXPECT_EQ(trees.check(root), 1u);
  EXPECT_EQ(find(trees, root, 1, 2), std::set<int>{7});  // closed
  EXPECT_TRUE(find(trees, root, 1.5, 0).empty());
  trees.erase(root, 1, 7);
  EXPECT_EQ(trees.check(root), 0u);
  EXPECT_EQ(trees.check(other), 1u);
}

}  // namespace
}  // namespace cairn
