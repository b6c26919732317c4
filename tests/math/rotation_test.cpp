// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm and tangent map of rotations against their defining properties (Koziara, section 3.1).
#include "cairn/math/rotation.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <vector>

namespace cairn {
namespace {

using std::numbers::pi;

// Angles from tiny to just below two pi, with both sides of the switch from series to closed form (1/2).
const std::vector<double> kAngles = {0,         1e-300, 1e-160, 1e-20, 1e-9, 1e-5, 1e-3, 0.1, 0.4999999, 0.5,
                                     0.5000001, 1.0,    2.0,    3.0,   pi,   3.5,  5.0,  6.0, 6.28};

std::vector<Vec3> make_axes() {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::vector<Vec3> axes = {Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitZ(), Vec3(1, 1, 0).normalized()};
  for (int i = 0; i < 8; ++i) {
    axes.push_back(Vec3(normal(generator), normal(generator), normal(generator)).normalized());
  }
  return axes;
}

TEST(Rotation, exponential_is_orthogonal_with_determinant_one_at_every_angle) {
  for (const Vec3& axis : make_axes()) {
    for (double angle : kAngles) {
      const Mat3 R = exp_rotation(angle * axis);
      EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 3e-15) << angle;
      EXPECT_NEAR(R.determinant(), 1, 3e-15) << angle;
    }
  }
}

TEST(Rotation, exponential_turns_about_its_axis_by_its_length) {
  // Exact image of a vector p orthogonal to the axis: cos(a) p + sin(a) axis x p.
  for (const Vec3& axis : make_axes()) {
    const Vec3 p = axis.unitOrthogonal();
    for (double angle : kAngles) {
      const Vec3 expected = std::cos(angle) * p + std::sin(angle) * axis.cross(p);
      EXPECT_LT((exp_rotation(angle * axis) * p - expected).norm(), 3e-15) << angle;
      EXPECT_LT((exp_rotation(angle * axis) * axis - axis).norm(), 3e-15) << angle;
    }
  }
}

TEST(Rotation, quaternion_and_matrix_exponential_are_the_same_rotation) {
  for (const Vec3& axis : make_axes()) {
    for (double angle : kAngles) {
      const Quat q = exp_quaternion(angle * axis);
      EXPECT_NEAR(q.norm(), 1, 4e-16) << angle;
      EXPECT_NEAR(q.w(), std::cos(0.5 * angle), 3e-16) << angle;
      EXPECT_LT((q.toRotationMatrix() - exp_rotation(angle * axis)).norm(), 4e-15) << angle;
    }
  }
}

TEST(Rotation, coefficients_by_series_and_closed_form_agree_at_the_switch) {
  // From one double to the next these functions change by less than a rounding.
  const RotationCoefficients below = rotation_coefficients(std::nextafter(0.25, 0));
  const RotationCoefficients above = rotation_coefficients(0.25);
  EXPECT_NEAR(below.sine, above.sine, 3e-16);
  EXPECT_NEAR(below.cosine, above.cosine, 2e-16);
  EXPECT_NEAR(below.cubic, above.cubic, 1e-15);  // the closed form cancels here: a - sin(a) = a^3/6 - ...
  const Quat q_below = exp_quaternion(Vec3(std::nextafter(0.5, 0), 0, 0));
  const Quat q_above = exp_quaternion(Vec3(0.5, 0, 0));
  EXPECT_LT((q_below.coeffs() - q_above.coeffs()).norm(), 3e-16);
  EXPECT_NEAR(q_above.x(), std::sin(0.25), 1e-16);
}

TEST(Rotation, coefficients_of_a_zero_angle_are_their_limits) {
  const RotationCoefficients c = rotation_coefficients(0);
  EXPECT_EQ(c.sine, 1.0);
  EXPECT_EQ(c.cosine, 0.5);
  EXPECT_EQ(c.cubic, 1.0 / 6.0);
}

TEST(Rotation, logarithm_inverts_the_exponential_up_to_pi) {
  for (const Vec3& axis : make_axes()) {
    for (double angle : kAngles) {
      if (angle >= pi) continue;
      const Vec3 psi = angle * axis;
      EXPECT_LT((log_rotation(exp_quaternion(psi)) - psi).norm(), 1e-15 * angle + 1e-300) << angle;
      EXPECT_LT((log_rotation(exp_rotation(psi)) - psi).norm(), 1e-14 * std::max(angle, 1e-2)) << angle;
    }
  }
}

TEST(Rotation, exponential_inverts_the_logarithm_near_and_beyond_pi) {
  for (const Vec3& axis : make_axes()) {
    for (double angle : {pi - 1e-3, pi - 1e-8, pi - 1e-12, pi, pi + 1e-12, pi + 1e-8, 4.0, 6.0}) {
      const Mat3 R = exp_rotation(angle * axis);
      const Vec3 psi = log_rotation(R);
      EXPECT_LE(psi.norm(), pi + 1e-15);
      EXPECT_LT((exp_rotation(psi) - R).norm(), 1e-14) << angle;
      EXPECT_LT((exp_rotation(log_rotation(exp_quaternion(angle * axis))) - R).norm(), 1e-14) << angle;
    }
  }
}

TEST(Rotation, logarithm_does_not_depend_on_the_sign_of_the_quaternion) {
  const Quat q = exp_quaternion(Vec3(0.3, -1.2, 0.7));
  EXPECT_EQ(log_rotation(q), log_rotation(Quat(-q.w(), -q.x(), -q.y(), -q.z())));
}

TEST(Rotation, tangent_map_is_the_derivative_of_the_exponential) {
  // d(exp[psi]) = hat(T d(psi)) exp[psi] = exp[psi] hat(T^T d(psi)), by central differences (3.1.24-25).
  const double d = 1e-5;
  for (const Vec3& axis : make_axes()) {
    for (double angle : {1e-3, 0.3, 0.5, 0.7, 2.0, 3.1, 5.0}) {
      const Vec3 psi = angle * axis;
      const Mat3 T = tangent_map(psi);
      const Mat3 R = exp_rotation(psi);
      for (int k = 0; k < 3; ++k) {
        const Mat3 dR = (exp_rotation(psi + d * Vec3::Unit(k)) - exp_rotation(psi - d * Vec3::Unit(k))) / (2 * d);
        EXPECT_LT((dR - hat(T.col(k)) * R).norm(), 1e-9) << angle;
        EXPECT_LT((dR - R * hat(T.transpose().col(k))).norm(), 1e-9) << angle;
      }
    }
  }
}

TEST(Rotation, tangent_map_keeps_its_vector_and_commutes_with_the_exponential) {
  for (const Vec3& axis : make_axes()) {
    for (double angle : kAngles) {
      const Vec3 psi = angle * axis;
      const Mat3 T = tangent_map(psi);
      const Mat3 R = exp_rotation(psi);
      EXPECT_LT((T.transpose() * psi - psi).norm(), 1e-14) << angle;
      EXPECT_LT((T * psi - psi).norm(), 1e-14) << angle;
      EXPECT_LT((T * R - R * T).norm(), 1e-14) << angle;
      EXPECT_LT((R.transpose() * T - T.transpose()).norm(), 1e-14) << angle;
    }
  }
}

}  // namespace
}  // namespace cairn
