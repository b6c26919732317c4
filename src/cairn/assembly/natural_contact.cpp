// SPDX-License-Identifier: Apache-2.0
// Compliant contact points: see the header for the law.
#include "cairn/assembly/natural_contact.h"

#include "cairn/base/error.h"
#include "cairn/constraints/constraint.h"

#include <algorithm>
#include <set>

namespace cairn {

void NaturalContactLaw::describe(ParameterVisitor& v) {
  v.real("contact_stiffness", stiffness, "N/m^p", positive, "k of a contact point: N = k depth^p (1 - a dg/dt)");
  v.real("contact_exponent", exponent, "", {1, 10}, "p: 1.5 for round bodies (Hertz), 1 for flat ones");
  v.real("impact_speed", impact_speed, "m/s", positive,
         "speed of a blow that has the restitution of the materials (those below 0.1 count as 0.1)");
  v.real("friction_speed", friction_speed, "m/s", positive, "sliding speed up to which friction grows with it");
}

NaturalContactForce NaturalContact::force(const Vec3& r, const Vec3& v) const {
  NaturalContactForce out;
  const Vec3 n = frame.row(0).transpose();
  const Eigen::Matrix<double, 3, 2> t = frame.bottomRows<2>().transpose();
  out.gap = n.dot(r);
  if (out.gap >= 0) return out;
  const CompliantForce f = compliant_force(normal, out.gap, n.dot(v));
  out.normal = f.force * n;
  out.per_place = f.per_gap * n * n.transpose();
  out.per_velocity = f.per_speed * n * n.transpose();
  if (!(f.force > 0) || !(friction.friction.kinetic_friction > 0)) return out;
  const TangentForce across = friction_force(friction, t.transpose() * v, f.force);
  out.friction = t * across.force;
  out.per_place += t * (f.per_gap * across.per_normal) * n.transpose();
  out.per_velocity += t * (across.per_velocity * t.transpose() + f.per_speed * across.per_normal * n.transpose());
  return out;
}

NaturalContact make_natural_contact(const NaturalContactLaw& settings, const ContactLaw& law, const ContactPoint& point,
                                    int body_a, int body_b, const Placement& place_a, const Placement& place_b) {
  NaturalContact contact;
  contact.body_a = body_a;
  contact.body_b = body_b;
  contact.frame = contact_frame(point.normal);
  const auto weights = [&](const Placement& place, double side) {
    const Vec3 x = point.point + side * 0.5 * point.gap * point.normal;
    Eigen::Vector4d w;
    w << 1, place.A.transpose() * (x - place.c);
    return w;
  };
  contact.w_a = weights(place_a, 1);
  contact.w_b = weights(place_b, -1);
  contact.normal.stiffness = settings.stiffness;
  contact.normal.exponent = settings.exponent;
  contact.normal.damping = hunt_crossley_damping(std::max(law.restitution, least_restitution), settings.impact_speed);
  const double mu = law.kind == LawKind::Frictionless ? 0 : law.friction;
  contact.friction.friction.static_friction = contact.friction.friction.kinetic_friction = mu;
  contact.friction.ramp_speed = settings.friction_speed;
  contact.friction.ramp = FrictionRamp::Tanh;
  return contact;
}

void check_natural_contacts(const System& system, std::string_view stepper) {
  std::set<int> used;
  for (const MaterialId material : system.collider_material) used.insert(material.value);
  for (const int a : used)
    for (const int b : used) {
      const ContactLaw& law = system.materials.pair({a}, {b});
      const auto refuse = [&](std::string_view what) {
        throw Error(
            "stepper '{}': contacts of '{}' with '{}' have {}; it has compliant contacts with Coulomb's friction only "
            "(moreau has all laws)",
            stepper, system.materials[{a}].name, system.materials[{b}].name, what);
      };
      if (law.kind != LawKind::Coulomb && law.kind != LawKind::Frictionless) refuse(law_name(law.kind));
      if (law.cohesion != 0 || law.adhesion != 0) refuse("cohesion or adhesion");
      if (law.tangential_restitution != 0) refuse("a tangential restitution");
      if (law.kinetic_ratio != 1 || law.own_friction) refuse("friction that depends on speed");
    }
  if (!system.remote_actions.empty())
    throw Error("stepper '{}': blows that pass through bodies need rigid impacts (moreau has them)", stepper);
}

}  // namespace cairn
