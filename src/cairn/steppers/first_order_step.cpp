// SPDX-License-Identifier: Apache-2.0
// Semi-implicit Euler around rows of joints and contacts.
#include "cairn/steppers/first_order_step.h"

#include "cairn/assembly/step_accounts.h"
#include "cairn/assembly/step_forces.h"
#include "cairn/base/stopwatch.h"

#include <cmath>

namespace cairn {

void FirstOrderStepper::check(const System& system, const Motion& motion, double h) const {
  check_step_length(h);
  check_local_impacts(name_, system);
  if (!rules_.implicit_forces) check_explicit_elasticity(system, motion, h);
}

void FirstOrderStepper::form_rows(const System& system, double h, Threads threads, const Motion& motion,
                                  const WarmStart& warm) {
  still_.u_free = u_begin_;
  rows_.contacts.choose({.open = OpenContacts::All}, {system, motion.q, u_begin_, still_, h, warm, threads});
  rows_.contacts.make_blocks(h, rows_.contact_blocks);
  for (std::size_t i = 0; i < rows_.contacts.size(); ++i) {
    const Constraint& c = rows_.contacts.contacts()[i];
    const double k = c.contact->stiffness;
    const double compliance = k > 0 ? 1 / k : rules_.contact_compliance;
    const double d = k > 0 ? c.contact->damping / k : rules_.contact_damping;
    const double gap = rows_.contacts.clean_gap(system, c);
    rows_.contact_blocks[i].shift[0] = gap / (gap > 0 ? h : h + d);
    rows_.contact_blocks[i].compliance[0] = compliance / (h * (h + d));
  }
  rows_.form(joint_context(system, h, motion, warm), motion.q);
  rows_.start(warm);
}

SolveReport FirstOrderStepper::solve_rows(Solver& solver, const GlobalProblem& problem, VecX& r) {
  const VecX start = r;
  SolveReport report = solver.solve(problem, r);
  keep(problem, start, r);
  return report;
}

void FirstOrderStepper::keep(const GlobalProblem& problem, const VecX& start, const VecX& r) {
  if (keep_problem_) kept_ = StepProblem{problem, start, r};
}

std::optional<StepProblem> FirstOrderStepper::last_problem(const System&) const { return kept_; }

StepStatus FirstOrderStepper::form_mass(const System& system, double h, const Motion& motion) {
  // Mass and momentum where the step begins; given forces at mid-step.
  const double t = motion.time + h / 2, d = rules_.implicit_forces ? h : 0, k = d * d;
  const ForceMemory memory{&motion, h};
  p_ = predict_momentum(system, motion.q, u_begin_, t, h, d, f_, memory);
  if (f_.status != BodyStatus::Ok) return to_step_status(f_.status);
  for (const bool definite : {false, true}) {  // where a force softens: without that part
    A_ = compute_step_mass(system, motion.q, u_begin_, t, d, k, definite, memory);
    if (rows_.rows.set_mass(A_)) return StepStatus::Done;
  }
  return StepStatus::IndefiniteStiffness;
}

void FirstOrderStepper::account(const System& system, double h, const Motion& motion, StepReport& report,
                                WarmStart& warm) {
  rows_.account(joint_context(system, h, motion, warm), motion.q, u_, false, report.work, warm);
  // What loads and dampers did.
  if (rules_.implicit_forces) compute_smooth_forces(system, motion.q, u_, motion.time + h / 2, f_, {&motion, h});
  const VecX mean = 0.5 * (u_begin_ + u_);
  report.work.loads += h * mean.dot(f_.loads);
  report.work.damping += h * mean.dot(f_.damping);
  rows_.contacts.keep(rows_.r_contact, warm);
  rows_.contacts.report_depths(rules_.contact_compliance > 0, report);
  double& depth = rules_.joints.stop_compliance > 0 ? report.compression : report.penetration;
  depth = std::max(depth, rows_.joints.penetration());
}

StepReport FirstOrderStepper::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                                   WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  const Bodies& bodies = system.bodies;
  kept_.reset();
  u_begin_ = motion.u;
  energy_begin_ = bodies.energy(motion.q, motion.u, system.gravity).total() + force_energy(system, motion);
  bodies.prescribe(motion.time + h / 2, motion.q, u_begin_);
  rows_.contacts.detect({}, system, motion.q, u_begin_, h, 0, threads);
  report.times.detection = clock.lap();

  form_rows(system, h, threads, motion, warm);
  report.status = form_mass(system, h, motion);
  if (report.status != StepStatus::Done) return report;
  rows_.rows.set_momentum(p_);
  rows_.hold();
  p_ = rows_.rows.problem().f;
  report.times.assembly = clock.lap();
  report.status = find_velocity(system, solver, h, motion, report.solve);
  report.times.solve = clock.lap();
  if (report.status != StepStatus::Done) return report;
  rows_.release();
  VecX q_end = moved(bodies, motion.q, h * u_, threads);
  if (!u_.allFinite() || !rows_.r.allFinite() || !q_end.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }

  account(system, h, motion, report, warm);
  remember(system, h, report.work, motion);
  StepForces().update_memory(system, motion.q, u_begin_, q_end, u_, h, motion);
  break_joints(system, rows_.joints.impulses(), h, motion.broken);
  end_motion(system, h, q_end, u_, motion, report);
  report.times.total = whole.lap();
  return report;
}

}  // namespace cairn
