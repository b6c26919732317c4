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

}  // namespace cairn::sets
