// SPDX-License-Identifier: Apache-2.0
// Material points of all bodies: where they are, with which rows they move, what forces at them do.
//
// Rigid: v = dc/dt + omega x (x - c), rows [1, -R rho^] with rho = R'(x - c), in u = (v, Omega in body axes).
#include "cairn/bodies/bodies.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace cairn {
namespace {

/// Memory of rows that are used up at once.
RowArena& scratch_rows() {
  thread_local RowArena arena;
  arena.clear();
  return arena;
}

ConstVec part(const VecX& q, const Bodies::Slot& s) { return q.segment(s.q, s.nq); }

void fill_rigid_rows(const VecX& q, const Bodies::Slot& s, const Vec3& x, Eigen::Ref<Mat3X> J) {
  const Mat3 R = stored_orientation(q, s.q).toRotationMatrix();
  const Vec3 rho = R.transpose() * (x - q.segment<3>(s.q));
  J.leftCols<3>().setIdentity();
  J.rightCols<3>() = -R * hat(rho);
}

}  // namespace

Vec3 Bodies::position(const MaterialPoint& p, const VecX& q) const {
  if (p.body < 0) return p.local;
  const Slot& s = slot(p.body);
  return s.rigid ? placement(p.body, q).apply(p.local) : general(s.index).position(part(q, s), p);
}

MaterialPoint Bodies::reference_point(int body, const Vec3& X) const {
  MaterialPoint p{.local = X};
  if (body >= 0 && !slot(body).rigid) p = general(slot(body).index).reference_point(X);
  p.body = body;
  return p;
}

PlacedPoint Bodies::centre(int body, const VecX& q) const {
  const Slot& s = slot(body);
  if (s.rigid) return {{.body = body}, q.segment<3>(s.q)};
  return place(reference_point(body, Vec3::Zero()), q);
}

PlacedPoint Bodies::locate(int body, const VecX& q, const Vec3& x) const {
  if (body < 0) return {{.local = x}, x};
  const Slot& s = slot(body);
  MaterialPoint p;
  if (s.rigid) {
    const Placement at = placement(body, q);
    p.local = at.A.inverse() * (x - at.c);
  } else {
    p = general(s.index).locate(part(q, s), x);
  }
  p.body = body;
  return {p, x};
}

SparseRows Bodies::point_rows(const PlacedPoint& p, const VecX& q, RowArena& arena) const {
  const Slot& s = slot(p.body);
  if (!s.rigid) return general(s.index).point_rows(part(q, s), p, arena);
  const SparseRows rows = arena.rows(3, 0, 6);
  fill_rigid_rows(q, s, p.x, Eigen::Map<Mat3X>(rows.values, 3, 6));
  return rows;
}

Vec3 Bodies::point_velocity(const PlacedPoint& p, const VecX& q, const VecX& u) const {
  if (p.body < 0) return Vec3::Zero();
  const Slot& s = slot(p.body);
  if (s.rigid) {
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 64> J(3, 6);
    fill_rigid_rows(q, s, p.x, J);
    return J * u.segment(s.u, s.nu);
  }
  return point_rows(p, q, scratch_rows()).times(u.segment(s.u, s.nu));
}

void Bodies::add_point_force(const PlacedPoint& p, const VecX& q, const Vec3& force, VecX& generalised) const {
  if (p.body < 0) return;
  const Slot& s = slot(p.body);
  if (s.rigid) {
    generalised.segment<3>(s.u) += force;
    generalised.segment<3>(s.u + 3) += stored_orientation(q, s.q).conjugate() * (p.x - q.segment<3>(s.q)).cross(force);
    return;
  }
  point_rows(p, q, scratch_rows()).add_transposed(force, generalised.segment(s.u, s.nu));
}

Mat3 Bodies::rotation(const MaterialPoint& p, const VecX& q) const {
  if (p.body < 0) return Mat3::Identity();
  const Slot& s = slot(p.body);
  return s.rigid ? stored_orientation(q, s.q).toRotationMatrix() : general(s.index).rotation(part(q, s), p);
}

SparseRows Bodies::spin_rows(const MaterialPoint& p, const VecX& q, RowArena& arena) const {
  const Slot& s = slot(p.body);
  if (!s.rigid) return general(s.index).spin_rows(part(q, s), p, arena);
  const SparseRows rows = arena.rows(3, 3, 3);
  rows.J() = stored_orientation(q, s.q).toRotationMatrix();
  return rows;
}

Vec3 Bodies::spin(const MaterialPoint& p, const VecX& q, const VecX& u) const {
  if (p.body < 0) return Vec3::Zero();
  const Slot& s = slot(p.body);
  if (s.rigid) return stored_orientation(q, s.q) * Vec3(u.segment<3>(s.u + 3));
  return spin_rows(p, q, scratch_rows()).times(u.segment(s.u, s.nu));
}

void Bodies::add_torque(const MaterialPoint& p, const VecX& q, const Vec3& torque, VecX& generalised) const {
  if (p.body < 0) return;
  const Slot& s = slot(p.body);
  if (s.rigid) {
    generalised.segment<3>(s.u + 3) += stored_orientation(q, s.q).conjugate() * torque;
    return;
  }
  spin_rows(p, q, scratch_rows()).add_transposed(torque, generalised.segment(s.u, s.nu));
}

double Bodies::speed_bound(int body, const VecX& q, const VecX& u, double h, double radius) const {
  const Slot& s = slot(body);
  if (s.rigid) return u.segment<3>(s.u).norm() + radius * u.segment<3>(s.u + 3).norm();
  return h > 0 ? general(s.index).reach(part(q, s), u.segment(s.u, s.nu), h, radius) / h : 0;
}

BodyStatus Bodies::evaluate(int body, const VecX& q, const VecX& u, double time, const Vec3& gravity, Terms wanted,
                            BodyTerms& terms) const {
  const Slot& s = slot(body);
  terms.clear(s.nu, wanted);
  return general(s.index).evaluate({part(q, s), u.segment(s.u, s.nu), time, gravity}, wanted, terms);
}

MatX Bodies::mass_matrix(int body, const VecX& q, const VecX& u) const {
  const Slot& s = slot(body);
  if (!s.rigid) {
    BodyTerms terms;
    evaluate(body, q, u, 0, Vec3::Zero(), Terms::Mass, terms);
    return terms.mass;
  }
  MatX M = MatX::Zero(6, 6);
  M.diagonal().head<3>().setConstant(mass(body));
  M.bottomRightCorner<3, 3>() = inertia(body);
  return M;
}

double Bodies::mass_at(const PlacedPoint& p, const VecX& q, const MatX& M) const {
  const MatX J = point_rows(p, q, scratch_rows()).dense(slot(p.body).nu);
  const double mobility = (J * M.ldlt().solve(J.transpose())).trace() / 3;
  return mobility > 0 ? 1 / mobility : 0;
}

}  // namespace cairn
