// SPDX-License-Identifier: Apache-2.0
// The scheme of order 8(5,3).
#include "cairn/math/dormand_prince.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

double oscillator_error(int steps) {
  DormandPrince scheme;
  const DormandPrince::Rate f = [](double, const VecX& y, VecX& rate) { rate = Eigen::Vector2d(y[1], -y[0]); };
  VecX y = Eigen::Vector2d(1, 0), next;
  const double h = 4.0 / steps;
  for (int i = 0; i < steps; ++i) {
    scheme.step(f, i * h, y, h, 1e-10, next);
    y = next;
  }
  return (y - Eigen::Vector2d(std::cos(4.0), -std::sin(4.0))).norm();
}

TEST(DormandPrince, has_order_eight) { EXPECT_NEAR(std::log2(oscillator_error(8) / oscillator_error(16)), 8, 0.4); }

TEST(DormandPrince, is_exact_on_polynomials_of_degree_seven_in_time) {
  DormandPrince scheme;
  const DormandPrince::Rate f = [](double t, const VecX&, VecX& rate) { rate = VecX::Constant(1, 8 * std::pow(t, 7)); };
  VecX y = VecX::Zero(1), next;
  scheme.step(f, 0, y, 1, 1e-10, next);
  EXPECT_NEAR(next[0], 1, 1e-13);
}

TEST(DormandPrince, error_estimate_is_above_the_error_and_tells_the_next_step) {
  DormandPrince scheme;
  const DormandPrince::Rate f = [](double, const VecX& y, VecX& rate) { rate = y; };
  const VecX y = VecX::Ones(1);
  VecX next;
  for (const double h : {1.0, 0.5}) {
    const double estimate = scheme.step(f, 0, y, h, 1e-8, next) * 1e-8 * (1 + std::exp(h));
    EXPECT_GE(estimate, std::abs(next[0] - std::exp(h))) << h;
  }
  EXPECT_GT(DormandPrince::growth(1e-6), 1);
  EXPECT_LT(DormandPrince::growth(100), 1);
}

}  // namespace
}  // namespace cairn
