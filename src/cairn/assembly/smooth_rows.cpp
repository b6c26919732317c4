// SPDX-License-Identifier: Apache-2.0
// All joints and touches at one configuration.
#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/contact_stage.h"
#include "cairn/assembly/smooth_motion.h"
#include "cairn/constraints/joint_equation.h"

#include <algorithm>

namespace cairn {
namespace {

void add_touch(const JointEquation& equation, const JointPlaces& at, Touch& touch) {
  const bool friction = equation.sense == EquationSense::Friction;
  const auto index = static_cast<std::size_t>(equation.owner.index);
  touch.law = law_id(equation.owner, friction ? LawFacet::Friction : LawFacet::Normal);
  fill_rows(equation, at, touch.block);
  touch.restitution = equation.restitution;
  if (friction) {
    touch.limit = at.system->coordinate_laws[index].force;
  } else {
    touch.gap = equation_error(equation, at)[0];
  }
  if (equation.owner.kind == RowOwner::Kind::OwnContact) touch.contact = &at.system->own_contacts[index]->law();
}

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
  out.joints.clear();
  out.touches.clear();
  std::vector<JointEquation> equations;
  list_equations(system, equations);
  JointPlaces at;
  at.set(system, q, s_near, t);
  for (const JointEquation& equation : equations) {
    if (equation.sense == EquationSense::Equal && equation.work != RowWork::Drive) {
      Held& held = out.joints.emplace_back();
      fill_rows(equation, at, held.block);
      held.error = equation_error(equation, at);
    } else if (equation.sense == EquationSense::AtLeast || equation.sense == EquationSense::Friction) {
      add_touch(equation, at, out.touches.emplace_back());
    }
  }
  if (reach < 0 || system.colliders.empty()) return;
  margins_.assign(system.colliders.size(), reach);
  found_.find_within(system, q, margins_, {});
  for (std::size_t i = 0; i < found_.points().size(); ++i) {
    const ContactPoint& p = found_.points()[i];
    Constraint c;
    if (!make_contact(system, found_, q, i, c)) continue;
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
