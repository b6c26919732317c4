// SPDX-License-Identifier: Apache-2.0
// The step shared by all schemes that solve one contact problem per step (Studer 2009, section 5.3): Moreau's midpoint
// rule, Koziara's dynamic driver, the theta method and the time-stepping schemes of the literature.
//
//   q_D = q_B + (1 - theta) h u_B;   contacts, H, forces at q_D
//   M^ (u_E - u_B) = h f_D + H' r;   q_E = q_D + theta h u_E
// With theta = 1/2 the place of evaluation D is mid-step. From one step to the next D moves by h u_E, whatever theta:
// g_D / h + U_E = 0 closes a gap within one step. Some schemes evaluate rows elsewhere (MidpointRules::place). They
// differ in which contacts take part and what is asked of them, in the joint rows and in implicit elasticity.
#pragma once
#include "cairn/assembly/impact_search.h"
#include "cairn/assembly/impact_stage.h"
#include "cairn/assembly/joint_projection.h"
#include "cairn/assembly/step_forces.h"
#include "cairn/assembly/step_form.h"
#include "cairn/assembly/substeps.h"
#include "cairn/steppers/stepper.h"

#include <limits>

namespace cairn {

/// Which contacts enter the problem: those closed at mid-step, or also those that would close before the next one.
enum class Activation { Closed, Predicted };

/// What a contact with the gap g asks of U_E.
enum class GapRule {
  Newton,          ///< closed: U_E + e min(0, U_B) >= 0; open: by the activation g/h + U_E >= 0 or nothing
  Linearised,      ///< g/h + U_E >= 0 for all within reach: the gap at the next D, no restitution
  Weighted,        ///< closed and lasting: w U_E + (1 - w) U_B >= 0; blows U_E >= 0, or by the impact rule
  PaoliSchatzman,  ///< (1 + e) g/h + U_E - e U_B >= 0 for all within reach
  End,             ///< g(q_E) >= 0 for all within reach, iterated; no restitution
};

struct MidpointRules {
  Activation activation = Activation::Predicted;
  GapRule gap = GapRule::Newton;
  JointHold joints = {};
  ImpactRule impacts = ImpactRule::Simultaneous;
  ForceRule forces = ForceRule::Auto;
  RotationScheme rotation = RotationScheme::New2;
  bool implicit_elasticity = true;
  double recovery = 0;       ///< share of an overlap removed per step
  double push_limit = 0.5;   ///< at most at this share of g h; unlimited: at any speed
  double gap_tolerance = 0;  ///< gaps below this share of the bodies' size are noise
  bool hold_closed = false;  ///< contacts that carried an impulse stay until they pull, whatever their gap, and are
                             ///< hit no more
  int contact_points = 0;    ///< at most so many per face of a pair; 0: all
  int impact_steps = 0;      ///< into how many a step may be divided so that fast bodies do not pass through; 0: never
  double theta = 0.5;        ///< share of the step moved with u_E
  double place = -1;         ///< where contacts, H and forces are evaluated, as share of the step from its begin with
                             ///< u_B; < 0: 1 - theta
  double force_place = -1;   ///< the same for force elements alone; < 0: at `place`
  double reach = unlimited;  ///< contacts with larger gaps take no part [m]
  double slack = 0;          ///< penetration that is let be [m]
  double weight = 0.5;       ///< w of GapRule::Weighted
  bool project_contacts = false;      ///< whether overlaps beyond the slack are taken out of q_E after the step
  double position_tolerance = 1e-12;  ///< of g(q_E), as a share of the largest body [m/m]
  int position_iterations = 30;       ///< of g(q_E) at most

  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  double evaluation_place() const { return place < 0 ? 1 - theta : place; }
  ContactRules contact_rules() const;
  /// Whether positions at the end of the step are aimed at, which takes several solves.
  bool aims_at_end() const { return gap == GapRule::End || joints.rule == JointRule::Position; }
};

/// Parameters that several schemes have.
void describe_theta(MidpointRules& rules, ParameterVisitor& v);
void describe_joints(MidpointRules& rules, ParameterVisitor& v);

/// The step itself: equations of the head of this file, in the order of step().
class MidpointStep {
 public:
  MidpointStep() = default;
  MidpointStep(const MidpointStep&) = delete;  // form_ points into it
  MidpointStep& operator=(const MidpointStep&) = delete;
  void check(const MidpointRules& rules, const System& system, const Motion& motion, double h) const;
  StepReport step(const MidpointRules& rules, const System& system, Solver& solver, double h, Threads threads,
                  Motion& motion, WarmStart& warm);
  void contacts(std::vector<ContactResult>& out) const { contacts_.results(form_->impulses(), impact_, out); }
  /// Modes of all set-valued laws in the last step (law_mode.h); velocities below `noise` of the fastest are zero.
  void modes(double noise, std::vector<LawMode>& out) const { form_->modes(contacts_, impact_, noise, out); }
  std::span<const JointImpulse> joint_impulses() const { return form_->joint_impulses(); }
  std::span<const double> coordinate_impulses() const { return form_->coordinate_impulses(); }
  void keep_problem(bool keep) { pairs_.keep_problem(keep), local_.keep_problem(keep); }
  std::optional<StepProblem> last_problem(const System& system) const {
    return form_->problem(system.bodies, q_mid_, free_);
  }

 private:
  /// What one step is given.
  struct Call {
    const MidpointRules& rules;
    const System& system;
    Solver& solver;
    double h;
    Threads threads;
    const Motion& motion;
    const WarmStart& warm;
  };
  StepContext step_context(const Call& call) const;
  JointContext joint_context(const Call& call) const;
  FormParts parts(const Call& call) {
    return {call.system, q_mid_, u_begin_, free_, forces_.mass(), call.h, call.warm, call.threads, contacts_};
  }
  StepPlace force_place(const Call& call) const;
  bool takes_local_form(const Call& call) const;

  void predict(const Call& call);
  bool move_freely(const Call& call);
  void form_rows(const Call& call);
  void shift_contacts(const Call& call);
  ImpactReport apply_impacts(const Call& call, Work& work);
  SolveReport solve(const Call& call, StepTimes& times);
  void move_to_end(const Call& call);
  void aim_at_end(const Call& call, SolveReport& solve);
  double aim_contacts(const Call& call);
  void correct_positions(const Call& call, SolveReport& solve);
  bool project_contacts(const Call& call);
  bool project_joints(const Call& call);

  ContactStage contacts_;
  PairForm pairs_;
  LocalForm local_;
  StepForm* form_ = &pairs_;  ///< the one that fits this step
  FreeMotion free_;
  StepForces forces_;
  ImpactStage impacts_;
  std::vector<Vec3> impact_;           ///< impulses of the impact stage, added to those of contacts in reports
  std::vector<Vec3> impact_of_point_;  ///< the same by contact point
  JointProjection projection_;
  Motion projected_;
  VecX q_mid_;     ///< where rows are evaluated
  VecX q_turn_;    ///< q_B + (1 - theta) h u_B, if that is elsewhere
  VecX q_forces_;  ///< where forces are evaluated, if that is elsewhere
  VecX u_begin_, u_solved_, reaction_, q_end_, u_end_;
  std::vector<const ContactPoint*> at_end_;  ///< contacts at q_E
};

/// A stepper that is this step under fixed rules; the schemes add a name and the description of their settings.
///
/// Where a fast pair would touch within the step (ImpactSearch) the step is divided so that the middle of a part falls
/// on that time, where the contact is then seen: at t <= h/2 a part of 2t, otherwise a part of 2t - h that ends before.
/// Without restitution only the way to mid-step matters: from one mid-step to the next the rows of contacts that are
/// about to close hold.
class MidpointStepper : public Stepper {
 public:
  static constexpr bool one_problem_per_step = true;

  MidpointStepper(std::string_view name, const MidpointRules& rules) : name_(name), rules_(rules) {}
  std::string_view name() const override { return name_; }
  StepperTraits traits() const override;
  void check(const System& system, const Motion& motion, double h) const override {
    step_.check(rules_, system, motion, h);
  }
  bool takes_stiff_forces() const override { return rules_.forces != ForceRule::Explicit; }
  StepReport step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                  WarmStart& warm) override;
  void contacts(std::vector<ContactResult>& out) const override;
  std::span<const JointImpulse> joint_impulses() const override { return parts_.joint_impulses(); }
  std::span<const double> coordinate_impulses() const override { return parts_.coordinate_impulses(); }
  void keep_problem(bool keep) override { step_.keep_problem(keep); }
  std::optional<StepProblem> last_problem(const System& system) const override { return step_.last_problem(system); }

 private:
  std::string_view name_;
  MidpointRules rules_;
  MidpointStep step_;
  ImpactSearch search_;
  Substeps parts_;
  std::vector<ContactResult> earlier_, scratch_;  ///< contacts of all parts of the step but the last
};

}  // namespace cairn
