// SPDX-License-Identifier: Apache-2.0
// Set-valued laws: projection on the friction cone and the natural map.
#include "cairn/laws/law.h"

#include "cairn/base/error.h"
#include "cairn/laws/constraint_law.h"
#include "cairn/math/friction_cone.h"

#include <array>
#include <cmath>

namespace cairn {

void ContactLaw::describe(ParameterVisitor& v) {
  v.real("friction", friction, "", non_negative, "Coulomb's coefficient mu");
  v.real("restitution", restitution, "", unit_interval, "Newton's coefficient e: normal velocity after over before");
}

namespace {

void no_parameters(ContactLaw&, ParameterVisitor&) {}
void no_numbers(ConstraintLaw&, ParameterVisitor&) {}

// The numbers of the sets, each described once.
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

}  // namespace

std::span<const LawInfo> law_kinds() {
  static constexpr std::array<LawInfo, 11> kinds{{
      {LawKind::Coulomb, "coulomb", "unilateral contact with Coulomb friction and Newton restitution (Moreau's form)",
       3, true, [](ContactLaw& law, ParameterVisitor& v) { law.describe(v); }, friction},
      {LawKind::Frictionless, "frictionless", "unilateral contact without friction: coulomb with friction 0", 1, true,
       [](ContactLaw& law, ParameterVisitor& v) {
         law.friction = 0;
         v.real("restitution", law.restitution, "", unit_interval, "Newton's coefficient e");
       },
       no_numbers},
      {LawKind::Bilateral, "bilateral", "equality of velocities: the law of joints", 3, false, no_parameters,
       no_numbers},
      {LawKind::Rolling, "rolling", "coulomb with a limit mu_r r_N on the rolling moment; in problem files", 5, false,
       no_parameters, [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), rolling(law, v); }},
      {LawKind::Interval, "interval", "impulse between two bounds, velocity zero inside: relays, in problem files", 1,
       false, no_parameters,
       [](ConstraintLaw& law, ParameterVisitor& v) {
         v.real("lower", law.lower, "N s", any_number, "least impulse; may be -infinity", Presence::Required);
         v.real("upper", law.upper, "N s", any_number, "largest impulse; may be infinity", Presence::Required);
       }},
      {LawKind::Orthotropic, "orthotropic", "coulomb with a coefficient per tangent: friction in an ellipse", 3, false,
       no_parameters,
       [](ConstraintLaw& law, ParameterVisitor& v) {
         v.real("friction", law.mu, "", non_negative, "coefficient along the first tangent, mu_1", Presence::Required);
         v.real("friction_2", law.mu_2, "", non_negative, "coefficient along the second tangent, mu_2",
                Presence::Required);
       }},
      {LawKind::Tresca, "tresca", "unilateral contact with a constant limit on friction", 3, false, no_parameters,
       limit},
      {LawKind::Disc, "disc", "dry friction with a constant limit in two directions, without a contact", 2, false,
       no_parameters, limit},
      {LawKind::Spinning, "spinning", "coulomb with a limit mu_s r_N on the spinning moment", 4, false, no_parameters,
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), spinning(law, v); }},
      {LawKind::RollingSpinning, "rolling-spinning", "coulomb with limits on the rolling and the spinning moment", 6,
       false, no_parameters,
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), rolling(law, v), spinning(law, v); }},
      {LawKind::Contensou, "contensou", "sliding and spinning friction that share one limit (Coulomb-Contensou)", 4,
       false, no_parameters, [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), spinning(law, v); }},
  }};
  return kinds;
}

int law_rows(LawKind kind) { return law_kinds()[static_cast<std::size_t>(kind)].rows; }

Vec3 project_on_cone(const Vec3& x, double mu) {
  Vec3 out;
  sets::project_on_friction_cone(mu, x.data(), out.data());
  return out;
}

Vec3 natural_map(LawKind kind, double mu, const Vec3& U, const Vec3& r, double scale) {
  if (kind == LawKind::Bilateral) return U;
  return scale * r - project_on_cone(scale * r - shift_velocity(U, mu), mu);
}

}  // namespace cairn
