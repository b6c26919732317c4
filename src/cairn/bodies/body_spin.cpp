// SPDX-License-Identifier: Apache-2.0
// Rotation and angular velocity of any body, what joints hold on to.
//
// A body that deforms, x = A X + c, turns by R of A = R S (polar decomposition). From dA/dt = dR/dt S + R dS/dt follows
//   R' dA/dt - (R' dA/dt)' = hat((tr(S) 1 - S) w),    R' dR/dt = hat(w)
// so that its angular velocity R w is linear in dA/dt, hence in u.
#include "cairn/bodies/bodies.h"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace cairn {
namespace {

struct Polar {
  Mat3 R, S;
};

Polar decompose(const Mat3& A) {
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3& V = svd.matrixV();
  return {svd.matrixU() * V.transpose(), V * svd.singularValues().asDiagonal() * V.transpose()};
}

}  // namespace

Mat3 Bodies::rotation(int body, const VecX& q) const {
  const Slot& s = slot(body);
  if (s.rigid) return stored_orientation(q, s.q).toRotationMatrix();
  return decompose(placement(body, q).A).R;
}

void Bodies::spin_jacobian(int body, const VecX& q, Eigen::Ref<Mat3X> J) const {
  const Slot& s = slot(body);
  if (s.rigid) {
    J.leftCols<3>().setZero();
    J.rightCols<3>() = stored_orientation(q, s.q).toRotationMatrix();
    return;
  }
  // The columns of A move as the points c + A e_i do relative to c.
  const Placement place = placement(body, q);
  const Polar polar = decompose(place.A);
  const Mat3 weight = polar.R * (polar.S.trace() * Mat3::Identity() - polar.S).inverse();
  Mat3X centre(3, s.nu), rate[3];
  point_jacobian(body, q, place.c, centre);
  for (int i = 0; i < 3; ++i) {
    rate[i].resize(3, s.nu);
    point_jacobian(body, q, place.apply(Vec3::Unit(i)), rate[i]);
    rate[i] = polar.R.transpose() * (rate[i] - centre);
  }
  for (int j = 0; j < s.nu; ++j) {
    const Vec3 axial(rate[1](2, j) - rate[2](1, j), rate[2](0, j) - rate[0](2, j), rate[0](1, j) - rate[1](0, j));
    J.col(j) = weight * axial;
  }
}

Vec3 Bodies::spin(int body, const VecX& q, const VecX& u) const {
  const Slot& s = slot(body);
  if (s.rigid) return stored_orientation(q, s.q) * Vec3(u.segment<3>(s.u + 3));
  Mat3X J(3, s.nu);
  spin_jacobian(body, q, J);
  return J * u.segment(s.u, s.nu);
}

void Bodies::add_torque(int body, const VecX& q, const Vec3& torque_world, VecX& generalised) const {
  const Slot& s = slot(body);
  if (s.rigid) {
    generalised.segment<3>(s.u + 3) += stored_orientation(q, s.q).conjugate() * torque_world;
    return;
  }
  Mat3X J(3, s.nu);
  spin_jacobian(body, q, J);
  generalised.segment(s.u, s.nu) += J.transpose() * torque_world;
}

}  // namespace cairn
