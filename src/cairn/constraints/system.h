// SPDX-License-Identifier: Apache-2.0
// The mechanical system a stepper moves: bodies, their shapes, contact laws, joints and forces. No names, no settings.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/collision/contact_manager.h"
#include "cairn/constraints/ball_joint.h"
#include "cairn/constraints/force_element.h"
#include "cairn/laws/materials.h"

namespace cairn {

struct System {
  Bodies bodies;
  Materials materials;
  std::vector<Collider> colliders;
  std::vector<MaterialId> collider_material;  ///< one per collider
  std::vector<double> collider_radius;        ///< bounding radius about the body's origin; 0 for unbounded shapes
  std::vector<double> collider_thickness;     ///< half_thickness() of the shape
  std::vector<BallJoint> joints;
  std::vector<std::shared_ptr<const ForceElement>> forces;
  ContactFilter filter;
  Vec3 gravity{0, 0, -9.81};
};

/// What moves: time, configuration and velocity of all bodies. A value.
struct Motion {
  double time = 0;
  VecX q, u;
};

}  // namespace cairn
