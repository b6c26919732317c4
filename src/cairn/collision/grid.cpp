// SPDX-License-Identifier: Apache-2.0
// Hashed uniform grid: counting sort of the boxes by bucket, then each bucket against itself and half its neighbours.
#include "cairn/collision/grid.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr std::size_t kBruteForceBelow = 64;  // boxes; measured: fewer are tested faster pair by pair
constexpr std::size_t kSampleSize = 512;      // boxes whose median width decides the cell size
constexpr double kLargeRatio = 2;             // a box wider than this many median boxes is large
constexpr std::size_t kRowsPerChunk = 64;     // work of one thread at a time

inline void add_pair(int i, int j, std::vector<Pair>& pairs) { pairs.push_back({std::min(i, j), std::max(i, j)}); }

}  // namespace

GridBroadPhase::Entry GridBroadPhase::make_entry(const Aabb& box, bool mobile) {
  return {{box.lo.x(), box.lo.y(), box.lo.z(), mobile ? 0.0 : 1.0},
          {box.hi.x(), box.hi.y(), box.hi.z(), mobile ? 1.0 : 0.0}};
}

// All comparisons without a branch: in a grid most candidates fail, but not predictably on which side.
inline bool GridBroadPhase::overlap(const Entry& p, const Entry& q) {
#ifdef __AVX__
  const __m256d below = _mm256_cmp_pd(_mm256_load_pd(p.lo), _mm256_load_pd(q.hi), _CMP_LE_OQ);
  const __m256d above = _mm256_cmp_pd(_mm256_load_pd(q.lo), _mm256_load_pd(p.hi), _CMP_LE_OQ);
  return _mm256_movemask_pd(_mm256_and_pd(below, above)) == 15;
#else
  bool all = true;
  for (int i = 0; i < 4; ++i) all &= (p.lo[i] <= q.hi[i]) & (q.lo[i] <= p.hi[i]);
  return all;
#endif
}

// Splits the boxes in small and large and makes a cell as wide as the widest small one, and a little wider: rounding
// of the cell coordinates must not part two boxes that touch.
void GridBroadPhase::choose_cell_size(std::span<const Aabb> boxes) {
  widths_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Vec3 w = boxes[i].hi - boxes[i].lo;
    widths_[i] = w.allFinite() ? w.maxCoeff() : std::numeric_limits<double>::infinity();
  }
  // The median of a sample is as good: any cell size gives the same pairs.
  sample_.clear();
  for (std::size_t i = 0; i < boxes.size(); i += 1 + boxes.size() / kSampleSize) sample_.push_back(widths_[i]);
  const auto middle = sample_.begin() + static_cast<std::ptrdiff_t>(sample_.size() / 2);
  std::nth_element(sample_.begin(), middle, sample_.end());
  const double limit = std::isfinite(*middle) ? kLargeRatio * *middle : 0;

  large_.clear();
  small_.clear();
  double widest = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (widths_[i] <= limit) {
      widest = std::max(widest, widths_[i]);
      small_.push_back(static_cast<int>(i));
    } else {
      large_.push_back(static_cast<int>(i));
    }
  }
  std::sort(large_.begin(), large_.end(), [&](int i, int j) {
    return boxes[i].lo.x() < boxes[j].lo.x() || (boxes[i].lo.x() == boxes[j].lo.x() && i < j);
  });
  cell_ = widest * (1 + 1e-4);
}

// The centre and the spread of the small boxes decide how many buckets each direction gets. The mean distance from the
// mean is used, not the range: one body that has flown away must not flatten the grid of all others.
void GridBroadPhase::choose_torus(std::span<const Aabb> boxes) {
  const double n = static_cast<double>(small_.size());
  origin_.setZero();
  for (const int i : small_) origin_ += (boxes[i].lo + boxes[i].hi) / (2 * n);
  Vec3 deviation = Vec3::Zero();
  for (const int i : small_) deviation += ((boxes[i].lo + boxes[i].hi) / 2 - origin_).cwiseAbs() / n;
  if (!(cell_ > 0)) cell_ = deviation.maxCoeff() > 0 ? deviation.maxCoeff() / std::cbrt(n) : 1.0;  // boxes are points
  inverse_cell_ = 1 / cell_;

  const Vec3 range = 4 * deviation / cell_;  // of a uniform distribution, in cells
  bits_[0] = bits_[1] = bits_[2] = 2;
  while (std::ldexp(1.0, bits_[0] + bits_[1] + bits_[2]) < 4 * n) {
    int widest;
    Vec3(std::ldexp(range.x(), -bits_[0]), std::ldexp(range.y(), -bits_[1]), std::ldexp(range.z(), -bits_[2]))
        .maxCoeff(&widest);
    if (std::ldexp(range[widest], -bits_[widest]) <= 1) break;  // the torus holds them all
    ++bits_[widest];
  }
}

// Clamping keeps neighbours neighbours, and the far end of the world in the range of an int.
GridBroadPhase::Cell GridBroadPhase::find_cell(const Vec3& x) const {
  const Vec3 s = ((x - origin_) * inverse_cell_).cwiseMax(-1e9).cwiseMin(1e9);
  return {static_cast<int>(std::floor(s.x())), static_cast<int>(std::floor(s.y())),
          static_cast<int>(std::floor(s.z()))};
}

std::size_t GridBroadPhase::bucket_of(int x, int y, int z) const {
  const auto wrap = [](int k, int bits) { return static_cast<std::size_t>(k & ((1 << bits) - 1)); };
  return (((wrap(z, bits_[2]) << bits_[1]) + wrap(y, bits_[1])) << bits_[0]) + wrap(x, bits_[0]);
}

void GridBroadPhase::fill_buckets(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile) {
  const std::size_t buckets = std::size_t{1} << (bits_[0] + bits_[1] + bits_[2]);
  start_.assign(buckets + 1, 0);
  bucket_.resize(small_.size());
  for (std::size_t k = 0; k < small_.size(); ++k) {
    const Aabb& b = boxes[small_[k]];
    const auto [x, y, z] = find_cell((b.lo + b.hi) / 2);
    bucket_[k] = static_cast<int>(bucket_of(x, y, z));
    ++start_[bucket_[k]];
  }
  // Running sums give the ends; filling backwards turns them into the beginnings.
  for (std::size_t b = 1; b <= buckets; ++b) start_[b] += start_[b - 1];
  entries_.resize(small_.size());
  index_.resize(small_.size());
  for (std::size_t k = small_.size(); k-- > 0;) {
    const int i = small_[k];
    const int place = --start_[bucket_[k]];
    entries_[place] = make_entry(boxes[i], mobile[i] != 0);
    index_[place] = i;
  }
}

// Rows of buckets along x. Each box meets the rest of its bucket, the bucket at x + 1, and the three buckets about x in
// the four rows (y+1, z), (y-1, z+1), (y, z+1), (y+1, z+1): every pair of neighbouring buckets once.
void GridBroadPhase::find_small_pairs(std::size_t first_row, std::size_t last_row, std::vector<Pair>& pairs) const {
  const int width = 1 << bits_[0], height = 1 << bits_[1];
  // Each candidate is written and kept only if the count moves on: hits cannot be predicted, so there is no branch.
  std::size_t count = pairs.size();
  const auto test = [&](const Entry& p, int i, int begin, int end) {
    Pair* next = pairs.data() + count;
    for (int m = begin; m < end; ++m) {
      const int j = index_[m];
      *next = {std::min(i, j), std::max(i, j)};
      next += overlap(p, entries_[m]);
    }
    count = static_cast<std::size_t>(next - pairs.data());
  };
  for (std::size_t row = first_row; row < last_row; ++row) {
    const int* own = &start_[row << bits_[0]];
    if (own[0] == own[width]) continue;
    const int y = static_cast<int>(row) & (height - 1), z = static_cast<int>(row >> bits_[1]);
    const int* rows[4] = {&start_[bucket_of(0, y + 1, z)], &start_[bucket_of(0, y - 1, z + 1)],
                          &start_[bucket_of(0, y, z + 1)], &start_[bucket_of(0, y + 1, z + 1)]};
    for (int x = 0; x < width; ++x) {
      const int begin = own[x], end = own[x + 1];
      if (begin == end) continue;
      const int next = (x + 1) & (width - 1);
      for (int k = begin; k < end; ++k) {
        const Entry p = entries_[k];
        const int i = index_[k];
        std::size_t candidates = end - k + own[next + 1] - own[next];
        for (const int* other : rows) candidates += other[width] - other[0];
        if (pairs.size() < count + candidates) pairs.resize(2 * (count + candidates));
        test(p, i, k + 1, end);
        test(p, i, own[next], own[next + 1]);
        for (const int* other : rows) {
          // The three buckets are one run in memory, except where the row wraps.
          if (x > 0 && x + 1 < width) {
            test(p, i, other[x - 1], other[x + 2]);
          } else if (x == 0) {
            test(p, i, other[0], other[2]);
            test(p, i, other[width - 1], other[width]);
          } else {
            test(p, i, other[width - 2], other[width]);
            test(p, i, other[0], other[1]);
          }
        }
      }
    }
  }
  pairs.resize(count);
}

void GridBroadPhase::find_large_pairs(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                                      std::vector<Pair>& pairs) const {
  const int size[3] = {1 << bits_[0], 1 << bits_[1], 1 << bits_[2]};
  for (std::size_t k = 0; k < large_.size(); ++k) {
    const int i = large_[k];
    const Aabb& p = boxes[i];
    const Entry entry = make_entry(p, mobile[i] != 0);
    // Against the other large boxes: a sweep along x.
    for (std::size_t m = k + 1; m < large_.size() && boxes[large_[m]].lo.x() <= p.hi.x(); ++m)
      if ((mobile[i] | mobile[large_[m]]) && p.overlaps(boxes[large_[m]])) add_pair(i, large_[m], pairs);

    const auto test = [&](int begin, int end) {
      for (int m = begin; m < end; ++m)
        if (overlap(entry, entries_[m])) add_pair(i, index_[m], pairs);
    };
    // Against the small ones: the buckets that centres of overlapping small boxes can be in, each once; or all of them
    // where that is less work.
    const Cell lo = find_cell(p.lo - Vec3::Constant(cell_ / 2)), hi = find_cell(p.hi + Vec3::Constant(cell_ / 2));
    int count[3];
    for (int a = 0; a < 3; ++a)
      count[a] = static_cast<int>(std::min<long>(static_cast<long>(hi[a]) - lo[a] + 1, size[a]));
    if (static_cast<std::size_t>(count[1]) * count[2] * 4 > entries_.size()) {
      test(0, static_cast<int>(entries_.size()));
      continue;
    }
    for (int z = 0; z < count[2]; ++z) {
      for (int y = 0; y < count[1]; ++y) {
        const int* row = &start_[bucket_of(0, lo[1] + y, lo[2] + z)];
        const int x = lo[0] & (size[0] - 1), end = x + count[0];
        test(row[x], row[std::min(end, size[0])]);
        if (end > size[0]) test(row[0], row[end - size[0]]);
      }
    }
  }
}

void GridBroadPhase::find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
                          Threads threads) {
  if (boxes.size() < kBruteForceBelow) return find_pairs_by_brute_force(boxes, mobile, pairs);
  choose_cell_size(boxes);
  choose_torus(boxes);
  fill_buckets(boxes, mobile);
  find_large_pairs(boxes, mobile, pairs);

  const std::size_t rows = std::size_t{1} << (bits_[1] + bits_[2]);
  if (threads.count <= 1) return find_small_pairs(0, rows, pairs);
  const std::size_t chunk_count = (rows + kRowsPerChunk - 1) / kRowsPerChunk;
  chunks_.resize(std::max(chunks_.size(), chunk_count));
  parallel_chunks(threads, chunk_count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      chunks_[c].clear();
      find_small_pairs(c * kRowsPerChunk, std::min(rows, (c + 1) * kRowsPerChunk), chunks_[c]);
    }
  });
  for (std::size_t c = 0; c < chunk_count; ++c) pairs.insert(pairs.end(), chunks_[c].begin(), chunks_[c].end());
}

}  // namespace cairn
