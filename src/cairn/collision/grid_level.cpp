// SPDX-License-Identifier: Apache-2.0
// Hashed uniform grid: counting sort of the boxes by bucket, then each bucket against itself and half its neighbours.
#include "cairn/collision/grid_level.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr std::size_t kSampleSize = 512;    // boxes that decide what is small, and where
constexpr double kLargeRatio = 2;           // a box wider than this many median boxes is large
constexpr std::size_t kRowsPerChunk = 64;   // work of one thread at a time
constexpr std::size_t kPartsPerChunk = 16;  // likewise, when the boxes are sorted
constexpr int kPartsLog2 = 8;               // streams written at once when the boxes are sorted
constexpr int kLanes = 4;
constexpr double kHuge = 1e300;  // as good as infinite: products with it could overflow

/// Of finite numbers; reorders them.
double quantile(std::vector<double>& values, double fraction) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

inline int make_tag(std::size_t index, bool mobile) {
  return mobile ? static_cast<int>(index) : ~static_cast<int>(index);
}
inline int index_of(int tag) { return tag ^ (tag >> 31); }

#ifdef __AVX2__
// Bytes that move the 4-byte lanes of a mask's set bits to the front.
struct Compaction {
  alignas(16) std::uint8_t bytes[16][16];
};
constexpr Compaction make_compaction() {
  Compaction c{};
  for (int mask = 0; mask < 16; ++mask) {
    int out = 0;
    for (int lane = 0; lane < 4; ++lane)
      if (mask >> lane & 1)
        for (int b = 0; b < 4; ++b) c.bytes[mask][out++] = static_cast<std::uint8_t>(4 * lane + b);
  }
  return c;
}
constexpr Compaction kCompaction = make_compaction();
#endif

}  // namespace

// Writes the pairs of `p` with the boxes of [begin, end) that overlap it and returns the new end; there must be room
// for all, and kLanes more. Hits cannot be predicted, so there is no branch on them: all four candidates are written,
// hits first, and the end moves on by the number of hits.
inline Pair* GridLevel::test_run(const Probe& p, int begin, int end, Pair* out) const {
#ifdef __AVX2__
  const __m256d lx = _mm256_set1_pd(p.lo[0]), ly = _mm256_set1_pd(p.lo[1]), lz = _mm256_set1_pd(p.lo[2]);
  const __m256d hx = _mm256_set1_pd(p.hi[0]), hy = _mm256_set1_pd(p.hi[1]), hz = _mm256_set1_pd(p.hi[2]);
  const __m128i index = _mm_set1_epi32(index_of(p.tag));
  const int immobile = p.tag >> 31;
  for (int m = begin; m < end; m += kLanes) {
    const auto below = [&](const std::vector<double>& lo, __m256d hi) {
      return _mm256_cmp_pd(_mm256_loadu_pd(&lo[m]), hi, _CMP_LE_OQ);
    };
    const auto above = [&](const std::vector<double>& hi, __m256d lo) {
      return _mm256_cmp_pd(_mm256_loadu_pd(&hi[m]), lo, _CMP_GE_OQ);
    };
    const __m256d x = _mm256_and_pd(below(lo_[0], hx), above(hi_[0], lx));
    const __m256d y = _mm256_and_pd(below(lo_[1], hy), above(hi_[1], ly));
    const __m256d z = _mm256_and_pd(below(lo_[2], hz), above(hi_[2], lz));
    const __m128i tags = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&tag_[m]));
    int hits = _mm256_movemask_pd(_mm256_and_pd(_mm256_and_pd(x, y), z));
    hits &= ~(_mm_movemask_ps(_mm_castsi128_ps(tags)) & immobile);
    hits &= (1 << std::min(kLanes, end - m)) - 1;
    const __m128i indices = _mm_xor_si128(tags, _mm_srai_epi32(tags, 31));
    const __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(kCompaction.bytes[hits]));
    const __m128i others = _mm_shuffle_epi8(indices, order);
    const __m128i i = _mm_min_epi32(index, others), j = _mm_max_epi32(index, others);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_unpacklo_epi32(i, j));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 2), _mm_unpackhi_epi32(i, j));
    out += std::popcount(static_cast<unsigned>(hits));
  }
#else
  const int i = index_of(p.tag);
  for (int m = begin; m < end; ++m) {
    const int j = index_of(tag_[m]);
    bool hit = (p.tag & tag_[m]) >= 0;
    for (int a = 0; a < 3; ++a) hit &= (lo_[a][m] <= p.hi[a]) & (hi_[a][m] >= p.lo[a]);
    *out = {std::min(i, j), std::max(i, j)};
    out += hit;
  }
#endif
  return out;
}

// Splits the boxes in small and large; leaves the greatest width of the small ones in cell_.
void GridLevel::choose_small(std::span<const Aabb> boxes, std::span<const int> subset) {
  const auto width = [&](int i) {
    const double w = (boxes[i].hi - boxes[i].lo).maxCoeff();
    return boxes[i].is_bounded() && w < kHuge ? w : std::numeric_limits<double>::infinity();
  };
  // The median of a sample is as good: any cell size gives the same pairs.
  sample_.clear();
  for (std::size_t k = 0; k < subset.size(); k += 1 + subset.size() / kSampleSize) {
    const double w = width(subset[k]);
    if (std::isfinite(w)) sample_.push_back(w);
  }
  const double limit = sample_.empty() ? 0 : kLargeRatio * quantile(sample_, 0.5);

  large_.clear();
  small_.clear();
  cell_.setZero();
  for (const int i : subset) {
    if (width(i) <= limit) {
      cell_ = cell_.cwiseMax(boxes[i].hi - boxes[i].lo);
      small_.push_back(i);
    } else {
      large_.push_back(i);
    }
  }
}

// The middle and the spread of a sample of the small boxes decide how many buckets each direction gets. Quantiles are
// used, not the range: some bodies that have flown away must not flatten the grid of all others.
void GridLevel::choose_cells(std::span<const Aabb> boxes) {
  const double n = static_cast<double>(small_.size());
  Vec3 range;
  for (int a = 0; a < 3; ++a) {
    sample_.clear();
    for (std::size_t k = 0; k < small_.size(); k += 1 + small_.size() / kSampleSize)
      sample_.push_back(boxes[small_[k]].lo[a] / 2 + boxes[small_[k]].hi[a] / 2);
    origin_[a] = quantile(sample_, 0.5);
    for (double& x : sample_) x = std::abs(x - origin_[a]);
    range[a] = std::min(kHuge, 8.0 / 3 * quantile(sample_, 0.75));  // exact for a uniform distribution
  }
  // A little wider than the widest box: rounding of the cell coordinates must not part two boxes that touch. For thin
  // boxes far from the origin of the world that takes more than a little; and more cells than boxes are of no use.
  cell_ = (1 + 1e-4) * cell_.cwiseMax(range / n).cwiseMax(1e-10 * origin_.cwiseAbs());
  for (int a = 0; a < 3; ++a)
    if (!(cell_[a] > 0 && std::isfinite(1 / cell_[a]))) cell_[a] = 1;  // all in one plane
  inverse_cell_ = cell_.cwiseInverse();

  range = range.cwiseProduct(inverse_cell_);
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
GridLevel::Cell GridLevel::find_cell(const Vec3& x) const {
  const Vec3 s = (x - origin_).cwiseProduct(inverse_cell_).cwiseMax(-1e9).cwiseMin(1e9);
  return {static_cast<int>(std::floor(s.x())), static_cast<int>(std::floor(s.y())),
          static_cast<int>(std::floor(s.z()))};
}

std::size_t GridLevel::bucket_of(int x, int y, int z) const {
  const auto wrap = [](int k, int bits) { return static_cast<std::size_t>(k & ((1 << bits) - 1)); };
  return (((wrap(z, bits_[2]) << bits_[1]) + wrap(y, bits_[1])) << bits_[0]) + wrap(x, bits_[0]);
}

// Counting sort by bucket in two steps, so that neither misses the cache: streams to some hundred parts of neighbouring
// buckets, then each part by itself.
void GridLevel::fill_buckets(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, Threads threads) {
  const int bits = bits_[0] + bits_[1] + bits_[2], shift = std::max(0, bits - kPartsLog2);
  const std::size_t parts = std::size_t{1} << (bits - shift), n = small_.size();
  part_start_.assign(parts + 1, 0);
  keyed_.resize(n);
  parted_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Aabb& b = boxes[small_[k]];
    const auto [x, y, z] = find_cell((b.lo + b.hi) / 2);
    const std::size_t bucket = bucket_of(x, y, z);
    keyed_[k] = {static_cast<std::uint32_t>(bucket), small_[k]};
    ++part_start_[(bucket >> shift) + 1];
  }
  for (std::size_t p = 0; p < parts; ++p) part_start_[p + 1] += part_start_[p];
  part_next_.assign(part_start_.begin(), part_start_.end() - 1);
  for (const Keyed& k : keyed_) parted_[part_next_[k.bucket >> shift]++] = k;

  for (int a = 0; a < 3; ++a) {
    lo_[a].resize(n + kLanes);
    hi_[a].resize(n + kLanes);
  }
  tag_.resize(n + kLanes);
  start_.resize((std::size_t{1} << bits) + 1);
  parallel_chunks(threads, parts, kPartsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) fill_part(boxes, mobile, p, shift);
  });
  start_.back() = static_cast<int>(n);
}

void GridLevel::fill_part(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::size_t part,
                          int shift) {
  int* start = &start_[part << shift];
  const std::size_t size = std::size_t{1} << shift, first = part << shift;
  const Keyed *begin = parted_.data() + part_start_[part], *end = parted_.data() + part_start_[part + 1];
  std::fill(start, start + size, 0);
  for (const Keyed* k = begin; k != end; ++k) ++start[k->bucket - first];
  // Running sums give the ends; filling backwards turns them into the beginnings.
  int sum = static_cast<int>(part_start_[part]);
  for (std::size_t b = 0; b < size; ++b) start[b] = sum += start[b];
  for (const Keyed* k = end; k-- != begin;) keyed_[--start[k->bucket - first]] = *k;
  for (std::size_t place = part_start_[part]; place < part_start_[part + 1]; ++place) {
    const std::size_t i = static_cast<std::size_t>(keyed_[place].index);
    for (int a = 0; a < 3; ++a) {
      lo_[a][place] = boxes[i].lo[a];
      hi_[a][place] = boxes[i].hi[a];
    }
    tag_[place] = make_tag(i, mobile[i] != 0);
  }
}

// Rows of buckets along x. Each box meets the rest of its bucket, the bucket at x + 1, and the three buckets about x in
// the four rows (y+1, z), (y-1, z+1), (y, z+1), (y+1, z+1): every pair of neighbouring buckets once.
void GridLevel::find_pairs_of_rows(std::size_t first_row, std::size_t last_row, std::vector<Pair>& pairs) const {
  const int width = 1 << bits_[0], height = 1 << bits_[1];
  std::size_t count = pairs.size();
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
        const Probe p{{lo_[0][k], lo_[1][k], lo_[2][k]}, {hi_[0][k], hi_[1][k], hi_[2][k]}, tag_[k]};
        std::size_t room = end - k + own[next + 1] - own[next] + kLanes;
        for (const int* other : rows) room += other[width] - other[0];
        if (pairs.size() < count + room) pairs.resize(2 * (count + room));
        Pair* out = pairs.data() + count;
        const auto test = [&](int first, int last) { out = test_run(p, first, last, out); };
        test(k + 1, end);
        test(own[next], own[next + 1]);
        for (const int* other : rows) {
          // The three buckets are one run in memory, except where the row wraps.
          if (x > 0 && x + 1 < width) {
            test(other[x - 1], other[x + 2]);
          } else if (x == 0) {
            test(other[0], other[2]);
            test(other[width - 1], other[width]);
          } else {
            test(other[width - 2], other[width]);
            test(other[0], other[1]);
          }
        }
        count = static_cast<std::size_t>(out - pairs.data());
      }
    }
  }
  pairs.resize(count);
}

void GridLevel::find_large_pairs(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                                 std::vector<Pair>& pairs) const {
  const int size[3] = {1 << bits_[0], 1 << bits_[1], 1 << bits_[2]};
  for (const int i : large_) {
    const Aabb& p = boxes[i];
    const Probe probe{{p.lo.x(), p.lo.y(), p.lo.z()}, {p.hi.x(), p.hi.y(), p.hi.z()}, make_tag(i, mobile[i] != 0)};
    const auto test = [&](int begin, int end) {
      if (begin == end) return;
      const std::size_t count = pairs.size();
      pairs.resize(count + static_cast<std::size_t>(end - begin) + kLanes);
      pairs.resize(static_cast<std::size_t>(test_run(probe, begin, end, pairs.data() + count) - pairs.data()));
    };
    // The buckets that centres of overlapping small boxes can be in, each once; or all where that is less work.
    const Cell lo = find_cell(p.lo - cell_ / 2), hi = find_cell(p.hi + cell_ / 2);
    int count[3];
    for (int a = 0; a < 3; ++a)
      count[a] = static_cast<int>(std::min<long>(static_cast<long>(hi[a]) - lo[a] + 1, size[a]));
    if (static_cast<std::size_t>(count[1]) * count[2] * 4 > small_.size()) {
      test(0, static_cast<int>(small_.size()));
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

void GridLevel::build(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::span<const int> subset,
                      Threads threads) {
  choose_small(boxes, subset);
  if (small_.empty()) return;
  choose_cells(boxes);
  fill_buckets(boxes, mobile, threads);
}

void GridLevel::find_small_pairs(std::vector<Pair>& pairs, Threads threads) {
  const std::size_t rows = std::size_t{1} << (bits_[1] + bits_[2]);
  if (threads.count <= 1) return find_pairs_of_rows(0, rows, pairs);
  const std::size_t chunk_count = (rows + kRowsPerChunk - 1) / kRowsPerChunk;
  chunks_.resize(std::max(chunks_.size(), chunk_count));
  parallel_chunks(threads, chunk_count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      chunks_[c].clear();
      find_pairs_of_rows(c * kRowsPerChunk, std::min(rows, (c + 1) * kRowsPerChunk), chunks_[c]);
    }
  });
  for (std::size_t c = 0; c < chunk_count; ++c) pairs.insert(pairs.end(), chunks_[c].begin(), chunks_[c].end());
}

}  // namespace cairn
