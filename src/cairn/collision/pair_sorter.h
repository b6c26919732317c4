// SPDX-License-Identifier: Apache-2.0
// Sorts pairs of box indices by (i, j) in linear time and in the cache: one partition by the high bits of i, then each
// part by itself.
#pragma once
#include <compare>
#include <cstddef>
#include <vector>

#include "cairn/base/parallel.h"

namespace cairn {

struct Pair {
  int i, j;  ///< i < j
  auto operator<=>(const Pair&) const = default;
};

/// Keeps its buffers between calls.
class PairSorter {
 public:
  /// The pairs must be distinct and 0 <= i < box_count.
  void sort(std::size_t box_count, std::vector<Pair>& pairs, Threads threads = {});

 private:
  struct Scratch {
    std::vector<int> start;  ///< of each i, within its part
    std::vector<int> row;    ///< the j of each pair of the part, by i
  };
  void sort_part(std::size_t part, int shift, std::size_t box_count, std::vector<Pair>& pairs, Scratch& scratch) const;

  std::vector<Pair> parted_;
  std::vector<std::size_t> start_, next_;  ///< of each part
  Scratch scratch_;
};

}  // namespace cairn
