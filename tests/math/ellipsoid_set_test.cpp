// SPDX-License-Identifier: Apache-2.0
// Feet on ellipses, ellipsoids and elliptic cones: points lifted from the surface along the normal must fall back to
// it, at all aspect ratios; Studer's quartic; how many Newton steps it takes.
#include "cairn/math/ellipsoid_set.h"

#include "cairn/math/elliptic_cone.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <random>

namespace cairn::sets {
namespace {

/// 10^x, x uniform.
double draw_size(std::mt19937& rng, double low, double high) {
  return std::pow(10, std::uniform_real_distribution<double>(low, high)(rng));
}

Vec3 draw_direction(std::mt19937& rng) {
  std::normal_distribution<double> normal;
  return Vec3(normal(rng), normal(rng), normal(rng)).normalized();
}

constexpr double rounding = 4e-15;

VecX project_on_ellipsoid(const VecX& axes, const VecX& x) {
  VecX shrink(x.size());
  shrink_to_ellipsoid(static_cast<int>(x.size()), axes.data(), x.data(), shrink.data());
  return shrink.cwiseProduct(x);
}

TEST(EllipsoidSet, a_point_lifted_along_the_normal_falls_back_whatever_the_axes) {
  std::mt19937 rng(1);
  for (int i = 0; i < 20000; ++i) {
    const double unit = draw_size(rng, -9, 9);
    const Vec3 e = unit * Vec3(draw_size(rng, -6, 0), draw_size(rng, -6, 0), 1);
    const Vec3 surface = draw_direction(rng).cwiseProduct(e);
    const Vec3 normal = surface.cwiseQuotient(e.cwiseProduct(e)).normalized();
    const Vec3 x = surface + unit * draw_size(rng, -8, 4) * normal;
    const Vec3 p = project_on_ellipsoid(e, x);
    // The projection does not lengthen errors of x, and that is all there is besides those of the foot.
    EXPECT_LT((p - surface).norm(), rounding * (unit + x.norm())) << "axes " << e.transpose() << " x " << x.transpose();
    const Vec2 q = project_on_ellipsoid(Vec2(e[0], e[2]), Vec2(x[0], x[2]));
    const Vec3 flat = project_on_ellipsoid(Vec3(e[0], 0, e[2]), x);
    EXPECT_LT((Vec3(q[0], 0, q[1]) - flat).norm(), rounding * (unit + x.norm()));
  }
}

TEST(EllipsoidSet, the_foot_solves_the_quartic_of_the_book) {
  // Studer 2009, appendix B: x1 = xi1/(1 + 2 alpha/c^2), x2 = xi2/(1 + 2 alpha/d^2), alpha a root of the quartic.
  const double c = 1.3, d = 0.4;
  for (int i = 0; i < 100; ++i) {
    const Vec2 xi(2 * std::cos(0.7 * i), 1.5 * std::sin(0.7 * i + 0.1));
    const Vec2 x = project_on_ellipsoid(Vec2(c, d), xi);
    if (x == xi || std::abs(x[0]) < 1e-3) continue;
    const double alpha = 0.5 * c * c * (xi[0] / x[0] - 1), c2 = c * c, d2 = d * d, p = xi[0] * xi[0], q = xi[1] * xi[1];
    const double a4 = 16, a3 = 16 * (c2 + d2), a2 = 4 * (c2 * c2 + 4 * c2 * d2 + d2 * d2 - c2 * p - d2 * q);
    const double a1 = 4 * (c2 * c2 * d2 + c2 * d2 * d2 - c2 * d2 * p - c2 * d2 * q);
    const double a0 = c2 * c2 * d2 * d2 - c2 * d2 * d2 * p - c2 * c2 * d2 * q;
    EXPECT_GT(alpha, 0);
    EXPECT_NEAR((((a4 * alpha + a3) * alpha + a2) * alpha + a1) * alpha + a0, 0, 1e-11);
  }
}

TEST(EllipsoidSet, newton_climbs_in_few_steps_whatever_the_axes_and_the_distance) {
  // The sum starts between 1 and 3. A summand of 1 that must vanish beside another makes u grow by a half or more at
  // each step until it is below what is left, which is above rounding: at most log(1/sqrt(eps))/log(1.5) = 45 steps.
  // Then digits double, six steps.
  std::mt19937 rng(2);
  int most = 0;
  for (int i = 0; i < 100000; ++i) {
    const Vec3 e(draw_size(rng, -8, 8), draw_size(rng, -8, 8), draw_size(rng, -8, 8));
    const Vec3 x = draw_size(rng, -8, 12) * draw_direction(rng).cwiseProduct(i % 2 ? e : Vec3(1, 1, 1));
    double shrink[3];
    most = std::max(most, shrink_to_ellipsoid(3, e.data(), x.data(), shrink));
    for (const double s : shrink) ASSERT_TRUE(s >= 0 && s <= 1);
  }
  EXPECT_LE(most, 51);
  RecordProperty("most_newton_steps", most);
}

TEST(EllipsoidSet, the_book_s_cheap_projection_of_an_axis_point_is_the_axis_end) {
  const Vec2 axes(2, 0.5);
  EXPECT_EQ(project_on_ellipsoid(axes, Vec2(5, 0)), Vec2(2, 0));
  EXPECT_LT((project_on_ellipsoid(axes, Vec2(0, -3)) - Vec2(0, -0.5)).norm(), 1e-16);
  EXPECT_EQ(project_on_ellipsoid(axes, Vec2(1, 0.25)), Vec2(1, 0.25));
}

TEST(EllipsoidSet, derivative_of_a_far_point_is_that_of_the_normal_map) {
  // Far out along the normal, moving x by t across turns the normal by t/distance and the foot by that times
  // 1/curvature: at the end of the axis a of an ellipse the radius of curvature is b^2/a.
  const double a = 2, b = 0.5, distance = 1e6;
  const double axes[2] = {a, b}, x[2] = {a + distance, 0};
  double shrink[2], D[4];
  shrink_to_ellipsoid(2, axes, x, shrink);
  shrink_derivative(2, axes, x, shrink, D);
  EXPECT_NEAR(D[0], 0, 1e-15);
  EXPECT_NEAR(D[3] * distance, b * b / a, 1e-6);
}

TEST(EllipticCone, a_point_lifted_along_the_normal_falls_back_whatever_the_coefficients) {
  std::mt19937 rng(3);
  int most = 0;
  for (int i = 0; i < 20000; ++i) {
    const EllipticCone cone{draw_size(rng, -4, 4), draw_size(rng, -4, 4)};
    const double at = 2 * std::numbers::pi * i / 20000.0, unit = draw_size(rng, -9, 9);
    const Vec3 surface = unit * Vec3(1, cone.mu1 * std::cos(at), cone.mu2 * std::sin(at));
    const Vec3 normal = Vec3(-1, std::cos(at) / cone.mu1, std::sin(at) / cone.mu2).normalized();
    const Vec3 x = surface + surface.norm() * draw_size(rng, -8, 3) * normal;
    const EllipticConeFoot foot = find_elliptic_cone_foot(cone, x);
    EXPECT_LT((foot.point - surface).norm(), rounding * (surface.norm() + x.norm()))
        << cone.mu1 << " " << cone.mu2 << " x " << x.transpose();
    most = std::max(most, foot.iterations);
  }
  EXPECT_LE(most, 20);
  RecordProperty("most_newton_steps", most);
}

TEST(EllipticCone, with_equal_coefficients_it_is_coulombs_cone) {
  std::mt19937 rng(4);
  for (const double mu : {1e-3, 0.4, 1.0, 50.0})
    for (int i = 0; i < 500; ++i) {
      const Vec3 x = draw_direction(rng);
      Vec3 p, q;
      Mat3 D, coulomb;
      project(EllipticCone{mu, mu}, x.data(), p.data());
      project_on_friction_cone(mu, x.data(), q.data());
      EXPECT_LT((p - q).norm(), 1e-15);
      project_derivative(EllipticCone{mu, mu}, x.data(), D.data());
      project_derivative(DiscCone{{{mu, 2}}, 1, 3}, x.data(), coulomb.data());
      EXPECT_LT((D - coulomb).norm(), 1e-12);
    }
}

}  // namespace
}  // namespace cairn::sets
