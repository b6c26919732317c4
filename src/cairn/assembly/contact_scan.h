// SPDX-License-Identifier: Apache-2.0
// The contacts of a step that is not a midpoint step: found at one configuration, chosen, and given rows.
//
// A contact takes part when it is closed (gap <= 0), when it carried an impulse in the last step, or, if `predicted`,
// when it is in reach and has no restitution: one with restitution waits until it is closed, so that its bounce is not
// lost. What the normal row asks for (shift) is the scheme's affair.
#pragma once
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/system.h"
#include "cairn/constraints/warm_start.h"

namespace cairn {

struct ScanRules {
  bool predicted = true;      ///< open contacts in reach take part
  bool all = false;           ///< also those with restitution
  bool single_point = false;  ///< one contact per pair of faces, at the middle of its points; no edges and corners
};

class ContactScan {
 public:
  /// Contact points at q. Surfaces reach h times their speed, what gravity adds, and `reach` [m].
  void find(const System& system, const VecX& q, const VecX& u, double h, double reach, Threads threads);
  /// Those that take part, with U_begin = the velocity of `u` at q; shifts are zero.
  void choose(const ScanRules& rules, const System& system, const VecX& q, const VecX& u, const WarmStart& warm,
              Threads threads);
  std::span<Constraint> contacts() { return contacts_; }
  std::span<const Constraint> contacts() const { return contacts_; }
  /// A gap without the noise of resting contacts: zero below 5e-10 of the bodies' size, as in the midpoint step.
  double clean_gap(const System& system, const Constraint& contact) const;
  /// Rows of all contacts for a step h.
  void make_blocks(double h, std::vector<RowBlock>& blocks) const;

  /// Impulse of the last step in the frame of a contact, within its friction cone.
  Vec3 warm_impulse(const Constraint& contact, const WarmStart& warm) const;
  /// Keeps impulses (in the frames of the contacts) for the next step.
  void keep(std::span<const Vec3> r, WarmStart& warm) const;
  /// `blocks`: those of make_blocks().
  void results(std::span<const RowBlock> blocks, std::span<const Vec3> r, std::vector<ContactResult>& out) const;
  double penetration() const;

 private:
  Vec3 grain_direction(const System& system, const ContactLaw& law, std::size_t a, std::size_t b) const;
  void merge_points(const System& system);

  ContactManager manager_;
  std::vector<Placement> placements_;
  std::vector<double> margins_;
  std::vector<ContactPoint> points_;
  std::vector<int> match_;
  std::vector<char> taken_;
  std::vector<Constraint> contacts_;
};

/// Work of contacts whose rows begin at `first_row` of r and U (with shifts and compliance), and their impulses; `q` is
/// where the rows are taken.
void account_contacts(const System& system, const VecX& q, const VecX& u_begin, std::span<const RowBlock> blocks,
                      int first_row, const VecX& r, const VecX& U, Work& work, std::vector<Vec3>& impulses);

/// Throws Error when a contact law or a way of impact is one these steps do not know: cohesion, adhesion, remote
/// action.
void check_scan(std::string_view stepper, const System& system);

}  // namespace cairn
