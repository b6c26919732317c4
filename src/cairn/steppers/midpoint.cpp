// SPDX-License-Identifier: Apache-2.0
// The midpoint step: free motion, contacts, rows, solve, end of the step, accounts.
#include "cairn/steppers/midpoint.h"

#include "cairn/assembly/smooth_forces.h"
#include "cairn/assembly/step_accounts.h"
#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {

void MidpointStep::check(const MidpointRules& rules, const System& system, const Motion& motion, double h) const {
  check_step_length(h);
  if (rules.joints.looks_back() && rules.theta != 0.5 && !system.joints.empty())
    throw Error("joints: this rule is that of the midpoint rule, theta = 0.5; theta is {}: use stabilised",
                rules.theta);
  if (rules.aims_at_end() && !(rules.theta > 0))
    throw Error("theta is 0; must be > 0 where positions at the end of the step are held");
  if (rules.joints.rule == JointRule::Baumgarte && rules.joints.baumgarte * h > 1)
    throw Error("joints: baumgarte is {:.4g} 1/s; must be at most 1/step = {:.4g} 1/s", rules.joints.baumgarte, 1 / h);
  if (!rules.implicit_elasticity) check_explicit_elasticity(system, motion, h);
}

StepReport MidpointStep::step(const MidpointRules& rules, const System& system, Solver& solver, double h,
                              Threads threads, Motion& motion, WarmStart& warm) {
  const Call call{rules, system, solver, h, threads, motion, warm};
  Stopwatch whole, clock;
  StepReport report;

  // Contacts at the place of evaluation, and the free motion there.
  predict(call);
  report.reduction = contacts_.detect(rules.contact_rules(), system, q_mid_, motion.u, h, 0, threads);
  report.times.detection = clock.lap();
  forces_.begin(rules.forces, system, motion, force_place(call), u_begin_, h);
  form_ = takes_local_form(call) ? static_cast<StepForm*>(&local_) : &pairs_;
  if (!move_freely(call)) {
    report.status = to_step_status(free_.status);
    return report;
  }

  // Rows; impacts by themselves, from whose velocities the step goes on; the problem.
  form_rows(call);
  const ImpactReport impacts = apply_impacts(call, report.work);
  if (impacts.hit) {
    move_freely(call);
    form_rows(call);
  }
  report.times.assembly = clock.lap();
  report.solve = solve(call, report.times);
  if (!impacts.converged) fall_short(report.solve, "the impacts of this step do not meet their law");
  clock.lap();

  // Where it leads to.
  forces_.finish(system.bodies, u_begin_, u_solved_, h, free_);
  move_to_end(call);
  if (rules.aims_at_end()) aim_at_end(call, report.solve);
  correct_positions(call, report.solve);
  report.times.solve += clock.lap();
  if (report.solve.status == SolveStatus::NotFinite || !q_end_.allFinite() || !u_end_.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }

  // Accounts of the step, then the new state.
  form_->account(parts(call), impact_, report, warm);
  report.work.damping += free_.damping_work;
  report.work.loads += forces_.work(u_begin_, u_end_, h);
  report.work.drive -= forces_.work_on_driven(system.bodies, u_begin_, h);
  break_joints(system, form_->joint_impulses(), h, motion.broken);
  forces_.update_memory(system, q_mid_, u_begin_, q_end_, u_end_, h, motion);
  end_motion(system, h, q_end_, u_end_, motion, report);
  report.times.total = whole.lap();
  return report;
}

StepContext MidpointStep::step_context(const Call& call) const {
  return {call.motion.time + call.rules.evaluation_place() * call.h, call.h, call.system.gravity,
          call.rules.implicit_elasticity, call.rules.theta};
}

JointContext MidpointStep::joint_context(const Call& call) const {
  const MidpointRules& rules = call.rules;
  return {rules.joints,
          rules.activation == Activation::Predicted,
          call.system,
          call.motion,
          q_mid_,
          u_begin_,
          free_,
          call.h,
          call.warm,
          rules.evaluation_place(),
          rules.theta,
          rules.hold_closed,
          rules.activation == Activation::Closed ? rules.gap_tolerance : 0};
}

StepPlace MidpointStep::force_place(const Call& call) const {
  const MidpointRules& rules = call.rules;
  const bool apart = rules.force_place >= 0 && rules.force_place != rules.evaluation_place();
  const double place = apart ? rules.force_place : rules.evaluation_place();
  return {apart ? q_forces_ : q_mid_, call.motion.time + place * call.h, rules.theta};
}

bool MidpointStep::takes_local_form(const Call& call) const {
  return call.system.bodies.general_count() > 0 || !JointStep::only_balls(call.system) ||
         !call.system.materials.all_plain() || !forces_.mass().empty() || call.rules.aims_at_end() ||
         call.rules.joints.rule == JointRule::Acceleration || call.rules.joints.reflection != 0;
}

void MidpointStep::predict(const Call& call) {
  // Driven bodies have their mid-step velocity.
  const Bodies& bodies = call.system.bodies;
  const Motion& motion = call.motion;
  const double place = call.rules.evaluation_place(), forces = call.rules.force_place;
  u_begin_ = motion.u;
  bodies.prescribe(motion.time + call.h / 2, motion.q, u_begin_);
  const auto advance = [&](double part, VecX& q) {
    q.resize(bodies.nq());
    bodies.advance(motion.q, u_begin_, part * call.h, q, call.threads);
  };
  advance(place, q_mid_);
  if (forces >= 0 && forces != place) advance(forces, q_forces_);
}

bool MidpointStep::move_freely(const Call& call) {
  const Bodies& bodies = call.system.bodies;
  bodies.free_motion(q_mid_, u_begin_, forces_.force(), step_context(call), free_, call.threads);
  if (free_.status == BodyStatus::Ok && !forces_.mass().empty()) forces_.couple(bodies, u_begin_, free_);
  return free_.status == BodyStatus::Ok;
}

ImpactReport MidpointStep::apply_impacts(const Call& call, Work& work) {
  impact_of_point_.clear();
  if (call.rules.impacts == ImpactRule::Simultaneous) return {};
  const std::span<const Constraint> contacts = contacts_.contacts();
  const ImpactReport report =
      impacts_.apply(call.rules.impacts, call.system.bodies, q_mid_, free_, form_->joint_blocks(call.system, q_mid_),
                     contacts, call.solver, u_begin_, impact_, work);
  if (!report.hit) return report;
  impact_of_point_.assign(contacts_.point_count(), Vec3::Zero());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    impact_of_point_[static_cast<std::size_t>(contacts[i].source)] = impact_[i];
  return report;
}

SolveReport MidpointStep::solve(const Call& call, StepTimes& times) {
  Stopwatch clock;
  SolveReport report;
  for (int pass = 0;; ++pass) {
    // Once more where forces depend on the velocity it leads to.
    if (pass > 0) {
      forces_.renew(call.system, call.motion, force_place(call), u_begin_, u_solved_, call.h);
      move_freely(call);
      form_rows(call);
    }
    const std::span<const Constraint> contacts = contacts_.contacts();
    impact_.assign(contacts.size(), Vec3::Zero());
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (const auto point = static_cast<std::size_t>(contacts[i].source); point < impact_of_point_.size())
        impact_[i] = impact_of_point_[point];
    form_->assemble(parts(call));
    times.assembly += clock.lap();
    const int before = report.iterations;
    report = form_->solve(parts(call), call.solver, u_solved_, reaction_);
    report.iterations += before;
    times.solve += clock.lap();
    if (pass > 0 || !forces_.needs_renewal()) return report;
  }
}

void MidpointStep::move_to_end(const Call& call) {
  const Bodies& bodies = call.system.bodies;
  q_end_.resize(bodies.nq());
  u_end_.resize(bodies.nu());
  // From q_D, which impacts before the problem have moved where rows are evaluated elsewhere.
  const double turn = 1 - call.rules.theta;
  const bool elsewhere = call.rules.evaluation_place() != turn;
  if (elsewhere) {
    q_turn_.resize(bodies.nq());
    bodies.advance(call.motion.q, u_begin_, turn * call.h, q_turn_, call.threads);
  }
  bodies.finish(call.rules.rotation, elsewhere ? q_turn_ : q_mid_, u_begin_, u_solved_, reaction_, step_context(call),
                free_, q_end_, u_end_, call.threads);
}

}  // namespace cairn
