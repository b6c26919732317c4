// SPDX-License-Identifier: Apache-2.0
// Buffer: a one-sided compliant contact of a point of B with a plane that A carries, with regularised friction.
//
//   gap g = n . (x_b - x_a) - clearance,   N = f(g, dg/dt) >= 0 along n on B,   f_T against the sliding velocity
// n is the plane's normal in A's axes, towards B. Laws: Hertz, Hunt-Crossley, Kelvin-Voigt (laws/compliant_*.h);
// friction as Hewlett 2020, section 3.4 (piecewise linear) and others. With Kelvin-Voigt and friction this is his PRF
// contact of a point. Points only: bodies with shapes touch by the set-valued laws.
#pragma once
#include "cairn/constraints/carried_point.h"
#include "cairn/laws/compliant_friction.h"
#include "cairn/laws/compliant_hunt_crossley.h"
#include "cairn/laws/compliant_kelvin_voigt.h"

#include <optional>
#include <variant>

namespace cairn {

using StopLaw = std::variant<Hertz, HuntCrossley, KelvinVoigt>;

class Stop final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint a, b;           ///< A is rigid or the world
    Vec3 normal = Vec3::UnitZ();  ///< in A's axes, of length 1
    double clearance = 0;         ///< [m]: distance of the plane from x_a along the normal
    StopLaw law = Hertz{};
    std::optional<RegularisedCoulomb> friction = {};
  };
  explicit Stop(const Spec& spec);
  std::string_view kind() const override { return "stop"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView& at) const override;
  std::array<int, 2> acts_on() const override { return {spec_.a.body, spec_.b.body}; }
  bool depends_on_velocity() const override;
  bool is_one_sided() const override { return true; }
  ForceTangent tangent(const ForceView& at) const override;
  /// At the depth that would take up the speed of approach, or the present depth where it is deeper.
  ForceTangent stiffest(const ForceView& at) const override;

  double gap(const Bodies& bodies, const VecX& q) const;  ///< [m]; < 0: pressed in
  /// Force on B in world axes [N].
  Vec3 force(const Bodies& bodies, const VecX& q, const VecX& u) const;

 private:
  CarriedPoint see(const Bodies& bodies, const VecX& q, const VecX& u) const;
  /// In the axes (normal, two tangents).
  CarriedForce force_at(const Vec3& place, const Vec3& speed) const;
  Spec spec_;
  CarriedFrame frame_;
};

}  // namespace cairn
