// SPDX-License-Identifier: Apache-2.0
// Contact with damping that grows with depth: f = max(0, k d^n (1 - a v)) while d = -gap > 0; no jump at touching.
//
// Hunt and Crossley, J. Appl. Mech. 42, 1975; Hewlett 2020, section 3.4 with p = n, q = 1. A free impact at speed v0
// obeys m v dv = k d^n (1 - a v) dd, so depth drops out and D = a v0 and the restitution e are tied, whatever k, n, m:
//   ln((1 + D)/(1 - e D)) = (1 + e) D.
// The damping is matched with this equation, solved to round-off, not with D = 3/2 (1 - e), its limit at e = 1 (at
// e = 0.5 that gives a restitution of 0.663). The match holds at one speed: e falls as the speed grows.
#pragma once
#include "cairn/laws/compliant_hertz.h"

namespace cairn {

struct HuntCrossley {
  double stiffness = 1e9;  ///< k [N/m^n]
  double exponent = 1.5;   ///< n >= 1
  double damping = 0;      ///< a [s/m]
  void describe(ParameterVisitor& v);
};

CompliantForce compliant_force(const HuntCrossley& law, double gap, double speed);
double stored_energy(const HuntCrossley& law, double gap);

/// a [s/m] that gives exactly e, in [1e-6, 1], to a free impact at that speed [m/s]. Without loss at e = 1; e = 0 would
/// need infinite damping.
double hunt_crossley_damping(double restitution, double impact_speed);
/// e of a free impact at that speed.
double hunt_crossley_restitution(double damping, double impact_speed);

/// Hertz's stiffness with damping matched to e at that speed.
HuntCrossley make_hunt_crossley(const Hertz& hertz, double restitution, double impact_speed);

}  // namespace cairn
