// SPDX-License-Identifier: Apache-2.0
// The problem of a step whose bodies are coupled by rows, in the form that fits its parts: made, solved and taken apart
// with the same calls.
//
//   PairForm   rigid bodies, three rows per contact or ball joint: H~ = H M^^(-1/2) by pairs of bodies. The hot path
//   LocalForm  everything else: any bodies, joints, laws, and masses that forces couple: W in blocks, and beside it the
//              contacts of islands that hold nothing of that kind (fast_contacts.h), as pairs, solved as if alone
// Joints come first, then contacts. U_end and r of contacts are those of their first three rows.
#pragma once
#include "cairn/assembly/contact_stage.h"
#include "cairn/assembly/dependent_rows.h"
#include "cairn/assembly/fast_contacts.h"
#include "cairn/assembly/joint_step.h"
#include "cairn/solvers/solver.h"

#include <optional>

namespace cairn {

/// What a problem is made of. Shifts of compliant contacts become known with W and are set here.
struct FormParts {
  const System& system;
  const VecX &q, &u_begin;
  const FreeMotion& free;
  const CoupledMass& coupled;
  double h;
  const WarmStart& warm;
  Threads threads;
  ContactStage& contacts;
};

class StepForm {
 public:
  virtual ~StepForm() = default;
  virtual void form_joints(const JointContext& step) = 0;
  /// Joints as blocks of rows, for the stage of impacts.
  virtual std::span<const RowBlock> joint_blocks(const System& system, const VecX& q) = 0;
  /// The problem and where its solver starts.
  virtual void assemble(const FormParts& parts) = 0;
  /// Impulses, and the velocities they lead to.
  virtual SolveReport solve(const FormParts& parts, Solver& solver, VecX& u_solved, VecX& reaction) = 0;
  /// Accounts of contacts and joints, and what to keep of them. `impacts`: impulses of contacts before this problem,
  /// which drives pay for too; none: empty.
  void account(const FormParts& parts, std::span<const Vec3> impacts, StepReport& report, WarmStart& warm);
  /// Modes of all set-valued laws; contacts that `impacts` hit before are closed. Velocities below `noise` of the
  /// fastest are zero.
  virtual void modes(const ContactStage& contacts, std::span<const Vec3> impacts, double noise,
                     std::vector<LawMode>& out) const = 0;
  /// The problem that was solved last; nothing when it was not kept or has no rows.
  virtual std::optional<StepProblem> problem(const Bodies& bodies, const VecX& q, const FreeMotion& free) const = 0;
  void keep_problem(bool keep) { keep_ = keep; }

  /// Of contacts, in their frames.
  virtual std::span<const Vec3> impulses() const = 0;
  virtual std::span<const Vec3> end_velocities() const = 0;
  virtual std::span<const double> coordinate_impulses() const { return {}; }
  std::span<const JointImpulse> joint_impulses() const { return joint_impulses_; }

 protected:
  std::vector<JointImpulse> joint_impulses_;
  bool keep_ = false;  ///< whether problem() is asked for

 private:
  /// Accounts of the joints, their impulses and what to keep of them.
  virtual void finish_joints(const FormParts& parts, StepReport& report, WarmStart& warm) = 0;
  /// Work of the rows of contacts beyond the first three.
  virtual void account_moments(const FormParts&, Work&) const {}
};

class PairForm final : public StepForm {
 public:
  void form_joints(const JointContext& step) override;
  std::span<const RowBlock> joint_blocks(const System& system, const VecX& q) override;
  void assemble(const FormParts& parts) override;
  SolveReport solve(const FormParts& parts, Solver& solver, VecX& u_solved, VecX& reaction) override;
  void modes(const ContactStage& contacts, std::span<const Vec3> impacts, double noise,
             std::vector<LawMode>& out) const override;
  std::optional<StepProblem> problem(const Bodies& bodies, const VecX& q, const FreeMotion& free) const override;
  std::span<const Vec3> impulses() const override { return std::span(r_).subspan(balls_.size()); }
  std::span<const Vec3> end_velocities() const override { return std::span(U_end_).subspan(balls_.size()); }

 private:
  void finish_joints(const FormParts& parts, StepReport& report, WarmStart& warm) override;

  std::vector<Constraint> balls_;
  std::vector<RowBlock> ball_blocks_;
  std::vector<Constraint> all_;  ///< balls and contacts, where there are balls
  std::span<const Constraint> rows_;
  PairProblem problem_;
  std::vector<PairVelocity> z_;
  Eigen::VectorBlock<VecX, 3> impulse(std::size_t i) { return x_.segment<3>(3 * static_cast<Eigen::Index>(i)); }
  VecX x_, start_;  ///< impulses of all rows, as the solver has them, and what it started from
  std::vector<Vec3> r_, U_end_;
};

class LocalForm final : public StepForm {
 public:
  void form_joints(const JointContext& step) override { joints_.form(step); }
  std::span<const RowBlock> joint_blocks(const System&, const VecX&) override { return joints_.blocks(); }
  void assemble(const FormParts& parts) override;
  SolveReport solve(const FormParts& parts, Solver& solver, VecX& u_solved, VecX& reaction) override;
  void modes(const ContactStage& contacts, std::span<const Vec3> impacts, double noise,
             std::vector<LawMode>& out) const override;
  std::optional<StepProblem> problem(const Bodies& bodies, const VecX& q, const FreeMotion& free) const override;
  std::span<const Vec3> impulses() const override { return r_contact_; }
  std::span<const Vec3> end_velocities() const override { return U_end_; }
  std::span<const double> coordinate_impulses() const override { return joints_.coordinate_impulses(); }

  /// Aims joints at g(q_E) = 0 (JointStep::aim).
  double aim_joints(const JointContext& step, const VecX& q_end) { return joints_.aim(step, q_end, r_, U_, problem_); }
  /// Another shift of the normal row of a contact.
  void set_normal_shift(std::size_t i, double shift, Constraint& contact);

 private:
  void finish_joints(const FormParts& parts, StepReport& report, WarmStart& warm) override;
  void account_moments(const FormParts& parts, Work& work) const override;
  /// Rows of a contact that are not moments, and the first of them in r_ and U_: rows of W, then those of pairs.
  int contact_rows(std::size_t i) const {
    return fast_[i] ? 3 : std::min(3, problem_.rows(static_cast<int>(place_[i])));
  }
  int first_row(std::size_t i) const {
    return fast_[i] ? problem_.offset.back() + 3 * static_cast<int>(place_[i]) : problem_.offset[place_[i]];
  }
  ContactProblem whole(Threads threads) const;
  void recover_velocities(const FormParts& parts, VecX& u_solved, VecX& reaction);
  void add_compliance(const FormParts& parts);
  void release_held(ContactStage& contacts);
  void recover_left_out(const FormParts& parts, const VecX& u_solved);
  void take_contacts(const ContactStage& contacts);
  LawId joint_id(std::size_t block) const;
  void find_noise(std::span<const Constraint> contacts, double noise, VelocityNoise& of_contacts,
                  VelocityNoise& of_joints) const;

  JointStep joints_;
  std::vector<RowBlock> blocks_;    ///< joints, then contacts that need one
  std::vector<Constraint> plain_;   ///< the other contacts of the problem
  FastContacts fast_;               ///< which contacts are pairs instead
  std::vector<Constraint> paired_;  ///< these
  PairProblem pairs_;
  std::vector<PairVelocity> z_;
  VecX u_pairs_, reaction_pairs_;
  std::vector<std::size_t> place_;  ///< of each contact in the problem or among the pairs
  std::vector<double> compliance_;  ///< of the normal row of each contact [1/kg]
  std::vector<double> holding_;     ///< cohesion of each constraint of the problem [N s]
  DependentRows dependent_;         ///< equations of joints that a loop has too many
  LocalProblem problem_;
  LocalRows rows_;
  VecX r_, U_, start_;
  std::vector<Vec3> r_contact_, U_end_;
};

}  // namespace cairn
