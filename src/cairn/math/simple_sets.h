// SPDX-License-Identifier: Apache-2.0
// Sets whose projection is one line: everything, zero, the orthant, intervals and discs (Studer 2009, section 2.3.2).
//
// The four questions asked of every set C in this folder, x and y with rows(C) numbers (in the unit of the set's size):
//   project             prox_C(x) = argmin over C of |x - z|; a member comes back bit for bit; `out` may be `x`
//   project_derivative  one element of the generalised Jacobian of the projection, rows x rows: symmetric, 0 <= D <= I;
//                       at a kink that of one of its sides
//   support             max over C of z.y; infinite where there is no bound
//   rows                how many numbers
// Inline for loops that know their set; convex_sets.h has the same for a set known at run time, with checks.
#pragma once
#include "cairn/math/types.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::sets {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// R^n: the force of a joint.
struct Free {
  int size = 1;
};

/// The origin of R^n: a force that is not there.
struct Zero {
  int size = 1;
};

/// x >= 0 in every row: unilateral contact.
struct NonNegative {
  int size = 1;
};

/// [lower, upper]; bounds may be infinite.
struct Interval {
  double lower = -infinity, upper = infinity;
};

/// |x| <= radius: a segment (1 row), a disc (2), a ball (3 and more).
struct Disc {
  double radius = 0;
  int size = 2;
};

inline int rows(const Free& set) { return set.size; }
inline int rows(const Zero& set) { return set.size; }
inline int rows(const NonNegative& set) { return set.size; }
inline int rows(const Interval&) { return 1; }
inline int rows(const Disc& set) { return set.size; }

inline double length(const double* x, int n) {
  double square = 0;
  for (int i = 0; i < n; ++i) square += x[i] * x[i];
  return std::sqrt(square);
}

inline void project(const Free& set, const double* x, double* out) { std::copy(x, x + set.size, out); }

inline void project(const Zero& set, const double*, double* out) { std::fill(out, out + set.size, 0.0); }

inline void project(const NonNegative& set, const double* x, double* out) {
  for (int i = 0; i < set.size; ++i) out[i] = std::max(0.0, x[i]);
}

inline void project(const Interval& set, const double* x, double* out) {
  out[0] = std::clamp(x[0], set.lower, set.upper);
}

inline void project(const Disc& set, const double* x, double* out) {
  if (set.size == 1) {
    out[0] = std::clamp(x[0], -set.radius, set.radius);
    return;
  }
  const double size = length(x, set.size), scale = size > set.radius ? set.radius / size : 1;
  for (int i = 0; i < set.size; ++i) out[i] = scale * x[i];
}

inline void fill_diagonal(int n, double value, double* D) {
  std::fill(D, D + n * n, 0.0);
  for (int i = 0; i < n; ++i) D[i + n * i] = value;
}

inline void project_derivative(const Free& set, const double*, double* D) { fill_diagonal(set.size, 1, D); }

inline void project_derivative(const Zero& set, const double*, double* D) { fill_diagonal(set.size, 0, D); }

inline void project_derivative(const NonNegative& set, const double* x, double* D) {
  fill_diagonal(set.size, 0, D);
  for (int i = 0; i < set.size; ++i) D[i + set.size * i] = x[i] > 0 ? 1 : 0;
}

inline void project_derivative(const Interval& set, const double* x, double* D) {
  D[0] = x[0] > set.lower && x[0] < set.upper ? 1 : 0;
}

/// Derivative in the plane by its eigenvectors: sum over i of weight[i] direction_i direction_i'.
struct PlaneDerivative {
  Vec2 weight = Vec2::Ones();
  Mat2 direction = Mat2::Identity();  ///< columns
};

/// Turning along the circle is free, and shortened by radius / |x|; leaving it is not.
inline PlaneDerivative plane_derivative(const Disc& set, const double* x) {
  PlaneDerivative D;
  const double size = std::sqrt(x[0] * x[0] + x[1] * x[1]);
  if (size == 0) {
    D.weight.setConstant(set.radius > 0 ? 1 : 0);
  } else if (size > set.radius) {
    D.weight = {0, set.radius / size};
    D.direction << x[0], -x[1], x[1], x[0];
    D.direction /= size;
  }
  return D;
}

inline void project_derivative(const Disc& set, const double* x, double* D) {
  const int n = set.size;
  const double size = length(x, n);
  if (size <= set.radius) return fill_diagonal(n, set.radius > 0 ? 1 : 0, D);
  const double side = set.radius / size;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) D[i + n * j] = side * ((i == j ? 1 : 0) - (x[i] / size) * (x[j] / size));
}

inline double support(const Free& set, const double* y) {
  return std::any_of(y, y + set.size, [](double v) { return v != 0; }) ? infinity : 0;
}

inline double support(const Zero&, const double*) { return 0; }

inline double support(const NonNegative& set, const double* y) {
  return std::any_of(y, y + set.size, [](double v) { return v > 0; }) ? infinity : 0;
}

inline double support(const Interval& set, const double* y) {
  return y[0] == 0 ? 0 : y[0] > 0 ? set.upper * y[0] : set.lower * y[0];
}

inline double support(const Disc& set, const double* y) { return set.radius * length(y, set.size); }

}  // namespace cairn::sets
