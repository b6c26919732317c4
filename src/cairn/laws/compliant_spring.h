// SPDX-License-Identifier: Apache-2.0
// Springs with dampers that pull and push: linear, and a power law.
//
//   linear   f = -(k x + c v) - preload        V = k x^2/2 + preload x
//   power    f = -k sign(x) |x|^n - c v        V = k |x|^(n+1)/(n+1)
// x is the elongation from the free state. Hewlett 2020, section 3.2: a penalty is the linear one, k = 1/compliance.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/laws/compliant_law.h"

namespace cairn {

struct LinearSpring {
  double stiffness = 1000;  ///< k [N/m]
  double damping = 0;       ///< c [N s/m]
  double preload = 0;       ///< [N] pulls when > 0, at x = 0
  void describe(ParameterVisitor& v);
};

CompliantForce compliant_force(const LinearSpring& law, double x, double v);
double stored_energy(const LinearSpring& law, double x);

struct PowerSpring {
  double stiffness = 1000;  ///< k [N/m^n]
  double exponent = 1.5;    ///< n >= 1; below 1 the tangent at x = 0 is infinite
  double damping = 0;       ///< c [N s/m]
  void describe(ParameterVisitor& v);
};

CompliantForce compliant_force(const PowerSpring& law, double x, double v);
double stored_energy(const PowerSpring& law, double x);

}  // namespace cairn
