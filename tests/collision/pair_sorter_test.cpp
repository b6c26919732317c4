// SPDX-License-Identifier: Apache-2.0
// The pair sorter against std::sort.
#include "cairn/collision/pair_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace cairn {
namespace {

TEST(PairSorter, sorts_like_std_sort_whatever_the_number_of_boxes_and_the_lengths_of_rows) {
  PairSorter sorter;
  std::mt19937 random(1);
  for (const int n : {2, 3, 64, 255, 256, 257, 5000, 100000}) {
    std::set<Pair> distinct;
    for (int k = 0; k < std::min(20000, 4 * n); ++k) {
      const int i = static_cast<int>(random() % n), j = static_cast<int>(random() % n);
      if (i != j) distinct.insert({std::min(i, j), std::max(i, j)});
    }
    // Rows of every length about the one where the method changes, and one box that meets all.
    for (int i = 1; i < std::min(40, n); ++i)
      for (int k = 0; k < i && i + 1 + k < n; ++k) distinct.insert({i, i + 1 + k});
    for (int j = 1; j < n; ++j) distinct.insert({0, j});
    std::vector<Pair> pairs(distinct.begin(), distinct.end());
    std::shuffle(pairs.begin(), pairs.end(), random);
    sorter.sort(static_cast<std::size_t>(n), pairs);
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), distinct.begin(), distinct.end())) << n << " boxes";
  }
}

TEST(PairSorter, leaves_nothing_and_one_pair_as_they_are) {
  PairSorter sorter;
  std::vector<Pair> none, one{{3, 7}};
  sorter.sort(0, none);
  sorter.sort(8, one);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(one[0], (Pair{3, 7}));
}

}  // namespace
}  // namespace cairn
