// SPDX-License-Identifier: Apache-2.0
// A contact of the user's own: a gap g(q, t) >= 0 with rows (N, T1, T2, ...) between any bodies and a law of contacts.
// For subsystems in minimal coordinates, whose gaps are formulas and not distances of shapes (the woodpecker toy of the
// validation book).
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/constraints/row_block.h"

namespace cairn {

/// Implementations are immutable. They need not know of steps, activation or solvers.
class OwnContact {
 public:
  virtual ~OwnContact() = default;
  /// Friction, restitution and kind; without cohesion or adhesion.
  virtual const ContactLaw& law() const = 0;
  /// Those of the law: 1 without friction, 2 (plane) or 3 with Coulomb's or Tresca's, more with moments.
  virtual int rows() const = 0;
  /// Positive when open [m, or what the user means by it].
  virtual double gap(const Bodies& bodies, const VecX& q, double time) const = 0;
  /// block.rows, and one side per body with what its velocities do to the gap (first row) and to sliding. A gap that
  /// moves in time by itself is seen by its values.
  virtual void fill_rows(const Bodies& bodies, const VecX& q, double time, RowBlock& block) const = 0;
};

}  // namespace cairn
