// SPDX-License-Identifier: Apache-2.0
// Bushing: elastic and damping in all three translations and rotations between axes on A and axes on B.
//
//   d, w: B's point seen from A's axes (constraints/carried_point.h);  exp[psi] = E_A' E_B, the rotation of B's axes
//   seen from A's, |psi| < pi;  omega: its angular velocity in A's axes
//   force  f = -k d - c w,   moment  m = -T(psi)^-T kt psi - ct omega    on B, in A's axes;  V = (k d.d + kt psi.psi)/2
// T is the tangent map of rotations (math/rotation.h); with equal kt about all axes T^-T psi = psi. The moment derives
// from V exactly, at any angle below pi; at pi the rotation vector jumps. Without k it is a torsion spring.
#pragma once
#include "cairn/constraints/carried_point.h"

namespace cairn {

class Bushing final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint a, b;                                         ///< both rigid or the world
    Quat axes_a = Quat::Identity(), axes_b = Quat::Identity();  ///< in the bodies' axes; alike: no moment
    Vec3 stiffness = Vec3::Zero();                              ///< k along A's axes [N/m]
    Vec3 damping = Vec3::Zero();                                ///< c [N s/m]
    Vec3 torsional_stiffness = Vec3::Zero();                    ///< kt about A's axes [N m/rad]
    Vec3 torsional_damping = Vec3::Zero();                      ///< ct [N m s/rad]
  };
  explicit Bushing(const Spec& spec);
  std::string_view kind() const override { return "bushing"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView& at) const override;
  std::array<int, 2> acts_on() const override { return {spec_.a.body, spec_.b.body}; }
  bool depends_on_velocity() const override;
  ForceTangent tangent(const ForceView& at) const override;

 private:
  Vec3 rotation(const Bodies& bodies, const VecX& q) const;  ///< psi
  void add_rotation_tangent(const Bodies& bodies, const VecX& q, const VecX& u, ForceTangent& tangent) const;
  Spec spec_;
  CarriedFrame frame_;
};

}  // namespace cairn
