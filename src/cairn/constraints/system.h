// SPDX-License-Identifier: Apache-2.0
// The mechanical system a stepper moves: bodies, their shapes, contact laws, joints and forces. No names, no settings.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/collision/contact_manager.h"
#include "cairn/constraints/coordinate_law.h"
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
  std::vector<Joint> joints;
  std::vector<CoordinateLaw> coordinate_laws;
  std::vector<std::shared_ptr<const ForceElement>> forces;
  ContactFilter filter;
  Vec3 gravity{0, 0, -9.81};
};

/// What moves: time, configuration and velocity of all bodies. A value.
struct Motion {
  double time = 0;
  VecX q, u;
  VecX s;                            ///< coordinates of the joints; angles count turns
  std::vector<std::uint8_t> broken;  ///< per joint: whether it has broken
};

/// The motion a system starts with.
Motion initial_motion(const System& system);

}  // namespace cairn
