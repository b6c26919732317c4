// SPDX-License-Identifier: Apache-2.0
// Set-valued laws: projection on the friction cone and the natural map.
#include "cairn/laws/law.h"

#include "cairn/base/error.h"
#include "cairn/math/friction_cone.h"

#include <array>
#include <cmath>

namespace cairn {

void ContactLaw::describe(ParameterVisitor& v) {
  v.real("friction", friction, "", non_negative, "Coulomb's coefficient mu");
  v.real("restitution", restitution, "", unit_interval, "Newton's coefficient e: normal velocity after over before");
}

std::span<const LawInfo> law_kinds() {
  static constexpr std::array<LawInfo, 5> kinds{{
      {LawKind::Coulomb, "coulomb", "unilateral contact with Coulomb friction and Newton restitution (Moreau's form)",
       3, true, [](ContactLaw& law, ParameterVisitor& v) { law.describe(v); }},
      {LawKind::Frictionless, "frictionless", "unilateral contact without friction: coulomb with friction 0", 1, true,
       [](ContactLaw& law, ParameterVisitor& v) {
         law.friction = 0;
         v.real("restitution", law.restitution, "", unit_interval, "Newton's coefficient e");
       }},
      {LawKind::Bilateral, "bilateral", "equality of velocities: the law of joints", 3, false,
       [](ContactLaw&, ParameterVisitor&) {}},
      {LawKind::Rolling, "rolling", "coulomb with a limit mu_r r_N on the rolling moment; in problem files", 5, false,
       [](ContactLaw&, ParameterVisitor&) {}},
      {LawKind::Interval, "interval", "impulse between two bounds, velocity zero inside: relays, in problem files", 1,
       false, [](ContactLaw&, ParameterVisitor&) {}},
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
