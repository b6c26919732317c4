// SPDX-License-Identifier: Apache-2.0
// A spring given by a polynomial: value, slope and integral by Horner's rule.
#include "cairn/laws/compliant_polynomial.h"

#include <cmath>

namespace cairn {

void PolynomialSpring::describe(ParameterVisitor& v) {
  v.real("preload", preload, "N", any_number, "pull at no elongation");
  v.real("damping", damping, "N s/m", non_negative, "force per speed c");
}

void check_polynomial_spring(std::string_view owner, const PolynomialSpring& law) {
  check_parameters(owner, law);
  for (std::size_t i = 0; i < law.coefficients.size(); ++i) {
    if (!std::isfinite(law.coefficients[i]))
      throw Error("{}: coefficient {} is {} N/m^{}; must be finite", owner, i + 1, law.coefficients[i], i + 1);
  }
}

CompliantForce compliant_force(const PolynomialSpring& law, double x, double v) {
  double pull = 0, slope = 0;
  for (std::size_t i = law.coefficients.size(); i-- > 0;) {
    pull = x * (pull + law.coefficients[i]);
    slope = x * slope + static_cast<double>(i + 1) * law.coefficients[i];
  }
  return {-law.preload - pull - law.damping * v, -slope, -law.damping};
}

double stored_energy(const PolynomialSpring& law, double x) {
  double sum = 0;
  for (std::size_t i = law.coefficients.size(); i-- > 0;) {
    sum = x * (sum + law.coefficients[i] / static_cast<double>(i + 2));
  }
  return x * (law.preload + sum);
}

}  // namespace cairn
