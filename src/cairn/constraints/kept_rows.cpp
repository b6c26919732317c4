// SPDX-License-Identifier: Apache-2.0
// Running sums of rows.
#include "cairn/constraints/kept_rows.h"

namespace cairn {

void KeptRows::set(const System& system) {
  size_ = 0;
  const auto add = [&](const auto& things, std::vector<int>& first, auto&& rows) {
    first.clear();
    for (const auto& thing : things) {
      first.push_back(size_);
      size_ += static_cast<int>(rows(thing));
    }
  };
  add(system.joints, joint_, [](const Joint& joint) { return joint_info(joint.kind).rows.size(); });
  add(system.coordinate_laws, law_, [](const CoordinateLaw& law) { return law.rows(); });
  add(system.own_joints, own_joint_, [](const auto& joint) { return joint->rows(); });
  add(system.own_contacts, own_contact_, [](const auto& contact) { return contact->rows(); });
}

int KeptRows::first(const RowOwner& owner) const {
  const auto at = static_cast<std::size_t>(owner.index);
  switch (owner.kind) {
    case RowOwner::Kind::Joint: return joint_[at];
    case RowOwner::Kind::Law: return law_[at] + owner.part;
    case RowOwner::Kind::OwnJoint: return own_joint_[at];
    case RowOwner::Kind::OwnContact: return own_contact_[at];
    case RowOwner::Kind::None: break;
  }
  return -1;
}

}  // namespace cairn
