// SPDX-License-Identifier: Apache-2.0
// A material point: which body, which part of it, where in that part. A value that stays with the material while the
// body moves; anchors of joints, springs, loads and sensors are material points, never places in the world.
//
//   the world (-1)      local = x
//   rigid, affine       local = X in body axes, x = A X + c; one part
//   bar chain           part = bar, local.x = t in [0, 1] from its first point to its second
//   a mesh of elements  part = element, local = natural coordinates in it
#pragma once
#include "cairn/math/types.h"

#include <span>
#include <vector>

namespace cairn {

struct MaterialPoint {
  int body = -1;
  int part = 0;
  Vec3 local = Vec3::Zero();
};

/// A material point and where it is now. Of a rigid body x alone says which point it is: contacts leave `local` out.
struct PlacedPoint : MaterialPoint {
  Vec3 x = Vec3::Zero();  ///< [m]
};

/// Rows over some of the velocities of one body: J u(dof). The memory belongs to a RowArena.
struct SparseRows {
  std::span<const int> dof = {};  ///< within the body's u, rising
  double* values = nullptr;       ///< column by column
  int rows = 0;

  Eigen::Map<MatX> J() const { return {values, rows, static_cast<Eigen::Index>(dof.size())}; }
  VecX times(const Eigen::Ref<const VecX>& u) const;
  /// f += J' x.
  void add_transposed(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> f) const;
  /// Over all nu velocities.
  MatX dense(int nu) const;
};

/// Memory of rows, which lives until clear(): for a step, or for one question. Reused without allocating.
class RowArena {
 public:
  void clear() { block_ = used_ = 0; }
  /// Rows over the velocities first to first + count - 1, all zero.
  SparseRows rows(int count, int first, int dofs);
  /// Rows over these velocities, all zero.
  SparseRows rows(int count, std::span<const int> dof);

 private:
  double* take(std::size_t numbers);
  std::span<int> take_dofs(std::size_t count);

  static constexpr std::size_t block_size = 512;
  std::vector<std::vector<double>> blocks_;
  std::size_t block_ = 0, used_ = 0;
};

}  // namespace cairn
