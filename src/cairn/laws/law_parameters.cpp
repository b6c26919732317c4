// SPDX-License-Identifier: Apache-2.0
// Names, units, ranges and help of the shared parameters.
#include "cairn/laws/law_parameters.h"

namespace cairn::law_parameters {

void impact(ContactLaw& law, ParameterVisitor& v) {
  v.real("restitution", law.restitution, "", unit_interval,
         "Newton's coefficient e: normal velocity after over before");
  v.real("tangential_restitution", law.tangential_restitution, "", {-1, 1},
         "the same for the tangential velocity of an impact, as far as friction suffices");
}

void cohesion(ContactLaw& law, ParameterVisitor& v) {
  v.real("cohesion", law.cohesion, "N", non_negative,
         "holds every contact point of the start together, until it breaks for ever");
  v.real("adhesion", law.adhesion, "N", non_negative, "holds every closed contact point together");
}

void compliance(ContactLaw& law, ParameterVisitor& v) {
  v.real("stiffness", law.stiffness, "N/m", non_negative, "of every contact point against pressing in; 0: rigid");
  v.real("damping", law.damping, "N s/m", non_negative, "of the same, beside a stiffness");
}

void coulomb(ContactLaw& law, ParameterVisitor& v) {
  v.real("friction", law.friction, "", non_negative, "Coulomb's coefficient mu");
  impact(law, v);
  v.real("kinetic_ratio", law.kinetic_ratio, "", unit_interval, "friction at speed over that at rest");
  v.real("slip_speed", law.slip_speed, "m/s", non_negative, "up to which friction is that of rest; then a jump");
  v.real("stribeck_speed", law.stribeck_speed, "m/s", non_negative, "speed of the fall of Stribeck's curve; 0: a jump");
  cohesion(law, v);
  compliance(law, v);
}

void rolling(ContactLaw& law, ParameterVisitor& v) {
  v.real("rolling_friction", law.rolling_friction, "m", non_negative, "largest rolling moment over normal force",
         Presence::Required);
}

void spinning(ContactLaw& law, ParameterVisitor& v) {
  v.real("spinning_friction", law.spinning_friction, "m", non_negative, "largest spinning moment over normal force",
         Presence::Required);
}

void friction(ConstraintLaw& law, ParameterVisitor& v) {
  v.real("friction", law.mu, "", non_negative, "Coulomb's coefficient mu", Presence::Required);
}

void rolling(ConstraintLaw& law, ParameterVisitor& v) {
  v.real("rolling_friction", law.mu_rolling, "m", non_negative, "largest rolling moment over r_N, mu_r",
         Presence::Required);
}

void spinning(ConstraintLaw& law, ParameterVisitor& v) {
  v.real("spinning_friction", law.mu_spinning, "m", non_negative, "largest spinning moment over r_N, mu_s",
         Presence::Required);
}

void limit(ConstraintLaw& law, ParameterVisitor& v) {
  v.real("limit", law.limit, "N s", non_negative, "largest friction impulse: force times step", Presence::Required);
}

}  // namespace cairn::law_parameters
