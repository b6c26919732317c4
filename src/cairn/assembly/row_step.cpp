// SPDX-License-Identifier: Apache-2.0
// Rows of a step with any mass: see the header.
#include "cairn/assembly/row_step.h"

#include "cairn/assembly/step_accounts.h"

#include <algorithm>

namespace cairn {

void RowStep::form(const JointContext& at, const VecX& q_contacts) {
  const Bodies& bodies = at.system.bodies;
  joints.form(at);
  rows.begin(bodies, at.u_begin);
  rows.add(bodies, at.q_mid, joints.blocks());
  rows.add(bodies, q_contacts, contact_blocks);
  rows.finish();
  held_.resize(0);
  if (!contacts.is_any_held()) return;
  held_.setZero(rows.row_count());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    held_[rows.row(first_contact() + i)] = at.h * contacts.contacts()[i].holding;
}

void RowStep::start(const WarmStart& warm, bool again) {
  r.setZero(rows.row_count());
  joints.start(rows.layout(), warm, r);
  for (std::size_t i = 0; i < contact_blocks.size(); ++i) {
    const int n = std::min(3, contact_blocks[i].rows);
    const Vec3 last = again ? r_contact[i] : contacts.warm_impulse(contacts.contacts()[i], warm);
    r.segment(rows.row(first_contact() + i), n) = last.head(n);
  }
}

void RowStep::hold() {
  if (held_.size() == 0) return;
  rows.shift_unknown(held_);
  r += held_;
}

void RowStep::release() {
  if (held_.size() == 0) return;
  rows.shift_unknown(-held_);
  r -= held_;
}

void RowStep::break_held() {
  if (held_.size() == 0) return;
  constexpr double nothing_left = 1e-6;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int row = rows.row(first_contact() + i);
    if (held_[row] > 0 && r[row] + held_[row] <= nothing_left * held_[row]) contacts.break_cohesion(i);
  }
}

void RowStep::account(const JointContext& at, const VecX& q_contacts, const VecX& u, bool from_rest, Work& work,
                      WarmStart& warm) {
  const VecX U = rows.row_velocity(u, r);
  Work of_joints;
  joints.finish(at.system, at.q_mid, at.u_begin, rows.layout(), r, U, of_joints, warm);
  if (from_rest) {  // from rest the way of a row is h U_E, twice that of the mean
    of_joints.joints *= 2;
    of_joints.contact *= 2;
    of_joints.friction *= 2;
  }
  work += of_joints;
  const int first = rows.row(first_contact());
  break_held();
  account_contacts(at.system.bodies, q_contacts, at.u_begin, contact_blocks, first, r, U, from_rest, work, r_contact);
}

}  // namespace cairn
