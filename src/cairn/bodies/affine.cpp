// SPDX-License-Identifier: Apache-2.0
// Pseudo-rigid body: see the header for equations and source.
#include "cairn/bodies/affine.h"

#include "cairn/base/error.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace cairn {
namespace {

using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Mat3 gradient(ConstVec q) { return Eigen::Map<const RowMat3>(q.data()); }

Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

}  // namespace

AffineBody::AffineBody(const AffineSpec& spec) : spec_(spec) {
  if (!(std::isfinite(spec.density) && spec.density > 0))
    throw Error("density is {} kg/m^3; must be > 0", spec.density);
  if (!(std::isfinite(spec.young) && spec.young > 0)) throw Error("young is {} Pa; must be > 0", spec.young);
  if (!(spec.poisson > -1 && spec.poisson < 0.5)) throw Error("poisson is {}; must be in (-1, 0.5)", spec.poisson);
  if (!spec.deformation.allFinite() || !(spec.deformation.determinant() > 0)) {
    throw Error("the starting deformation has determinant {}; must be > 0", spec.deformation.determinant());
  }
  if (!spec.position.allFinite() || !spec.velocity.allFinite() || !spec.deformation_rate.allFinite()) {
    throw Error("position, velocity and deformation rate must be finite");
  }
  const MassProperties properties = compute_mass_properties(spec.shape);
  volume_ = properties.volume;
  mass_ = spec.density * properties.volume;
  euler_ = spec.density * properties.euler;
  lambda_ = spec.young * spec.poisson / ((1 + spec.poisson) * (1 - 2 * spec.poisson));
  shear_ = spec.young / (2 + 2 * spec.poisson);
}

void AffineBody::initial(MutVec q, MutVec u) const {
  Eigen::Map<RowMat3>(q.data()) = spec_.deformation;
  q.tail<3>() = spec_.position;
  Eigen::Map<RowMat3>(u.data()) = spec_.deformation_rate;
  u.tail<3>() = spec_.velocity;
}

void AffineBody::advance(ConstVec q, ConstVec u, double h, MutVec q_out) const { q_out = q + h * u; }

Mat3 AffineBody::stress(const Mat3& F) const {
  const Mat3 E = green_strain(F);
  return F * (lambda_ * E.trace() * Mat3::Identity() + 2 * shear_ * E);
}

double AffineBody::energy_density(const Mat3& F) const {
  const Mat3 E = green_strain(F);
  return 0.5 * lambda_ * E.trace() * E.trace() + shear_ * E.squaredNorm();
}

Eigen::Matrix<double, 9, 9> AffineBody::stiffness(const Mat3& F) const {
  // K[iJ,kL] = V (d_ik S_JL + F_iM C_MJNL F_kN), C_MJNL = lambda d_MJ d_NL + mu (d_MN d_JL + d_ML d_JN).
  const Mat3 E = green_strain(F);
  const Mat3 S = lambda_ * E.trace() * Mat3::Identity() + 2 * shear_ * E;
  const Mat3 FFt = F * F.transpose();
  Eigen::Matrix<double, 9, 9> K;
  for (int i = 0; i < 3; ++i)
    for (int J = 0; J < 3; ++J)
      for (int k = 0; k < 3; ++k)
        for (int L = 0; L < 3; ++L) {
          double value = lambda_ * F(i, J) * F(k, L) + shear_ * F(i, L) * F(k, J);
          if (J == L) value += shear_ * FFt(i, k);
          if (i == k) value += S(J, L);
          K(3 * i + J, 3 * k + L) = volume_ * value;
        }
  return K;
}

BodyStatus AffineBody::free_motion(ConstVec q_mid, ConstVec u, const StepContext& step, Eigen::Ref<MatX> M_hat,
                                   MutVec impulse) const {
  const Mat3 F = gradient(q_mid);
  M_hat.setZero();
  for (int i = 0; i < 3; ++i) M_hat.block<3, 3>(3 * i, 3 * i) = euler_;
  M_hat.bottomRightCorner<3, 3>().diagonal().setConstant(mass_);
  const RowMat3 P = stress(F);
  impulse.head<9>() = -step.h * volume_ * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
  impulse.tail<3>() = step.h * mass_ * step.gravity;
  if (!(F.determinant() > 0)) return BodyStatus::Inverted;
  if (step.implicit_elasticity) {
    // theta f_E + (1 - theta) f_B, with f_B and f_E from here by K: q_B is (1 - theta) h u_B before, q_E theta h u_E
    // on.
    const Eigen::Matrix<double, 9, 9> K = step.h * step.h * stiffness(F);
    M_hat.topLeftCorner<9, 9>() += step.theta * step.theta * K;
    if (step.theta != 0.5) impulse.head<9>() += (1 - 2 * step.theta) * (K * u.head<9>());
  }
  return BodyStatus::Ok;
}

void AffineBody::point_jacobian(ConstVec q, const Vec3& x_world, Eigen::Ref<Mat3X> J) const {
  const Vec3 X = gradient(q).inverse() * (x_world - q.tail<3>());
  J.setZero();
  for (int i = 0; i < 3; ++i) J.block<1, 3>(i, 3 * i) = X.transpose();
  J.rightCols<3>().setIdentity();
}

Placement AffineBody::placement(ConstVec q) const { return {gradient(q), q.tail<3>()}; }

Energy AffineBody::energy(ConstVec q, ConstVec u, const Vec3& gravity) const {
  const Mat3 rate = gradient(u);
  Energy e;
  e.kinetic = 0.5 * mass_ * u.tail<3>().squaredNorm() + 0.5 * (rate * euler_ * rate.transpose()).trace();
  e.gravity = -mass_ * gravity.dot(q.tail<3>());
  e.elastic = volume_ * energy_density(gradient(q));
  return e;
}

double AffineBody::critical_step(ConstVec q) const {
  // h <= 2/sqrt(lambda_max), lambda_max of diag(E0,E0,E0)^-1 K (Koziara 5.1.23).
  Eigen::Matrix<double, 9, 9> M = Eigen::Matrix<double, 9, 9>::Zero();
  for (int i = 0; i < 3; ++i) M.block<3, 3>(3 * i, 3 * i) = euler_;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix<double, 9, 9>> solver(stiffness(gradient(q)), M,
                                                                                     Eigen::EigenvaluesOnly);
  return 2 / std::sqrt(solver.eigenvalues().maxCoeff());
}

}  // namespace cairn
