// SPDX-License-Identifier: Apache-2.0
// The step of any bodies, joints and laws, with W in blocks: see step_form.h.
#include "cairn/assembly/contact_blocks.h"
#include "cairn/assembly/contact_compliance.h"
#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/assembly/step_form.h"
#include "cairn/problem/cohesion.h"

#include <algorithm>

namespace cairn {

void LocalForm::assemble(const FormParts& parts) {
  // Joints, contacts with blocks of their own, the other contacts.
  const std::span<Constraint> contacts = parts.contacts.contacts();
  const std::size_t joints = joints_.blocks().size();
  const auto special = static_cast<std::size_t>(std::count_if(contacts.begin(), contacts.end(), needs_block));
  fast_.find(parts.system.bodies, joints_.blocks(), contacts, parts.coupled);
  blocks_.assign(joints_.blocks().begin(), joints_.blocks().end());
  plain_.clear();
  paired_.clear();
  place_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (fast_[i]) {
      place_[i] = paired_.size();
      paired_.push_back(contacts[i]);
    } else if (needs_block(contacts[i])) {
      place_[i] = blocks_.size();
      blocks_.push_back(make_block(contacts[i], parts.h));
    } else {
      place_[i] = joints + special + plain_.size();
      plain_.push_back(contacts[i]);
    }
  }
  compute_local_velocities(parts.system.bodies, parts.q, parts.u_begin, parts.free, std::span(blocks_).subspan(joints));
  cairn::assemble(parts.system.bodies, parts.q, parts.free, blocks_, plain_, problem_, rows_, &parts.coupled);
  cairn::assemble(parts.system.bodies, parts.q, parts.free, paired_, pairs_, parts.threads);
  add_compliance(parts);

  // Impulses of the last step to start from.
  r_.setZero(problem_.b.size() + 3 * static_cast<Eigen::Index>(paired_.size()));
  joints_.start(problem_, parts.warm, r_);
  holding_.assign(static_cast<std::size_t>(problem_.size()), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int n = contact_rows(i);
    r_.segment(first_row(i), n) = parts.contacts.warm_impulse(contacts[i], parts.warm).head(n);
    if (!fast_[i]) holding_[place_[i]] = parts.h * contacts[i].holding;
  }
  start_.resize(0);
}

void LocalForm::add_compliance(const FormParts& parts) {
  const std::span<Constraint> contacts = parts.contacts.contacts();
  compliance_.assign(contacts.size(), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Constraint& c = contacts[i];
    if (fast_[i] || c.contact->stiffness == 0) continue;
    double* diagonal =
        problem_.W.values.data() + problem_.W.start[problem_.diagonal_place(static_cast<int>(place_[i]))];
    const CompliantRow row =
        make_compliant_row(c.contact->stiffness, c.contact->damping, *diagonal, c.gap, c.U_begin[0], parts.h);
    *diagonal += row.compliance;
    compliance_[i] = row.compliance;
    set_normal_shift(i, row.shift, c);
  }
}

void LocalForm::set_normal_shift(std::size_t i, double shift, Constraint& contact) {
  double& b = fast_[i] ? pairs_.blocks[place_[i]].b[0] : problem_.b[problem_.offset[place_[i]]];
  b += shift - contact.shift[0];
  contact.shift[0] = shift;
}

ContactProblem LocalForm::whole(Threads threads) const {
  if (paired_.empty()) return problem_;
  return problem_.size() == 0 ? ContactProblem(pairs_, threads) : ContactProblem(problem_, pairs_, threads);
}

/// Bodies of pairs are moved by these alone, the others by the rows of W.
void LocalForm::recover_velocities(const FormParts& parts, VecX& u_solved, VecX& reaction) {
  const Bodies& bodies = parts.system.bodies;
  recover(bodies, parts.free, problem_, rows_, r_, u_solved, reaction);
  const Eigen::Index first = problem_.b.size();
  U_.resize(r_.size());
  U_.head(first) = problem_.velocity(r_);
  if (paired_.empty()) return;
  recover(bodies, parts.free, pairs_, r_.tail(r_.size() - first), u_pairs_, reaction_pairs_, z_);
  for (std::size_t i = 0; i < paired_.size(); ++i) {
    U_.segment<3>(first + 3 * static_cast<Eigen::Index>(i)) = local_velocity(pairs_.blocks[i], z_);
    for (const int body : {paired_[i].body_a, paired_[i].body_b}) {
      if (!bodies.can_move(body)) continue;
      const Bodies::Slot& s = bodies.slot(body);
      u_solved.segment(s.u, s.nu) = u_pairs_.segment(s.u, s.nu);
      reaction.segment(s.u, s.nu) = reaction_pairs_.segment(s.u, s.nu);
    }
  }
}

SolveReport LocalForm::solve(const FormParts& parts, Solver& solver, VecX& u_solved, VecX& reaction) {
  const Bodies& bodies = parts.system.bodies;
  const bool holds = std::any_of(holding_.begin(), holding_.end(), [](double p) { return p > 0; });
  if (holds) apply_cohesion(holding_, problem_, r_);
  const bool left_out = have_loops(bodies, joints_.blocks()) && dependent_.leave_out(joints_.blocks(), problem_) > 0;
  if (keep_) start_ = r_;
  const SolveReport report = solver.solve(whole(parts.threads), r_);
  if (holds) release_held(parts.contacts);
  recover_velocities(parts, u_solved, reaction);
  if (left_out) recover_left_out(parts, u_solved);
  take_contacts(parts.contacts);
  return report;
}

void LocalForm::release_held(ContactStage& contacts) {
  remove_cohesion(holding_, problem_, r_);
  for (const int broken : find_broken_cohesion(holding_, problem_, r_))
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (!fast_[i] && place_[i] == static_cast<std::size_t>(broken)) contacts.break_cohesion(i);
}

void LocalForm::recover_left_out(const FormParts& parts, const VecX& u_solved) {
  for (const int row : dependent_.left_out()) {  // they move all the same
    const auto i = static_cast<std::size_t>(std::upper_bound(problem_.offset.begin(), problem_.offset.end(), row) -
                                            problem_.offset.begin() - 1);
    const int l = row - problem_.offset[i];
    U_[row] = row_velocity(parts.system.bodies, parts.q, u_solved, blocks_[i])[l] + blocks_[i].shift[l];
  }
  dependent_.spread(r_);
}

void LocalForm::take_contacts(const ContactStage& stage) {
  const std::span<const Constraint> contacts = stage.contacts();
  r_contact_.assign(contacts.size(), Vec3::Zero());
  U_end_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int n = contact_rows(i);
    r_contact_[i].head(n) = r_.segment(first_row(i), n);
    U_end_[i] = contacts[i].U_free;  // rows that the law leaves out carry no impulse and do no work
    U_end_[i].head(n) = U_.segment(first_row(i), n) - contacts[i].shift.head(n);
    U_end_[i][0] -= compliance_[i] * r_contact_[i][0];
  }
}

void LocalForm::finish_joints(const FormParts& parts, StepReport& report, WarmStart& warm) {
  joints_.finish(parts.system, parts.q, parts.u_begin, problem_, r_, U_, report.work, warm);
  report.penetration = std::max(report.penetration, joints_.penetration());
  joint_impulses_.assign(joints_.impulses().begin(), joints_.impulses().end());
}

void LocalForm::account_moments(const FormParts& parts, Work& work) const {
  for (std::size_t place = joints_.blocks().size(); place < blocks_.size(); ++place) {
    if (blocks_[place].rows <= 3) continue;
    const RowBlock& block = blocks_[place];
    const int first = problem_.offset[place] + 3, rows = block.rows - 3;
    add_row_work(RowWork::Friction, rows, block.U_begin.data() + 3, U_.data() + first, r_.data() + first, work);
    RowVector moments = RowVector::Zero();
    moments.segment(3, rows) = r_.segment(first, rows);
    add_drive_work(parts.system.bodies, parts.q, parts.u_begin, block, moments, work);
  }
}

LawId LocalForm::joint_id(std::size_t i) const {
  const RowBlock& block = blocks_[i];
  const auto source = static_cast<std::size_t>(block.source), joints = joints_.impulses().size();
  LawId law;
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
  return law;
}

void LocalForm::find_noise(std::span<const Constraint> contacts, double noise, VelocityNoise& of_contacts,
                           VelocityNoise& of_joints) const {
  for (const Constraint& c : contacts)
    of_contacts.linear = std::max({of_contacts.linear, noise * c.U_begin.norm(), noise * c.U_free.norm()});
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const RowBlock& block = blocks_[i];
    const auto fastest = [&](int first, int count) {
      return noise * std::max(block.U_begin.segment(first, count).norm(), block.U_free.segment(first, count).norm());
    };
    VelocityNoise& kind = i < joints_.blocks().size() ? of_joints : of_contacts;
    if (block.law.kind != LawKind::Bilateral) kind.linear = std::max(kind.linear, fastest(0, std::min(block.rows, 3)));
    if (block.rows > 3) kind.angular = std::max(kind.angular, fastest(3, block.rows - 3));
  }
}

void LocalForm::modes(const ContactStage& stage, std::span<const Vec3> impacts, double noise,
                      std::vector<LawMode>& out) const {
  // What counts as zero: a fraction of the fastest velocity of the same kind (points, moments, joints) in the step,
  // never less than rounding.
  constexpr double rounding = 1e-14;
  VelocityNoise contact{rounding, rounding}, joint{rounding, rounding};
  const std::span<const Constraint> contacts = stage.contacts();
  find_noise(contacts, noise, contact, joint);
  out.clear();
  for (std::size_t i = 0; i < joints_.blocks().size(); ++i)
    append_modes(joint_id(i), blocks_[i].law, blocks_[i].rows, U_.data() + problem_.offset[i], joint, nullptr, out);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const LawId law = stage.id(contacts[i]);
    const std::size_t place = place_[i];
    if (!impacts.empty() && impacts[i][0] > 0) {  // an impact by itself, before the problem of the step
      out.push_back({law, Mode::Closed, Vec3::Zero()});
    } else {
      const ConstraintLaw set = fast_[i] ? ConstraintLaw{LawKind::Coulomb, contacts[i].friction} : problem_.law[place];
      append_modes(law, set, fast_[i] ? 3 : problem_.rows(static_cast<int>(place)), U_.data() + first_row(i), contact,
                   &contacts[i].frame, out);
    }
  }
  sort_modes(out);
}

std::optional<StepProblem> LocalForm::problem(const Bodies&, const VecX&, const FreeMotion&) const {
  if (start_.size() == 0) return {};
  return StepProblem{paired_.empty() ? problem_ : whole({}).local(), start_, r_};
}

}  // namespace cairn
