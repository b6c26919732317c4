// SPDX-License-Identifier: Apache-2.0
// Regular polygons: Coulomb's disc as Stewart and Trinkle (1996) and Anitescu and Potra (1997) replace it.
// Corners lie on the circle, so the polygon is up to 1 - cos(pi/facets) too weak.
//
// They are symmetric under the mirrors through corners and through middles of edges. A point and its projection
// lie on the same side of each mirror, so only the edge of the point's own sector matters: no search, whatever
// `facets`.
#pragma once
#include "cairn/math/simple_sets.h"

#include <numbers>

namespace cairn::sets {

/// Corners radius (cos, sin)(angle + 2 pi j / facets).
struct Polygon {
  double radius = 0;
  int facets = 8;    ///< 3 or more
  double angle = 0;  ///< of the first corner [rad]
};

/// The edge in whose sector a point lies, for a polygon of radius 1: distance and normal, half its length and
/// direction.
struct PolygonEdge {
  Vec2 normal, along;
  double distance, half;
};

inline PolygonEdge find_edge(int facets, double angle, const double* t) {
  const double half = std::numbers::pi / facets, at = std::atan2(t[1], t[0]) - angle;
  const double middle = angle + (2 * std::floor(at / (2 * half)) + 1) * half;
  const Vec2 normal(std::cos(middle), std::sin(middle));
  return {normal, {-normal[1], normal[0]}, std::cos(half), std::sin(half)};
}

inline void project(const Polygon& set, const double* x, double* out) {
  const Vec2 point(x[0], x[1]);
  const PolygonEdge edge = find_edge(set.facets, set.angle, x);
  const double inner = set.radius * edge.distance, reach = set.radius * edge.half;
  Vec2 nearest = point;
  if (!(set.radius > 0)) {
    nearest.setZero();
  } else if (point.dot(edge.normal) > inner) {
    nearest = inner * edge.normal + std::clamp(point.dot(edge.along), -reach, reach) * edge.along;
  }
  out[0] = nearest[0], out[1] = nearest[1];
}

/// Free along an edge, fixed at a corner.
inline PlaneDerivative plane_derivative(const Polygon& set, const double* x) {
  PlaneDerivative D;
  const Vec2 point(x[0], x[1]);
  const PolygonEdge edge = find_edge(set.facets, set.angle, x);
  if (set.radius > 0 && point.dot(edge.normal) <= set.radius * edge.distance) return D;
  D.weight = {0, std::abs(point.dot(edge.along)) < set.radius * edge.half ? 1.0 : 0.0};
  D.direction << edge.normal, edge.along;
  return D;
}

inline void project_derivative(const Polygon& set, const double* x, double* D) {
  const PlaneDerivative d = plane_derivative(set, x);
  Eigen::Map<Mat2>{D} = d.direction * d.weight.asDiagonal() * d.direction.transpose();
}

}  // namespace cairn::sets
