// SPDX-License-Identifier: Apache-2.0
// Semi-implicit Euler around rows of joints and contacts.
#include "cairn/steppers/first_order_step.h"

#include "cairn/assembly/step_forces.h"
#include "cairn/base/stopwatch.h"

#include <cmath>

namespace cairn {

void FirstOrderStepper::check(const System& system, const Motion& motion, double h) const {
  if (!(std::isfinite(h) && h > 0)) throw Error("the time step is {} s; must be > 0", h);
  check_scan(name_, system);
  if (rules_.implicit_forces) return;
  for (int body = 0; body < system.bodies.size(); ++body) {
    const double limit = system.bodies.critical_step(body, motion.q);
    if (h > limit)
      throw Error("body {} ({}): explicit elasticity is stable for steps up to {:.4g} s; the step is {:.4g} s", body,
                  system.bodies.kind(body), limit, h);
  }
}

void FirstOrderStepper::form_rows(const System& system, double h, Threads threads, const Motion& motion,
                                  const WarmStart& warm) {
  const Bodies& bodies = system.bodies;
  scan_.choose({.predicted = true, .all = true}, system, motion.q, u_begin_, warm, threads);
  scan_.make_blocks(h, contact_blocks_);
  for (std::size_t i = 0; i < contact_blocks_.size(); ++i) {
    const Constraint& c = scan_.contacts()[i];
    const double k = c.contact->stiffness;
    const double compliance = k > 0 ? 1 / k : rules_.contact_compliance;
    const double d = k > 0 ? c.contact->damping / k : rules_.contact_damping;
    const double gap = scan_.clean_gap(system, c);
    contact_blocks_[i].shift[0] = gap / (gap > 0 ? h : h + d);
    contact_blocks_[i].compliance[0] = compliance / (h * (h + d));
  }
  FreeMotion free;
  free.u_free = u_begin_;
  joints_.form({rules_.joints, true, system, motion, motion.q, u_begin_, free, h, warm, 0, 1});
  rows_.begin(bodies, u_begin_);
  rows_.add(bodies, motion.q, joints_.blocks());
  rows_.add(bodies, motion.q, contact_blocks_);
  rows_.finish();
  // Impulses of the last step to start from.
  r_.setZero(rows_.row_count());
  joints_.start(rows_.layout(), warm, r_);
  const std::size_t first = joints_.blocks().size();
  for (std::size_t i = 0; i < contact_blocks_.size(); ++i) {
    const int n = std::min(3, contact_blocks_[i].rows);
    r_.segment(rows_.row(first + i), n) = scan_.warm_impulse(scan_.contacts()[i], warm).head(n);
  }
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

StepReport FirstOrderStepper::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                                   WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  const Bodies& bodies = system.bodies;
  kept_.reset();
  u_begin_ = motion.u;
  energy_begin_ = bodies.energy(motion.q, motion.u, system.gravity).total() + force_energy(system, motion);
  bodies.prescribe(motion.time + h / 2, motion.q, u_begin_);
  scan_.find(system, motion.q, u_begin_, h, 0, threads);
  report.times.detection = clock.lap();

  // Rows, mass and momentum where the step begins; given forces at mid-step.
  form_rows(system, h, threads, motion, warm);
  const double t = motion.time + h / 2, d = rules_.implicit_forces ? h : 0, k = d * d;
  const ForceMemory memory{&motion, h};
  p_ = predict_momentum(system, motion.q, u_begin_, t, h, d, f_, memory);
  if (f_.status != BodyStatus::Ok) {
    report.status = to_step_status(f_.status);
    return report;
  }
  A_ = compute_step_mass(system, motion.q, u_begin_, t, d, k, false, memory);
  if (!rows_.set_mass(A_)) {  // where a force softens; without that part
    A_ = compute_step_mass(system, motion.q, u_begin_, t, d, k, true, memory);
    if (!rows_.set_mass(A_)) {
      report.status = StepStatus::IndefiniteStiffness;
      return report;
    }
  }
  rows_.set_momentum(p_);
  report.times.assembly = clock.lap();

  report.status = find_velocity(system, solver, h, motion, report.solve);
  report.times.solve = clock.lap();
  if (report.status != StepStatus::Done) return report;
  VecX q_end = moved(bodies, motion.q, h * u_, threads);
  if (!u_.allFinite() || !r_.allFinite() || !q_end.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }

  // Accounts of the step, then the new state.
  const VecX U = rows_.row_velocity(u_, r_);
  joints_.finish(system, motion.q, u_begin_, rows_.layout(), r_, U, report.work, warm);
  account_contacts(system, motion.q, u_begin_, contact_blocks_, rows_.row(joints_.blocks().size()), r_, U, report.work,
                   r_contact_);
  // What loads and dampers did.
  if (rules_.implicit_forces) compute_smooth_forces(system, motion.q, u_, t, f_, memory);
  const VecX mean = 0.5 * (u_begin_ + u_);
  report.work.loads += h * mean.dot(f_.loads);
  report.work.damping += h * mean.dot(f_.damping);
  scan_.keep(r_contact_, warm);
  report.contacts = static_cast<int>(contact_blocks_.size());
  (rules_.joints.stop_compliance > 0 ? report.compression : report.penetration) = joints_.penetration();
  const std::span<const Constraint> contacts = scan_.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    double& depth = contact_blocks_[i].compliance[0] > 0 ? report.compression : report.penetration;
    depth = std::max(depth, -contacts[i].gap);
  }
  remember(system, h, report.work, motion);
  StepForces().update_memory(system, motion.q, u_begin_, q_end, u_, h, motion);
  joints_.break_joints(system, h, motion.broken);
  end_motion(system, h, q_end, u_, motion, report);
  report.times.total = whole.lap();
  return report;
}

}  // namespace cairn
