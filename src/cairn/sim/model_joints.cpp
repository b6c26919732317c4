// SPDX-License-Identifier: Apache-2.0
// Joints of a model and laws on their coordinates.
#include "cairn/base/text.h"
#include "cairn/sim/model.h"
#include "cairn/sim/named.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn {
namespace {

Vec3 checked_axis(const Vec3& axis, std::string_view name) {
  const double length = axis.norm();
  if (!std::isfinite(length) || !(length > 1e-12))
    throw Error("{} is ({}, {}, {}); must be a direction", name, axis.x(), axis.y(), axis.z());
  return axis / length;
}

void check_positive(const std::optional<double>& value, std::string_view name, std::string_view unit) {
  if (value && !(*value > 0)) throw Error("{} is {} {}; must be > 0", name, *value, unit);
}

/// Axes with the given third one. The first is the world's x as seen along it (for an axis along x: the world's y), so
/// that about z they are the world's.
Mat3 axes_about(const Vec3& axis) {
  const Vec3 guide = std::abs(axis.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 first = (guide - axis * axis.dot(guide)).normalized();
  Mat3 axes;
  axes << first, axis.cross(first), axis;
  return axes;
}

struct AxesPair {
  Mat3 a, b;
};

AxesPair axes_of(const JointSpec& joint) {
  const Vec3 on_a = checked_axis(joint.axis, "axis");
  const Vec3 on_b = joint.second_axis ? checked_axis(*joint.second_axis, "second_axis") : on_a;
  if (joint.kind == JointKind::Universal) {
    if (!joint.second_axis) throw Error("a universal joint needs second_axis, the arm on its second body");
    // 1e-3: directions typed with four digits; more is a mistake, not rounding.
    const double cosine = on_a.dot(on_b);
    if (!(std::abs(cosine) <= 1e-3))
      throw Error(
          "second_axis is {:.4g} degrees from axis; must be 90, the arms of a universal joint are perpendicular",
          std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi);
    AxesPair pair;
    const Vec3 arm_b = (on_b - cosine * on_a).normalized(), n = arm_b.cross(on_a);
    pair.b << arm_b, on_a, n;
    pair.a << arm_b, on_a, n;
    return pair;
  }
  // The frame on A is that on B turned by the shortest way, so that angles start at zero.
  const Mat3 b = axes_about(on_b);
  return {Quat::FromTwoVectors(on_b, on_a).toRotationMatrix() * b, b};
}

}  // namespace

JointFrame Model::frame_on(int body, const Vec3& point, const Mat3& axes) const {
  if (body < 0) return {point, axes};
  const VecX& q = start();
  const PlacedPoint p = system_.bodies.locate(body, q, point);
  return {p.local, system_.bodies.rotation(p, q).transpose() * axes, p.part};
}

JointId Model::add_joint(const JointSpec& spec) {
  const std::string name = claim_name(spec.name, "joint", joint_names_.size(), joint_index_);
  return named("joint", name, [&] {
    Joint joint;
    joint.kind = spec.kind;
    joint.body_a = body_or_world(spec.body_a);
    joint.body_b = body_or_world(spec.body_b);
    if (joint.body_a == joint.body_b)
      throw Error("joins '{}' to itself", spec.body_a.empty() ? "the world" : spec.body_a);
    const Vec3 second = spec.second_position.value_or(spec.position);
    if (!spec.position.allFinite()) throw Error("position is not finite");
    if (!second.allFinite()) throw Error("second_position is not finite");
    if (!system_.bodies.can_move(joint.body_a) && !system_.bodies.can_move(joint.body_b))
      throw Error("neither of its bodies can move");
    const AxesPair axes = axes_of(spec);
    joint.frame_a = frame_on(joint.body_a, spec.position, axes.a);
    joint.frame_b = frame_on(joint.body_b, second, axes.b);
    if (spec.kind == JointKind::Distance) {
      joint.length = spec.length.value_or((spec.position - second).norm());
      if (!(std::isfinite(joint.length) && joint.length > 0))
        throw Error("length is {} m; must be > 0 (position and second_position are its two ends)", joint.length);
      joint.sense = spec.sense;
      joint.restitution = spec.restitution;
    } else if (spec.sense != JointSense::Both || spec.length) {
      throw Error("only a distance joint has a length and may be one-sided");
    }
    if (spec.kind == JointKind::Screw && !(std::isfinite(spec.pitch) && spec.pitch != 0))
      throw Error("pitch is {} m; must be finite and not 0", spec.pitch);
    joint.pitch = spec.pitch;
    if (!(spec.restitution >= 0 && spec.restitution <= 1))
      throw Error("restitution is {}; must be in [0, 1]", spec.restitution);
    check_positive(spec.stiffness, "stiffness", "N/m");
    check_positive(spec.break_force, "break_force", "N");
    check_positive(spec.break_torque, "break_torque", "N m");
    if (!(std::isfinite(spec.damping) && spec.damping >= 0)) throw Error("damping is {}; must be >= 0", spec.damping);
    if (spec.damping > 0 && !spec.stiffness)
      throw Error("damping is {} without stiffness; must be given with it, a rigid joint does not yield", spec.damping);
    if (spec.stiffness && joint.sense != JointSense::Both)
      throw Error("stiffness of a rope, strut or measure; only a rod can yield");
    constexpr double infinite = std::numeric_limits<double>::infinity();
    joint.stiffness = spec.stiffness.value_or(infinite);
    joint.damping = spec.damping;
    joint.break_force = spec.break_force.value_or(infinite);
    joint.break_torque = spec.break_torque.value_or(infinite);
    if (!system_.joints.empty()) {
      const Joint& last = system_.joints.back();
      joint.first_coordinate = last.first_coordinate + static_cast<int>(joint_info(last.kind).coordinates.size());
    }
    system_.joints.push_back(joint);
    joint_names_.push_back(name);
    joint_index_.emplace(name, static_cast<int>(joint_names_.size()) - 1);
    if (!spec.collide && joint.body_a >= 0 && joint.body_b >= 0) exclude(spec.body_a, spec.body_b);
    return JointId{static_cast<int>(system_.joints.size()) - 1};
  });
}

CoordinateTerm Model::find_coordinate(const std::string& name, const std::string& coordinate) const {
  const int index = joint(name).value;
  const JointInfo& info = joint_info(system_.joints[static_cast<std::size_t>(index)].kind);
  std::vector<std::string> names;
  for (const JointCoordinate c : info.coordinates) names.emplace_back(coordinate_name(c));
  if (names.empty()) throw Error("joint '{}' is {}, which has no coordinates", name, info.noun);
  const auto found = coordinate.empty() ? names.begin() : std::find(names.begin(), names.end(), coordinate);
  if (found == names.end())
    throw Error("coordinate '{}' is none of joint '{}'; {} has {}", coordinate, name, info.noun, join(names));
  return {index, static_cast<int>(found - names.begin()), 1};
}

double Model::coordinate_at_start(const std::string& name, const std::string& coordinate) const {
  const CoordinateTerm term = find_coordinate(name, coordinate);
  return start_coordinate(term);
}

const VecX& Model::start() const {
  // Room for twice as many: a chain that grows by one body and one joint in turn is not copied each time.
  if (start_.size() < system_.bodies.nq()) start_.conservativeResize(2 * system_.bodies.nq());
  for (; started_ < system_.bodies.size(); ++started_) system_.bodies.initial(started_, start_);
  return start_;
}

double Model::start_coordinate(const CoordinateTerm& term) const {
  const Joint& joint = system_.joints[static_cast<std::size_t>(term.joint)];
  return follow_coordinate(joint, place(joint, system_.bodies, start()), term.coordinate, 0);
}

CoordinateLawId Model::add_coordinate_law(const CoordinateLawSpec& spec) {
  const std::string name = claim_name(spec.name, "law", law_names_.size(), law_index_);
  return named("law", name, [&] {
    CoordinateLaw law;
    law.kind = spec.kind;
    if (spec.terms.empty() || spec.terms.size() > 3)
      throw Error("it is about {} coordinates; must be 1 to 3", spec.terms.size());
    for (const CoordinateLawSpec::Term& term : spec.terms) {
      const CoordinateTerm found = find_coordinate(term.joint, term.coordinate);
      if (!(std::isfinite(term.factor) && term.factor != 0))
        throw Error("the factor of joint '{}' is {}; must be finite and not 0", term.joint, term.factor);
      for (const CoordinateTerm& other : law.terms)
        if (other.joint == found.joint && other.coordinate == found.coordinate)
          throw Error("joints names '{}' twice with the same coordinate; must be different ones", term.joint);
      law.terms.push_back({found.joint, found.coordinate, term.factor});
    }
    constexpr double infinite = std::numeric_limits<double>::infinity();
    law.lower = spec.lower.value_or(-infinite);
    law.upper = spec.upper.value_or(infinite);
    law.restitution = spec.restitution;
    law.target = spec.target;
    law.force = spec.force.value_or(infinite);
    law.own_force = spec.own_force;
    law.sense = spec.sense;
    if (!(law.restitution >= 0 && law.restitution <= 1))
      throw Error("restitution is {}; must be in [0, 1]", law.restitution);
    if (!(law.force >= 0)) throw Error("force is {}; must be >= 0", law.force);
    switch (spec.kind) {
      case CoordinateLawKind::Limit:
        if (!spec.lower && !spec.upper) throw Error("a limit without lower and upper; at least one must be given");
        if (!(law.lower < law.upper))
          throw Error("lower is {} and upper {}; must be lower < upper", law.lower, law.upper);
        break;
      case CoordinateLawKind::Motor:
      case CoordinateLawKind::Servo:
        if (!spec.target) throw Error("it has no target; must be a function of time");
        break;
      case CoordinateLawKind::Friction:
        if (!spec.force && !spec.own_force) throw Error("friction without force; its limit must be given");
        if (spec.force && spec.own_force) throw Error("friction with force and own_force; must have one of the two");
        break;
      case CoordinateLawKind::Clutch:
        if (law.sense != JointSense::AtLeast && law.sense != JointSense::AtMost)
          throw Error("a one-way clutch must say which way it holds");
        break;
      case CoordinateLawKind::Coupling:
        if (spec.terms.size() < 2) throw Error("a coupling of one coordinate; must be of 2 or 3");
        break;
    }
    for (const CoordinateTerm& term : law.terms) law.value += term.factor * start_coordinate(term);
    if (spec.kind == CoordinateLawKind::Friction && spec.own_force) {
      if (const double start = spec.own_force(0, law.value, 0); !(std::isfinite(start) && start >= 0))
        throw Error("force is {}; must be >= 0", start);
    }
    system_.coordinate_laws.push_back(std::move(law));
    law_names_.push_back(name);
    law_index_.emplace(name, static_cast<int>(law_names_.size()) - 1);
    return CoordinateLawId{static_cast<int>(law_names_.size()) - 1};
  });
}

void Model::add_own_joint(std::shared_ptr<const OwnJoint> joint) {
  if (!joint || joint->rows() < 1 || joint->rows() > max_rows)
    throw Error("a joint of one's own has {} equations; must have 1 to {}", joint ? joint->rows() : 0, max_rows);
  system_.own_joints.push_back(std::move(joint));
}

void Model::add_own_contact(std::shared_ptr<const OwnContact> contact) {
  const std::string owner = fmt::format("own contact {}", system_.own_contacts.size());
  if (!contact) throw Error("{}: there is none", owner);
  check_contact_law(owner, contact->law());
  if (contact->law().cohesion != 0 || contact->law().adhesion != 0)
    throw Error("{}: has cohesion or adhesion; only contacts of shapes can", owner);
  check_law(make_example_law(contact->law().kind), contact->rows(), owner);
  system_.own_contacts.push_back(std::move(contact));
}

void Model::add_remote_action(const RemoteActionSpec& spec) {
  RemoteAction action;
  const auto n = static_cast<Eigen::Index>(spec.pairs.size());
  if (n == 0) throw Error("a remote action without pairs of bodies");
  if (spec.restitution.rows() != n || spec.restitution.cols() != n)
    throw Error("remote action: restitution is {} x {}; must be {} x {}, one row and column per pair",
                spec.restitution.rows(), spec.restitution.cols(), n, n);
  if (!spec.restitution.allFinite()) throw Error("remote action: restitution is not finite");
  for (const auto& [a, b] : spec.pairs) {
    action.pairs.emplace_back(body(a).value, body(b).value);
    if (a == b) throw Error("remote action: '{}' does not touch itself", a);
  }
  action.restitution = spec.restitution;
  system_.remote_actions.push_back(std::move(action));
}

JointId Model::joint(std::string_view name) const {
  const auto it = joint_index_.find(std::string(name));
  if (it == joint_index_.end()) throw Error("there is no joint '{}'{}", name, did_you_mean(name, joint_names_));
  return JointId{it->second};
}

void Model::set_target(CoordinateLawId law, std::function<double(double)> target) {
  CoordinateLaw& changed = system_.coordinate_laws.at(static_cast<std::size_t>(law.value));
  if (changed.kind != CoordinateLawKind::Motor && changed.kind != CoordinateLawKind::Servo)
    throw Error("'{}' has no target; motors and servos do", coordinate_law_name(law.value));
  changed.target = std::move(target);
}

}  // namespace cairn
