// SPDX-License-Identifier: Apache-2.0
// Points of bodies and tangents of forces between them.
#include "cairn/constraints/anchor_point.h"

#include "cairn/constraints/joint.h"

namespace cairn {
namespace {

/// Calls use(j, J forward of q along velocity j, J backward) for a body that is not rigid.
template <class Use>
void difference_jacobian(const Body& body, ConstVec q, const Vec3& anchor, double step, const Use& use) {
  VecX moved(q.size()), direction(body.nu());
  Mat3X forward(3, body.nu()), backward(3, body.nu());
  const auto jacobian = [&](double h, Mat3X& J) {
    body.advance(q, direction, h, moved);
    body.point_jacobian(moved, body.placement(moved).apply(anchor), J);
  };
  for (int j = 0; j < body.nu(); ++j) {
    direction.setZero();
    direction[j] = 1;
    jacobian(step, forward);
    jacobian(-step, backward);
    use(j, forward, backward);
  }
}

constexpr double kStep = 1e-6;  // of differences; coordinates are metres, angles and gradients

}  // namespace

AnchorPoint make_anchor_point(const Bodies& bodies, int body, const Vec3& anchor, const VecX& q, const VecX& u) {
  AnchorPoint p{body, anchor, anchor_position(bodies, body, anchor, q), Vec3::Zero(), Mat3X(3, 0), Mat3X(3, 0)};
  if (body < 0) return p;
  const Bodies::Slot& s = bodies.slot(body);
  p.J.resize(3, s.nu);
  bodies.point_jacobian(body, q, p.x, p.J);
  p.v = p.J * u.segment(s.u, s.nu);
  p.velocity_change.setZero(3, s.nu);
  if (s.rigid) {
    const Vec3 omega = u.segment<3>(s.u + 3);
    p.velocity_change.rightCols<3>() = -bodies.placement(body, q).A * hat(omega.cross(anchor));
  } else {
    const VecX own = u.segment(s.u, s.nu);
    difference_jacobian(bodies.general(s.index), q.segment(s.q, s.nq), anchor, kStep,
                        [&](int j, const Mat3X& forward, const Mat3X& backward) {
                          p.velocity_change.col(j) = (forward - backward) * own / (2 * kStep);
                        });
  }
  return p;
}

MatX force_change(const Bodies& bodies, const AnchorPoint& point, const VecX& q, const Vec3& force) {
  if (point.body < 0) return MatX(0, 0);
  const Bodies::Slot& s = bodies.slot(point.body);
  MatX change = MatX::Zero(s.nu, s.nu);
  if (s.rigid) {
    const Vec3 force_body = stored_orientation(q, s.q).conjugate() * force;
    change.bottomRightCorner<3, 3>() = hat(point.anchor) * hat(force_body);
  } else {
    difference_jacobian(bodies.general(s.index), q.segment(s.q, s.nq), point.anchor, kStep,
                        [&](int j, const Mat3X& forward, const Mat3X& backward) {
                          change.col(j) = (forward - backward).transpose() * force / (2 * kStep);
                        });
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
