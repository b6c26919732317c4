// SPDX-License-Identifier: Apache-2.0
// Points of bodies and tangents of forces between them.
#include "cairn/constraints/anchor_point.h"

namespace cairn {

AnchorPoint make_anchor_point(const Bodies& bodies, const MaterialPoint& point, const VecX& q, const VecX& u) {
  AnchorPoint p{bodies.place(point, q), Vec3::Zero(), Mat3X(3, 0), Mat3X(3, 0)};
  if (p.body < 0) return p;
  const Bodies::Slot& s = bodies.slot(p.body);
  RowArena arena;
  p.J = bodies.point_rows(p, q, arena).dense(s.nu);
  p.v = p.J * u.segment(s.u, s.nu);
  p.velocity_change.setZero(3, s.nu);
  if (s.rigid) {
    const Vec3 omega = u.segment<3>(s.u + 3);
    p.velocity_change.rightCols<3>() = -bodies.placement(p.body, q).A * hat(omega.cross(p.local));
  } else {
    bodies.general(s.index).velocity_change(q.segment(s.q, s.nq), u.segment(s.u, s.nu), p, p.velocity_change);
  }
  return p;
}

MatX force_change(const Bodies& bodies, const AnchorPoint& point, const VecX& q, const Vec3& force) {
  if (point.body < 0) return MatX(0, 0);
  const Bodies::Slot& s = bodies.slot(point.body);
  MatX change = MatX::Zero(s.nu, s.nu);
  if (s.rigid) {
    const Vec3 force_body = stored_orientation(q, s.q).conjugate() * force;
    change.bottomRightCorner<3, 3>() = hat(point.local) * hat(force_body);
  } else {
    bodies.general(s.index).add_force_stiffness(q.segment(s.q, s.nq), point, force, change);
    change *= -1;
  }
  return change;
}

void add_tangent(const Bodies& bodies, const AnchorPoint& a, const AnchorPoint& b, const VecX& q, const PairForce& f,
                 ForceTangent& tangent) {
  // F = L' f with L = [-J_a, J_b], r moves by L d and v = L u changes by L du and by d(L u)/dd.
  const int na = tangent.size[0], nb = tangent.size[1];
  Mat3X L(3, na + nb), change(3, na + nb);
  L << -a.J, b.J;
  change << -a.velocity_change, b.velocity_change;
  tangent.D -= L.transpose() * f.per_velocity * L;
  tangent.K -= L.transpose() * (f.per_place * L + f.per_velocity * change);
  tangent.K.topLeftCorner(na, na) -= force_change(bodies, a, q, -f.force);
  tangent.K.bottomRightCorner(nb, nb) -= force_change(bodies, b, q, f.force);
}

}  // namespace cairn
