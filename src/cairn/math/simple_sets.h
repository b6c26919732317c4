// SPDX-License-Identifier: Apache-2.0
// Sets whose projection is one line: everything, the orthant, intervals and discs (Studer 2009, section 2.3.2).
//
// The two questions asked of every set C in this folder, x in the unit of the set's size:
//   project             prox_C(x) = argmin over C of |x - z|; a member comes back bit for bit; `out` may be `x`
//   project_derivative  one element of the generalised Jacobian of the projection, rows x rows: symmetric, 0 <= D <= I;
//                       at a kink that of one of its sides
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

inline double length(const double* x, int n) {
  double square = 0;
  for (int i = 0; i < n; ++i) square += x[i] * x[i];
  return std::sqrt(square);
}

inline void project(const Free& set, const double* x, double* out) { std::copy(x, x + set.size, out); }

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

}  // namespace cairn::sets
