// SPDX-License-Identifier: Apache-2.0
// Values and rows of laws on joint coordinates.
#include "cairn/constraints/coordinate_law.h"

#include "cairn/base/error.h"

#include <cmath>

namespace cairn {

double friction_limit(const CoordinateLaw& law, double time, double coordinate, double speed) {
  if (!law.own_force) return law.force;
  const double limit = law.own_force(time, coordinate, speed);
  if (!(std::isfinite(limit) && limit >= 0))
    throw Error("friction in a joint: force is {} at t = {} s, coordinate {}, speed {}; must be >= 0", limit, time,
                coordinate, speed);
  return limit;
}

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
