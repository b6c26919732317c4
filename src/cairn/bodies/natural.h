// SPDX-License-Identifier: Apache-2.0
// Natural coordinates of a rigid body: its centre and three unit vectors fixed to it, z = (c, a_1, a_2, a_3), so that
// x = c + A X with A = [a_1 a_2 a_3] (Garcia de Jalon and Bayo 1994, chapter 4; Vilela 2018, section 2.1).
//
//   mass      M = diag(m, E) (x) 1, E = tr(J)/2 1 - J: constant, so that there are no gyroscopic terms
//   rigid     a_i . a_j = delta_ij, six equations
//   rates     v = dc/dt, Omega_i = (a_k . da_j/dt - a_j . da_k/dt)/2 for (i, j, k) cyclic: u = S(z) dz/dt
//   forces    Q = S(z)' F for a force F in the space of u (world force, torque in body axes)
// Frames are 3 x 4 matrices with the columns c, a_1, a_2, a_3; z is the same column by column.
#pragma once
#include "cairn/bodies/bodies.h"

namespace cairn {

using Frame = Eigen::Matrix<double, 3, 4>;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using Mat6x12 = Eigen::Matrix<double, 6, 12>;

/// The frame of a body that does not move: the world's own.
inline Frame world_frame() {
  Frame z = Frame::Zero();
  z.rightCols<3>().setIdentity();
  return z;
}

/// Frame of a rigid body, of its velocity u = (v, Omega) and of its acceleration.
Frame natural_place(const Placement& place);
Frame natural_rate(const Frame& z, const Vec6& u);
Frame natural_acceleration(const Frame& z, const Vec6& u, const Vec6& rate_of_u);

/// S(z): velocity u = (v, Omega in body axes) from dz/dt.
Mat6x12 rigid_rate(const Frame& z);
/// d(S(z) dz/dt)/dz at a fixed dz/dt.
Mat6x12 rigid_rate_change(const Frame& rate);
/// d(S(z)' F)/dz for a fixed torque of F in body axes.
Mat12 torque_change(const Vec3& torque);

/// The rotation nearest to A. Empty of meaning (not finite) when A is far from one.
Mat3 nearest_rotation(const Mat3& A);
/// Writes q = (c, orientation) of a rigid body at the given offset; of the two quaternions the one nearer to the old.
void store_rigid(const Frame& z, int offset, VecX& q);

/// Mass of the four columns: m and E.
Eigen::Matrix4d natural_mass(double mass, const Mat3& inertia);

}  // namespace cairn
