// SPDX-License-Identifier: Apache-2.0
// Coefficients that depend on the sliding speed: values, slopes, and the errors of curves that are none.
#include "cairn/laws/friction_curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn {
namespace {

std::string message_of(const FrictionCurve& curve) {
  try {
    check_friction_curve("material 'ice'", curve);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FrictionCurve, a_number_is_a_constant_curve) {
  const FrictionCurve curve = 0.3;
  EXPECT_TRUE(is_constant(curve));
  for (const double w : {0.0, 1e-6, 3.0}) {
    EXPECT_EQ(friction_at(curve, w).coefficient, 0.3);
    EXPECT_EQ(friction_at(curve, w).slope, 0);
  }
}

TEST(FrictionCurve, static_friction_holds_up_to_the_slip_speed_and_kinetic_beyond) {
  const FrictionCurve curve = StaticKineticFriction{0.6, 0.4, 0.01};
  EXPECT_FALSE(is_constant(curve));
  EXPECT_EQ(friction_at(curve, 0).coefficient, 0.6);
  EXPECT_EQ(friction_at(curve, 0.01).coefficient, 0.6);
  EXPECT_EQ(friction_at(curve, 0.010001).coefficient, 0.4);
  EXPECT_EQ(friction_at(curve, -1e-17).coefficient, 0.6);  // rounding of a speed
  EXPECT_TRUE(is_constant(StaticKineticFriction{0.4, 0.4, 0}));
}

TEST(FrictionCurve, stribecks_curve_is_one_of_them) {
  StribeckCurve stribeck{0.5, 0.2, 0.1, 2};
  const FrictionCurve curve = stribeck;
  // mu_k + (mu_s - mu_k) exp(-(w/w_s)^2) at w = w_s, and its derivative -2/w_s of the falling part.
  const double fall = 0.3 * std::exp(-1.0);
  EXPECT_NEAR(friction_at(curve, 0.1).coefficient, 0.2 + fall, 1e-15);
  EXPECT_NEAR(friction_at(curve, 0.1).slope, -20 * fall, 1e-13);
}

TEST(FrictionCurve, a_function_gives_its_value_and_a_slope_by_differences) {
  const FrictionCurve curve = UserFriction([](double w) { return 0.3 + 0.1 * w * w; });
  EXPECT_FALSE(is_constant(curve));
  for (const double w : {0.05, 1.0, 20.0}) {
    EXPECT_EQ(friction_at(curve, w).coefficient, 0.3 + 0.1 * w * w);
    EXPECT_NEAR(friction_at(curve, w).slope, 0.2 * w, 1e-8 * (1 + w));
  }
  EXPECT_NEAR(friction_at(curve, 0).slope, 0, 1e-8);
}

TEST(FrictionCurve, what_is_no_coefficient_is_refused_with_name_value_and_what_would_be_right) {
  EXPECT_EQ(message_of(0.5), "");
  EXPECT_NE(message_of(-0.1).find("material 'ice': friction is -0.1"), std::string::npos) << message_of(-0.1);
  const std::string wrong_way = message_of(StaticKineticFriction{0.3, 0.4, 0.01});
  EXPECT_EQ(wrong_way, "material 'ice': kinetic_friction is 0.4; must be at most static_friction, 0.3");
  EXPECT_NE(message_of(StaticKineticFriction{0.3, 0.2, -1}).find("slip_speed is -1"), std::string::npos);
  EXPECT_NE(message_of(StribeckCurve{0.1, 0.2}).find("at most static_friction"), std::string::npos);
  EXPECT_NE(message_of(UserFriction{}).find("is empty"), std::string::npos);
  EXPECT_NE(message_of(UserFriction([](double) { return -1.0; })).find("gives -1"), std::string::npos);
  const FrictionCurve later = UserFriction([](double w) { return w < 2 ? 0.3 : std::nan(""); });
  EXPECT_EQ(message_of(later), "");
  EXPECT_THROW(friction_at(later, 3), Error);
}

}  // namespace
}  // namespace cairn
