// SPDX-License-Identifier: Apache-2.0
// Rows of H of any kind with one law: what joints and laws on joint coordinates become where three rows at two points
// (constraint.h) do not do.
//
//   U = sum over sides of  linear (velocity of the material point) + angular (angular velocity there) + own u(own_dof)
// U + shift + compliance r and r obey the law.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/laws/constraint_law.h"
#include "cairn/math/types.h"

#include <array>

namespace cairn {

using RowVector = Eigen::Matrix<double, max_rows, 1>;
using RowMatrix = Eigen::Matrix<double, max_rows, 3>;

/// What the rows do to one body, at a material point of it.
struct RowSide : PlacedPoint {
  RowMatrix linear = RowMatrix::Zero(), angular = RowMatrix::Zero();
  MatX own;                  ///< what the body's velocities do by themselves (minimal coordinates); empty: nothing
  std::vector<int> own_dof;  ///< which of them, one per column of `own`; empty: all in turn
};

/// To which account the work of the rows goes.
enum class RowWork : std::uint8_t { Joint, Stop, Friction, Drive, Contact };  // Contact: first row, then friction

/// Whose rows they are.
struct RowOwner {
  enum class Kind : std::uint8_t { None, Joint, Law, OwnJoint, OwnContact };
  Kind kind = Kind::None;
  int index = -1;  ///< among those of the system
  int part = 0;    ///< of a limit: 0 its lower stop, 1 its upper one
};

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
  RowOwner owner;

  /// A further side; nothing for the world, which does not move.
  RowSide* add_side(const PlacedPoint& point) {
    if (point.body < 0) return nullptr;
    RowSide& side = sides[static_cast<std::size_t>(side_count++)];
    side = RowSide{};
    static_cast<PlacedPoint&>(side) = point;
    return &side;
  }
  /// A side without a point: its rows are `own`, or angular alone.
  RowSide* add_side(int body) { return add_side(PlacedPoint{{.body = body}, Vec3::Zero()}); }
};

/// Rows of H of one side, over the velocities they touch.
SparseRows side_rows(const Bodies& bodies, const VecX& q, const RowBlock& block, const RowSide& side, RowArena& arena);

/// Velocity of the rows of a block at q when the bodies move with u.
RowVector row_velocity(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& block);

}  // namespace cairn
