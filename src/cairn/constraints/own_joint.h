// SPDX-License-Identifier: Apache-2.0
// A joint of the user's own: equations g(q, t) = 0 between any bodies, with their rates as rows
// (examples/own_joint.cpp).
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/constraints/row_block.h"

namespace cairn {

/// Implementations are immutable. They need not know of steps, rules of drift or solvers.
class OwnJoint {
 public:
  virtual ~OwnJoint() = default;
  /// 1 to 6.
  virtual int rows() const = 0;
  /// g, the first rows() numbers [m] (or what the user means by it).
  virtual RowVector error(const Bodies& bodies, const VecX& q, double time) const = 0;
  /// dg/dt at rest of time: block.rows, and one side per body with what its velocity and angular velocity do to g.
  virtual void fill_rows(const Bodies& bodies, const VecX& q, double time, RowBlock& block) const = 0;
};

}  // namespace cairn
