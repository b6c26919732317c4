// SPDX-License-Identifier: Apache-2.0
// All equations of joints at one configuration, and the way to where they hold.
//
// Of all placements that fit, the one nearest in the metric of the masses: Gauss-Newton on
//   minimise 1/2 d'M d  subject to  g + H d = 0,     d = M^-1 H' l,   (H M^-1 H') l = -g
// repeated from where it leads. With rows of another place (those of mid-step) the way is along their M^-1 H' instead:
// the position part of Gear, Gupta & Leimkuhler (Studer 2009, 5.1 item 5). Redundant joints take part with the
// multipliers of least norm.
#pragma once
#include "cairn/constraints/row_block.h"
#include "cairn/constraints/system.h"
#include "cairn/problem/local_problem.h"
#include "cairn/solvers/equality_solve.h"

namespace cairn {

/// Rows of H and errors of everything that is an equality: joints, couplings, joints of the user's own and, where asked
/// for, servos without a limit of force.
struct JointEquations {
  std::vector<RowBlock> blocks;
  std::vector<RowVector> errors;
  std::vector<RowVector> rates;  ///< of the errors by time alone
  int rows() const;
  void gather(const System& system, const Motion& motion, bool servos);
};

class JointProjection {
 public:
  /// Moves motion.q (and s) until the equations hold at motion.time; false when they do not come together. `q_rows`:
  /// where the rows of the way are taken; null: where the bodies are.
  bool project(const System& system, const VecX* q_rows, Motion& motion);
  /// Changes motion.u as little as possible so that no equation changes.
  void project_velocity(const System& system, Motion& motion);

 private:
  /// way = given + M^-1 H' r with H way + wanted - H given = 0.
  void solve(const System& system, const VecX& q, const std::vector<RowBlock>& blocks, const VecX& given);

  JointEquations equations_, along_;
  FreeMotion free_;
  LocalProblem problem_;
  LocalRows rows_;
  EqualitySolve solver_;
  VecX r_, way_, reaction_, next_;
};

/// Of the equations of a mechanism: how many there are and how many of them are independent.
struct MechanismRank {
  int freedoms = 0;  ///< velocities of bodies that can move
  int rows = 0;
  int rank = 0;
  int mobility() const { return freedoms - rank; }
  int redundant() const { return rows - rank; }
};
MechanismRank compute_rank(const System& system, const Motion& motion);

}  // namespace cairn
