// SPDX-License-Identifier: Apache-2.0
// Pseudo-rigid body: one homogeneous deformation gradient, Saint Venant-Kirchhoff material.
// Source: Koziara, sections 3.2.2, 3.3.2, 3.4.1 (eqs. 4.1.38-43; energy with 1/8, see the erratum in its spec, 8.2).
//
// q = (F row by row, centre), u = their rates. x = F X + centre, X measured from the centre in the reference shape.
// M = diag(E0, E0, E0, m I), E0 = int rho X X'. P = F S, S = lambda tr(E) I + 2 mu E, E = (F'F - I)/2.
// Mean force from q_B to q_E: -V F_mean S_mean, exact because E is quadratic in F and the energy in E.
#pragma once
#include "cairn/bodies/body.h"

namespace cairn {

/// Material and start of one pseudo-rigid body.
struct AffineSpec {
  Shape shape = Box{};
  double density = 1000;  ///< [kg/m^3]
  double young = 1e6;     ///< Young's modulus [Pa]
  double poisson = 0.25;  ///< Poisson's ratio, in (-1, 0.5)
  Vec3 position = Vec3::Zero();
  Mat3 deformation = Mat3::Identity();  ///< F at the start; a rotation places the body turned and unstressed
  Vec3 velocity = Vec3::Zero();
  Mat3 deformation_rate = Mat3::Zero();  ///< dF/dt at the start [1/s]; hat(omega) F spins it
};

class AffineBody final : public Body {
 public:
  using Mat9 = Eigen::Matrix<double, 9, 9>;

  explicit AffineBody(const AffineSpec& spec);
  std::string_view kind() const override { return "affine"; }
  int nq() const override { return 12; }
  int nu() const override { return 12; }
  void initial(MutVec q, MutVec u) const override;
  Placement placement(ConstVec q) const override;
  SparseRows point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const override;
  double reach(ConstVec q, ConstVec u, double h, double radius) const override;
  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override;
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override;
  /// Points are linear in q: nothing changes.
  void add_force_stiffness(ConstVec, const MaterialPoint&, const Vec3&, Eigen::Ref<MatX>) const override {}
  void velocity_change(ConstVec, ConstVec, const MaterialPoint&, Eigen::Ref<Mat3X>) const override {}
  SparseRows mean_point_rows(ConstVec q_b, ConstVec, const MaterialPoint& p, RowArena& arena) const override {
    return point_rows(q_b, p, arena);
  }
  void mean_force(ConstVec q_b, ConstVec q_e, const Vec3& gravity, MutVec f) const override;
  double critical_step(ConstVec q) const override;
  bool moves_rigidly() const override { return false; }

  double mass() const { return mass_; }
  /// First Piola-Kirchhoff stress [Pa].
  Mat3 stress(const Mat3& F) const;
  /// Energy per reference volume [J/m^3].
  double energy_density(const Mat3& F) const;
  /// K = d2(V Psi)/dF dF for row-wise F [N m].
  Mat9 stiffness(const Mat3& F) const { return material_stiffness(F) + geometric_stiffness(F); }
  Mat9 material_stiffness(const Mat3& F) const;   ///< V F C F'
  Mat9 geometric_stiffness(const Mat3& F) const;  ///< V 1 (x) S

 private:
  Mat3 second_stress(const Mat3& E) const { return lambda_ * E.trace() * Mat3::Identity() + 2 * shear_ * E; }
  AffineSpec spec_;
  double mass_ = 0, volume_ = 0, lambda_ = 0, shear_ = 0;
  Mat3 euler_ = Mat3::Zero();  ///< E0 [kg m^2]
};

}  // namespace cairn
