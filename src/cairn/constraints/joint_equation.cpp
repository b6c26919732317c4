// SPDX-License-Identifier: Apache-2.0
// The one place that knows from what equations of joints come.
#include "cairn/constraints/joint_equation.h"

#include <algorithm>

namespace cairn {
namespace {

using Kind = RowOwner::Kind;
constexpr double infinite = std::numeric_limits<double>::infinity();

const Joint& joint_of(const JointEquation& e, const System& system) {
  return system.joints[static_cast<std::size_t>(e.owner.index)];
}

const CoordinateLaw& law_of(const JointEquation& e, const System& system) {
  return system.coordinate_laws[static_cast<std::size_t>(e.owner.index)];
}

const OwnJoint& own_joint_of(const JointEquation& e, const System& system) {
  return *system.own_joints[static_cast<std::size_t>(e.owner.index)];
}

const OwnContact& own_contact_of(const JointEquation& e, const System& system) {
  return *system.own_contacts[static_cast<std::size_t>(e.owner.index)];
}

void list_law(const CoordinateLaw& law, int index, std::vector<JointEquation>& equations) {
  const auto add = [&](EquationSense sense, RowWork work, double sign = 1, int part = 0) -> JointEquation& {
    return equations.emplace_back(
        JointEquation{.owner = {Kind::Law, index, part}, .sense = sense, .work = work, .sign = sign});
  };
  const double way = law.sense == JointSense::AtMost ? -1 : 1;
  switch (law.kind) {
    case CoordinateLawKind::Limit:
      if (law.lower > -infinite) add(EquationSense::AtLeast, RowWork::Stop).restitution = law.restitution;
      if (law.upper < infinite) add(EquationSense::AtLeast, RowWork::Stop, -1, 1).restitution = law.restitution;
      break;
    case CoordinateLawKind::Motor: add(EquationSense::Motor, RowWork::Drive).force = law.force; break;
    case CoordinateLawKind::Servo: add(EquationSense::Equal, RowWork::Drive).force = law.force; break;
    case CoordinateLawKind::Friction: add(EquationSense::Friction, RowWork::Friction); break;
    case CoordinateLawKind::Clutch: add(EquationSense::Clutch, RowWork::Stop, way).force = law.force; break;
    case CoordinateLawKind::Coupling:
      if (law.sense == JointSense::Both) {
        add(EquationSense::Equal, RowWork::Joint);
      } else {
        add(EquationSense::AtLeast, RowWork::Stop, way).restitution = law.restitution;
      }
      break;
  }
}

/// What time does to g at a fixed configuration; the difference of two times matters.
RowVector part_by_time(const JointEquation& e, const JointPlaces& at, double time) {
  RowVector g = RowVector::Zero();
  switch (e.owner.kind) {
    case Kind::Law:
      if (law_of(e, *at.system).kind == CoordinateLawKind::Servo) g[0] = -law_of(e, *at.system).target(time);
      break;
    case Kind::OwnJoint: return own_joint_of(e, *at.system).error(at.system->bodies, *at.q, time);
    case Kind::OwnContact: g[0] = own_contact_of(e, *at.system).gap(at.system->bodies, *at.q, time); break;
    case Kind::Joint:
    case Kind::None: break;
  }
  return g;
}

}  // namespace

void list_equations(const System& system, std::vector<JointEquation>& equations) {
  equations.clear();
  for (int j = 0; j < static_cast<int>(system.joints.size()); ++j) {
    const Joint& joint = system.joints[static_cast<std::size_t>(j)];
    if (joint.sense == JointSense::Free) continue;
    const bool equal = joint.sense == JointSense::Both;
    equations.push_back({.owner = {Kind::Joint, j, 0},
                         .sense = equal ? EquationSense::Equal : EquationSense::AtLeast,
                         .work = equal ? RowWork::Joint : RowWork::Stop,
                         .restitution = joint.restitution,
                         .stiffness = joint.stiffness,
                         .damping = joint.damping});
  }
  for (int l = 0; l < static_cast<int>(system.coordinate_laws.size()); ++l)
    list_law(system.coordinate_laws[static_cast<std::size_t>(l)], l, equations);
  for (int j = 0; j < static_cast<int>(system.own_joints.size()); ++j)
    equations.push_back({.owner = {Kind::OwnJoint, j, 0}});
  for (int c = 0; c < static_cast<int>(system.own_contacts.size()); ++c)
    equations.push_back({.owner = {Kind::OwnContact, c, 0},
                         .sense = EquationSense::AtLeast,
                         .work = RowWork::Contact,
                         .restitution = system.own_contacts[static_cast<std::size_t>(c)]->law().restitution});
}

bool has_ended(const JointEquation& e, const System& system, const Motion& motion) {
  const auto broken = [&](int joint) { return motion.broken[static_cast<std::size_t>(joint)] != 0; };
  if (e.owner.kind == Kind::Joint) return broken(e.owner.index);
  if (e.owner.kind != Kind::Law) return false;
  const auto& terms = law_of(e, system).terms;
  return std::any_of(terms.begin(), terms.end(), [&](const CoordinateTerm& term) { return broken(term.joint); });
}

void JointPlaces::set(const System& at_system, const VecX& at_q, const VecX& s_near, double at_time) {
  system = &at_system;
  q = &at_q;
  time = at_time;
  s = s_near;
  placed.clear();
  for (const Joint& joint : at_system.joints) {
    placed.push_back(place(joint, at_system.bodies, at_q));
    const int count = static_cast<int>(joint_info(joint.kind).coordinates.size());
    for (int k = 0; k < count; ++k) {
      double& value = s[joint.first_coordinate + k];
      value = follow_coordinate(joint, placed.back(), k, value);
    }
  }
}

RowVector equation_error(const JointEquation& e, const JointPlaces& at) {
  if (e.owner.kind == Kind::Joint)
    return joint_error(joint_of(e, *at.system), at.placed[static_cast<std::size_t>(e.owner.index)], at.s);
  if (e.owner.kind != Kind::Law) return part_by_time(e, at, at.time);
  const CoordinateLaw& law = law_of(e, *at.system);
  const double sigma = combined_coordinate(law, at.system->joints, at.s);
  RowVector g = RowVector::Zero();
  switch (law.kind) {
    case CoordinateLawKind::Limit: g[0] = e.owner.part == 0 ? sigma - law.lower : law.upper - sigma; break;
    case CoordinateLawKind::Servo: g[0] = sigma - law.target(at.time); break;
    case CoordinateLawKind::Coupling: g[0] = e.sign * (sigma - law.value); break;
    default: g[0] = sigma;
  }
  return g;
}

RowVector equation_drift(const JointEquation& e, const JointPlaces& at, double from, double to) {
  return part_by_time(e, at, to) - part_by_time(e, at, from);
}

void fill_rows(const JointEquation& e, const JointPlaces& at, RowBlock& block) {
  const System& system = *at.system;
  block.owner = e.owner;
  block.work = e.work;
  switch (e.owner.kind) {
    case Kind::Joint: return fill_rows(joint_of(e, system), at.placed[static_cast<std::size_t>(e.owner.index)], block);
    case Kind::Law: return fill_row(law_of(e, system), system.joints, at.placed, e.sign, block);
    case Kind::OwnJoint: return own_joint_of(e, system).fill_rows(system.bodies, *at.q, at.time, block);
    case Kind::OwnContact: return own_contact_of(e, system).fill_rows(system.bodies, *at.q, at.time, block);
    case Kind::None: return;
  }
}

}  // namespace cairn
