// SPDX-License-Identifier: Apache-2.0
// Contact laws as people give them: friction of a speed, checks; the projection on the friction cone.
#include "cairn/laws/law.h"

#include "cairn/base/error.h"
#include "cairn/laws/friction_curve.h"
#include "cairn/laws/law_parameters.h"
#include "cairn/math/friction_cone.h"

#include <cmath>

namespace cairn {

void ContactLaw::describe(ParameterVisitor& v) { law_parameters::coulomb(*this, v); }

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
  const LawType& type = law.kind.type();
  if (type.form != LawForm::Contact) throw Error("{}: {} is not a law of contacts", owner, type.name);
  ParameterChecker checker(owner);
  ContactLaw scratch = law;
  type.describe(scratch, checker);
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
