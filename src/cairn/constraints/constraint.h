// SPDX-License-Identifier: Apache-2.0
// One constraint of a step: two material points, a frame of directions, a law. Contacts and joints become these.
//
//   U = frame (velocity of A at point_a - velocity of B at point_b),    U + shift and r obey the law
// frame rows are (N, T1, T2) in world axes; N points from B to A. Body -1 is the world.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/laws/law.h"
#include "cairn/math/types.h"

namespace cairn {

struct Constraint {
  int body_a = -1, body_b = -1;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< world, at mid-step
  MaterialPoint on_a, on_b;  ///< the material points there, of bodies that are not rigid (name_points)
  Mat3 frame = Mat3::Identity();
  LawKind law = LawKind::Coulomb;
  double friction = 0;
  double restitution = 0;
  double gap = 0;                       ///< contacts: signed, at mid-step [m]
  int source = -1;                      ///< index of the contact point or of the joint
  const ContactLaw* contact = nullptr;  ///< of contacts
  double cohesion = 0;                  ///< of contacts: what is left of it [N]
  double holding = 0;                   ///< of contacts: cohesion and adhesion now [N]
  bool was_closed = false;              ///< of contacts: whether it carried an impulse in the last step
  Vec3 U_begin = Vec3::Zero();          ///< local velocity at the start of the step, with the mid-step geometry
  Vec3 U_free = Vec3::Zero();           ///< local velocity without reactions
  Vec3 shift = Vec3::Zero();            ///< restitution, prediction, stabilisation

  PlacedPoint placed_a() const { return {{body_a, on_a.part, on_a.local}, point_a}; }
  PlacedPoint placed_b() const { return {{body_b, on_b.part, on_b.local}, point_b}; }
};

/// Finds the material points of a contact between point_a and point_b at q.
inline void name_points(const Bodies& bodies, const VecX& q, Constraint& c) {
  if (bodies.general_count() == 0) return;
  if (c.body_a >= 0 && !bodies.slot(c.body_a).rigid) c.on_a = bodies.locate(c.body_a, q, c.point_a);
  if (c.body_b >= 0 && !bodies.slot(c.body_b).rigid) c.on_b = bodies.locate(c.body_b, q, c.point_b);
}

/// Orthonormal frame whose first row is the given unit normal; continuous except at one direction pair.
inline Mat3 contact_frame(const Vec3& n) {
  // The axis least aligned with n keeps the cross product well conditioned.
  const Vec3 a = n.cwiseAbs();
  const Vec3 axis = a.x() <= a.y() && a.x() <= a.z() ? Vec3::UnitX() : (a.y() <= a.z() ? Vec3::UnitY() : Vec3::UnitZ());
  const Vec3 t1 = n.cross(axis).normalized();
  Mat3 frame;
  frame.row(0) = n;
  frame.row(1) = t1;
  frame.row(2) = n.cross(t1);
  return frame;
}

}  // namespace cairn
