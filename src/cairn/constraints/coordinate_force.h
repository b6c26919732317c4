// SPDX-License-Identifier: Apache-2.0
// A force along one coordinate of a joint: spring and damper with any curve, or given as a function of time.
//
//   x = s - rest, v = ds/dt;  f(x, v) of the curve (laws/compliant_*.h) and the given force act along s: F = J' f with
//   ds/dt = J u. About an angle it is a torque. Angles count turns, which it remembers.
#pragma once
#include "cairn/constraints/force_element.h"
#include "cairn/constraints/joint.h"
#include "cairn/constraints/spring.h"

#include <functional>
#include <optional>

namespace cairn {

class CoordinateForce final : public ForceElement {
 public:
  struct Spec {
    Joint joint;
    int index = -1;      ///< of the joint
    int coordinate = 0;  ///< of its coordinates
    double rest = 0;     ///< [m, rad], where the curve's x is 0
    double start = 0;    ///< of the coordinate: near which it is measured
    std::optional<SpringLaw> law = {};
    std::function<double(double)> given = {};  ///< [N, N m]; empty: none
  };
  explicit CoordinateForce(const Spec& spec);
  std::string_view kind() const override { return spec_.law ? "joint spring" : "joint force"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView& at) const override;
  std::array<int, 2> acts_on() const override { return {spec_.joint.body_a, spec_.joint.body_b}; }
  bool depends_on_velocity() const override;
  ForceTangent tangent(const ForceView& at) const override;
  /// Without what the turning axes add.
  ForceTangent stiffest(const ForceView& at) const override;
  int joint() const override { return spec_.index; }
  int memory_size() const override { return 1; }
  void begin_memory(const Bodies& bodies, const VecX& q, std::span<double> turns) const override;
  void update_memory(const ForceView& at, const VecX& q_end, std::span<double> turns) const override;

 private:
  double elongation(const ForceView& at, const PlacedJoint& placed) const;
  RowBlock row(const PlacedJoint& placed) const;
  Spec spec_;
};

}  // namespace cairn
