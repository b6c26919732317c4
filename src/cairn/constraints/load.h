// SPDX-License-Identifier: Apache-2.0
// A given force and torque on a body: functions of time, in world axes or in the body's own.
//
// A force in world axes goes on pointing where it points (weight, wind); one in body axes follows the body (a
// thruster). Neither has an energy; what they do is work of loads.
#pragma once
#include "cairn/constraints/force_element.h"

#include <functional>

namespace cairn {

enum class LoadAxes : std::uint8_t { World, Body };

class Load final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint at;
    std::function<Vec3(double)> force;   ///< [N]; empty: none
    std::function<Vec3(double)> torque;  ///< [N m]; empty: none; rigid bodies only
    LoadAxes axes = LoadAxes::World;     ///< body axes: rigid bodies only
  };
  explicit Load(const Spec& spec);
  std::string_view kind() const override { return "load"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView&) const override { return 0; }
  std::array<int, 2> acts_on() const override { return {-1, spec_.at.body}; }
  bool depends_on_velocity() const override { return false; }
  ForceTangent tangent(const ForceView& at) const override;

 private:
  Spec spec_;
};

}  // namespace cairn
