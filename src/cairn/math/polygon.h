// SPDX-License-Identifier: Apache-2.0
// Regular polygons and the cones over them: Coulomb's disc and cone as Stewart and Trinkle (1996) and Anitescu and
// Potra (1997) replace them. Corners lie on the circle, so the polygon is up to 1 - cos(pi/facets) too weak.
//
// Both sets are symmetric under the mirrors through corners and through middles of edges. A point and its projection
// lie on the same side of each mirror, so only the edge of the point's own sector matters: no search, whatever
// `facets`. Polar of the cone: n + mu c.t <= 0 for every corner direction c.
#pragma once
#include "cairn/math/friction_cone.h"

#include <numbers>

namespace cairn::sets {

/// Corners radius (cos, sin)(angle + 2 pi j / facets).
struct Polygon {
  double radius = 0;
  int facets = 8;    ///< 3 or more
  double angle = 0;  ///< of the first corner [rad]
};

/// { (n, t) : t in the polygon of radius mu n }, three rows.
struct PolyhedralCone {
  double mu = 0;
  int facets = 8;
  double angle = 0;
};

inline int rows(const Polygon&) { return 2; }
inline int rows(const PolyhedralCone&) { return 3; }

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

/// The corner farthest along y is one of the two ends of the edge in whose sector y lies.
inline double support(const Polygon& set, const double* y) {
  const PolygonEdge edge = find_edge(set.facets, set.angle, y);
  const double n = edge.normal[0] * y[0] + edge.normal[1] * y[1], a = edge.along[0] * y[0] + edge.along[1] * y[1];
  return set.radius * (edge.distance * n + edge.half * std::abs(a));
}

/// What of the cone is nearest to a point: its inside, a face with that outward unit normal, a ray with that unit
/// direction, or the apex.
struct ConeFeature {
  enum class Kind { Inside, Face, Ray, Apex } kind = Kind::Inside;
  Vec3 direction = Vec3::Zero();
};

inline ConeFeature find_feature(const PolyhedralCone& set, const double* x) {
  const Vec3 point(x[0], x[1], x[2]);
  const PolygonEdge edge = find_edge(set.facets, set.angle, x + 1);
  const double k = set.mu * edge.distance, s = set.mu * edge.half;
  const double across = edge.normal.dot(point.tail<2>()), along = edge.along.dot(point.tail<2>());
  if (set.mu > 0 && across <= k * x[0]) return {};
  // The foot on the plane across = k n has n = (x_n + k across)/(1 + k^2) and the same `along`.
  const double n = (x[0] + k * across) / (1 + k * k);
  if (n > 0 && std::abs(along) < s * n) {
    const double size = std::sqrt(1 + k * k);
    return {ConeFeature::Kind::Face, Vec3(-k, edge.normal[0], edge.normal[1]) / size};
  }
  const Vec2 corner = k * edge.normal + std::copysign(s, along) * edge.along;
  const Vec3 ray = Vec3(1, corner[0], corner[1]) / std::sqrt(1 + set.mu * set.mu);
  if (!(ray.dot(point) > 0)) return {ConeFeature::Kind::Apex};
  return {ConeFeature::Kind::Ray, ray};
}

inline void project(const PolyhedralCone& set, const double* x, double* out) {
  using Kind = ConeFeature::Kind;
  const ConeFeature f = find_feature(set, x);
  Vec3 point(x[0], x[1], x[2]);
  if (f.kind == Kind::Face) point -= f.direction.dot(point) * f.direction;
  if (f.kind == Kind::Ray) point = f.direction.dot(point) * f.direction;
  if (f.kind == Kind::Apex) point.setZero();
  std::copy(point.data(), point.data() + 3, out);
}

inline void project_derivative(const PolyhedralCone& set, const double* x, double* D) {
  using Kind = ConeFeature::Kind;
  const ConeFeature f = find_feature(set, x);
  Mat3 J = Mat3::Identity();
  if (f.kind == Kind::Face) J -= f.direction * f.direction.transpose();
  if (f.kind == Kind::Ray) J = f.direction * f.direction.transpose();
  if (f.kind == Kind::Apex) J.setZero();
  Eigen::Map<Mat3>{D} = J;
}

inline double support(const PolyhedralCone& set, const double* y) {
  return cone_support(y[0], support(Polygon{set.mu, set.facets, set.angle}, y + 1));
}

}  // namespace cairn::sets
