// SPDX-License-Identifier: Apache-2.0
// Linear and quadratic drag.
#include "cairn/laws/compliant_drag.h"

namespace cairn {

void LinearDrag::describe(ParameterVisitor& v) {
  v.real("coefficient", coefficient, "N s/m", non_negative, "force per speed c");
}

void QuadraticDrag::describe(ParameterVisitor& v) {
  v.real("density", density, "kg/m^3", non_negative, "of the fluid; air 1.2, water 1000");
  v.real("drag_coefficient", drag_coefficient, "", non_negative, "Cd; sphere 0.47, cube 1.05, plate 1.1 to 2");
  v.real("area", area, "m^2", non_negative, "seen along the motion");
}

DragForce drag_force(const LinearDrag& law, const Vec3& velocity) {
  return {-law.coefficient * velocity, -law.coefficient * Mat3::Identity()};
}

DragForce drag_force(const QuadraticDrag& law, const Vec3& velocity) {
  const double c = law.density * law.drag_coefficient * law.area / 2, speed = velocity.norm();
  if (speed == 0) return {Vec3::Zero(), Mat3::Zero()};
  return {-c * speed * velocity, -c * (speed * Mat3::Identity() + velocity * velocity.transpose() / speed)};
}

}  // namespace cairn
