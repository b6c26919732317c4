// SPDX-License-Identifier: Apache-2.0
// Nearest point of an ellipsoid by one scalar equation (Studer 2009, appendix B, with Newton in place of its quartic;
// Eberly 2013, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid").
//
// With x = the foot of y, e the semi-axes, e_l the least of them, and the multiplier t = e_l^2 (u - 1):
//   x_i = (e_i/e_l)^2 y_i / (u + m_i),  m_i = (e_i^2 - e_l^2)/e_l^2,  sum (x_i/e_i)^2 = 1,  u > 0.
// The sum is convex and falls in u, so Newton from the left climbs to the root without overshoot. At the start one
// summand is 1 and none is larger: the sum is at most n, and the climb takes a few steps whatever the numbers.
#include "cairn/math/ellipsoid_set.h"

#include <cassert>

namespace cairn::sets {
namespace {

constexpr int most_rows = 6;
constexpr double thin = 1e-100;  // of the largest semi-axis: keeps the squares of ratios finite
constexpr double far = 1e100;    // largest semi-axes away the foot no longer depends on the distance

}  // namespace

EllipsoidFoot find_ellipsoid_foot(int n, const double* e, double last, const double* y) {
  assert(n <= most_rows);
  double m[most_rows], w[most_rows];  // w_i = e_i y_i / e_l^2: the summand is (w_i/(u + m_i))^2
  EllipsoidFoot foot{0, 0};
  for (int i = 0; i < n; ++i) {
    m[i] = (e[i] - last) * (e[i] + last) / (last * last);
    w[i] = (e[i] / last) * (y[i] / last);
    foot.u = std::max(foot.u, w[i] - m[i]);
  }
  for (; foot.iterations < 200; ++foot.iterations) {
    double g = -1, slope = 0;
    for (int i = 0; i < n; ++i) {
      const double q = w[i] / (foot.u + m[i]);
      g += q * q;
      slope -= 2 * q * q / (foot.u + m[i]);
    }
    const double next = foot.u - g / slope;
    if (!(g > 0) || !(next > foot.u)) break;
    foot.u = next;
  }
  return foot;
}

int shrink_to_ellipsoid(int n, const double* e, const double* y, double* shrink) {
  assert(n <= most_rows);
  std::fill(shrink, shrink + n, 1.0);
  const double largest = *std::max_element(e, e + n);
  // Members first: they come back unchanged. What has no axis to live on goes to zero.
  double axes[most_rows], point[most_rows], square = 0, size = 0;
  int at[most_rows], count = 0;
  for (int i = 0; i < n; ++i) {
    if (e[i] > thin * largest) {
      axes[count] = e[i], point[count] = std::abs(y[i]), at[count++] = i;
      square += (y[i] / e[i]) * (y[i] / e[i]);
      size = std::max(size, std::abs(y[i]));
    } else {
      shrink[i] = 0;
    }
  }
  if (square <= 1) return 0;
  if (size > far * largest)
    for (int k = 0; k < count; ++k) point[k] *= far * largest / size;
  const double last = *std::min_element(axes, axes + count);
  const EllipsoidFoot foot = find_ellipsoid_foot(count, axes, last, point);
  for (int k = 0; k < count; ++k) {
    const double ratio = axes[k] / last, m = (axes[k] - last) * (axes[k] + last) / (last * last);
    shrink[at[k]] = std::min(1.0, ratio * ratio / (foot.u + m));
    if (size > far * largest) shrink[at[k]] *= far * largest / size;
  }
  return foot.iterations;
}

// With x = S y, S = diag(shrink), the equation of the surface moves t by dt = v.dy / (v'S^-1 v), v_i = x_i/(e_i^2 + t),
// so D = S - v v'/(v'S^-1 v) = S^1/2 (1 - w w') S^1/2 with the unit vector w along S^-1/2 v, which has e_i^-2 x_i
// S^1/2.
void shrink_derivative(int n, const double* e, const double* y, const double* shrink, double* D) {
  double w[most_rows], root[most_rows], largest = 0;
  bool cut = false;
  for (int i = 0; i < n; ++i) {
    // y_i/e_i^2 times shrink^3/2; e counts only as a direction, so its unit is taken out first.
    root[i] = std::sqrt(shrink[i]);
    cut |= shrink[i] < 1 && shrink[i] > 0;
    w[i] = shrink[i] > 0 ? (shrink[i] * y[i] / e[i]) * (root[i] / e[i]) : 0;
    largest = std::max(largest, std::abs(w[i]));
  }
  double square = 0;
  if (cut && largest > 0) {
    for (int i = 0; i < n; ++i) w[i] /= largest;
    square = length(w, n) * length(w, n);
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double along = square > 0 ? w[i] * w[j] / square : 0;
      D[i + n * j] = root[i] * root[j] * ((i == j ? 1 : 0) - along);
    }
}

}  // namespace cairn::sets
