// SPDX-License-Identifier: Apache-2.0
// A spring whose pull is a polynomial of its elongation: f = -p(x) - c v, p = p0 + k1 x + k2 x^2 + ...
//
// V = p0 x + k1 x^2/2 + k2 x^3/3 + ... Odd powers make it as stiff in push as in pull; with k1 > 0, k3 > 0 and the rest
// 0 it is Duffing's spring. Where p falls the spring snaps through: the sign of the coefficients is the user's choice.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/laws/compliant_law.h"

#include <vector>

namespace cairn {

struct PolynomialSpring {
  std::vector<double> coefficients = {};  ///< k1 [N/m], k2 [N/m^2], ...
  double preload = 0;                     ///< p0 [N] pulls when > 0, at x = 0
  double damping = 0;                     ///< c [N s/m]
  void describe(ParameterVisitor& v);
};

/// Throws Error naming `owner` unless the numbers are admissible.
void check_polynomial_spring(std::string_view owner, const PolynomialSpring& law);

CompliantForce compliant_force(const PolynomialSpring& law, double x, double v);
double stored_energy(const PolynomialSpring& law, double x);

}  // namespace cairn
