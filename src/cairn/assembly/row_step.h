// SPDX-License-Identifier: Apache-2.0
// Joints and contacts of a step as rows on the velocity at its end, with any mass (row_problem.h): what the schemes
// share whose forces or elasticity couple bodies.
#pragma once
#include "cairn/assembly/contact_stage.h"
#include "cairn/assembly/joint_step.h"
#include "cairn/assembly/row_problem.h"

namespace cairn {

class RowStep {
 public:
  ContactStage contacts;
  JointStep joints;
  RowProblem rows;                       ///< of joints, then of contacts
  std::vector<RowBlock> contact_blocks;  ///< made by contacts.make_blocks(), with the scheme's shifts and compliance
  VecX r;                                ///< impulses of all rows
  std::vector<Vec3> r_contact;           ///< of contacts, in their frames

  /// Rows of the joints as the context says, and of the contacts at q_contacts.
  void form(const JointContext& at, const VecX& q_contacts);
  /// Impulses to start from: of the last step, or of contacts those of the last account().
  void start(const WarmStart& warm, bool again = false);
  std::size_t block_count() const { return joints.blocks().size() + contact_blocks.size(); }
  std::size_t first_contact() const { return joints.blocks().size(); }
  const RowBlock& block(std::size_t i) const {
    return i < first_contact() ? joints.blocks()[i] : contact_blocks[i - first_contact()];
  }

  /// Cohesion and adhesion as a shift of the unknown (problem/cohesion.h), r' = r + c e_N, for the time of a solve:
  ///   A u = (p - H c) + H r',   U = H' u + (w - C c) + C r'
  /// release() goes back. Nothing where no contact is held.
  void hold();
  void release();

  /// Work of joints and contacts with the velocity u at the end, their impulses, and what to keep of the joints.
  /// Cohesion that pulled as much as it can is used up. `from_rest`: see account_contacts().
  void account(const JointContext& at, const VecX& q_contacts, const VecX& u, bool from_rest, Work& work,
               WarmStart& warm);
  void results(std::vector<ContactResult>& out) const { contacts.results(r_contact, {}, out); }

 private:
  void break_held();

  VecX held_;  ///< c by row; empty: no contact is held
};

}  // namespace cairn
