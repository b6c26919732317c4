// SPDX-License-Identifier: Apache-2.0
// The names of the vectors and matrices used everywhere.
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

namespace cairn {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using Mat3X = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Quat = Eigen::Quaterniond;  ///< unit; files write (w,x,y,z)

/// Skew matrix with hat(v) w = v x w.
inline Mat3 hat(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

}  // namespace cairn
