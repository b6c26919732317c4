// SPDX-License-Identifier: Apache-2.0
// Contact by a linear spring and a damper side by side, cut where it would pull: f = max(0, k d - c v) while d > 0.
//
// Hewlett 2020, section 3.4 (spring-damper), without its sticking on separation. The force jumps to c |v| at the first
// touch. A free impact ends where the force falls to zero; Schwager and Poeschel, Granular Matter 9, 2007, give
//   e = exp(-2 b coth b),  cosh b = z > 1;   e = exp(-tan a (pi - 2 a)),  sin a = z <= 1,   z = c/(2 sqrt(k m)).
#pragma once
#include "cairn/base/parameters.h"
#include "cairn/laws/compliant_law.h"

namespace cairn {

struct KelvinVoigt {
  double stiffness = 1e6;  ///< k [N/m]
  double damping = 0;      ///< c [N s/m]
  void describe(ParameterVisitor& v);
};

CompliantForce compliant_force(const KelvinVoigt& law, double gap, double speed);
double stored_energy(const KelvinVoigt& law, double gap);

/// Restitution e of a free impact at damping ratio z >= 0: the same at every speed.
double kelvin_voigt_restitution(double damping_ratio);
/// c [N s/m] that gives exactly e in (0, 1] to a reduced mass [kg] in a free impact.
double kelvin_voigt_damping(double restitution, double stiffness, double mass);

}  // namespace cairn
