// SPDX-License-Identifier: Apache-2.0
// Rotations as vectors: exponential map, logarithm and tangent map of SO(3) (Koziara, eqs. 3.1.17 and 3.1.24-28).
#include "cairn/math/rotation.h"

#include <array>

namespace cairn {

namespace {

// (-1)^k / (first + 2 k)!
constexpr std::array<double, 8> make_series(int first) {
  std::array<double, 8> c{};
  double factorial = 1;
  for (int i = 2; i <= first; ++i) factorial *= i;
  for (int k = 0; k < 8; ++k) {
    c[static_cast<std::size_t>(k)] = (k % 2 == 0 ? 1 : -1) / factorial;
    factorial *= (first + 2 * k + 1) * (first + 2 * k + 2);
  }
  return c;
}
constexpr std::array<double, 8> kSine = make_series(1), kCosine = make_series(2), kCubic = make_series(3);

}  // namespace

RotationCoefficients rotation_coefficients(double angle_squared) {
  const double x = angle_squared;
  if (x < 0.25) {
    // Power series. Eight terms: the first dropped one, x^8/17!, is below 1e-19.
    // Products only, because divisions are slow.
    const auto series = [x](const std::array<double, 8>& c) {
      return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * (c[5] + x * (c[6] + x * c[7]))))));
    };
    return {series(kSine), series(kCosine), series(kCubic)};
  }
  const double a = std::sqrt(x);
  const double sin_half = std::sin(0.5 * a);  // 1 - cos(a) = 2 sin^2(a/2) does not cancel
  const double sin_full = std::sin(a);
  return {sin_full / a, 2 * sin_half * sin_half / x, (a - sin_full) / (a * x)};
}

namespace {

// I + p hat(v) + q hat(v)^2, with hat(v)^2 = v v^T - |v|^2 I.
Mat3 skew_polynomial(const Vec3& v, double p, double q) {
  Mat3 m = (q * v) * v.transpose() + p * hat(v);
  m.diagonal().array() += 1 - q * v.squaredNorm();
  return m;
}

}  // namespace

Mat3 exp_rotation(const Vec3& psi) {
  const RotationCoefficients c = rotation_coefficients(psi.squaredNorm());
  return skew_polynomial(psi, c.sine, c.cosine);
}

Mat3 tangent_map(const Vec3& psi) {
  const RotationCoefficients c = rotation_coefficients(psi.squaredNorm());
  return skew_polynomial(psi, c.cosine, c.cubic);
}

Vec3 log_rotation(const Quat& q) {
  const double sign = q.w() < 0 ? -1 : 1;  // q and -q are the same rotation; take the one with angle <= pi
  const double w = sign * q.w();
  const Vec3 v = sign * q.vec();
  const double n2 = v.squaredNorm();
  if (n2 < 1e-32) return (2 / w) * v;  // exact to rounding, and safe from underflow of n2
  const double n = std::sqrt(n2);
  return (2 * std::atan2(n, w) / n) * v;
}

Vec3 log_rotation(const Mat3& rotation) {
  // Eigen's conversion pivots on the largest of trace and diagonal (Shepperd 1978), so nothing cancels at any angle.
  return log_rotation(Quat(rotation).normalized());
}

}  // namespace cairn
