// SPDX-License-Identifier: Apache-2.0
// Nearest point of an ellipsoid by one scalar equation (Eberly 2013, "Distance from a point to an ellipse, an
// ellipsoid, or a hyperellipsoid"), here with an unknown that keeps its digits next to the focal ellipse.
//
// With x = the foot of y, e0 >= e1 >= e2 the axes, y >= 0 by symmetry, and the multiplier written as e2^2 (u - 1):
//   x_i = (e_i/e2)^2 y_i / (u + m_i),  m_i = (e_i^2 - e2^2)/e2^2;  u from math/ellipsoid_set.h.
#include "cairn/geometry/closest_ellipsoid.h"

#include "cairn/math/ellipsoid_set.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

constexpr double kNothing = 1e-200;  // of an axis: squares of anything smaller are lost

// The foot where the last y is > 0 (the general case).
template <int N>
Eigen::Matrix<double, N, 1> solve_foot(const Eigen::Matrix<double, N, 1>& e, const Eigen::Matrix<double, N, 1>& y) {
  const double last = e[N - 1], u = sets::find_ellipsoid_foot(N, e.data(), last, y.data()).u;
  Eigen::Matrix<double, N, 1> x;
  for (int i = 0; i < N; ++i) {
    const double ratio = e[i] / last, m = (e[i] - last) * (e[i] + last) / (last * last);
    x[i] = ratio * ratio * y[i] / (u + m);
  }
  return x;
}

// e0 >= e1, y >= 0.
Vec2 foot_on_ellipse(const Vec2& e, const Vec2& y) {
  if (y[1] > kNothing * e[1]) return solve_foot<2>(e, y);
  const double reach = (e[0] - e[1]) * (e[0] + e[1]);
  if (e[0] * y[0] < reach) {  // between the foci two feet are equally near; the upper one
    const double c = e[0] * y[0] / reach;
    return {e[0] * c, e[1] * std::sqrt(1 - c * c)};
  }
  return {e[0], 0};
}

// e0 >= e1 >= e2, y >= 0.
Vec3 foot_on_ellipsoid(const Vec3& e, const Vec3& y) {
  if (y[2] > kNothing * e[2]) return solve_foot<3>(e, y);
  const double reach0 = (e[0] - e[2]) * (e[0] + e[2]), reach1 = (e[1] - e[2]) * (e[1] + e[2]);
  if (e[0] * y[0] < reach0 && e[1] * y[1] < reach1) {  // inside the focal ellipse
    const double c0 = e[0] * y[0] / reach0, c1 = e[1] * y[1] / reach1, rest = 1 - c0 * c0 - c1 * c1;
    if (rest > 0) return {e[0] * c0, e[1] * c1, e[2] * std::sqrt(rest)};
  }
  const Vec2 x = foot_on_ellipse(e.head<2>(), y.head<2>());
  return {x[0], x[1], 0};
}

}  // namespace

Vec3 find_nearest_on_ellipsoid(const Vec3& semi_axes, const Vec3& x) {
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int a, int b) { return semi_axes[a] > semi_axes[b]; });
  Vec3 e, y;
  for (int i = 0; i < 3; ++i) {
    e[i] = semi_axes[order[i]];
    y[i] = std::abs(x[order[i]]);
  }
  const Vec3 foot = foot_on_ellipsoid(e, y);
  Vec3 result;
  for (int i = 0; i < 3; ++i) result[order[i]] = std::copysign(foot[i], x[order[i]]);
  return result;
}

}  // namespace cairn
