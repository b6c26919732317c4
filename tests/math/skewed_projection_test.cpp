// SPDX-License-Identifier: Apache-2.0
// Projections in a metric, over all kinds of sets: the inequality that defines them, the change of variables, and the
// numbers of the bar on two bearings.
#include "cairn/math/skewed_projection.h"

#include "cairn/base/error.h"
#include "math/set_cases.h"

#include <gtest/gtest.h>

namespace cairn::sets {
namespace {

class EveryMetric : public testing::TestWithParam<SetCase> {
 protected:
  const ConvexSet& set() const { return GetParam().set; }
  int n() const { return rows(set()); }
  /// Turned at random, eigenvalues from 1/spread to spread.
  MatX draw_metric(double spread) {
    const MatX Q = MatX::NullaryExpr(n(), n(), [&] { return draw_normal(rng); }).householderQr().householderQ();
    const VecX values = VecX::NullaryExpr(n(), [&] { return std::pow(spread, 2 * draw_unit(rng) - 1); });
    const MatX R = Q * values.asDiagonal() * Q.transpose();
    return 0.5 * (R + R.transpose());
  }
  std::mt19937 rng{11};
};

TEST_P(EveryMetric, projection_is_a_member_and_no_member_is_on_the_other_side_of_it) {
  for (int i = 0; i < 80; ++i) {
    const MatX R = draw_metric(i % 2 ? 3 : 100);
    const VecX x = 2 * draw_vector(rng, n()), p = project_in_metric(set(), R, x), out = R * (x - p);
    ASSERT_TRUE(p.allFinite());
    const double size = 1 + x.norm();
    EXPECT_LE(excess(set(), p), 1e-11 * size);
    for (int k = 0; k < 60; ++k) {
      const VecX z = draw_member(set(), rng);
      EXPECT_LE(out.dot(z - p), 1e-11 * R.norm() * size * (size + z.norm()));
    }
    // Non-expansive in the metric (Studer 2009, 2.3).
    const VecX y = x + draw_vector(rng, n()), d = p - project_in_metric(set(), R, y);
    EXPECT_LE(d.dot(R * d), (x - y).dot(R * (x - y)) * (1 + 1e-9));
  }
}

TEST_P(EveryMetric, a_multiple_of_the_identity_is_no_metric_at_all) {
  for (int i = 0; i < 30; ++i) {
    const VecX x = 2 * draw_vector(rng, n());
    const MatX R = std::pow(10, i % 7 - 3) * MatX::Identity(n(), n());
    EXPECT_LT((project_in_metric(set(), R, x) - project(set(), x)).norm(), 1e-12 * (1 + x.norm()));
  }
}

TEST_P(EveryMetric, it_is_the_euclidean_projection_on_a_transformed_set) {
  // prox_C^A'A (x) = A^-1 P_AC (A x), equation (2.21) of the book.
  for (int i = 0; i < 20; ++i) {
    const MatX A = MatX::NullaryExpr(n(), n(), [&] { return draw_normal(rng); }) + 2 * MatX::Identity(n(), n());
    if (A.jacobiSvd().singularValues().minCoeff() < 0.1) continue;
    const VecX x = 2 * draw_vector(rng, n()), image = project(make_transformed(A, {}, set()), VecX(A * x));
    EXPECT_LT((project_in_metric(set(), A.transpose() * A, x) - A.inverse() * image).norm(), 1e-10 * (1 + x.norm()));
  }
}

TEST_P(EveryMetric, derivative_is_symmetric_in_the_metric_and_agrees_with_differences) {
  int compared = 0, kinks = 0;
  for (int i = 0; i < 40; ++i) {
    const MatX R = draw_metric(3);
    const VecX x = 2 * draw_vector(rng, n());
    const MatX D = project_in_metric_derivative(set(), R, x), RD = R * D;
    EXPECT_LT((RD - RD.transpose()).norm(), 1e-9);
    for (int k = 0; k < n(); ++k) {
      const VecX step = 1e-6 * VecX::Unit(n(), k), plus = x + step, minus = x - step;
      const VecX slope = (project_in_metric(set(), R, plus) - project_in_metric(set(), R, minus)) / 2e-6;
      const double change = (project_in_metric_derivative(set(), R, plus) - D).norm() +
                            (project_in_metric_derivative(set(), R, minus) - D).norm();
      kinks += change > 1e-2;
      if (change > 1e-2) continue;
      EXPECT_LT((slope - D.col(k)).norm(), 1e-6 + change);
      ++compared;
    }
  }
  EXPECT_GT(compared, 10 * kinks);
}

INSTANTIATE_TEST_SUITE_P(Sets, EveryMetric, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

TEST(SkewedProjection, bar_on_two_bearings_is_solved_by_one_projection_with_R_equal_to_G) {
  // Studer 2009, section 4.2.7.1: lambda = prox_C^G(-G^-1 c), C the quadrant; four loads (F_y, F_phi).
  const double a = 0.5, b = 0.1, m = 1, theta = 1.0 / 12;
  Mat2 G;
  G << theta + m * a * a, theta + m * a * b, theta + m * a * b, theta + m * b * b;
  G /= m * theta;
  const double loads[4][4] = {
      {-0.6, 0.2, 0, 0.9 / 2.8}, {-1.2, -1, 1.8, 0}, {0.6, 0, 0, 0}, {-1.2, -0.15, 0.075, 1.125}};
  for (const auto& [Fy, Fphi, first, second] : loads) {
    const Vec2 c = Vec2(theta * Fy + m * a * Fphi, theta * Fy + m * b * Fphi) / (m * theta);
    const VecX lambda = project_in_metric(NonNegative{2}, G, -G.inverse() * c);
    EXPECT_NEAR(lambda[0], first, 1e-12);
    EXPECT_NEAR(lambda[1], second, 1e-12);
  }
}

TEST(SkewedProjection, in_the_metric_that_makes_an_ellipse_round_it_is_that_of_the_circle) {
  // The cheap alternative of the book: A = diag(1, c/d), x = A^-1 P_circle(A xi).
  const double c = 1.5, d = 0.25;
  const Mat2 A = Vec2(1, c / d).asDiagonal();
  for (int i = 0; i < 50; ++i) {
    const Vec2 xi(2 * std::cos(1.3 * i), std::sin(1.3 * i));
    const VecX expected = A.inverse() * project(Disc{c, 2}, VecX(A * xi));
    EXPECT_LT((project_in_metric(Ellipse{c, d}, A.transpose() * A, xi) - expected).norm(), 1e-14);
  }
}

TEST(SkewedProjection, disc_of_friction_with_R_equal_to_the_block_of_a_contact_obeys_the_equation_of_the_book) {
  // Section 4.2.6: x0 = (G + mu0)^-1 G xi0, |x0| = 1, mu0 > 0.
  Mat2 G;
  G << 3, 1.2, 1.2, 0.8;
  const Vec2 xi(1.4, -2);
  const VecX x = project_in_metric(Disc{1, 2}, G, xi);
  EXPECT_NEAR(x.norm(), 1, 1e-15);
  const Vec2 pull = G * (xi - x);  // = mu0 x
  EXPECT_NEAR(pull[0] * x[1] - pull[1] * x[0], 0, 1e-14);
  EXPECT_GT(pull.dot(x), 0);
}

TEST(SkewedProjection, wrong_metrics_are_named) {
  EXPECT_THROW(project_in_metric(Disc{1, 2}, MatX(Mat3::Identity()), Vec2(1, 1)), Error);
  EXPECT_THROW(project_in_metric(Disc{1, 2}, MatX(-Mat2::Identity()), Vec2(1, 1)), Error);
  Mat2 R;
  R << 1, 0.5, 0, 1;
  EXPECT_THROW(project_in_metric(Disc{1, 2}, R, Vec2(1, 1)), Error);
  R << 1, std::nan(""), std::nan(""), 1;
  EXPECT_THROW(project_in_metric(Disc{1, 2}, R, Vec2(1, 1)), Error);
  EXPECT_THROW(project_on_image(Disc{1, 2}, MatX(Mat2::Identity()), Vec3(1, 1, 1)), Error);
}

}  // namespace
}  // namespace cairn::sets
