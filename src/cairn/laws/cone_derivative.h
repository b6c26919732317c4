// SPDX-License-Identifier: Apache-2.0
// Derivative of the projection on K_mu, for Newton methods: one element of its generalised Jacobian, symmetric, 0 <= J
// <= I.
#pragma once
#include "cairn/laws/law.h"

namespace cairn {

inline Mat3 cone_projection_derivative(const Vec3& x, double mu) {
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (mu * t <= -x[0]) return Mat3::Zero();
  if (t <= mu * x[0]) return Mat3::Identity();
  // P = (n + mu t)/(1 + mu^2) (1, mu e), e = x_T/t.
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

}  // namespace cairn
