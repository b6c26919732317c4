// SPDX-License-Identifier: Apache-2.0
// Polynomial springs: values and slopes by hand, energy by the integral.
#include "cairn/laws/compliant_polynomial.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(PolynomialSpring, value_slope_and_energy_are_those_of_the_polynomial) {
  const PolynomialSpring law{{20, -3, 5}, 7, 2};
  for (const double x : {-1.5, 0.0, 0.3, 2.0}) {
    const CompliantForce f = compliant_force(law, x, 0.4);
    EXPECT_NEAR(f.force, -(7 + 20 * x - 3 * x * x + 5 * x * x * x) - 2 * 0.4, 1e-13 * 100);
    EXPECT_NEAR(f.per_gap, -(20 - 6 * x + 15 * x * x), 1e-13 * 100);
    EXPECT_EQ(f.per_speed, -2);
    EXPECT_NEAR(stored_energy(law, x), 7 * x + 10 * x * x - x * x * x + 1.25 * x * x * x * x, 1e-13 * 100);
  }
}

TEST(PolynomialSpring, without_coefficients_is_a_preload) {
  const PolynomialSpring law{{}, 7, 0};
  EXPECT_EQ(compliant_force(law, 3, 1).force, -7);
  EXPECT_EQ(compliant_force(law, 3, 1).per_gap, 0);
  EXPECT_EQ(stored_energy(law, 3), 21);
}

TEST(PolynomialSpring, a_coefficient_that_is_no_number_is_named) {
  try {
    check_polynomial_spring("strut", {{1, 2, std::nan("")}, 0, 0});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "strut: coefficient 3 is nan N/m^3; must be finite");
  }
  EXPECT_THROW(check_polynomial_spring("strut", {{1}, 0, -1}), Error);
}

}  // namespace
}  // namespace cairn
