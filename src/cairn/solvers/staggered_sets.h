// SPDX-License-Identifier: Apache-2.0
// The sets over which the two projections of Staggered Projections minimise, one per group of rows: projection and its
// derivative. With the normal impulses fixed, friction lives in a disc or in a regular polygon inscribed in it.
#pragma once
#include "cairn/math/types.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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

/// Directions of the derivative of a projection: sum over i of weight[i] direction_i direction_i'.
struct StaggeredDerivative {
  Vec2 weight = Vec2::Ones();
  Mat2 direction = Mat2::Identity();  ///< columns; the first alone counts when the set has one row
};

namespace staggered_detail {

/// Outward normal of the polygon's edge nearest to y.
inline Vec2 edge_normal(int facets, const Vec2& y) {
  const double sector = 2 * std::numbers::pi / facets;
  const double angle = (std::floor(std::atan2(y[1], y[0]) / sector) + 0.5) * sector;
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace staggered_detail

/// Nearest point of the set; y and out hold `size` numbers and may be the same.
inline void project_on_set(const StaggeredSet& set, const double* y, double* out) {
  switch (set.kind) {
    case StaggeredSetKind::Free:
      for (int i = 0; i < set.size; ++i) out[i] = y[i];
      return;
    case StaggeredSetKind::Interval: out[0] = std::clamp(y[0], set.lower, set.upper); return;
    case StaggeredSetKind::Disc: {
      if (set.size == 1) break;
      const double length = std::sqrt(y[0] * y[0] + y[1] * y[1]);
      const double scale = length > set.radius ? set.radius / length : 1;
      out[0] = scale * y[0], out[1] = scale * y[1];
      return;
    }
    case StaggeredSetKind::Polygon: {
      if (set.size == 1) break;
      const Vec2 point(y[0], y[1]), normal = staggered_detail::edge_normal(set.facets, point);
      const Vec2 along(-normal[1], normal[0]);
      const double apothem = set.radius * std::cos(std::numbers::pi / set.facets);
      const double half = set.radius * std::sin(std::numbers::pi / set.facets);
      Vec2 nearest = point;
      if (normal.dot(point) > apothem) nearest = apothem * normal + std::clamp(along.dot(point), -half, half) * along;
      out[0] = nearest[0], out[1] = nearest[1];
      return;
    }
  }
  out[0] = std::clamp(y[0], -set.radius, set.radius);
}

/// One element of the generalised derivative of the projection at y.
inline StaggeredDerivative set_derivative(const StaggeredSet& set, const double* y) {
  StaggeredDerivative D;
  switch (set.kind) {
    case StaggeredSetKind::Free: return D;
    case StaggeredSetKind::Interval: D.weight[0] = y[0] > set.lower && y[0] < set.upper ? 1 : 0; return D;
    case StaggeredSetKind::Disc: {
      if (set.size == 1) break;
      const double length = std::sqrt(y[0] * y[0] + y[1] * y[1]);
      if (length <= set.radius && length > 0) return D;
      if (length == 0) {
        D.weight.setConstant(set.radius > 0 ? 1 : 0);
        return D;
      }
      // Turning along the circle is free, and shortened by radius / length; leaving it is not.
      D.weight = {0, set.radius / length};
      D.direction << y[0], -y[1], y[1], y[0];
      D.direction /= length;
      return D;
    }
    case StaggeredSetKind::Polygon: {
      if (set.size == 1) break;
      const Vec2 point(y[0], y[1]), normal = staggered_detail::edge_normal(set.facets, point);
      const Vec2 along(-normal[1], normal[0]);
      if (normal.dot(point) <= set.radius * std::cos(std::numbers::pi / set.facets) && set.radius > 0) return D;
      const double half = set.radius * std::sin(std::numbers::pi / set.facets);
      D.weight = {0, std::abs(along.dot(point)) < half ? 1.0 : 0.0};
      D.direction << normal[0], along[0], normal[1], along[1];
      return D;
    }
  }
  D.weight[0] = std::abs(y[0]) < set.radius ? 1 : 0;
  return D;
}

}  // namespace cairn
