// SPDX-License-Identifier: Apache-2.0
// The kinds of joints as lists of rows and coordinates.
#include "cairn/constraints/joint.h"

namespace cairn {
namespace {

using enum JointRow;
constexpr JointRow kBall[] = {PointX, PointY, PointZ};
constexpr JointRow kRevolute[] = {PointX, PointY, PointZ, A3B1, A3B2};
constexpr JointRow kWeld[] = {PointX, PointY, PointZ, A2B3, A3B1, A1B2};
constexpr JointRow kPrismatic[] = {AlongB1, AlongB2, A2B3, A3B1, A1B2};
constexpr JointRow kCylindrical[] = {AlongB1, AlongB2, A3B1, A3B2};
constexpr JointRow kUniversal[] = {PointX, PointY, PointZ, A2B1};
constexpr JointRow kConstantVelocity[] = {PointX, PointY, PointZ, Twist};
constexpr JointRow kPlanar[] = {AlongB3, A3B1, A3B2};
constexpr JointRow kPointOnLine[] = {AlongB1, AlongB2};
constexpr JointRow kPointOnPlane[] = {AlongB3};
constexpr JointRow kDistance[] = {JointRow::Length};
constexpr JointRow kScrew[] = {AlongB1, AlongB2, A3B1, A3B2, JointRow::Screw};

using C = JointCoordinate;
constexpr C kAngle[] = {C::Angle};
constexpr C kSlide[] = {C::Slide};
constexpr C kAngleSlide[] = {C::Angle, C::Slide};
constexpr C kCross[] = {C::AngleB1, C::AngleA2};
constexpr C kInPlane[] = {C::SlideX, C::SlideY, C::Angle};
constexpr C kOnPlane[] = {C::SlideX, C::SlideY};
constexpr C kLength[] = {C::Length};

constexpr JointInfo kInfos[] = {
    {JointKind::Ball,
     "ball",
     "a ball joint",
     "a point of one body stays on a point of another or of the world",
     kBall,
     {}},
    {JointKind::Revolute, "revolute", "a revolute joint", "hinge: a common axis and a common point on it", kRevolute,
     kAngle},
    {JointKind::Weld, "weld", "a weld", "the two bodies move as one", kWeld, {}},
    {JointKind::Prismatic, "prismatic", "a prismatic joint", "slides along an axis, does not turn", kPrismatic, kSlide},
    {JointKind::Cylindrical, "cylindrical", "a cylindrical joint", "slides along an axis and turns about it",
     kCylindrical, kAngleSlide},
    {JointKind::Universal, "universal", "a universal joint", "cross of two perpendicular axes, one on each body",
     kUniversal, kCross},
    {JointKind::ConstantVelocity,
     "constant_velocity",
     "a constant-velocity joint",
     "a common point, bends freely, passes turning on without change of speed",
     kConstantVelocity,
     {}},
    {JointKind::Planar, "planar", "a planar joint", "a plane of one body stays on a plane of the other", kPlanar,
     kInPlane},
    {JointKind::PointOnLine, "point_on_line", "a point-on-line joint",
     "a point of the first stays on a line of the second", kPointOnLine, kSlide},
    {JointKind::PointOnPlane, "point_on_plane", "a point-on-plane joint",
     "a point of the first stays on a plane of the second", kPointOnPlane, kOnPlane},
    {JointKind::Distance, "distance", "a distance joint", "rod, rope or strut between two points", kDistance, kLength},
    {JointKind::Screw, "screw", "a screw joint", "turns about an axis and moves along it by the pitch per turn", kScrew,
     kAngleSlide},
};

}  // namespace

std::span<const JointInfo> joint_infos() { return kInfos; }

const JointInfo& joint_info(JointKind kind) { return kInfos[static_cast<std::size_t>(kind)]; }

std::string_view coordinate_name(JointCoordinate coordinate) {
  switch (coordinate) {
    case C::Angle: return "angle";
    case C::AngleB1: return "angle_1";
    case C::AngleA2: return "angle_2";
    case C::SlideX: return "x";
    case C::SlideY: return "y";
    case C::Slide: return "slide";
    case C::Length: return "length";
  }
  return "?";
}

bool is_angle(JointCoordinate coordinate) { return coordinate <= C::AngleA2; }

bool is_angular(JointRow row) { return row >= A3B1 && row <= Twist; }

PlacedJoint place(const Joint& joint, const Bodies& bodies, const VecX& q) {
  const MaterialPoint a = joint.anchor_a(), b = joint.anchor_b();
  const auto turned = [&](const MaterialPoint& p, const Mat3& axes) -> Mat3 {
    return p.body < 0 ? axes : Mat3(bodies.rotation(p, q) * axes);
  };
  return {bodies.position(a, q), bodies.position(b, q), turned(a, joint.frame_a.axes), turned(b, joint.frame_b.axes)};
}

Constraint make_constraint(const Joint& joint, const Bodies& bodies, const VecX& q) {
  Constraint c;
  c.body_a = joint.body_a;
  c.body_b = joint.body_b;
  c.on_a = joint.anchor_a();
  c.on_b = joint.anchor_b();
  c.point_a = bodies.position(c.on_a, q);
  c.point_b = bodies.position(c.on_b, q);
  c.law = LawKind::Bilateral;
  return c;
}

}  // namespace cairn
