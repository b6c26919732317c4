// SPDX-License-Identifier: Apache-2.0
// Velocities of rows of any kind.
#include "cairn/constraints/row_block.h"

namespace cairn {

RowVector row_velocity(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& block) {
  RowVector U = RowVector::Zero();
  for (int k = 0; k < block.side_count; ++k) {
    const RowSide& side = block.sides[static_cast<std::size_t>(k)];
    U += side.linear * bodies.point_velocity(side.body, q, u, side.point) + side.angular * bodies.spin(side.body, q, u);
    const Bodies::Slot& s = bodies.slot(side.body);
    if (side.own.size() > 0) U.head(side.own.rows()) += side.own * u.segment(s.u, s.nu);
  }
  return U;
}

}  // namespace cairn
