// SPDX-License-Identifier: Apache-2.0
// Hertz's contact of two elastic surfaces, round near the point of contact, without friction and loss.
//
//   f = 4/3 E* sqrt(R*) d^(3/2),  V = 8/15 E* sqrt(R*) d^(5/2),  d = max(0, -gap)
//   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b,  1/R* = 1/R_a + 1/R_b
// Johnson, Contact Mechanics, 1985, sections 4.2 and 11.4 (impact). Good while the contact radius sqrt(R* d) stays
// below about a tenth of R*, and the impact lasts long beside the time a wave needs through the bodies.
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/laws/compliant_law.h"

namespace cairn {

/// One of the two surfaces near the point of contact.
struct ElasticSurface {
  double youngs_modulus = 2e11;  ///< E [Pa]
  double poisson = 0.3;          ///< nu, in [0, 0.5]
  double curvature = 0;          ///< 1/R [1/m]; 0 plane, < 0 a cup around the other
  bool rigid = false;            ///< E and nu do not matter
  void describe(ParameterVisitor& v);
};

struct Hertz {
  double modulus = 1.1e11;  ///< E* [Pa]
  double radius = 0.01;     ///< R* [m]
  void describe(ParameterVisitor& v);
};

/// The law of a pair: sphere on plane, sphere on sphere, sphere in a cup. Throws Error when both are rigid or the cup
/// is not wider than the sphere.
Hertz make_hertz(const ElasticSurface& a, const ElasticSurface& b);

CompliantForce compliant_force(const Hertz& law, double gap, double speed);
double stored_energy(const Hertz& law, double gap);

/// k of f = k d^(3/2) [N/m^1.5].
double hertz_stiffness(const Hertz& law);
/// Radius of the circle of contact [m], and the pressure in its middle [Pa].
double contact_radius(const Hertz& law, double gap);
double peak_pressure(const Hertz& law, double gap);

/// One free impact of a reduced mass m [kg] at a speed [m/s], in closed form.
struct HertzImpact {
  double depth;     ///< deepest [m]
  double force;     ///< largest [N]
  double duration;  ///< from touching to leaving [s]
};
HertzImpact hertz_impact(const Hertz& law, double mass, double speed);

}  // namespace cairn
