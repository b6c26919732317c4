// SPDX-License-Identifier: Apache-2.0
// The discrete state of a midpoint step: see law_mode.h.
#include "cairn/assembly/contact_blocks.h"
#include "cairn/steppers/midpoint.h"

#include <algorithm>

namespace cairn {

void MidpointStep::modes(double noise, std::vector<LawMode>& out) const {
  out.clear();
  // What counts as zero: a share of the fastest velocity of the same kind (points, moments, joints) in the step, never
  // less than rounding.
  constexpr double rounding = 1e-14;
  VelocityNoise contact{rounding, rounding}, joint{rounding, rounding};
  const std::size_t blocks = general_ ? blocks_.size() : 0, joint_blocks = general_ ? joints_.blocks().size() : 0;
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i)
    contact.linear =
        std::max({contact.linear, noise * constraints_[i].U_begin.norm(), noise * constraints_[i].U_free.norm()});
  for (std::size_t i = 0; i < blocks; ++i) {
    const RowBlock& block = blocks_[i];
    const auto fastest = [&](int first, int count) {
      return noise * std::max(block.U_begin.segment(first, count).norm(), block.U_free.segment(first, count).norm());
    };
    VelocityNoise& kind = i < joint_blocks ? joint : contact;
    if (block.law.kind != LawKind::Bilateral) kind.linear = std::max(kind.linear, fastest(0, std::min(block.rows, 3)));
    if (block.rows > 3) kind.angular = std::max(kind.angular, fastest(3, block.rows - 3));
  }

  for (std::size_t i = 0; i < joint_blocks; ++i) {
    const RowBlock& block = blocks_[i];
    const double* U = U_local_.data() + local_.offset[i];
    LawId law;
    const auto source = static_cast<std::size_t>(block.source);
    const std::size_t joints = joints_.impulses().size();
    if (source >= JointStep::own_contact_source) {
      law.owner = LawOwner::OwnContact;
      law.a = static_cast<int>(source - JointStep::own_contact_source);
    } else if (source >= joints) {
      law.owner = LawOwner::CoordinateLaw;
      law.a = static_cast<int>(source - joints);
      law.b = block.kept;  // tells the two stops of a limit apart
    } else {
      law.owner = LawOwner::Joint;
      law.a = block.source;
    }
    append_modes(law, block.law, block.rows, U, joint, nullptr, out);
  }
  for (std::size_t i = joint_count_; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    const ContactPoint& p = points_[static_cast<std::size_t>(c.source)];
    const LawId law{LawOwner::Contact, LawFacet::Normal, p.a, p.b, p.feature_a, p.feature_b};
    if (impact_[i][0] > 0) {  // a blow by itself, before the problem of the step
      out.push_back({law, Mode::Closed, Vec3::Zero()});
    } else if (general_) {
      const std::size_t place = place_[i];
      append_modes(law, local_.law[place], local_.rows(static_cast<int>(place)), U_local_.data() + local_.offset[place],
                   contact, &c.frame, out);
    } else {
      const Vec3 U = U_end_[i] + c.shift;
      append_modes(law, {.kind = LawKind::Coulomb, .mu = c.friction}, 3, U.data(), contact, &c.frame, out);
    }
  }
  sort_modes(out);
}

}  // namespace cairn
