// SPDX-License-Identifier: Apache-2.0
// A counting sort with a million counters misses the cache at every step. Some hundred parts are written as streams,
// and one part fits in the cache.
#include "cairn/collision/pair_sorter.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace cairn {
namespace {

constexpr int kPartsLog2 = 8;  // streams written at once: the lines being written must fit in the first cache
constexpr std::size_t kPartsPerChunk = 16;  // work of one thread at a time
constexpr int kShortRow = 32;               // longer rows go to std::sort

// The place of each number is the number of smaller ones. For a dozen numbers this is faster than any sort that
// branches: no comparison can be predicted. `values` has room for eight more.
void write_short_row(int i, int* values, int count, Pair* out) {
  const int padded = (count + 7) & ~7;
  for (int k = count; k < padded; ++k) values[k] = std::numeric_limits<int>::max();
  for (int k = 0; k < count; ++k) {
    const int j = values[k];
    int place = 0;
    for (int m = 0; m < padded; m += 8)
      for (int l = 0; l < 8; ++l) place += values[m + l] < j;
    out[place] = {i, j};
  }
}

}  // namespace

void PairSorter::sort_part(std::size_t part, int shift, std::size_t box_count, std::vector<Pair>& pairs,
                           Scratch& scratch) const {
  const std::size_t begin = start_[part], end = start_[part + 1];
  if (begin == end) return;
  const int first = static_cast<int>(part << shift);
  const int rows = static_cast<int>(std::min(box_count, (part + 1) << shift)) - first;
  std::vector<int>& start = scratch.start;
  std::vector<int>& row = scratch.row;
  start.assign(static_cast<std::size_t>(rows) + 1, 0);
  row.resize(std::max(row.size(), end - begin));
  for (std::size_t k = begin; k < end; ++k) ++start[parted_[k].i - first];
  int sum = 0;
  for (int r = 0; r <= rows; ++r) {
    const int count = start[r];
    start[r] = sum;
    sum += count;
  }
  for (std::size_t k = begin; k < end; ++k) row[start[parted_[k].i - first]++] = parted_[k].j;

  // Each start has moved to the end of its row.
  int values[kShortRow + 8];
  int row_begin = 0;
  for (int r = 0; r < rows; ++r) {
    const int row_end = start[r], count = row_end - row_begin;
    Pair* out = pairs.data() + begin + row_begin;
    if (count <= kShortRow) {
      std::copy_n(row.data() + row_begin, count, values);
      write_short_row(first + r, values, count, out);
    } else {
      std::sort(row.begin() + row_begin, row.begin() + row_end);
      for (int k = 0; k < count; ++k) out[k] = {first + r, row[row_begin + k]};
    }
    row_begin = row_end;
  }
}

void PairSorter::sort(std::size_t box_count, std::vector<Pair>& pairs, Threads threads) {
  if (std::is_sorted(pairs.begin(), pairs.end())) return;
  const int shift = std::max(0, static_cast<int>(std::bit_width(box_count)) - kPartsLog2);
  const std::size_t parts = ((box_count - 1) >> shift) + 1;
  start_.assign(parts + 1, 0);
  for (const Pair& p : pairs) ++start_[(static_cast<std::size_t>(p.i) >> shift) + 1];
  for (std::size_t k = 0; k < parts; ++k) start_[k + 1] += start_[k];
  next_.assign(start_.begin(), start_.end() - 1);
  parted_.resize(pairs.size());
  for (const Pair& p : pairs) parted_[next_[static_cast<std::size_t>(p.i) >> shift]++] = p;
  if (threads.count <= 1) {
    for (std::size_t k = 0; k < parts; ++k) sort_part(k, shift, box_count, pairs, scratch_);
  } else {
    parallel_chunks(threads, parts, kPartsPerChunk, [&](std::size_t begin, std::size_t end) {
      Scratch scratch;
      for (std::size_t k = begin; k < end; ++k) sort_part(k, shift, box_count, pairs, scratch);
    });
  }
}

}  // namespace cairn
