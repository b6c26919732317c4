// SPDX-License-Identifier: Apache-2.0
// Compliant contact at a point: Hunt and Crossley's force along the normal, regularised Coulomb friction across it.
//
//   g = n . (x_a - x_b),   N = k d^p (1 - a dg/dt) >= 0 with d = -g,   f_T = -mu N s(|v_T|/v_0) v_T/|v_T|
// x_a and x_b are points of the bodies' material, chosen where the surfaces are nearest at the configuration the step
// is predicted to reach; with n they stay during the step, so that the tangent is exact. A law of another kind (of the
// volume of overlap, say) has to give the same: a force on A at a point and its derivatives.
#pragma once
#include "cairn/bodies/natural.h"
#include "cairn/constraints/system.h"
#include "cairn/laws/compliant_friction.h"
#include "cairn/laws/compliant_hunt_crossley.h"

namespace cairn {

/// Settings of contacts; friction and restitution come from the materials.
struct NaturalContactLaw {
  double stiffness = 1e6;        ///< k [N/m^p]
  double exponent = 1.5;         ///< p
  double impact_speed = 1;       ///< at which a blow has the materials' restitution [m/s]
  double friction_speed = 1e-3;  ///< v_0 [m/s]
  void describe(ParameterVisitor& v);
};
/// Restitutions below count as this one: none at all would need infinite damping.
constexpr double least_restitution = 0.1;

/// What acts on A at x_a, and the opposite on B at x_b; with derivatives in r = x_a - x_b and v = dr/dt.
struct NaturalContactForce {
  double gap = 0;
  Vec3 normal = Vec3::Zero(), friction = Vec3::Zero();  ///< world
  Mat3 per_place = Mat3::Zero(), per_velocity = Mat3::Zero();
};

struct NaturalContact {
  int body_a = -1, body_b = -1;
  Eigen::Vector4d w_a = Eigen::Vector4d::UnitX(), w_b = Eigen::Vector4d::UnitX();  ///< x = frame w
  Mat3 frame = Mat3::Identity();                                                   ///< rows: n, t1, t2
  HuntCrossley normal = {};
  RegularisedCoulomb friction = {};

  NaturalContactForce force(const Vec3& r, const Vec3& v) const;
};

/// A contact point of two colliders as a contact of their bodies. `place`: of body a or b.
NaturalContact make_natural_contact(const NaturalContactLaw& settings, const ContactLaw& law, const ContactPoint& point,
                                    int body_a, int body_b, const Placement& place_a, const Placement& place_b);

/// Throws Error naming the law that such contacts do not have; `steppers` are those that do.
void check_natural_contacts(const System& system, std::string_view stepper);

}  // namespace cairn
