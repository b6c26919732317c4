// SPDX-License-Identifier: Apache-2.0
// A hand that pulls a point of a body towards a place, as with a spring and a damper, and is no stronger than it is:
//   F = k (target - x) - c v,  cut to |F| <= limit
// What it does is work of loads: a hand stores nothing.
#pragma once
#include "cairn/constraints/system.h"

namespace cairn {

class Pull final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint at;
    Vec3 target = Vec3::Zero();  ///< where it is wanted, in the world [m]
    double stiffness = 0;        ///< [N/m]
    double damping = 0;          ///< [N s/m]
    double limit = 0;            ///< of the force [N]
  };
  /// Throws Error unless its numbers are finite and the body is one.
  explicit Pull(const Spec& spec);
  std::string_view kind() const override { return "pull"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView&) const override { return 0; }
  std::array<int, 2> acts_on() const override { return {-1, spec_.at.body}; }
  ForceTangent tangent(const ForceView& at) const override;
  /// As if the force had no limit: it may come below it at any time.
  ForceTangent stiffest(const ForceView& at) const override;

  const Spec& spec() const { return spec_; }
  Vec3 force(const Bodies& bodies, const VecX& q, const VecX& u) const;  ///< on the body [N]

 private:
  Spec spec_;
};

/// Critically damped at `frequency` [Hz] for the body's mass, and at most `weights` times its weight (on Earth where
/// there is no gravity). Softer where explicit steps of h could not follow. Throws Error for a body that cannot move.
Pull make_pull(const System& system, const Motion& motion, double h, const MaterialPoint& point, const Vec3& target,
               double frequency = 2, double weights = 20);

}  // namespace cairn
