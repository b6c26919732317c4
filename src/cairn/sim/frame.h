// SPDX-License-Identifier: Apache-2.0
// A frame: what one moment of a run looks like. Recordings, the viewer and pictures all read this, so that they agree.
#pragma once
#include "cairn/sim/simulation.h"

#include <optional>
#include <string>
#include <vector>

namespace cairn {

struct FrameBody {
  std::string name, kind, material;
  std::optional<Shape> shape;
  double mass = 0;              ///< of a rigid body [kg]; infinite for others
  bool deforms = false;         ///< its placement has a deformation of its own
  Mat3 inertia = Mat3::Zero();  ///< of a rigid body about its centre, body axes [kg m^2]; zero: not known

  bool is_driven() const { return kind == "prescribed"; }
  bool moves_freely() const { return kind != "fixed" && !is_driven(); }
};

struct FrameJoint {
  std::string name, type;
  int body_a = -1, body_b = -1;  ///< -1: the world
  Vec3 anchor_a, anchor_b;       ///< in the bodies' own axes (world: world point) [m]
};

/// A coordinate of a joint.
struct FrameCoordinate {
  int joint = -1;
  std::string name;
};

/// What all frames of a run have in common: the names of the things whose numbers a frame has, in its order.
struct FrameModel {
  std::vector<FrameBody> bodies;
  std::vector<FrameJoint> joints;
  std::vector<FrameCoordinate> coordinates;
  std::vector<std::string> laws;           ///< limits, motors and the like
  std::vector<std::string> memory_forces;  ///< name of the force of every number of Frame::memory
};
FrameModel make_frame_model(const Model& model);

struct FrameContact {
  int body_a = -1, body_b = -1;
  Vec3 point, normal;
  Vec3 force;  ///< world, on A [N]
  double gap = 0;
  ContactState state = ContactState::Open;
  double friction = 0;  ///< coefficient in this step; 0: none, or not recorded (format 3)
  double area = 0;      ///< its share of the contact area [m^2]; 0: a lone point, or not recorded (format 3)
};

/// A hand that pulls at a body (a drag in a live run) by a spring.
struct FramePull {
  int body = -1;
  Vec3 point = Vec3::Zero();   ///< where it holds the body, in the body's own axes [m]
  Vec3 target = Vec3::Zero();  ///< where the hand is, in the world [m]
  Vec3 force = Vec3::Zero();   ///< world, on the body [N]
};
/// What pulls at the present moment, with the force it has there.
std::optional<FramePull> present_pull(const Simulation& simulation);

struct Frame {
  double time = 0;
  double h =
      0;  ///< length of the step that led here, over which forces are means; 0: none, and there are no forces [s]
  VecX q, u;
  std::vector<Vec3> position, velocity, angular_velocity;  ///< one per body, world axes
  std::vector<Quat> orientation;
  std::vector<Mat3> deformation;  ///< one per body: its own where it deforms, else the orientation as a matrix
  std::vector<FrameContact> contacts;
  std::vector<Vec3> joint_force;         ///< world, on A [N]
  std::vector<Vec3> joint_torque;        ///< world, on A, about the joint's point on A [N m]
  std::vector<std::uint8_t> broken;      ///< per joint: whether it has broken
  std::vector<double> joint_coordinate;  ///< [m, rad]
  std::vector<double> memory;            ///< what forces remember: bristles [m], turns [rad]
  std::vector<double> law_force;         ///< of limits, motors..., along their coordinates [N, N m]
  std::optional<FramePull> pull;         ///< none: nobody pulled
  Certificate certificate;               ///< of the step; of frames that are read from a file: empty

  Placement placement(std::size_t body) const { return {deformation[body], position[body]}; }
  /// An anchor in world axes; of the world (-1) it is a point there already.
  Vec3 to_world(int body, const Vec3& anchor) const {
    return body < 0 ? anchor : placement(static_cast<std::size_t>(body)).apply(anchor);
  }
};

/// The present moment; `frame` keeps its memory from moment to moment.
void take_frame(const Simulation& simulation, Frame& frame);
Frame take_frame(const Simulation& simulation);

}  // namespace cairn
