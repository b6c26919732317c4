// SPDX-License-Identifier: Apache-2.0
// Hunt and Crossley's contact, and the damping that gives a restitution exactly.
#include "cairn/laws/compliant_hunt_crossley.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// L(x) = (x - ln(1 + x))/x^2 for x > -1: falls from infinity to 0, 1/2 at x = 0.
double log_remainder(double x) {
  if (std::abs(x) > 0.05) return (x - std::log1p(x)) / (x * x);
  double sum = 0;  // 1/2 - x/3 + x^2/4 - ...; what is left out is below 0.05^14/16
  for (int k = 15; k >= 2; --k) sum = 1.0 / k - x * sum;
  return sum;
}

/// Where a rising function changes sign in (low, high), to the last bit.
template <class Function>
double find_root(double low, double high, const Function& rising) {
  for (;;) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    (rising(middle) < 0 ? low : high) = middle;
  }
}

void check_speed(double speed) {
  if (!(std::isfinite(speed) && speed > 0)) throw Error("hunt-crossley: impact speed is {} m/s; must be > 0", speed);
}

}  // namespace

void HuntCrossley::describe(ParameterVisitor& v) {
  v.real("stiffness", stiffness, "N/m^n", positive, "k in k d^n");
  v.real("exponent", exponent, "", Range{1, std::numeric_limits<double>::infinity()}, "n; 1.5 for round bodies");
  v.real("damping", damping, "s/m", non_negative, "a in 1 - a v");
}

CompliantForce compliant_force(const HuntCrossley& law, double gap, double speed) {
  const double factor = 1 - law.damping * speed;
  if (gap >= 0 || factor <= 0) return {};
  const double slope = law.stiffness * std::pow(-gap, law.exponent - 1);  // of the secant, without damping
  return {-slope * gap * factor, -law.exponent * slope * factor, slope * gap * law.damping};
}

double stored_energy(const HuntCrossley& law, double gap) {
  return law.stiffness * std::pow(std::max(0.0, -gap), law.exponent + 1) / (law.exponent + 1);
}

// With y = e D the equation of the header, less its linear terms, is e^2 L(-y) = L(D): no cancellation near e = 1, and
// the left side rises where the right side falls.
double hunt_crossley_damping(double restitution, double impact_speed) {
  const double e = restitution;
  check_speed(impact_speed);
  if (!(e >= 1e-6 && e <= 1)) throw Error("hunt-crossley: restitution is {}; must be in [1e-6, 1]", e);
  if (e == 1) return 0;
  const double y = find_root(0, 1, [e](double x) { return e * e * log_remainder(-x) - log_remainder(x / e); });
  return y / e / impact_speed;
}

double hunt_crossley_restitution(double damping, double impact_speed) {
  check_speed(impact_speed);
  check_parameters("hunt-crossley", HuntCrossley{.damping = damping});
  const double D = damping * impact_speed;
  if (D == 0) return 1;
  const double right = log_remainder(D);
  const double y =
      find_root(0, std::min(1.0, D), [=](double x) { return x / D * (x / D) * log_remainder(-x) - right; });
  return y / D;
}

HuntCrossley make_hunt_crossley(const Hertz& hertz, double restitution, double impact_speed) {
  check_parameters("hertz", hertz);
  return {hertz_stiffness(hertz), 1.5, hunt_crossley_damping(restitution, impact_speed)};
}

}  // namespace cairn
