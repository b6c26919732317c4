// SPDX-License-Identifier: Apache-2.0
// Rows of H of any kind with one law: what joints and laws on joint coordinates become where three rows at two points
// (constraint.h) do not do.
//
//   U = sum over sides of  linear (velocity of the body at point) + angular (angular velocity of the body) + own u
// U + shift + compliance r and r obey the law.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/laws/constraint_law.h"
#include "cairn/math/types.h"

#include <array>

namespace cairn {

using RowVector = Eigen::Matrix<double, max_rows, 1>;
using RowMatrix = Eigen::Matrix<double, max_rows, 3>;

/// What the rows do to one body.
struct RowSide {
  int body = -1;
  Vec3 point = Vec3::Zero();  ///< world, at mid-step
  RowMatrix linear = RowMatrix::Zero(), angular = RowMatrix::Zero();
  MatX own;  ///< rows x nu, what the body's velocities do by themselves (minimal coordinates); empty: nothing
};

/// To which account the work of the rows goes.
enum class RowWork : std::uint8_t { Joint, Stop, Friction, Drive, Contact };  // Contact: first row, then friction

struct RowBlock {
  int rows = 0;
  int side_count = 0;
  std::array<RowSide, 6> sides;  ///< three joints of two bodies at most; a body may have several
  ConstraintLaw law = {.kind = LawKind::Bilateral};
  RowVector U_begin = RowVector::Zero();     ///< at the start of the step, with the mid-step geometry
  RowVector U_free = RowVector::Zero();      ///< without reactions
  RowVector shift = RowVector::Zero();       ///< stabilisation, restitution, targets
  RowVector compliance = RowVector::Zero();  ///< [1/kg], on the diagonal of W
  RowWork work = RowWork::Joint;
  int source = -1;  ///< index of the joint, or of the law on coordinates
  int kept = -1;    ///< first place in WarmStart::joints

  /// A further side; nothing for the world, which does not move.
  RowSide* add_side(int body, const Vec3& point) {
    if (body < 0) return nullptr;
    RowSide& side = sides[static_cast<std::size_t>(side_count++)];
    side = RowSide{};
    side.body = body;
    side.point = point;
    return &side;
  }
};

/// Velocity of the rows of a block at q when the bodies move with u.
RowVector row_velocity(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& block);

}  // namespace cairn
