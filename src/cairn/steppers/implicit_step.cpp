// SPDX-License-Identifier: Apache-2.0
// Newton's method on the smooth forces around one contact problem.
#include "cairn/steppers/implicit_step.h"

#include "cairn/assembly/step_accounts.h"
#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {

void ImplicitStepper::check(const System& system, const Motion& motion, double h) const {
  check_step_length(h);
  if (rules_.contacts == ContactRule::Position) check_local_impacts(name_, system);
  require_plain(system, name_);
  const bool is_explicit =
      rules_.forces == ForcePlace::Ahead ? !rules_.linearised : rules_.forces == ForcePlace::Ends && rules_.beta == 0;
  if (is_explicit) check_explicit_elasticity(system, motion, h);
}

VecX ImplicitStepper::way(double h, const VecX& u, const VecX& reaction) const {
  if (rules_.position == PositionUpdate::End) return h * u;
  const VecX mean = 0.5 * h * (u_begin_ + u);
  if (rules_.forces != ForcePlace::Ends || rules_.beta == 0.5 * rules_.gamma) return mean;
  // h u_B + h^2 ((1/2 - beta) a_B + beta a_E) + h/2 c with the velocity change c = M^-1 H' r of reactions, and
  // h gamma a_E = u - u_B - h (1 - gamma) a_B - c.
  Eigen::SimplicialLLT<SparseMatrix> factor(mass_begin_);
  const VecX c = factor.solve(reaction);
  const double ratio = rules_.beta / rules_.gamma;
  return h * u_begin_ + h * h * (0.5 - rules_.beta) * acceleration_ +
         ratio * h * (u - u_begin_ - h * (1 - rules_.gamma) * acceleration_ - c) + 0.5 * h * c;
}

void ImplicitStepper::balance(const System& system, double h, const Motion& motion, const VecX& u, const VecX& reaction,
                              Balance& result) {
  const Bodies& bodies = system.bodies;
  SmoothForces f;
  switch (rules_.forces) {
    case ForcePlace::Middle: {
      const VecX mean = 0.5 * (u_begin_ + u), q = moved(bodies, motion.q, 0.5 * h * mean);
      compute_smooth_forces(system, q, mean, motion.time + h / 2, f);
      mass_ = compute_mass(system, q, mean, motion.time + h / 2);
      result = {mass_ * (u - u_begin_) - h * f.all, h * f.all, h * f.loads, h * f.damping, f.status};
      return;
    }
    case ForcePlace::Ends: {
      const VecX q = moved(bodies, motion.q, way(h, u, reaction));
      compute_smooth_forces(system, q, u, motion.time + h, f);
      const double end = h * rules_.gamma, begin = h - end;
      // The masses of both ends may differ: accelerations are what Newmark's rule averages.
      const SparseMatrix mass_end = compute_mass(system, q, u, motion.time + h);
      Eigen::SimplicialLLT<SparseMatrix> factor(mass_end);
      const VecX a_end = factor.solve(f.all);
      mass_ = mass_begin_;
      result = {mass_ * (u - u_begin_ - begin * acceleration_ - end * a_end),
                mass_ * (begin * acceleration_ + end * a_end), begin * begin_.loads + end * f.loads,
                begin * begin_.damping + end * f.damping, f.status};
      return;
    }
    case ForcePlace::Ahead: {
      result = {rows_.rows.problem().M * u - predicted_, h * begin_.all, h * begin_.loads, h * begin_.damping,
                begin_.status};
      return;
    }
  }
}

bool ImplicitStepper::set_step_mass(const System& system, double h, const Motion& motion, const VecX& u,
                                    const VecX& reaction) {
  const Bodies& bodies = system.bodies;
  // Where a force softens A may fail to be definite; without the softening Newton takes longer, to the same end.
  const auto set = [&](const VecX& q, const VecX& v, double t, double d, double k) {
    return rows_.rows.set_mass(compute_step_mass(system, q, v, t, d, k)) ||
           rows_.rows.set_mass(compute_step_mass(system, q, v, t, d, k, true));
  };
  switch (rules_.forces) {
    case ForcePlace::Middle: {
      const VecX mean = 0.5 * (u_begin_ + u);
      return set(moved(bodies, motion.q, 0.5 * h * mean), mean, motion.time + h / 2, h / 2, h * h / 4);
    }
    case ForcePlace::Ends:
      return set(moved(bodies, motion.q, way(h, u, reaction)), u, motion.time + h, h * rules_.gamma,
                 h * h * rules_.beta);
    case ForcePlace::Ahead: {
      const Prediction at = prediction(h);
      return set(moved(bodies, motion.q, at.way * u_begin_), u_begin_, motion.time + at.time, at.d, at.k);
    }
  }
  return false;
}

ImplicitStepper::Prediction ImplicitStepper::prediction(double h) const {
  if (!rules_.linearised) return {h / 4, h / 2, 0, 0};
  // The force where the step ends, or at its middle: q_E = q_B + h u_E is stable for the first only.
  if (rules_.position == PositionUpdate::End) return {0, h, h, h * h};
  return {h / 4, h / 2, h / 2, h * h / 4};
}

ContactRules ImplicitStepper::contact_rules() const {
  return {.open = rules_.contacts == ContactRule::Position ? OpenContacts::All
                  : rules_.predicted                       ? OpenContacts::Inelastic
                                                           : OpenContacts::None};
}

double ImplicitStepper::contact_shift(const Constraint& c, double gap, double h) const {
  // With detection at the start and q_E = q_B + h u_m the gap that matters is half a step on: mid-steps move by h u_E.
  const double U = c.U_begin[0];
  const bool ahead = rules_.position == PositionUpdate::Mean && !rules_.detect_mid;
  const bool waits = c.restitution > 0 && !c.was_closed;
  const double later = ahead && !waits ? gap + 0.5 * h * U : gap;
  if (later > 0 && rules_.predicted && !(gap <= 0 && c.restitution > 0)) return later / h;
  return c.restitution * (rules_.contacts == ContactRule::Reflect ? U : std::min(0.0, U));
}

void ImplicitStepper::shift_contacts(const System& system, double h, const VecX& u, const VecX& way) {
  const bool on_positions = rules_.contacts == ContactRule::Position;
  const VecX along = on_positions ? rows_.rows.free_rows(VecX(2 / h * way - u)) : VecX();
  const std::span<Constraint> contacts = rows_.contacts.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Constraint& c = contacts[i];
    const double gap = rows_.contacts.clean_gap(system, c);
    if (on_positions) {
      // 2/h (g + H' way): moves with u as U_E does. What given motions add to the way, they add twice to U_B + U_E.
      const int row = rows_.rows.row(rows_.first_contact() + i);
      const double given = rows_.rows.problem().w[row] - rows_.contact_blocks[i].shift[0];
      c.shift[0] = 2 / h * gap + along[row] + given;
      continue;
    }
    c.shift[0] = contact_shift(c, gap, h);
    if (c.contact->tangential_restitution != 0 && !c.was_closed && c.U_begin[0] < 0)
      c.shift.tail<2>() = c.contact->tangential_restitution * c.U_begin.tail<2>();
  }
  rows_.contacts.couple_impacts(system);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    RowBlock& block = rows_.contact_blocks[i];
    const int n = std::min(3, block.rows);
    block.shift.head(n) = contacts[i].shift.head(n);
  }
  rows_.rows.update_shifts(rows_.first_contact(), rows_.contact_blocks);
}

void ImplicitStepper::form_rows(const System& system, double h, Threads threads, const Motion& motion,
                                const WarmStart& warm) {
  still_.u_free = u_begin_;
  rows_.contacts.choose(contact_rules(), {system, q_place_, u_begin_, still_, h, warm, threads});
  rows_.contacts.make_blocks(h, rows_.contact_blocks);
  rows_.form(joint_context(system, h, motion, warm), q_place_);
  rows_.start(warm);
}

double ImplicitStepper::imbalance(const VecX& reaction, double& speed) const {
  const VecX rest = balance_.momentum - reaction, off = rows_.rows.solve_mass(rest);
  // Compared with the motion, and for bodies at rest with what the forces would do alone.
  const VecX gain = rows_.rows.solve_mass(balance_.impulse);
  const SparseMatrix& A = rows_.rows.problem().M;
  const double size = u_.dot(A * u_) + u_begin_.dot(A * u_begin_) + gain.dot(balance_.impulse);
  speed = u_.cwiseAbs().maxCoeff() + u_begin_.cwiseAbs().maxCoeff() + gain.cwiseAbs().maxCoeff();
  if (size == 0) return 0;
  return std::sqrt(std::max(0.0, off.dot(rest)) / std::max(size, std::numeric_limits<double>::min()));
}

void ImplicitStepper::solve_rows(Solver& solver, SolveReport& solve) {
  if (rows_.rows.empty()) return;
  rows_.hold();
  if (keep_problem_) start_ = rows_.r;
  const int iterations = solve.iterations;
  const double seconds = solve.seconds;
  solve = solver.solve(rows_.rows.problem(), rows_.r);
  solve.iterations += iterations;
  solve.seconds += seconds;
  rows_.release();
}

StepStatus ImplicitStepper::iterate(const System& system, Solver& solver, double h, const Motion& motion,
                                    SolveReport& solve) {
  u_ = u_begin_;
  VecX reaction = VecX::Zero(u_.size());
  double last = std::numeric_limits<double>::infinity();
  for (int k = 1;; ++k) {
    if (!set_step_mass(system, h, motion, u_, reaction)) return StepStatus::IndefiniteStiffness;
    balance(system, h, motion, u_, reaction, balance_);
    if (balance_.status != BodyStatus::Ok) return to_step_status(balance_.status);
    const VecX old_shift = rows_.rows.problem().w;
    shift_contacts(system, h, u_, way(h, u_, reaction));
    if (k > 1) {
      const double shift_change = rows_.rows.empty() ? 0 : (rows_.rows.problem().w - old_shift).cwiseAbs().maxCoeff();
      double speed = 0;
      const double error = imbalance(reaction, speed);
      if (!std::isfinite(error)) return StepStatus::NotFinite;
      if (error <= rules_.tolerance && shift_change <= rules_.tolerance * speed) return StepStatus::Done;
      // Rounding, and the tolerance of the solver, end the progress.
      const bool stuck = error >= 0.5 * last && error <= 100 * rules_.tolerance;
      if (stuck) return StepStatus::Done;
      last = error;
      if (k > rules_.iterations) {
        fall_short(solve, fmt::format("the implicit forces miss their balance by {:.2g} after {} Newton iterations",
                                      error, rules_.iterations));
        return StepStatus::Done;
      }
    }
    rows_.rows.set_momentum(rows_.rows.problem().M * u_ - balance_.momentum);
    solve_rows(solver, solve);
    u_ = rows_.rows.velocity(rows_.r);
    reaction = rows_.rows.reaction(rows_.r);
    if (solve.status == SolveStatus::NotFinite || !u_.allFinite()) return StepStatus::NotFinite;
    if (rules_.forces != ForcePlace::Ahead) continue;
    if (rules_.linearised) note_loads(system, h, motion);
    return StepStatus::Done;
  }
}

void ImplicitStepper::note_loads(const System& system, double h, const Motion& motion) {
  // What loads and dampers did in a step that was solved once.
  const Prediction at = prediction(h);
  SmoothForces f;
  const VecX u = rules_.position == PositionUpdate::End ? u_ : VecX(0.5 * (u_begin_ + u_));
  compute_smooth_forces(system, moved(system.bodies, motion.q, at.way * u_begin_), u, motion.time + at.time, f);
  balance_.loads = h * f.loads;
  balance_.damping = h * f.damping;
}

void ImplicitStepper::account(const System& system, double h, const Motion& motion, StepReport& report,
                              WarmStart& warm) {
  rows_.account(joint_context(system, h, motion, warm), q_place_, u_, false, report.work, warm);
  const VecX mean = 0.5 * (u_begin_ + u_);
  report.work.loads += mean.dot(balance_.loads);
  report.work.damping += mean.dot(balance_.damping);
  rows_.contacts.report_depths(false, report);
  rows_.contacts.keep(rows_.r_contact, warm);
}

void ImplicitStepper::predict(const System& system, double h, const Motion& motion) {
  const Prediction at = prediction(h);
  const VecX q = moved(system.bodies, motion.q, at.way * u_begin_);
  predicted_ = predict_momentum(system, q, u_begin_, motion.time + at.time, h, at.d, begin_);
}

void ImplicitStepper::evaluate_begin(const System& system, double h, Threads threads, const Motion& motion) {
  u_begin_ = motion.u;
  system.bodies.prescribe(motion.time + h / 2, motion.q, u_begin_);
  // Rows of joints at mid-step; where q_E = q_B + h u_E at the start, so that `stabilised` closes them at the end.
  q_mid_ = motion.q;
  if (rules_.position == PositionUpdate::Mean) system.bodies.advance(motion.q, u_begin_, 0.5 * h, q_mid_, threads);
  q_place_ = rules_.detect_mid ? q_mid_ : motion.q;
  // Forces at the start of the step, where the scheme wants them.
  if (rules_.forces == ForcePlace::Ends) {
    compute_smooth_forces(system, motion.q, u_begin_, motion.time, begin_);
    mass_begin_ = compute_mass(system, motion.q, u_begin_, motion.time);
    acceleration_ = Eigen::SimplicialLLT<SparseMatrix>(mass_begin_).solve(begin_.all);
  } else if (rules_.forces == ForcePlace::Ahead) {
    predict(system, h, motion);
  }
}

StepReport ImplicitStepper::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                                 WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  start_.resize(0);
  evaluate_begin(system, h, threads, motion);
  report.times.assembly = clock.lap();
  rows_.contacts.detect(contact_rules(), system, q_place_, u_begin_, h, 0, threads);
  report.times.detection = clock.lap();
  form_rows(system, h, threads, motion, warm);
  report.times.assembly += clock.lap();
  report.status = iterate(system, solver, h, motion, report.solve);
  report.times.solve = clock.lap();
  if (report.status != StepStatus::Done) return report;

  VecX q_end = moved(system.bodies, motion.q, way(h, u_, rows_.rows.reaction(rows_.r)), threads);
  if (!q_end.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }
  account(system, h, motion, report, warm);
  break_joints(system, rows_.joints.impulses(), h, motion.broken);
  end_motion(system, h, q_end, u_, motion, report);
  report.times.total = whole.lap();
  return report;
}

std::optional<StepProblem> ImplicitStepper::last_problem(const System&) const {
  if (start_.size() == 0) return {};
  return StepProblem{rows_.rows.problem(), start_, rows_.r};
}

}  // namespace cairn
