// SPDX-License-Identifier: Apache-2.0
// Every box in all voxels it covers, the voxels hashed: HASH3D of Koziara 2008, section 9.3.5 (hash of Teschner et al.
// 2003, "Optimized spatial hashing for collision detection of deformable objects").
#pragma once
#include <array>

#include "cairn/collision/broad_phase.h"

namespace cairn {

/// A voxel is as wide as the mean box, (9.3.16): a box covers about eight. Each bucket is scanned along the direction
/// in which the boxes differ least. Good for boxes of one size; a box that covers many voxels is tested against all.
class Hash3dBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const override { return "hash3d"; }
  std::unique_ptr<BroadPhase> clone() const override { return std::make_unique<Hash3dBroadPhase>(*this); }

 private:
  using Voxel = std::array<int, 3>;
  struct Entry {
    Voxel voxel;
    int index;
  };

  void find(std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile, std::vector<Pair>& pairs,
            Threads threads) override;
  void choose_voxels(std::span<const Aabb> boxes);
  Voxel find_voxel(const Vec3& x) const;
  void fill_table(std::span<const Aabb> boxes);
  void scan(std::span<Entry> bucket, std::span<const Aabb> boxes, std::span<const std::uint8_t> mobile,
            std::vector<Pair>& pairs) const;
  std::size_t hash(const Voxel& v) const;

  double inverse_side_ = 1;
  int scan_axis_ = 0;
  std::vector<std::array<Voxel, 2>> covered_;  ///< first and last voxel of each box
  std::vector<int> large_;
  std::vector<std::uint8_t> is_large_;
  std::vector<std::size_t> start_;  ///< of each bucket
  std::vector<Entry> entries_;
};

}  // namespace cairn
