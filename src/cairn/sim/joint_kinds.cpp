// SPDX-License-Identifier: Apache-2.0
// Descriptions of the kinds of joints and of the laws on their coordinates.
#include "cairn/base/error.h"
#include "cairn/sim/kinds.h"

#include <array>

namespace cairn {
namespace {

// --- joints

template <JointKind kind>
JointSpec read_joint(ModelVisitor& v) {
  JointSpec joint;
  joint.kind = kind;
  v.name(joint.name);
  v.between(joint.body_a, joint.body_b);
  constexpr bool distance = kind == JointKind::Distance, universal = kind == JointKind::Universal;
  v.point("position", joint.position, "m", "of the joint in the world, at the start", Presence::Required);
  if constexpr (distance) {
    Vec3 end = Vec3::Zero();
    v.point("second_position", end, "m", "its end on the second body, in the world, at the start", Presence::Required);
    joint.second_position = end;
  } else {
    v.optional_point("second_position", joint.second_position, "m", "position",
                     "of the joint on the second body, where that is not in place");
  }
  if constexpr (kind != JointKind::Ball && !distance) {
    v.direction("axis", std::span<double, 3>(joint.axis.data(), 3),
                universal ? "arm on the first body, in the world, at the start"
                          : "axis of the joint (of planes: the normal), in the world, at the start");
    v.optional_direction("second_axis", joint.second_axis, universal ? "" : "axis",
                         universal ? "arm on the second body, perpendicular to the first"
                                   : "axis on the second body, where that is not in place");
  }
  if constexpr (distance) {
    static constexpr std::array<std::string_view, 4> senses{"rod", "rope", "strut", "measure"};
    v.choice("sense", joint.sense, senses,
             "holds its length, at most its length, at least its length, or measures it for laws on it");
    v.optional_real("length", joint.length, "m", positive, "the distance of its ends", "of the rod, rope or strut");
    v.real("restitution", joint.restitution, "", unit_interval, "of a rope or strut that becomes tight");
  }
  if constexpr (kind == JointKind::Screw)
    v.real("pitch", joint.pitch, "m", any_number, "way along the axis per turn; negative: left-handed",
           Presence::Required);
  v.optional_real("stiffness", joint.stiffness, "N/m, N m/rad", positive, "rigid", "of each of its equations");
  v.real("damping", joint.damping, "N s/m, N m s/rad", non_negative, "of each of its equations, with a stiffness");
  v.optional_real("break_force", joint.break_force, "N", positive, "never", "it breaks beyond");
  v.optional_real("break_torque", joint.break_torque, "N m", positive, "never", "it breaks beyond");
  v.boolean("collide", joint.collide, "whether the two bodies may also touch");
  return joint;
}

template <JointKind kind>
ModelKind describe_joint() {
  const JointInfo& info = joint_info(kind);
  return {info.name, info.noun, info.help, [](ModelVisitor& v) { read_joint<kind>(v); },
          [](ModelVisitor& v, Model& model) { model.add_joint(read_joint<kind>(v)); }};
}

// --- laws on coordinates

CoordinateLawSpec begin_law(ModelVisitor& v, CoordinateLawKind kind) {
  CoordinateLawSpec law;
  law.kind = kind;
  v.name(law.name);
  std::vector<std::string> joints;
  v.joints(joints, 1, 1, "the joint");
  law.terms.emplace_back();
  if (!joints.empty()) law.terms[0].joint = joints[0];
  v.text("coordinate", law.terms[0].coordinate, "of the joint: angle, slide, x, y, length...; default: its first");
  return law;
}

CoordinateLawSpec read_limit(ModelVisitor& v) {
  CoordinateLawSpec law = begin_law(v, CoordinateLawKind::Limit);
  v.either("lower", "upper");
  v.optional_real("lower", law.lower, "m, rad", any_number, "none", "least value of the coordinate");
  v.optional_real("upper", law.upper, "m, rad", any_number, "none", "largest value of the coordinate");
  v.real("restitution", law.restitution, "", unit_interval, "Newton's coefficient at the stops");
  return law;
}

CoordinateLawSpec read_motor(ModelVisitor& v) {
  CoordinateLawSpec law = begin_law(v, CoordinateLawKind::Motor);
  v.function("speed", law.target, "m/s, rad/s", Presence::Required, "of the coordinate");
  v.optional_real("force", law.force, "N, N m", non_negative, "as large as it takes", "largest force or torque");
  return law;
}

CoordinateLawSpec read_servo(ModelVisitor& v) {
  CoordinateLawSpec law = begin_law(v, CoordinateLawKind::Servo);
  v.function("target", law.target, "m, rad", Presence::Required, "of the coordinate, which is 0 at the start");
  v.optional_real("force", law.force, "N, N m", non_negative, "as large as it takes", "largest force or torque");
  return law;
}

CoordinateLawSpec read_friction(ModelVisitor& v) {
  CoordinateLawSpec law = begin_law(v, CoordinateLawKind::Friction);
  std::function<double(double)> force;
  std::optional<double> stribeck;
  v.function("force", force, "N, N m", Presence::Required, "largest force or torque, that of sliding");
  v.optional_real("stribeck_speed", stribeck, "m/s, rad/s", positive, "the force does not fall",
                  "speed w at which the force has fallen to half: force/(1 + |v|/w)");
  if (force)
    law.own_force = [=](double t, double, double speed) {
      return force(t) / (1 + (stribeck ? speed / *stribeck : 0.0));
    };
  return law;
}

CoordinateLawSpec read_clutch(ModelVisitor& v) {
  CoordinateLawSpec law = begin_law(v, CoordinateLawKind::Clutch);
  static constexpr std::array<std::string_view, 2> ways{"forward", "backward"};
  int way = 0;
  v.choice_index("free", way, ways, "which way the coordinate runs free; the other way it holds");
  law.sense = way == 0 ? JointSense::AtLeast : JointSense::AtMost;
  v.optional_real("force", law.force, "N, N m", non_negative, "as large as it takes", "at which it slips");
  return law;
}

CoordinateLawSpec begin_coupling(ModelVisitor& v, std::size_t most, std::string_view help) {
  CoordinateLawSpec law;
  law.kind = CoordinateLawKind::Coupling;
  v.name(law.name);
  std::vector<std::string> joints;
  v.joints(joints, 2, most, help);
  law.terms.resize(std::max<std::size_t>(2, joints.size()));
  for (std::size_t i = 0; i < joints.size(); ++i) law.terms[i].joint = joints[i];
  return law;
}

/// A ratio of zero would hold the first coordinate and forget the second.
void check_not_zero(double value, std::string_view name) {
  if (value == 0) throw Error("{} is 0; must not be 0", name);
}

CoordinateLawSpec read_gear(ModelVisitor& v) {
  CoordinateLawSpec law = begin_coupling(v, 2, "two revolute joints");
  for (CoordinateLawSpec::Term& term : law.terms) term.coordinate = "angle";
  double ratio = 1;
  v.real("ratio", ratio, "", any_number, "angle of the first = ratio times angle of the second; negative: outer teeth",
         Presence::Required);
  check_not_zero(ratio, "ratio");
  law.terms[1].factor = -ratio;
  return law;
}

CoordinateLawSpec read_rack(ModelVisitor& v) {
  CoordinateLawSpec law = begin_coupling(v, 2, "the rack's prismatic and the pinion's revolute joint");
  law.terms[0].coordinate = "slide";
  law.terms[1].coordinate = "angle";
  double radius = 1;
  v.real("radius", radius, "m", any_number, "slide of the rack = radius times angle of the pinion", Presence::Required);
  check_not_zero(radius, "radius");
  law.terms[1].factor = -radius;
  return law;
}

CoordinateLawSpec read_belt(ModelVisitor& v) {
  CoordinateLawSpec law = begin_coupling(v, 2, "the revolute joints of the two wheels");
  for (CoordinateLawSpec::Term& term : law.terms) term.coordinate = "angle";
  double first = 1, second = 1;
  v.real("radius", first, "m", positive, "of the first wheel", Presence::Required);
  v.real("second_radius", second, "m", positive, "of the second wheel", Presence::Required);
  law.terms[0].factor = first;
  law.terms[1].factor = -second;
  return law;
}

CoordinateLawSpec read_pulley(ModelVisitor& v) {
  CoordinateLawSpec law = begin_coupling(v, 2, "two distance joints that measure: the rope's two free parts");
  for (CoordinateLawSpec::Term& term : law.terms) term.coordinate = "length";
  double ratio = 1;
  v.real("ratio", ratio, "", positive, "parts of rope on the second side: first + ratio times second length");
  law.terms[1].factor = ratio;
  law.sense = JointSense::AtMost;
  return law;
}

CoordinateLawSpec read_coupling(ModelVisitor& v) {
  CoordinateLawSpec law = begin_coupling(v, 3, "two or three joints");
  std::vector<std::string> coordinates;
  std::vector<double> factors;
  v.numbers("factors", factors, "", "one per joint: the sum of factor times coordinate stays as it is at the start");
  v.words("coordinates", coordinates, "one per joint");
  const bool described_only = law.terms[0].joint.empty();  // no scene, but a list of the keys
  if (!described_only && factors.size() != law.terms.size())
    throw Error("factors has {} entries; must be one for each of {} joints", factors.size(), law.terms.size());
  if (!coordinates.empty() && coordinates.size() != law.terms.size())
    throw Error("coordinates has {} entries; must be one for each of {} joints", coordinates.size(), law.terms.size());
  for (const double factor : factors) check_not_zero(factor, "factors: one");
  for (std::size_t i = 0; i < factors.size(); ++i) law.terms[i].factor = factors[i];
  for (std::size_t i = 0; i < coordinates.size(); ++i) law.terms[i].coordinate = coordinates[i];
  return law;
}

template <CoordinateLawSpec (*read)(ModelVisitor&)>
ModelKind describe_law(std::string_view name, std::string_view noun, std::string_view help) {
  return {name, noun, help, [](ModelVisitor& v) { read(v); },
          [](ModelVisitor& v, Model& model) { model.add_coordinate_law(read(v)); }};
}

}  // namespace

std::span<const ModelKind> joint_kinds() {
  static const auto kinds = [] {
    std::vector<ModelKind> all{
        describe_joint<JointKind::Ball>(),
        describe_joint<JointKind::Revolute>(),
        describe_joint<JointKind::Weld>(),
        describe_joint<JointKind::Prismatic>(),
        describe_joint<JointKind::Cylindrical>(),
        describe_joint<JointKind::Universal>(),
        describe_joint<JointKind::ConstantVelocity>(),
        describe_joint<JointKind::Planar>(),
        describe_joint<JointKind::PointOnLine>(),
        describe_joint<JointKind::PointOnPlane>(),
        describe_joint<JointKind::Distance>(),
        describe_joint<JointKind::Screw>(),
        describe_law<read_limit>("limit", "a limit", "stops of a joint's coordinate"),
        describe_law<read_motor>("motor", "a motor", "drives a joint's coordinate at a speed, with a limited force"),
        describe_law<read_servo>("servo", "a servo", "drives a joint's coordinate along a path, with a limited force"),
        describe_law<read_friction>("joint_friction", "friction in a joint", "dry friction along a joint's coordinate"),
        describe_law<read_clutch>("one_way_clutch", "a one-way clutch", "a coordinate that runs one way only"),
        describe_law<read_gear>("gear", "a gear", "two angles in a fixed ratio"),
        describe_law<read_rack>("rack_and_pinion", "a rack and pinion", "a slide and an angle in a fixed ratio"),
        describe_law<read_belt>("belt", "a belt", "two wheels under one belt that does not slip"),
        describe_law<read_pulley>("pulley", "a pulley",
                                  "a rope over pulleys: its two parts together at most as at the start"),
        describe_law<read_coupling>("coupling", "a coupling", "any linear relation of two or three coordinates"),
    };
    const auto forces = joint_force_kinds();
    all.insert(all.end(), forces.begin(), forces.end());
    return all;
  }();
  return kinds;
}

}  // namespace cairn
