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

Mat3 AffineBody::stress(const Mat3& F) const { return F * second_stress(green_strain(F)); }

double AffineBody::energy_density(const Mat3& F) const {
  const Mat3 E = green_strain(F);
  return 0.5 * lambda_ * E.trace() * E.trace() + shear_ * E.squaredNorm();
}

AffineBody::Mat9 AffineBody::material_stiffness(const Mat3& F) const {
  // K[iJ,kL] = V F_iM C_MJNL F_kN, C_MJNL = lambda d_MJ d_NL + mu (d_MN d_JL + d_ML d_JN).
  const Mat3 FFt = F * F.transpose();
  Mat9 K;
  for (int i = 0; i < 3; ++i)
    for (int J = 0; J < 3; ++J)
      for (int k = 0; k < 3; ++k)
        for (int L = 0; L < 3; ++L) {
          double value = lambda_ * F(i, J) * F(k, L) + shear_ * F(i, L) * F(k, J);
          if (J == L) value += shear_ * FFt(i, k);
          K(3 * i + J, 3 * k + L) = volume_ * value;
        }
  return K;
}

AffineBody::Mat9 AffineBody::geometric_stiffness(const Mat3& F) const {
  Mat9 K = Mat9::Zero();
  for (int i = 0; i < 3; ++i) K.block<3, 3>(3 * i, 3 * i) = volume_ * second_stress(green_strain(F));
  return K;
}

BodyStatus AffineBody::evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const {
  const Mat3 F = gradient(at.q);
  if (wants(wanted, Terms::Mass)) {
    for (int i = 0; i < 3; ++i) terms.mass.block<3, 3>(3 * i, 3 * i) = euler_;
    terms.mass.bottomRightCorner<3, 3>().diagonal().setConstant(mass_);
  }
  if (wants(wanted, Terms::Force)) {
    const RowMat3 P = stress(F);
    terms.force.head<9>() = -volume_ * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
    terms.force.tail<3>() = mass_ * at.gravity;
  }
  if (wants(wanted, Terms::Stiffness)) {
    terms.material.topLeftCorner<9, 9>() = material_stiffness(F);
    terms.geometric.topLeftCorner<9, 9>() = geometric_stiffness(F);
    terms.has_stiffness = true;
  }
  return F.determinant() > 0 ? BodyStatus::Ok : BodyStatus::Inverted;
}

void AffineBody::mean_force(ConstVec q_b, ConstVec q_e, const Vec3& gravity, MutVec f) const {
  const Mat3 F_b = gradient(q_b), F_e = gradient(q_e);
  const RowMat3 P = 0.5 * (F_b + F_e) * second_stress(0.5 * (green_strain(F_b) + green_strain(F_e)));
  f.head<9>() = -volume_ * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
  f.tail<3>() = mass_ * gravity;
}

SparseRows AffineBody::point_rows(ConstVec, const MaterialPoint& p, RowArena& arena) const {
  const SparseRows rows = arena.rows(3, 0, 12);
  auto J = rows.J();
  for (int i = 0; i < 3; ++i) J.block<1, 3>(i, 3 * i) = p.local.transpose();
  J.rightCols<3>().setIdentity();
  return rows;
}

double AffineBody::reach(ConstVec, ConstVec u, double h, double radius) const {
  // dx = h (dF/dt X + v).
  return h * (u.tail<3>().norm() + radius * gradient(u).norm());
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
