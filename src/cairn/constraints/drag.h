// SPDX-License-Identifier: Apache-2.0
// Drag of a medium on a point of a body: linear and quadratic in its velocity relative to the medium, side by side.
//
//   f = -c w - rho/2 Cd A |w| w,   w = v - velocity of the medium           (laws/compliant_drag.h)
// The medium moves as a whole: wind, a stream. It does not turn the body unless the point is off its centre.
#pragma once
#include "cairn/constraints/force_element.h"
#include "cairn/laws/compliant_drag.h"

#include <functional>

namespace cairn {

class Drag final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint at;
    LinearDrag linear = {};
    QuadraticDrag quadratic = {.area = 0};
    std::function<Vec3(double)> medium_velocity;  ///< world axes [m/s]; empty: at rest
  };
  explicit Drag(const Spec& spec);
  std::string_view kind() const override { return "drag"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView&) const override { return 0; }
  std::array<int, 2> acts_on() const override { return {-1, spec_.at.body}; }
  ForceTangent tangent(const ForceView& at) const override;

 private:
  DragForce force_at(const Vec3& velocity, double t) const;
  Spec spec_;
};

}  // namespace cairn
