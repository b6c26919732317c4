// SPDX-License-Identifier: Apache-2.0
// Spring and damper along the line between two points, with any curve of laws/compliant_*.h that pulls and pushes.
//
//   l = |x_b - x_a|,  x = l - rest length,  v = dl/dt;   the law's f acts on b along the line, and its opposite on a
// Without a line (l = 0) there is no direction and no force.
#pragma once
#include "cairn/constraints/force_element.h"
#include "cairn/laws/compliant_polynomial.h"
#include "cairn/laws/compliant_spring.h"
#include "cairn/laws/compliant_table.h"

#include <variant>

namespace cairn {

using SpringLaw = std::variant<LinearSpring, PowerSpring, TableSpring, PolynomialSpring>;

CompliantForce spring_force(const SpringLaw& law, double x, double v);
/// Throws Error unless its numbers are admissible.
void check_spring_law(const SpringLaw& law);

class Spring final : public ForceElement {
 public:
  struct Spec {
    MaterialPoint a, b;
    double rest_length = 0;  ///< [m], >= 0: where the law's x is 0
    SpringLaw law = LinearSpring{};
  };
  explicit Spring(const Spec& spec);
  std::string_view kind() const override { return "spring"; }
  void add_forces(const ForceView& at, VecX& conservative, VecX& other) const override;
  double energy(const ForceView& at) const override;
  std::array<int, 2> acts_on() const override { return {spec_.a.body, spec_.b.body}; }
  bool depends_on_velocity() const override;
  ForceTangent tangent(const ForceView& at) const override;

 private:
  Spec spec_;
};

}  // namespace cairn
