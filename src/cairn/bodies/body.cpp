// SPDX-License-Identifier: Apache-2.0
// What bodies answer that do not say otherwise: flat coordinates, a shape that an affine map carries.
//
// Of x = A X + c with A = R S (polar decomposition), dA/dt = dR/dt S + R dS/dt gives
//   R' dA/dt - (R' dA/dt)' = hat((tr(S) 1 - S) w),    R' dR/dt = hat(w)
// so that its angular velocity R w is linear in dA/dt, hence in u.
#include "cairn/bodies/body.h"

#include "cairn/base/error.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

/// Of differences of rows: coordinates are metres, angles and gradients.
constexpr double difference_step = 1e-6;

struct Polar {
  Mat3 R, S;
};

Polar decompose(const Mat3& A) {
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3& V = svd.matrixV();
  return {svd.matrixU() * V.transpose(), V * svd.singularValues().asDiagonal() * V.transpose()};
}

void require_flat(const Body& body, std::string_view question) {
  if (body.nq() != body.nu())
    throw Error("body '{}' has {} coordinates and {} velocities: it must answer {} itself", body.kind(), body.nq(),
                body.nu(), question);
}

/// Calls use(j, J ahead along velocity j, J behind) for each velocity, J over all of them.
template <class Use>
void difference_rows(const Body& body, ConstVec q, const MaterialPoint& p, const Use& use) {
  VecX moved(body.nq()), direction = VecX::Zero(body.nu());
  RowArena arena;
  const auto rows_at = [&](double h) {
    body.advance(q, direction, h, moved);
    return body.point_rows(moved, p, arena).dense(body.nu());
  };
  for (int j = 0; j < body.nu(); ++j) {
    arena.clear();
    direction[j] = 1;
    const MatX ahead = rows_at(difference_step), behind = rows_at(-difference_step);
    direction[j] = 0;
    use(j, ahead, behind);
  }
}

}  // namespace

std::string_view to_string(BodyStatus status) {
  switch (status) {
    case BodyStatus::Ok: return "ok";
    case BodyStatus::Inverted: return "inverted";
    case BodyStatus::IndefiniteStiffness: return "indefinite-stiffness";
  }
  return "?";
}

void BodyTerms::clear(int nu, Terms wanted) {
  if (wants(wanted, Terms::Force)) force.setZero(nu);
  if (wants(wanted, Terms::Mass)) mass.setZero(nu, nu);
  if (wants(wanted, Terms::Damping)) damping.setZero(nu, nu), has_damping = false;
  if (wants(wanted, Terms::Stiffness)) material.setZero(nu, nu), geometric.setZero(nu, nu), has_stiffness = false;
}

void Body::advance(ConstVec q, ConstVec u, double h, MutVec q_out) const {
  require_flat(*this, "advance");
  q_out = q + h * u;
}

void Body::difference(ConstVec q_a, ConstVec q_b, MutVec u) const {
  require_flat(*this, "difference");
  u = q_b - q_a;
}

void Body::configuration_rate(ConstVec, ConstVec u, MutVec rate) const {
  require_flat(*this, "configuration_rate");
  rate = u;
}

MaterialPoint Body::locate(ConstVec q, const Vec3& x) const {
  const Placement place = placement(q);
  return reference_point(place.A.inverse() * (x - place.c));
}

Mat3 Body::rotation(ConstVec q, const MaterialPoint&) const { return decompose(placement(q).A).R; }

SparseRows Body::spin_rows(ConstVec q, const MaterialPoint&, RowArena& arena) const {
  // The columns of A move as the points e_i do relative to the origin.
  const Polar polar = decompose(placement(q).A);
  const Mat3 weight = polar.R * (polar.S.trace() * Mat3::Identity() - polar.S).inverse();
  const Mat3X centre = point_rows(q, reference_point(Vec3::Zero()), arena).dense(nu());
  std::array<Mat3X, 3> rate;
  for (int i = 0; i < 3; ++i) {
    const Mat3X point = point_rows(q, reference_point(Vec3::Unit(i)), arena).dense(nu());
    rate[static_cast<std::size_t>(i)] = polar.R.transpose() * (point - centre);
  }
  SparseRows result = arena.rows(3, 0, nu());
  for (int j = 0; j < nu(); ++j) {
    const Vec3 axial(rate[1](2, j) - rate[2](1, j), rate[2](0, j) - rate[0](2, j), rate[0](1, j) - rate[1](0, j));
    result.J().col(j).head<3>() = weight * axial;
  }
  return result;
}

double Body::reach(ConstVec q, ConstVec u, double h, double radius) const {
  RowArena arena;
  const Vec3 centre = point_rows(q, reference_point(Vec3::Zero()), arena).times(u);
  double gradient = 0;
  for (int i = 0; i < 3; ++i)
    gradient += (point_rows(q, reference_point(Vec3::Unit(i)), arena).times(u) - centre).squaredNorm();
  return h * (centre.norm() + std::sqrt(gradient) * radius);
}

void Body::add_force_stiffness(ConstVec q, const MaterialPoint& p, const Vec3& force, Eigen::Ref<MatX> K) const {
  difference_rows(*this, q, p, [&](int j, const MatX& ahead, const MatX& behind) {
    K.col(j) -= (ahead - behind).transpose() * force / (2 * difference_step);
  });
}

void Body::velocity_change(ConstVec q, ConstVec u, const MaterialPoint& p, Eigen::Ref<Mat3X> change) const {
  difference_rows(*this, q, p, [&](int j, const MatX& ahead, const MatX& behind) {
    change.col(j) = (ahead - behind) * u / (2 * difference_step);
  });
}

SparseRows Body::mean_point_rows(ConstVec, ConstVec, const MaterialPoint&, RowArena&) const {
  throw Error("body '{}' does not say with which rows a point of it moves on average over a step", kind());
}

void Body::mean_force(ConstVec, ConstVec, const Vec3&, MutVec) const {
  throw Error("body '{}' does not say the mean of its force over a step", kind());
}

}  // namespace cairn
