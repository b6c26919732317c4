// SPDX-License-Identifier: Apache-2.0
// LuGre friction of a point of B on a plane that A carries, pressed by a given force: a force with a memory.
//
//   z: bristles in the plane, in A's axes;  dz/dt = w - a(|w|) z,  f = -N (s0 z + s1 dz/dt + s2 w) (compliant_lugre.h)
// w is the sliding velocity an observer on A sees. A step gives the mean of f over it, exact at constant w whatever the
// stiffness of the bristles. What they store is not counted as energy of the system: the work of this force is what
// they take and give.
#pragma once
#include "cairn/constraints/carried_point.h"
#include "cairn/laws/compliant_lugre.h"

#include <functional>

namespace cairn {

class BristleFriction final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint a, b;                          ///< A is rigid or the world
    Vec3 normal = Vec3::UnitZ();                 ///< of the plane, in A's axes, of length 1
    std::function<double(double)> normal_force;  ///< N(t) >= 0 [N]; below 0 counts as 0
    LuGre law = {};
  };
  explicit BristleFriction(const Spec& spec);
  std::string_view kind() const override { return "lugre"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView&) const override { return 0; }
  std::array<int, 2> acts_on() const override { return {spec_.a.body, spec_.b.body}; }
  ForceTangent tangent(const ForceView& at) const override;
  int memory_size() const override { return 2; }
  void begin_memory(const Bodies&, const VecX&, std::span<double> z) const override;
  void update_memory(const ForceView& at, const VecX& q_end, std::span<double> z) const override;

 private:
  LuGreStep step(const ForceView& at, const CarriedPoint& point) const;
  CarriedPoint see(const ForceView& at) const { return see_point(at.bodies, frame_, spec_.b, at.q, at.u); }
  Spec spec_;
  CarriedFrame frame_;
};

}  // namespace cairn
