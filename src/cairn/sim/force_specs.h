// SPDX-License-Identifier: Apache-2.0
// The forces a model can be given, by the names of their bodies.
//
// Anchors are points in the bodies' own axes, measured from the centre of mass; of the world, world points. An empty
// name is the world.
#pragma once
#include "cairn/constraints/bristle_friction.h"
#include "cairn/constraints/bushing.h"
#include "cairn/constraints/coordinate_force.h"
#include "cairn/constraints/drag.h"
#include "cairn/constraints/load.h"
#include "cairn/constraints/spring.h"
#include "cairn/constraints/stop.h"

#include <memory>
#include <optional>
#include <string>

namespace cairn {

/// Spring and damper along the line between two points.
struct SpringSpec {
  std::string name = {};
  std::string body_a = {}, body_b = {};
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  double stiffness = 0, damping = 0;       ///< [N/m], [N s/m]
  std::optional<double> rest_length = {};  ///< [m]; default: the starting distance
  double preload = 0;                      ///< [N] pull at rest_length
  std::optional<SpringLaw> curve = {};     ///< instead of stiffness, damping and preload
};

/// Given force and torque.
struct LoadSpec {
  std::string name = {};
  std::string body = {};
  Vec3 anchor = Vec3::Zero();
  std::function<Vec3(double)> force = {}, torque = {};  ///< of time; formulas, or a TimeTable (math/time_table.h)
  LoadAxes axes = LoadAxes::World;                      ///< of force and torque
};

/// Drag of a medium on a point of a body.
struct DragSpec {
  std::string name = {};
  std::string body = {};
  Vec3 anchor = Vec3::Zero();
  LinearDrag linear = {};
  QuadraticDrag quadratic = {.area = 0};
  std::function<Vec3(double)> medium_velocity = {};  ///< [m/s]; empty: at rest
};

/// Elastic element between axes on two bodies, in all six directions (constraints/bushing.h).
struct BushingSpec {
  std::string name = {};
  std::string body_a = {}, body_b = {};
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  Quat orientation = Quat::Identity();      ///< of its axes in A's axes
  std::optional<Quat> rest_rotation = {};   ///< of B's axes in A's axes without moment; default: as at the start
  Vec3 stiffness = Vec3::Zero();            ///< [N/m]
  Vec3 damping = Vec3::Zero();              ///< [N s/m]
  Vec3 torsional_stiffness = Vec3::Zero();  ///< [N m/rad]
  Vec3 torsional_damping = Vec3::Zero();    ///< [N m s/rad]
};

/// One-sided buffer: a point of B and a plane that A carries (constraints/stop.h).
struct StopSpec {
  std::string name = {};
  std::string body_a = {}, body_b = {};
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  Vec3 direction = Vec3::UnitZ();  ///< in A's axes, towards B, of length 1
  double clearance = 0;            ///< of the plane from A's anchor, along the direction [m]
  StopLaw law = Hertz{};
  std::optional<RegularisedCoulomb> friction = {};
};

/// LuGre friction of a point of B on a plane that A carries (constraints/bristle_friction.h).
struct LuGreSpec {
  std::string name = {};
  std::string body_a = {}, body_b = {};
  Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
  Vec3 direction = Vec3::UnitZ();                   ///< square to the plane, in A's axes, of length 1
  std::function<double(double)> normal_force = {};  ///< of time [N]
  LuGre law = {};
};

/// Spring and damper, or a given force, along a coordinate of a joint (constraints/coordinate_force.h).
struct CoordinateForceSpec {
  std::string name = {};
  std::string joint = {};
  std::string coordinate = {};               ///< empty: the joint's first
  std::optional<double> rest = {};           ///< [m, rad]; default: as at the start
  std::optional<SpringLaw> law = {};         ///< of the coordinate beyond rest
  std::function<double(double)> given = {};  ///< of time [N, N m], along the coordinate
};

/// A force of the user's own kind.
struct OwnForce {
  std::string name = {};
  std::shared_ptr<const ForceElement> element = {};
};

}  // namespace cairn
