// SPDX-License-Identifier: Apache-2.0
// Values and rows of laws on joint coordinates.
#include "cairn/constraints/coordinate_law.h"

namespace cairn {

double combined_coordinate(const CoordinateLaw& law, std::span<const Joint> joints, const VecX& s) {
  double sum = 0;
  for (const CoordinateTerm& term : law.terms)
    sum += term.factor * s[joints[static_cast<std::size_t>(term.joint)].first_coordinate + term.coordinate];
  return sum;
}

void fill_row(const CoordinateLaw& law, std::span<const Joint> joints, std::span<const PlacedJoint> placed, double sign,
              RowBlock& block) {
  block.rows = 1;
  for (const CoordinateTerm& term : law.terms) {
    const auto j = static_cast<std::size_t>(term.joint);
    add_coordinate_row(joints[j], placed[j], term.coordinate, sign * term.factor, block, 0);
  }
}

}  // namespace cairn
