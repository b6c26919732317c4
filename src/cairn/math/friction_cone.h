// SPDX-License-Identifier: Apache-2.0
// Coulomb's cone K_mu = { |t| <= mu n } and those with more discs on the same n (rolling, spinning): projection and
// derivative.
//
// Rows are (n, t...), (n, t1, t2, m1, m2) or with a spinning moment s last. With n given the best t, m and s are cut to
// mu n, mu_r n and mu_s n, so the projection minimises the convex (n - x_n)^2 + max(0, |x_t| - mu n)^2 + max(0, |x_m| -
// mu_r n)^2 + ... over n >= 0. Polar cone: n + mu |t| + mu_r |m| + ... <= 0. With mu = 0 the cone is a ray, and its
// polar a half-space.
#pragma once
#include "cairn/math/simple_sets.h"

namespace cairn::sets {

/// K_mu: 2 rows in the plane, 3 in space.
struct FrictionCone {
  double mu = 0;
  int tangents = 2;
};

/// |t| <= mu n and |m| <= mu_rolling n, five rows; mu_rolling is a length.
struct RollingCone {
  double mu = 0, mu_rolling = 0;
};

inline int rows(const FrictionCone& set) { return 1 + set.tangents; }
inline int rows(const RollingCone&) { return 5; }

/// K_mu in three rows: what solvers spend their time on; `out` may be `x`.
inline void project_on_friction_cone(double mu, const double* x, double* out) {
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  double normal = x[0], scale = 1;
  if (mu * t <= -x[0]) {  // first: with mu = 0 the negative axis belongs here
    normal = scale = 0;
  } else if (t > mu * x[0]) {
    normal = (x[0] + mu * t) / (1 + mu * mu);
    scale = mu * normal / t;
  }
  out[0] = normal, out[1] = scale * x[1], out[2] = scale * x[2];
}

/// Derivative in three rows. Outside, P = (x_n + mu t)/(1 + mu^2) (1, mu e), e = x_t/t.
inline Mat3 friction_cone_derivative(double mu, const double* x) {
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (mu * t <= -x[0]) return Mat3::Zero();
  if (t <= mu * x[0]) return Mat3::Identity();
  const double a = 1 / (1 + mu * mu), n = (x[0] + mu * t) * a;
  const double e1 = x[1] / t, e2 = x[2] / t, side = mu * n / t;
  const double along = mu * mu * a;
  Mat3 J;
  J(0, 0) = a;
  J(0, 1) = J(1, 0) = mu * a * e1;
  J(0, 2) = J(2, 0) = mu * a * e2;
  J(1, 1) = along * e1 * e1 + side * e2 * e2;
  J(2, 2) = along * e2 * e2 + side * e1 * e1;
  J(1, 2) = J(2, 1) = (along - side) * e1 * e2;
  return J;
}

/// Any cone over discs: the rows after the first in up to three parts, each |part| <= mu n (Coulomb one, rolling two,
/// spinning with both three). What is left of `rows` is projected to zero.
struct DiscCone {
  struct Part {
    double mu = 0;
    int rows = 0;
  };
  static constexpr int most_parts = 3;
  Part parts[most_parts] = {};
  int count = 0, rows = 1;
};
void project(const DiscCone& cone, const double* x, double* out);
/// `root`: the symmetric square root in place of D; also between 0 and I, and 0 or the identity where D is.
void project_derivative(const DiscCone& cone, const double* x, double* D, bool root = false);

void project(const FrictionCone& set, const double* x, double* out);
void project(const RollingCone& set, const double* x, double* out);
void project_derivative(const FrictionCone& set, const double* x, double* D);
void project_derivative(const RollingCone& set, const double* x, double* D);
double support(const FrictionCone& set, const double* y);
double support(const RollingCone& set, const double* y);

/// Support of a cone { t in n S } from y_n and the support of its section S at y_t: 0 on the polar cone, where
/// y_n + section <= 0 but for rounding, infinite off it.
inline double cone_support(double normal, double section) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return normal + section <= rounding * section ? 0 : infinity;
}

}  // namespace cairn::sets
