// SPDX-License-Identifier: Apache-2.0
// All joints and touches at one configuration.
#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/contact_stage.h"
#include "cairn/assembly/smooth_motion.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

const Touch* RowSet::find(const LawId& law) const {
  const Touch* near = nullptr;
  int of_pair = 0;
  for (const Touch& touch : touches) {
    if (touch.law == law) return &touch;
    if (touch.law.owner == law.owner && touch.law.a == law.a && touch.law.b == law.b) near = &touch, ++of_pair;
  }
  return of_pair == 1 ? near : nullptr;  // a rolling pair with one point: its features change
}

void SmoothMotion::gather(const System& system, const VecX& q, const VecX& s_near, double t, double reach,
                          RowSet& out) {
  const Bodies& bodies = system.bodies;
  out.joints.clear();
  out.touches.clear();
  VecX s = s_near;
  follow_coordinates(system.joints, bodies, q, s);
  std::vector<PlacedJoint> placed;
  for (const Joint& joint : system.joints) placed.push_back(place(joint, bodies, q));
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (joint.sense == JointSense::Free) continue;
    const RowVector g = joint_error(joint, placed[j], s);
    if (joint.sense == JointSense::Both) {
      Held& held = out.joints.emplace_back();
      fill_rows(joint, placed[j], held.block);
      held.block.source = static_cast<int>(j);
      held.error = g;
    } else {
      Touch& touch = out.touches.emplace_back();
      touch.law = {LawOwner::Joint, LawFacet::Normal, static_cast<int>(j)};
      fill_rows(joint, placed[j], touch.block);
      touch.gap = g[0];
      touch.restitution = joint.restitution;
    }
  }
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l) {
    const CoordinateLaw& law = system.coordinate_laws[l];
    const double sigma = combined_coordinate(law, system.joints, s);
    const auto add_stop = [&](double sign, double gap, int part) {
      Touch& touch = out.touches.emplace_back();
      touch.law = {LawOwner::CoordinateLaw, LawFacet::Normal, static_cast<int>(l), law.first_row + part};
      fill_row(law, system.joints, placed, sign, touch.block);
      touch.gap = gap;
      touch.restitution = law.restitution;
    };
    if (law.kind == CoordinateLawKind::Limit) {
      if (law.lower > -infinite) add_stop(1, sigma - law.lower, 0);
      if (law.upper < infinite) add_stop(-1, law.upper - sigma, 1);
    } else if (law.kind == CoordinateLawKind::Friction) {
      Touch& touch = out.touches.emplace_back();
      touch.law = {LawOwner::CoordinateLaw, LawFacet::Friction, static_cast<int>(l), law.first_row};
      fill_row(law, system.joints, placed, 1, touch.block);
      touch.limit = law.force;
    } else if (law.kind == CoordinateLawKind::Coupling && law.sense == JointSense::Both) {
      Held& held = out.joints.emplace_back();
      fill_row(law, system.joints, placed, 1, held.block);
      held.error[0] = sigma - law.value;
    } else if (law.kind == CoordinateLawKind::Coupling) {
      const double sign = law.sense == JointSense::AtMost ? -1 : 1;
      add_stop(sign, sign * (sigma - law.value), 0);
    }
  }
  for (const auto& joint : system.own_joints) {
    Held& held = out.joints.emplace_back();
    joint->fill_rows(bodies, q, t, held.block);
    held.error = joint->error(bodies, q, t);
  }
  for (std::size_t c = 0; c < system.own_contacts.size(); ++c) {
    const OwnContact& contact = *system.own_contacts[c];
    Touch& touch = out.touches.emplace_back();
    touch.law = {LawOwner::OwnContact, LawFacet::Normal, static_cast<int>(c)};
    contact.fill_rows(bodies, q, t, touch.block);
    touch.gap = contact.gap(bodies, q, t);
    touch.contact = &contact.law();
    touch.restitution = contact.law().restitution;
  }
  if (reach < 0 || system.colliders.empty()) return;
  margins_.assign(system.colliders.size(), reach);
  found_.find_within(system, q, margins_, {});
  for (std::size_t i = 0; i < found_.points().size(); ++i) {
    const ContactPoint& p = found_.points()[i];
    Constraint c;
    if (!make_contact(system, found_, i, c)) continue;
    Touch& touch = out.touches.emplace_back();
    touch.law = contact_id(p);
    touch.block = make_block(c, 1);
    if (c.contact->friction_at(0) == 0) touch.block.rows = 1;
    touch.gap = p.gap;
    touch.contact = c.contact;
    touch.restitution = c.contact->restitution;
    touch.point = p.point;
    touch.frame = c.frame;
  }
}

}  // namespace cairn
