// SPDX-License-Identifier: Apache-2.0
// Hertz's contact: force, energy, pressure and the free impact.
#include "cairn/laws/compliant_hertz.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn {

void ElasticSurface::describe(ParameterVisitor& v) {
  v.real("youngs_modulus", youngs_modulus, "Pa", positive, "E");
  v.real("poisson", poisson, "", Range{0, 0.5}, "Poisson's ratio nu");
  v.real("curvature", curvature, "1/m", any_number, "1/R; 0 for a plane, below 0 for a cup");
  v.boolean("rigid", rigid, "does not deform: E and nu do not matter");
}

void Hertz::describe(ParameterVisitor& v) {
  v.real("modulus", modulus, "Pa", positive, "E*, 1/E* = sum of (1 - nu^2)/E");
  v.real("radius", radius, "m", positive, "R*, 1/R* = sum of 1/R");
}

Hertz make_hertz(const ElasticSurface& a, const ElasticSurface& b) {
  check_parameters("elastic surface a", a);
  check_parameters("elastic surface b", b);
  if (a.rigid && b.rigid) throw Error("hertz: both surfaces are rigid; at least one must be elastic");
  const double curvature = a.curvature + b.curvature;
  if (!(curvature > 0)) {
    throw Error("hertz: curvatures {} and {} 1/m add to {} 1/m; their sum must be > 0", a.curvature, b.curvature,
                curvature);
  }
  const auto softness = [](const ElasticSurface& s) {
    return s.rigid ? 0 : (1 - s.poisson * s.poisson) / s.youngs_modulus;
  };
  return {1 / (softness(a) + softness(b)), 1 / curvature};
}

double hertz_stiffness(const Hertz& law) { return 4.0 / 3 * law.modulus * std::sqrt(law.radius); }

CompliantForce compliant_force(const Hertz& law, double gap, double /*speed*/) {
  if (gap >= 0) return {};
  const double slope = hertz_stiffness(law) * std::sqrt(-gap);  // of the secant
  return {-slope * gap, -1.5 * slope, 0};
}

double stored_energy(const Hertz& law, double gap) {
  const double depth = std::max(0.0, -gap);
  return 0.4 * hertz_stiffness(law) * depth * depth * std::sqrt(depth);
}

double contact_radius(const Hertz& law, double gap) { return std::sqrt(law.radius * std::max(0.0, -gap)); }

double peak_pressure(const Hertz& law, double gap) {
  // 3 f/(2 pi a^2) with a^2 = R* d
  return 2 * law.modulus * contact_radius(law, gap) / (std::numbers::pi * law.radius);
}

HertzImpact hertz_impact(const Hertz& law, double mass, double speed) {
  if (!(std::isfinite(mass) && mass > 0)) throw Error("hertz impact: mass is {} kg; must be > 0", mass);
  if (!(std::isfinite(speed) && speed > 0)) throw Error("hertz impact: speed is {} m/s; must be > 0", speed);
  // m v^2/2 = 2/5 k d^(5/2), and t = 2 d/v times the integral of (1 - s^(5/2))^(-1/2) over [0, 1], which is
  // sqrt(pi) Gamma(7/5)/Gamma(9/10).
  const double k = hertz_stiffness(law);
  const double depth = std::pow(1.25 * mass * speed * speed / k, 0.4);
  const double integral = std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  return {depth, k * depth * std::sqrt(depth), 2 * integral * depth / speed};
}

}  // namespace cairn
