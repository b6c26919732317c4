// SPDX-License-Identifier: Apache-2.0
// The sets over which the two projections of Staggered Projections minimise, one per group of rows: projection and its
// derivative. With the normal impulses fixed, friction lives in a disc or in a regular polygon inscribed in it.
#pragma once
#include "cairn/math/polygon.h"

#include <limits>

namespace cairn {

enum class StaggeredSetKind { Free, Interval, Disc, Polygon };

/// Rows [first, first + size) of a projection's unknowns. Disc and polygon have one row (a segment) or two.
struct StaggeredSet {
  StaggeredSetKind kind = StaggeredSetKind::Free;
  int first = 0, size = 1;
  double lower = 0, upper = std::numeric_limits<double>::infinity();  ///< interval
  double radius = 0;                                                  ///< disc; polygon: of its corners
  int facets = 8;                                                     ///< polygon: corners at angles 2 pi j / facets
};

/// Directions of the derivative of a projection; of one row the first alone counts.
using StaggeredDerivative = sets::PlaneDerivative;

/// Nearest point of the set; y and out hold `size` numbers and may be the same.
inline void project_on_set(const StaggeredSet& set, const double* y, double* out) {
  switch (set.kind) {
    case StaggeredSetKind::Free: return sets::project(sets::Free{set.size}, y, out);
    case StaggeredSetKind::Interval: return sets::project(sets::Interval{set.lower, set.upper}, y, out);
    case StaggeredSetKind::Disc: return sets::project(sets::Disc{set.radius, set.size}, y, out);
    case StaggeredSetKind::Polygon:
      if (set.size == 1) return sets::project(sets::Disc{set.radius, 1}, y, out);
      return sets::project(sets::Polygon{set.radius, set.facets}, y, out);
  }
}

/// One element of the generalised derivative of the projection at y.
inline StaggeredDerivative set_derivative(const StaggeredSet& set, const double* y) {
  const auto inside = [&](double lower, double upper) {
    StaggeredDerivative D;
    sets::project_derivative(sets::Interval{lower, upper}, y, &D.weight[0]);
    return D;
  };
  switch (set.kind) {
    case StaggeredSetKind::Free: break;
    case StaggeredSetKind::Interval: return inside(set.lower, set.upper);
    case StaggeredSetKind::Disc:
      if (set.size == 1) return inside(-set.radius, set.radius);
      return sets::plane_derivative(sets::Disc{set.radius}, y);
    case StaggeredSetKind::Polygon:
      if (set.size == 1) return inside(-set.radius, set.radius);
      return sets::plane_derivative(sets::Polygon{set.radius, set.facets}, y);
  }
  return {};
}

}  // namespace cairn
