// SPDX-License-Identifier: Apache-2.0
// Random placements and comparison of contact sets, shared by the tests of pairs.
#pragma once
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cairn/collision/narrow_phase.h"

namespace cairn::test {

inline Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> g;
  return Quat(g(random), g(random), g(random), g(random)).normalized().toRotationMatrix();
}

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

inline double least_gap(const std::vector<ContactPoint>& p) {
  double least = 1e300;
  for (const ContactPoint& x : p) least = std::min(least, x.gap);
  return least;
}

}  // namespace cairn::test
