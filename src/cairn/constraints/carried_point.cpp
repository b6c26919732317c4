// SPDX-License-Identifier: Apache-2.0
// A point of one body seen from another, and forces between them.
#include "cairn/constraints/carried_point.h"

#include "cairn/base/error.h"

namespace cairn {

void check_carrier(const Bodies& bodies, const CarriedFrame& frame) {
  if (frame.body >= 0 && !bodies.slot(frame.body).rigid)
    throw Error("its first body is {}; the axes can be carried by a rigid body or the world only",
                bodies.kind(frame.body));
}

CarriedPoint see_place(const Bodies& bodies, const CarriedFrame& frame, const MaterialPoint& b, const VecX& q) {
  CarriedPoint p;
  p.on_b = bodies.place(b, q);
  Vec3 origin = frame.origin;
  p.world = frame.axes;
  if (frame.body >= 0) {
    const Placement place = bodies.placement(frame.body, q);
    origin = place.apply(frame.origin);
    p.world = place.A * frame.axes;
  }
  p.on_a = {{.body = frame.body}, p.on_b.x};  // rigid or the world: x says it all
  p.place = p.world.transpose() * (p.on_b.x - origin);
  p.speed.setZero();
  return p;
}

CarriedPoint see_point(const Bodies& bodies, const CarriedFrame& frame, const MaterialPoint& b, const VecX& q,
                       const VecX& u) {
  CarriedPoint p = see_place(bodies, frame, b, q);
  const Vec3 v = bodies.point_velocity(p.on_b, q, u) - bodies.point_velocity(p.on_a, q, u);
  p.speed = p.world.transpose() * v;
  return p;
}

void add_carried_force(const Bodies& bodies, const CarriedPoint& point, const VecX& q, const Vec3& force,
                       VecX& generalised) {
  const Vec3 f = point.world * force;
  bodies.add_point_force(point.on_b, q, f, generalised);
  bodies.add_point_force(point.on_a, q, -f, generalised);
}

void add_carried_tangent(const Bodies& bodies, const CarriedFrame& frame, const MaterialPoint& on_b, const VecX& q,
                         const VecX& u, const CarriedForce& given, ForceTangent& tangent) {
  const AnchorPoint b = make_anchor_point(bodies, on_b, q, u);
  const int na = tangent.size[0], nb = tangent.size[1];
  Mat3 R = Mat3::Identity();
  Vec3 p = b.x, v = b.v, omega = Vec3::Zero();  // the point in A's axes; velocities of it and of A's centre
  if (frame.body >= 0) {
    const Bodies::Slot& s = bodies.slot(frame.body);
    const Placement place = bodies.placement(frame.body, q);
    R = place.A;
    p = R.transpose() * (b.x - place.c);
    v -= u.segment<3>(s.u);
    omega = u.segment<3>(s.u + 3);
  }
  // In A's body axes.
  const Vec3 f = frame.axes * given.force;
  const Mat3 per_place = frame.axes * given.per_place * frame.axes.transpose();
  const Mat3 per_speed = frame.axes * given.per_speed * frame.axes.transpose();
  const Mat3X RJ = R.transpose() * b.J;

  // L, and d(L u)/dd: R' turns by -dtheta^, p by L d, J_b as B says.
  Mat3X L(3, na + nb), change = Mat3X::Zero(3, na + nb);
  L.rightCols(nb) = RJ;
  if (na > 0) {
    L.leftCols<3>() = -R.transpose();
    L.middleCols<3>(3) = hat(p);
    change.middleCols<3>(3) = hat(R.transpose() * v);
  }
  change.rightCols(nb) += R.transpose() * b.velocity_change;
  change -= hat(omega) * L;

  // F = L' f: f changes by its tangents, then L by itself.
  tangent.D -= L.transpose() * per_speed * L;
  tangent.K -= L.transpose() * (per_place * L + per_speed * change);
  if (na > 0) {
    tangent.K.block<3, 3>(0, 3) -= R * hat(f);
    tangent.K.middleRows<3>(3) -= hat(f) * L;
    tangent.K.block(na, 3, nb, 3) += RJ.transpose() * hat(f);
  }
  tangent.K.bottomRightCorner(nb, nb) -= force_change(bodies, b, q, R * f);
}

}  // namespace cairn
