// SPDX-License-Identifier: Apache-2.0
// One level of the grid broad phase: a hashed uniform grid (after Ericson 2005, section 7.1; the hash wraps the grid
// round a torus).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/collision/pair_sorter.h"
#include "cairn/geometry/aabb.h"

namespace cairn {

/// Of the boxes given, each small one is put in the cell of its centre. A cell is in each direction as wide as the
/// widest small box, so overlapping boxes are in the same or in neighbouring cells. Boxes wider than twice the median
/// box are large: each visits the cells it covers; large ones among themselves are left to the next level. Cell (x, y,
/// z) is stored in bucket (x mod X, y mod Y, z mod Z): memory follows the number of boxes, not the size of the world,
/// and neighbours in x are neighbours in memory.
class GridLevel {
 public:
  /// Sorts the boxes of `subset` (indices into `boxes`) into cells.
  void build(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::span<const int> subset,
             Threads threads);
  /// Appends the pairs of small boxes, in no order.
  void find_small_pairs(std::vector<Pair>& pairs, Threads threads);
  /// Appends the pairs of a small and a large box, in no order.
  void find_large_pairs(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
                        std::vector<Pair>& pairs) const;
  std::span<const int> large() const { return large_; }
  bool has_small() const { return !small_.empty(); }

 private:
  using Cell = std::array<int, 3>;
  /// A box that is tested against runs of others.
  struct Probe {
    double lo[3], hi[3];
    int tag;
  };
  struct Keyed {
    std::uint32_t bucket;
    int index;
  };

  void choose_small(std::span<const Aabb> boxes, std::span<const int> subset);
  void choose_cells(std::span<const Aabb> boxes);
  void fill_buckets(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, Threads threads);
  void fill_part(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::size_t part, int shift);
  Cell find_cell(const Vec3& x) const;
  std::size_t bucket_of(int x, int y, int z) const;
  Pair* test_run(const Probe& p, int begin, int end, Pair* out) const;
  void find_pairs_of_rows(std::size_t first_row, std::size_t last_row, std::vector<Pair>& pairs) const;

  Vec3 origin_ = Vec3::Zero();
  Vec3 cell_ = Vec3::Ones(), inverse_cell_ = Vec3::Ones();
  int bits_[3] = {2, 2, 2};  ///< X = 2^bits_[0], ...; at least 4, so that -1, 0 and +1 stay distinct
  std::vector<double> sample_;
  std::vector<int> large_, small_;  ///< indices of the boxes
  std::vector<Keyed> keyed_, parted_;
  std::vector<std::size_t> part_start_, part_next_;
  std::vector<int> start_;  ///< first box of each bucket; one more at the end
  // The small boxes, bucket by bucket, one array per side: four boxes are tested at once. Some more at the end, so that
  // reading four is always allowed.
  std::vector<double> lo_[3], hi_[3];
  std::vector<int> tag_;  ///< index; its complement if the box is immobile
  std::vector<std::vector<Pair>> chunks_;
};

}  // namespace cairn
