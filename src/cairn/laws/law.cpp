// SPDX-License-Identifier: Apache-2.0
// Set-valued laws: projection on the friction cone and the natural map.
#include "cairn/laws/law.h"

#include "cairn/base/error.h"
#include "cairn/laws/constraint_law.h"
#include "cairn/laws/friction_curve.h"
#include "cairn/math/friction_cone.h"

#include <array>
#include <cmath>

namespace cairn {

namespace {

// The numbers of contacts, each described once.
void describe_impact(ContactLaw& law, ParameterVisitor& v) {
  v.real("restitution", law.restitution, "", unit_interval,
         "Newton's coefficient e: normal velocity after over before");
  v.real("tangential_restitution", law.tangential_restitution, "", {-1, 1},
         "the same for the tangential velocity of a blow, as far as friction suffices");
}
void describe_holding(ContactLaw& law, ParameterVisitor& v) {
  v.real("cohesion", law.cohesion, "N", non_negative,
         "holds every contact point of the start together, until it breaks for ever");
  v.real("adhesion", law.adhesion, "N", non_negative, "holds every closed contact point together");
}
void describe_compliance(ContactLaw& law, ParameterVisitor& v) {
  v.real("stiffness", law.stiffness, "N/m", non_negative, "of every contact point against pressing in; 0: rigid");
  v.real("damping", law.damping, "N s/m", non_negative, "of the same, beside a stiffness");
}
void describe_speed(ContactLaw& law, ParameterVisitor& v) {
  v.real("kinetic_ratio", law.kinetic_ratio, "", unit_interval, "friction at speed over that at rest");
  v.real("slip_speed", law.slip_speed, "m/s", non_negative, "up to which friction is that of rest; then a jump");
  v.real("stribeck_speed", law.stribeck_speed, "m/s", non_negative, "speed of the fall of Stribeck's curve; 0: a jump");
}
void describe_coulomb(ContactLaw& law, ParameterVisitor& v) {
  v.real("friction", law.friction, "", non_negative, "Coulomb's coefficient mu");
  describe_impact(law, v);
  describe_speed(law, v);
  describe_holding(law, v);
  describe_compliance(law, v);
}
void describe_rolling(ContactLaw& law, ParameterVisitor& v) {
  v.real("rolling_friction", law.rolling_friction, "m", non_negative, "largest rolling moment over normal force",
         Presence::Required);
}
void describe_spinning(ContactLaw& law, ParameterVisitor& v) {
  v.real("spinning_friction", law.spinning_friction, "m", non_negative, "largest spinning moment over normal force",
         Presence::Required);
}

}  // namespace

void ContactLaw::describe(ParameterVisitor& v) { describe_coulomb(*this, v); }

double ContactLaw::friction_at(double sliding_speed) const {
  if (kind == LawKind::Frictionless) return 0;
  if (own_friction) return own_friction_at(own_friction, sliding_speed);
  if (kinetic_ratio == 1) return friction;
  const double kinetic = kinetic_ratio * friction;
  const FrictionCurve curve = stribeck_speed > 0 ? FrictionCurve(StribeckCurve{friction, kinetic, stribeck_speed})
                                                 : FrictionCurve(StaticKineticFriction{friction, kinetic, slip_speed});
  return cairn::friction_at(curve, sliding_speed).coefficient;
}

void check_contact_law(std::string_view owner, const ContactLaw& law) {
  const LawInfo& info = law_kinds()[static_cast<std::size_t>(law.kind)];
  if (!info.contact) throw Error("{}: {} is not a law of contacts", owner, info.name);
  ParameterChecker checker(owner);
  ContactLaw scratch = law;
  info.describe(scratch, checker);
  if (law.damping > 0 && law.stiffness == 0)
    throw Error("{}: damping is {} N s/m without stiffness; must be given with it, a rigid contact does not yield",
                owner, law.damping);
  if (law.stiffness == 0) return;
  const auto refuse = [&](std::string_view what, double value) {
    if (value != 0)
      throw Error("{}: {} is {} beside a stiffness; must be 0, {}", owner, what, value,
                  what == "cohesion" || what == "adhesion" ? "only rigid contacts are held together"
                                                           : "a contact that yields bounces by itself");
  };
  refuse("restitution", law.restitution);
  refuse("tangential_restitution", law.tangential_restitution);
  refuse("cohesion", law.cohesion);
  refuse("adhesion", law.adhesion);
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
  static constexpr std::array<LawInfo, 12> kinds{{
      {LawKind::Coulomb, "coulomb", "unilateral contact with Coulomb friction and Newton restitution (Moreau's form)",
       3, true, [](ContactLaw& law, ParameterVisitor& v) { law.describe(v); }, friction},
      {LawKind::Frictionless, "frictionless", "unilateral contact without friction: coulomb with friction 0", 1, true,
       [](ContactLaw& law, ParameterVisitor& v) {
         law.friction = 0;
         describe_impact(law, v);
         describe_holding(law, v);
         describe_compliance(law, v);
       },
       no_numbers},
      {LawKind::Bilateral, "bilateral", "equality of velocities: the law of joints", 3, false, no_parameters,
       no_numbers},
      {LawKind::Rolling, "rolling", "coulomb with a limit mu_r r_N on the rolling moment", 5, true,
       [](ContactLaw& law, ParameterVisitor& v) { describe_coulomb(law, v), describe_rolling(law, v); },
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), rolling(law, v); }},
      {LawKind::Interval, "interval", "impulse between two bounds, velocity zero inside: relays, in problem files", 1,
       false, no_parameters,
       [](ConstraintLaw& law, ParameterVisitor& v) {
         v.real("lower", law.lower, "N s", any_number, "least impulse; may be -infinity", Presence::Required);
         v.real("upper", law.upper, "N s", any_number, "largest impulse; may be infinity", Presence::Required);
       }},
      {LawKind::Orthotropic, "orthotropic", "coulomb with a coefficient per tangent: friction in an ellipse", 3, true,
       [](ContactLaw& law, ParameterVisitor& v) {
         v.real("friction", law.friction, "", non_negative, "coefficient along the direction");
         v.real("friction_2", law.friction_2, "", non_negative, "coefficient across it", Presence::Required);
         v.direction("direction", std::span<double, 3>(law.direction.data(), 3),
                     "in the axes of the body whose material is named first (default law: the world's)");
         describe_impact(law, v);
         describe_holding(law, v);
         describe_compliance(law, v);
       },
       [](ConstraintLaw& law, ParameterVisitor& v) {
         v.real("friction", law.mu, "", non_negative, "coefficient along the first tangent, mu_1", Presence::Required);
         v.real("friction_2", law.mu_2, "", non_negative, "coefficient along the second tangent, mu_2",
                Presence::Required);
       }},
      {LawKind::Tresca, "tresca", "unilateral contact with a constant limit on friction", 3, true,
       [](ContactLaw& law, ParameterVisitor& v) {
         v.real("limit", law.limit, "N", non_negative, "largest friction force of a contact point", Presence::Required);
         describe_impact(law, v);
         describe_holding(law, v);
         describe_compliance(law, v);
       },
       limit},
      {LawKind::Disc, "disc", "dry friction with a constant limit in two directions, without a contact", 2, false,
       no_parameters, limit},
      {LawKind::Spinning, "spinning", "coulomb with a limit mu_s r_N on the spinning moment", 4, true,
       [](ContactLaw& law, ParameterVisitor& v) { describe_coulomb(law, v), describe_spinning(law, v); },
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), spinning(law, v); }},
      {LawKind::RollingSpinning, "rolling-spinning", "coulomb with limits on the rolling and the spinning moment", 6,
       true,
       [](ContactLaw& law, ParameterVisitor& v) {
         describe_coulomb(law, v), describe_rolling(law, v), describe_spinning(law, v);
       },
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), rolling(law, v), spinning(law, v); }},
      {LawKind::Contensou, "contensou", "sliding and spinning friction that share one limit (Coulomb-Contensou)", 4,
       true, [](ContactLaw& law, ParameterVisitor& v) { describe_coulomb(law, v), describe_spinning(law, v); },
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), spinning(law, v); }},
      {LawKind::RollingContensou, "rolling-contensou", "contensou with a limit mu_r r_N on the rolling moment", 6, true,
       [](ContactLaw& law, ParameterVisitor& v) {
         describe_coulomb(law, v), describe_rolling(law, v), describe_spinning(law, v);
       },
       [](ConstraintLaw& law, ParameterVisitor& v) { friction(law, v), rolling(law, v), spinning(law, v); }},
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
