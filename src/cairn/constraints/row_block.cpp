// SPDX-License-Identifier: Apache-2.0
// Velocities of rows of any kind.
#include "cairn/constraints/row_block.h"

namespace cairn {

RowVector row_velocity(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& block) {
  RowVector U = RowVector::Zero();
  for (int k = 0; k < block.side_count; ++k) {
    const RowSide& side = block.sides[static_cast<std::size_t>(k)];
    U += side.linear * bodies.point_velocity(side.body, q, u, side.point) + side.angular * bodies.spin(side.body, q, u);
  }
  return U;
}

}  // namespace cairn
