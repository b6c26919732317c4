// SPDX-License-Identifier: Apache-2.0
// Rotations as vectors: exponential map, logarithm and tangent map of SO(3).
// Source: Koziara, "Aspects of computational contact dynamics", eqs. 3.1.17 (Rodrigues) and 3.1.24-28 (tangent map);
// logarithm through the unit quaternion (Shepperd's choice of pivot), which stays accurate up to the angle pi.
//
// A rotation vector psi has the axis as direction and the angle |psi| in radians as length.
#pragma once
#include <cmath>

#include "cairn/math/types.h"

namespace cairn {

/// The scalar functions of the angle a = |psi| in exp and T, given a^2; by power series for a < 1/2, so none cancels.
struct RotationCoefficients {
  double sine;    ///< sin(a)/a
  double cosine;  ///< (1 - cos(a))/a^2
  double cubic;   ///< (a - sin(a))/a^3
};
RotationCoefficients rotation_coefficients(double angle_squared);

/// exp[psi] as a matrix (Rodrigues, 3.1.17). Accurate to rounding for every |psi| < 2 pi.
Mat3 exp_rotation(const Vec3& psi);

/// T(psi) (3.1.25): a change of psi turns exp[psi] by the spatial angle T d(psi), by the body angle T^T d(psi).
/// T and exp[psi] commute, exp[psi] T^T = T, T psi = T^T psi = psi; singular at |psi| = 2 pi n, n > 0.
Mat3 tangent_map(const Vec3& psi);

/// The rotation vector with |psi| <= pi of a unit quaternion (its sign is immaterial).
Vec3 log_rotation(const Quat& q);

/// The rotation vector with |psi| <= pi of a rotation matrix; robust near pi, where the axis is defined up to its sign.
Vec3 log_rotation(const Mat3& rotation);

/// exp[psi] as a unit quaternion. Inline, and free of sin, cos and sqrt below half a radian: a step of a simulation
/// turns a body by much less, and this runs twice per body and step.
inline Quat exp_quaternion(const Vec3& psi) {
  const double x = 0.25 * psi.squaredNorm();  // square of the half angle b
  double c, s;                                // cos(b) and sin(b)/(2 b)
  if (x < 0.0625) {
    // b < 1/4: the first dropped terms, b^14/14! and b^12/(2*13!), are below 1e-17. Products only: divisions are slow.
    c = 1 + x * (-1.0 / 2 +
                 x * (1.0 / 24 + x * (-1.0 / 720 + x * (1.0 / 40320 + x * (-1.0 / 3628800 + x * (1.0 / 479001600))))));
    s = 0.5 + x * (-1.0 / 12 + x * (1.0 / 240 + x * (-1.0 / 10080 + x * (1.0 / 725760 - x * (1.0 / 79833600)))));
  } else {
    const double b = std::sqrt(x);
    c = std::cos(b);
    s = std::sin(b) / (2 * b);
  }
  return Quat(c, s * psi.x(), s * psi.y(), s * psi.z());
}

}  // namespace cairn
