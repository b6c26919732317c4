// SPDX-License-Identifier: Apache-2.0
// From rigid coordinates to natural ones and back.
#include "cairn/bodies/natural.h"

#include <Eigen/LU>

namespace cairn {
namespace {

/// f(i, j, k) for the three cyclic orders of the axes.
template <class Function>
void for_cyclic(Function&& f) {
  for (int i = 0; i < 3; ++i) f(i, (i + 1) % 3, (i + 2) % 3);
}

}  // namespace

Frame natural_place(const Placement& place) {
  Frame z;
  z.col(0) = place.c;
  z.rightCols<3>() = place.A;
  return z;
}

Frame natural_rate(const Frame& z, const Vec6& u) {
  Frame rate;
  rate.col(0) = u.head<3>();
  rate.rightCols<3>() = z.rightCols<3>() * hat(u.tail<3>());
  return rate;
}

Frame natural_acceleration(const Frame& z, const Vec6& u, const Vec6& rate_of_u) {
  const Mat3 omega = hat(u.tail<3>());
  Frame acceleration;
  acceleration.col(0) = rate_of_u.head<3>();
  acceleration.rightCols<3>() = z.rightCols<3>() * (omega * omega + hat(rate_of_u.tail<3>()));
  return acceleration;
}

Mat6x12 rigid_rate(const Frame& z) {
  Mat6x12 S = Mat6x12::Zero();
  S.topLeftCorner<3, 3>().setIdentity();
  for_cyclic([&](int i, int j, int k) {
    S.block<1, 3>(3 + i, 3 + 3 * j) = 0.5 * z.col(1 + k).transpose();
    S.block<1, 3>(3 + i, 3 + 3 * k) = -0.5 * z.col(1 + j).transpose();
  });
  return S;
}

Mat6x12 rigid_rate_change(const Frame& rate) {
  // Omega is bilinear and antisymmetric in z and dz/dt.
  Mat6x12 change = -rigid_rate(rate);
  change.topRows<3>().setZero();
  return change;
}

Mat12 torque_change(const Vec3& torque) {
  Mat12 G = Mat12::Zero();
  for_cyclic([&](int i, int j, int k) {
    G.block<3, 3>(3 + 3 * j, 3 + 3 * k) += 0.5 * torque[i] * Mat3::Identity();
    G.block<3, 3>(3 + 3 * k, 3 + 3 * j) -= 0.5 * torque[i] * Mat3::Identity();
  });
  return G;
}

Mat3 nearest_rotation(const Mat3& A) {
  // Newton's iteration for the polar factor (Higham 1986); A is a rotation but for the error of a predictor.
  Mat3 R = A;
  for (int i = 0; i < 20; ++i) {
    const Mat3 next = 0.5 * (R + R.inverse().transpose());
    const double change = (next - R).cwiseAbs().maxCoeff();
    R = next;
    if (!(change > 1e-15)) break;
  }
  return R;
}

void store_rigid(const Frame& z, int offset, VecX& q) {
  q.segment<3>(offset) = z.col(0);
  Quat orientation(nearest_rotation(z.rightCols<3>()));
  orientation.normalize();
  if (orientation.dot(stored_orientation(q, offset)) < 0) orientation.coeffs() *= -1;
  q[offset + 3] = orientation.w();
  q.segment<3>(offset + 4) = orientation.vec();
}

Eigen::Matrix4d natural_mass(double mass, const Mat3& inertia) {
  Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
  M(0, 0) = mass;
  M.bottomRightCorner<3, 3>() = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
  return M;
}

}  // namespace cairn
