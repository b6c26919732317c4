// SPDX-License-Identifier: Apache-2.0
// Joints: a frame on body A and one on body B, and which of their relative motions are held.
//
// Frames are a point p and orthonormal axes 1, 2, 3; axis 3 is the axis of the joint. d = p_A - p_B.
//   point        d = 0                       in world axes (3 rows)
//   along b_i    d . b_i = 0                 a point of A stays on a plane of B
//   a_i, b_j     a_i . b_j = 0               a direction of A stays square to one of B: w = a_i x b_j
//   twist        (a_1 . b_2 - a_2 . b_1)/2 = 0    no turn about the common axis, whatever the bend (constant velocity)
//   length       |d| = length
//   screw        slide = pitch/(2 pi) angle
// Each row is the exact time derivative of its error. Directions are as Haug (Computer-Aided Kinematics and Dynamics of
// Mechanical Systems, 1989, chapter 9) builds joints from two basic constraints; points as in Koziara, table in 3.7.
#pragma once
#include "cairn/bodies/bodies.h"
#include "cairn/constraints/constraint.h"
#include "cairn/constraints/row_block.h"

#include <limits>
#include <span>

namespace cairn {

enum class JointKind : std::uint8_t {
  Ball,
  Revolute,
  Weld,
  Prismatic,
  Cylindrical,
  Universal,
  ConstantVelocity,
  Planar,
  PointOnLine,
  PointOnPlane,
  Distance,
  Screw
};

/// One equation of a joint.
enum class JointRow : std::uint8_t {
  PointX,
  PointY,
  PointZ,
  AlongB1,
  AlongB2,
  AlongB3,
  A3B1,
  A3B2,
  A2B3,
  A1B2,
  A2B1,
  Twist,
  Length,
  Screw
};

/// A motion that a joint leaves free and measures, of A relative to B.
enum class JointCoordinate : std::uint8_t {
  Angle,    ///< about axis 3
  AngleB1,  ///< about b_1: first angle of a universal joint
  AngleA2,  ///< about a_2: second angle of a universal joint
  SlideX,
  SlideY,
  Slide,  ///< along b_1, b_2, b_3
  Length
};

/// What a kind of joint holds and what it leaves free.
struct JointInfo {
  JointKind kind;
  std::string_view name, noun, help;
  std::span<const JointRow> rows;
  std::span<const JointCoordinate> coordinates;
};
std::span<const JointInfo> joint_infos();
const JointInfo& joint_info(JointKind kind);
/// As scenes name it: angle, angle_1, angle_2, x, y, slide, length.
std::string_view coordinate_name(JointCoordinate coordinate);
bool is_angle(JointCoordinate coordinate);
/// Whether a row is about a direction [rad] and not about a point [m].
bool is_angular(JointRow row);

/// A material point of a body (world: in the world) and axes fixed to the material there.
struct JointFrame {
  Vec3 point = Vec3::Zero();     ///< MaterialPoint::local
  Mat3 axes = Mat3::Identity();  ///< columns; orthonormal
  int part = 0;                  ///< MaterialPoint::part
};

/// Which side of an equation is admitted: a rod, a rope (at most its length), a strut (at least its length), or all:
/// the length is measured only, for laws on it.
enum class JointSense : std::uint8_t { Both, AtMost, AtLeast, Free };

struct Joint {
  JointKind kind = JointKind::Ball;
  int body_a = -1, body_b = -1;  ///< -1: the world
  JointFrame frame_a, frame_b;
  double length = 0;                                           ///< distance [m]
  double pitch = 0;                                            ///< screw: way per turn [m]
  JointSense sense = JointSense::Both;                         ///< distance
  double restitution = 0;                                      ///< of a rope or strut that becomes tight
  double stiffness = std::numeric_limits<double>::infinity();  ///< of every row [N/m, N m/rad]; infinite: rigid
  double damping = 0;                                          ///< of every row, if not rigid [N s/m, N m s/rad]
  double break_force = std::numeric_limits<double>::infinity(), break_torque = std::numeric_limits<double>::infinity();
  int first_coordinate = 0;  ///< of those of all joints

  MaterialPoint anchor_a() const { return {body_a, frame_a.part, frame_a.point}; }
  MaterialPoint anchor_b() const { return {body_b, frame_b.part, frame_b.point}; }
  /// Held by three rows at two points alone: takes the fast path.
  bool is_plain_ball() const {
    return kind == JointKind::Ball && stiffness == std::numeric_limits<double>::infinity() &&
           break_force == stiffness && break_torque == stiffness;
  }
};

/// The frames of a joint in the world.
struct PlacedJoint {
  Vec3 point_a, point_b;
  Mat3 a, b;
  Vec3 gap() const { return point_a - point_b; }
  PlacedPoint on_a(const Joint& joint) const { return {joint.anchor_a(), point_a}; }
  PlacedPoint on_b(const Joint& joint) const { return {joint.anchor_b(), point_b}; }
};
PlacedJoint place(const Joint& joint, const Bodies& bodies, const VecX& q);

/// Error of every row; `s` are the coordinates of all joints (a screw counts its turns).
RowVector joint_error(const Joint& joint, const PlacedJoint& at, const VecX& s);
/// Rows of H.
void fill_rows(const Joint& joint, const PlacedJoint& at, RowBlock& block);

/// Coordinates of all joints at q; angles are those nearest to the ones in `s`, which thus count turns.
void follow_coordinates(std::span<const Joint> joints, const Bodies& bodies, const VecX& q, VecX& s);
/// One coordinate; an angle is the one nearest to `near`.
double follow_coordinate(const Joint& joint, const PlacedJoint& at, int coordinate, double near);
/// Adds factor times the rate of a coordinate to a row of a block.
void add_coordinate_row(const Joint& joint, const PlacedJoint& at, int coordinate, double factor, RowBlock& block,
                        int row);

/// A plain ball joint as three rows at two points, in world axes.
Constraint make_constraint(const Joint& joint, const Bodies& bodies, const VecX& q);

}  // namespace cairn
