// SPDX-License-Identifier: Apache-2.0
// Laws on the coordinates of joints: limits, motors, servos, dry friction, gears. One row each; limits two.
//
// With sigma = sum of factor times coordinate over up to three joints:
//   limit     lower <= sigma <= upper, unilateral with restitution
//   motor     d sigma/dt = target(t), force within +-limit     -(U - target) in the normal cone of [-limit h, limit h]
//   servo     sigma = target(t), force within +-limit
//   friction  d sigma/dt = 0, force within +-limit; the limit may depend on time, sigma and the speed (Stribeck)
//   clutch    d sigma/dt >= 0 (or <= 0), force only against turning back, within its limit
//   coupling  sigma = its value at the start (gear, rack and pinion, belt, differential; a rope over pulleys: at most)
#pragma once
#include "cairn/constraints/joint.h"

#include <functional>
#include <vector>

namespace cairn {

/// Limit of friction [N, N m] at a time [s], a coordinate [m, rad] and a speed >= 0 [m/s, rad/s]; must be finite and >=
/// 0.
using OwnJointFriction = std::function<double(double time, double coordinate, double speed)>;

enum class CoordinateLawKind : std::uint8_t { Limit, Motor, Servo, Friction, Coupling, Clutch };

/// One coordinate of one joint.
struct CoordinateTerm {
  int joint = -1;
  int coordinate = 0;
  double factor = 1;
};

struct CoordinateLaw {
  CoordinateLawKind kind = CoordinateLawKind::Limit;
  std::vector<CoordinateTerm> terms;
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();  ///< limit [m, rad]
  double restitution = 0;                                  ///< limit
  std::function<double(double)> target;                    ///< motor [m/s, rad/s], servo [m, rad]
  double force = std::numeric_limits<double>::infinity();  ///< limit of motor, servo, friction [N, N m]
  OwnJointFriction own_force;                              ///< friction: its limit, instead of `force`
  double value = 0;                                        ///< coupling: sigma at the start
  JointSense sense = JointSense::Both;                     ///< coupling; clutch: AtLeast lets sigma grow

  int rows() const { return kind == CoordinateLawKind::Limit ? 2 : 1; }
};

/// sigma at the coordinates s of all joints.
double combined_coordinate(const CoordinateLaw& law, std::span<const Joint> joints, const VecX& s);

/// Limit of a law of friction. Throws Error with the coordinate and the speed where an own function gives none.
double friction_limit(const CoordinateLaw& law, double time, double coordinate, double speed);

/// Adds its rate, times `sign`, as the only row of a block.
void fill_row(const CoordinateLaw& law, std::span<const Joint> joints, std::span<const PlacedJoint> placed, double sign,
              RowBlock& block);

}  // namespace cairn
