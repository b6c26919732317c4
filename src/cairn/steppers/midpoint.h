// SPDX-License-Identifier: Apache-2.0
// The step shared by all schemes that solve one contact problem per step (Studer 2009, section 5.3): Moreau's midpoint
// rule, Koziara's dynamic driver, the theta method and the time-stepping schemes of the literature.
//
//   q_D = q_B + (1 - theta) h u_B;  contacts, H, forces at q_D;  M^ (u_E - u_B) = h f_D + H' r;  q_E = q_D + theta h
//   u_E
// With theta = 1/2 the place of evaluation D is mid-step. From one step to the next D moves by h u_E, whatever theta:
// g_D / h + U_E = 0 closes a gap within one step. Some schemes evaluate rows elsewhere (MidpointRules::place). They
// differ in which contacts take part and what is asked of them, in the joint rows and in implicit elasticity.
#pragma once
#include "cairn/assembly/dependent_rows.h"
#include "cairn/assembly/impact_search.h"
#include "cairn/assembly/impact_stage.h"
#include "cairn/assembly/joint_projection.h"
#include "cairn/assembly/joint_step.h"
#include "cairn/assembly/law_mode.h"
#include "cairn/assembly/step_forces.h"
#include "cairn/steppers/stepper.h"

#include <functional>
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
  /// Whether positions at the end of the step are aimed at, which takes several solves.
  bool aims_at_end() const { return gap == GapRule::End || joints.rule == JointRule::Position; }
};

/// Parameters that several schemes have.
void describe_theta(MidpointRules& rules, ParameterVisitor& v);
void describe_joints(MidpointRules& rules, ParameterVisitor& v);

class MidpointStep {
 public:
  void check(const MidpointRules& rules, const System& system, const Motion& motion, double h) const;
  StepReport step(const MidpointRules& rules, const System& system, Solver& solver, double h, Threads threads,
                  Motion& motion, WarmStart& warm);
  void contacts(std::vector<ContactResult>& out) const;
  /// Modes of all set-valued laws in the last step (law_mode.h); velocities below `noise` of the fastest are zero.
  void modes(double noise, std::vector<LawMode>& out) const;
  std::span<const JointImpulse> joint_impulses() const { return joint_impulses_; }
  std::span<const double> coordinate_impulses() const { return joints_.coordinate_impulses(); }
  void keep_problem(bool keep) { keep_problem_ = keep; }
  std::optional<StepProblem> last_problem(const System& system) const;

 private:
  GlobalProblem rigid_problem(const System& system) const;
  void detect(const System& system, double h, const Motion& motion, Threads threads);
  void form_constraints(const MidpointRules& rules, const System& system, const Motion& motion, double h,
                        Threads threads, const WarmStart& warm);
  void pass_on(const RemoteAction& action);
  void look_ahead(const System& system, double h, Threads threads);
  SolveReport solve_rigid(const System& system, Solver& solver, Threads threads, const WarmStart& warm,
                          StepReport& report);
  void form_general(const System& system, double h, const WarmStart& warm);
  /// Rows of a contact that are not moments.
  int contact_rows(std::size_t i) const { return std::min(3, local_.rows(static_cast<int>(place_[i]))); }
  SolveReport solve_general(const System& system, Solver& solver);
  void aim_at_end(const MidpointRules& rules, const System& system, Solver& solver, double h, const Motion& motion,
                  Threads threads, const std::function<void()>& finish, SolveReport& solve);
  double aim_contacts(const MidpointRules& rules, const System& system, double h, Threads threads);
  void find_end_points(const System& system, Threads threads);
  bool project_contacts(const MidpointRules& rules, const System& system, Solver& solver, Threads threads);
  Vec3 grain_direction(const System& system, const ContactLaw& law, std::size_t a, std::size_t b) const;
  double holding_impulse(std::size_t constraint) const;
  void yield_contacts(double h);
  void account_moments(const System& system, Work& work) const;
  void finish_joints(const System& system, double h, Work& work, Motion& motion, WarmStart& warm);
  void ball_blocks(const System& system);
  ImpactReport apply_impacts(const MidpointRules& rules, const System& system, Solver& solver, Work& work);
  Vec3 warm_impulse(const Constraint& c, const WarmStart& warm) const;
  void account_work(const System& system, double h, Work& work) const;
  void keep_contacts(WarmStart& warm) const;

  ContactManager contact_manager_;
  std::vector<Placement> placements_;
  std::vector<double> margins_;
  std::vector<ContactPoint> points_;
  std::vector<int> match_;
  std::vector<char> taken_;
  std::vector<Constraint> constraints_;
  std::vector<Constraint> ahead_;
  std::vector<ContactPoint> later_;  ///< contacts of one pair, a step on
  VecX q_later_;
  bool general_ = false;         ///< whether some body, joint, law or rule takes the general path
  std::size_t joint_count_ = 0;  ///< the first constraints are ball joints, unless joints_ holds the joints
  JointStep joints_;
  JointProjection projection_;
  Motion projected_;
  FreeMotion free_;
  StepForces forces_;
  VecX q_mid_, u_begin_, u_solved_, reaction_, q_end_, u_end_;
  VecX q_turn_;                           ///< q_B + (1 - theta) h u_B where rows are evaluated elsewhere
  VecX q_forces_;                         ///< where forces are evaluated, if elsewhere
  std::vector<ContactPoint> end_points_;  ///< contacts at q_E
  std::vector<KeptContact> aimed_;        ///< contacts of this step, to be found again at q_E
  std::vector<RowBlock> blocks_;          ///< general path: joints, then contacts that need one
  std::vector<Constraint> plain_;         ///< general path: the other contacts
  std::vector<std::size_t> place_;        ///< general path: of each constraint in the problem
  std::vector<double> yield_;             ///< general path: compliance of the normal row of each constraint [1/kg]
  std::vector<double> holding_;           ///< general path: cohesion of each constraint of the problem [N s]
  PairProblem pair_;
  LocalProblem local_;
  DependentRows dependent_;  ///< general path: equations of joints that a loop has too many
  LocalRows rows_;
  std::vector<Vec3> r_, U_end_;
  ImpactStage impacts_;
  std::vector<RowBlock> balls_;        ///< ball joints of the fast path, for the impact stage
  std::vector<Vec3> impact_;           ///< impulses of the impact stage, added to r_ for reports
  std::vector<Vec3> impact_of_point_;  ///< the same by contact point
  VecX r_local_, U_local_;
  std::vector<PairVelocity> z_;
  std::vector<JointImpulse> joint_impulses_;
  bool keep_problem_ = false;
  VecX start_;  ///< warm start of the last solve; only when it is kept
};

/// A stepper that is this step under fixed rules; the schemes add a name and the description of their settings.
///
/// Where a fast pair would touch within the step (ImpactSearch) the step is divided so that the middle of a part falls
/// on that time, where the contact is then seen: at t <= h/2 a part of 2t, otherwise a part of 2t - h that ends before.
/// Without restitution only the way to mid-step matters: from one mid-step to the next the rows of contacts that are
/// about to close hold.
class MidpointStepper : public Stepper {
 public:
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
  std::span<const JointImpulse> joint_impulses() const override { return joint_impulses_; }
  std::span<const double> coordinate_impulses() const override { return coordinate_impulses_; }
  void keep_problem(bool keep) override { step_.keep_problem(keep); }
  std::optional<StepProblem> last_problem(const System& system) const override { return step_.last_problem(system); }

 private:
  std::string_view name_;
  MidpointRules rules_;
  MidpointStep step_;
  ImpactSearch search_;
  Motion motion_before_;
  WarmStart warm_before_;
  std::vector<ContactResult> earlier_, scratch_;  ///< contacts of all parts of the step but the last
  std::vector<JointImpulse> joint_impulses_;
  std::vector<double> coordinate_impulses_;
};

}  // namespace cairn
