// SPDX-License-Identifier: Apache-2.0
// Contact by spring and damper side by side that never pulls.
#include "cairn/laws/compliant_kelvin_voigt.h"

#include <cmath>
#include <numbers>

namespace cairn {

void KelvinVoigt::describe(ParameterVisitor& v) {
  v.real("stiffness", stiffness, "N/m", positive, "force per depth k");
  v.real("damping", damping, "N s/m", non_negative, "force per speed c");
}

CompliantForce compliant_force(const KelvinVoigt& law, double gap, double speed) {
  if (gap >= 0) return {};
  const double force = -law.stiffness * gap - law.damping * speed;
  if (force <= 0) return {};
  return {force, -law.stiffness, -law.damping};
}

double stored_energy(const KelvinVoigt& law, double gap) { return gap < 0 ? law.stiffness * gap * gap / 2 : 0; }

double kelvin_voigt_restitution(double damping_ratio) {
  const double z = damping_ratio;
  if (!(std::isfinite(z) && z >= 0)) throw Error("kelvin-voigt: damping ratio is {}; must be >= 0", z);
  if (z < 1) {
    // pi - 2 asin(z) = 2 acos(z), and tan(asin z) = z/sqrt(1 - z^2), written to meet the other branch at z = 1.
    const double b = std::acos(z);
    return std::exp(-2 * b * z / std::sin(b));
  }
  if (z == 1) return std::exp(-2.0);
  const double b = std::acosh(z);
  return std::exp(-2 * b / std::tanh(b));
}

double kelvin_voigt_damping(double restitution, double stiffness, double mass) {
  if (!(restitution > 0 && restitution <= 1)) {
    throw Error("kelvin-voigt: restitution is {}; must be in (0, 1]", restitution);
  }
  if (!(std::isfinite(mass) && mass > 0)) throw Error("kelvin-voigt: mass is {} kg; must be > 0", mass);
  check_parameters("kelvin-voigt", KelvinVoigt{.stiffness = stiffness});
  if (restitution == 1) return 0;
  // e falls with z: bracket, then halve until the two ends are neighbours.
  double low = 0, high = 1;
  while (kelvin_voigt_restitution(high) > restitution) high *= 2;
  for (;;) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (kelvin_voigt_restitution(middle) > restitution ? low : high) = middle;
  }
  return 2 * high * std::sqrt(stiffness * mass);
}

}  // namespace cairn
