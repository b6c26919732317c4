// SPDX-License-Identifier: Apache-2.0
// Springs with dampers that pull and push.
#include "cairn/laws/compliant_spring.h"

#include <cmath>

namespace cairn {

void LinearSpring::describe(ParameterVisitor& v) {
  v.real("stiffness", stiffness, "N/m", non_negative, "force per elongation k");
  v.real("damping", damping, "N s/m", non_negative, "force per speed c");
  v.real("preload", preload, "N", any_number, "pull at no elongation");
}

CompliantForce compliant_force(const LinearSpring& law, double x, double v) {
  return {-law.preload - law.stiffness * x - law.damping * v, -law.stiffness, -law.damping};
}

double stored_energy(const LinearSpring& law, double x) { return (law.stiffness * x / 2 + law.preload) * x; }

void PowerSpring::describe(ParameterVisitor& v) {
  v.real("stiffness", stiffness, "N/m^n", non_negative, "k in k |x|^n");
  v.real("exponent", exponent, "", Range{1, std::numeric_limits<double>::infinity()}, "n; 1 linear, 1.5 as Hertz");
  v.real("damping", damping, "N s/m", non_negative, "force per speed c");
}

CompliantForce compliant_force(const PowerSpring& law, double x, double v) {
  const double slope = law.stiffness * std::pow(std::abs(x), law.exponent - 1);  // of the secant
  return {-slope * x - law.damping * v, -law.exponent * slope, -law.damping};
}

double stored_energy(const PowerSpring& law, double x) {
  return law.stiffness * std::pow(std::abs(x), law.exponent + 1) / (law.exponent + 1);
}

}  // namespace cairn
