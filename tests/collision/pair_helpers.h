// SPDX-License-Identifier: Apache-2.0
// Random placements and comparison of contact sets, shared by the tests of pairs.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cairn/collision/narrow_phase.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/support.h"
#include "support/random_motion.h"

namespace cairn::test {

inline Vec3 random_vector(std::mt19937& random, double size = 1) {
  std::uniform_real_distribution<double> u(-size, size);
  const double x = u(random), y = u(random), z = u(random);
  return {x, y, z};
}

inline Placement random_placement(std::mt19937& random, double size = 1) {
  const Mat3 A = random_rotation(random);
  return {A, random_vector(random, size)};
}

inline std::vector<ContactPoint> find_contacts(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb,
                                               double margin) {
  std::vector<ContactPoint> out;
  collide(a, pa, b, pb, margin, out);
  return out;
}

/// Finite numbers, unit normals, points no farther away than `reach`.
inline void check_sane(const std::vector<ContactPoint>& contacts, double reach, const std::string& where) {
  for (const ContactPoint& x : contacts) {
    ASSERT_TRUE(x.point.allFinite() && x.normal.allFinite() && std::isfinite(x.gap)) << where;
    ASSERT_TRUE(std::isfinite(x.weight) && x.weight >= 0) << where;
    EXPECT_NEAR(x.normal.norm(), 1, 1e-12) << where;
    EXPECT_LE(x.point.norm(), reach) << where;
  }
}

/// The same points in any order, gaps and normals (times `sign`) equal, all lengths to `tolerance`.
inline ::testing::AssertionResult same_contacts(const std::vector<ContactPoint>& p, const std::vector<ContactPoint>& q,
                                                double sign, double tolerance, double normal_tolerance = 1e-8) {
  if (p.size() != q.size()) return ::testing::AssertionFailure() << p.size() << " and " << q.size() << " points";
  for (const ContactPoint& x : p) {
    double nearest = 1e300;
    for (const ContactPoint& y : q)
      if (std::abs(x.gap - y.gap) <= tolerance && (x.normal - sign * y.normal).norm() <= normal_tolerance)
        nearest = std::min(nearest, (x.point - y.point).norm());
    if (!(nearest <= tolerance))
      return ::testing::AssertionFailure() << "no partner for gap " << x.gap << " at " << x.point.transpose()
                                           << " normal " << x.normal.transpose() << "; nearest " << nearest;
  }
  return ::testing::AssertionSuccess();
}

/// One shape of each kind the convex routines know, and a half-space; all about a metre.
inline const std::vector<Shape>& convex_shapes() {
  static const std::vector<Shape> shapes = [] {
    std::mt19937 random(20);
    std::vector<Vec3> points;
    for (int k = 0; k < 20; ++k) points.push_back(random_rotation(random) * Vec3(0, 0, 0.5));
    return std::vector<Shape>{Sphere{0.4},
                              Box{{0.3, 0.5, 0.4}},
                              Capsule{0.25, 0.4},
                              Cylinder{0.35, 0.5},
                              Cone{0.45, 0.9},
                              Ellipsoid{{0.3, 0.5, 0.4}},
                              ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(points, "rock"))},
                              HalfSpace{Vec3(1, 2, -2) / 3, 0.1}};
  }();
  return shapes;
}

/// The shape made s times larger.
inline Shape scale_shape(const Shape& shape, double s) {
  return std::visit(
      [&]<class S>(S x) -> Shape {
        if constexpr (std::same_as<S, Sphere>) {
          x.radius *= s;
        } else if constexpr (std::same_as<S, Box>) {
          x.half_extents *= s;
        } else if constexpr (std::same_as<S, HalfSpace>) {
          x.offset *= s;
        } else if constexpr (std::same_as<S, Capsule> || std::same_as<S, Cylinder>) {
          x.radius *= s;
          x.half_length *= s;
        } else if constexpr (std::same_as<S, Cone>) {
          x.radius *= s;
          x.height *= s;
        } else if constexpr (std::same_as<S, Ellipsoid>) {
          x.semi_axes *= s;
        } else if constexpr (std::same_as<S, ConvexPolyhedron>) {
          std::vector<Vec3> points = x.data->vertices;
          for (Vec3& p : points) p *= s;
          x.data = std::make_shared<Polyhedron>(make_hull(points, "scaled"));
        }
        return x;
      },
      shape);
}

/// How far x lies outside the shape, to the size of the shape; <= 0 inside. From the definitions of the shapes.
inline double outside(const Shape& shape, const Placement& p, const Vec3& x) {
  const Vec3 X = p.A.inverse() * (x - p.c);
  const double r = std::hypot(X.x(), X.y());
  return std::visit(
      [&]<class S>(const S& s) -> double {
        if constexpr (std::same_as<S, Sphere>) return X.norm() - s.radius;
        if constexpr (std::same_as<S, Box>) return (X.cwiseAbs() - s.half_extents).maxCoeff();
        if constexpr (std::same_as<S, HalfSpace>) return s.normal.dot(X) - s.offset;
        if constexpr (std::same_as<S, Capsule>)
          return std::hypot(r, std::max(0.0, std::abs(X.z()) - s.half_length)) - s.radius;
        if constexpr (std::same_as<S, Cylinder>) return std::max(r - s.radius, std::abs(X.z()) - s.half_length);
        if constexpr (std::same_as<S, Cone>)
          return std::max(-s.height / 4 - X.z(), r - s.radius * (0.75 - X.z() / s.height));
        if constexpr (std::same_as<S, Ellipsoid>)
          return (X.cwiseQuotient(s.semi_axes).norm() - 1) * s.semi_axes.minCoeff();
        if constexpr (std::same_as<S, ConvexPolyhedron>) {
          double most = -1e300;
          for (std::size_t f = 0; f < s.data->normals.size(); ++f)
            most = std::max(most, s.data->normals[f].dot(X) - s.data->offsets[f]);
          return most;
        }
        return 1e300;
      },
      shape);
}

/// Distance of the supporting planes along n (from b to a), by the support functions of room geometry.
inline double separation(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, const Vec3& n) {
  return n.dot(pa.apply(compute_support(a, -(pa.A.transpose() * n))) -
               pb.apply(compute_support(b, pb.A.transpose() * n)));
}

/// The widest separation by search over directions: a grid on the sphere, refined about its best points. The answer is
/// a lower bound of the gap by nature; an edge of the search's landscape may leave it below.
inline double search_gap(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
  std::vector<std::pair<double, Vec3>> start;
  for (int k = 0; k < 200; ++k) {  // Fibonacci points
    const double z = 1 - (2 * k + 1) / 200.0, r = std::sqrt(1 - z * z), t = 2.399963229728653 * k;
    const Vec3 n(r * std::cos(t), r * std::sin(t), z);
    start.emplace_back(separation(a, pa, b, pb, n), n);
  }
  std::sort(start.begin(), start.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  double widest = -1e300;
  for (int k = 0; k < 4; ++k) {
    auto [s, n] = start[k];
    for (double w = 0.2; w > 1e-8; w *= 0.6) {
      const Vec3 x = n.unitOrthogonal(), y = n.cross(x), centre = n;
      for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j) {
          const Vec3 m = (centre + w / 3 * (i * x + j * y)).normalized();
          if (const double t = separation(a, pa, b, pb, m); t > s) s = t, n = m;
        }
    }
    widest = std::max(widest, s);
  }
  return widest;
}

inline double least_gap(const std::vector<ContactPoint>& p) {
  double least = 1e300;
  for (const ContactPoint& x : p) least = std::min(least, x.gap);
  return least;
}

}  // namespace cairn::test
