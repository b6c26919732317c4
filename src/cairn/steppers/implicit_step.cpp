// SPDX-License-Identifier: Apache-2.0
// Newton's method on the smooth forces around one contact problem.
#include "cairn/steppers/implicit_step.h"

#include "cairn/base/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace cairn {
void ImplicitStepper::check(const System& system, const Motion& motion, double h) const {
  if (!(std::isfinite(h) && h > 0)) throw Error("the time step is {} s; must be > 0", h);
  check_scan(name_, system);
  require_plain(system, name_);
  const bool is_explicit =
      rules_.forces == ForcePlace::Ahead ? !rules_.linearised : rules_.forces == ForcePlace::Ends && rules_.beta == 0;
  if (!is_explicit) return;
  for (int body = 0; body < system.bodies.size(); ++body) {
    const double limit = system.bodies.critical_step(body, motion.q);
    if (h > limit)
      throw Error("body {} ({}): explicit elasticity is stable for steps up to {:.4g} s; the step is {:.4g} s", body,
                  system.bodies.kind(body), limit, h);
  }
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
      result = {rows_.problem().M * u - predicted_, h * begin_.all, h * begin_.loads, h * begin_.damping,
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
    return rows_.set_mass(compute_step_mass(system, q, v, t, d, k)) ||
           rows_.set_mass(compute_step_mass(system, q, v, t, d, k, true));
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

void ImplicitStepper::shift_contacts(const System& system, double h, const VecX& u, const VecX& way) {
  const std::size_t first = joints_.blocks().size();
  const VecX along = rules_.contacts == ContactRule::Position ? rows_.free_rows(VecX(2 / h * way - u)) : VecX();
  const std::span<Constraint> contacts = scan_.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Constraint& c = contacts[i];
    const double gap = scan_.clean_gap(system, c), U = c.U_begin[0];
    if (rules_.contacts == ContactRule::Position) {
      // 2/h (g + H' way): moves with u as U_E does. What given motions add to the way, they add twice to U_B + U_E.
      const double given = rows_.problem().w[rows_.row(first + i)] - contact_blocks_[i].shift[0];
      contact_blocks_[i].shift[0] = 2 / h * gap + along[rows_.row(first + i)] + given;
      continue;
    }
    // With detection at the begin and q_E = q_B + h u_m the gap that matters is half a step on: mid-steps move by h
    // u_E.
    const bool ahead = rules_.position == PositionUpdate::Mean && !rules_.detect_mid;
    const bool waits = c.restitution > 0 && !c.was_closed;
    const double later = ahead && !waits ? gap + 0.5 * h * U : gap;
    double shift = 0;
    if (later > 0 && rules_.predicted && !(gap <= 0 && c.restitution > 0)) {
      shift = later / h;
    } else if (rules_.contacts == ContactRule::Reflect) {
      shift = c.restitution * U;
    } else {
      shift = c.restitution * std::min(0.0, U);
    }
    contact_blocks_[i].shift[0] = shift;
    if (c.contact->tangential_restitution != 0 && !c.was_closed && U < 0 && contact_blocks_[i].rows >= 3)
      contact_blocks_[i].shift.segment<2>(1) = c.contact->tangential_restitution * c.U_begin.tail<2>();
  }
  rows_.update_shifts(first, contact_blocks_);
}

void ImplicitStepper::form_rows(const System& system, double h, Threads threads, const Motion& motion,
                                const WarmStart& warm) {
  const Bodies& bodies = system.bodies;
  scan_.choose({.predicted = rules_.predicted, .all = rules_.contacts == ContactRule::Position}, system, q_place_,
               u_begin_, warm, threads);
  scan_.make_blocks(h, contact_blocks_);
  FreeMotion free;
  free.u_free = u_begin_;
  joints_.form({rules_.joints, rules_.predicted, system, motion, q_mid_, u_begin_, free, h, warm});
  rows_.begin(bodies, u_begin_);
  rows_.add(bodies, q_mid_, joints_.blocks());
  rows_.add(bodies, q_place_, contact_blocks_);
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

SolveReport ImplicitStepper::iterate(const System& system, Solver& solver, double h, const Motion& motion,
                                     StepReport& report) {
  SolveReport solve;
  u_ = u_begin_;
  VecX reaction = VecX::Zero(u_.size());
  const bool once = rules_.forces == ForcePlace::Ahead;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 1;; ++k) {
    if (!set_step_mass(system, h, motion, u_, reaction)) {
      report.status = StepStatus::IndefiniteStiffness;
      return solve;
    }
    balance(system, h, motion, u_, reaction, balance_);
    if (balance_.status != BodyStatus::Ok) {
      report.status = to_step_status(balance_.status);
      return solve;
    }
    const VecX old_shift = rows_.problem().w;
    shift_contacts(system, h, u_, way(h, u_, reaction));
    const double shift_change = k == 1 || rows_.empty() ? 0 : (rows_.problem().w - old_shift).cwiseAbs().maxCoeff();
    if (k > 1) {
      // How far the last iterate is from the balance of momentum, in the metric of A.
      const VecX rest = balance_.momentum - reaction, off = rows_.solve_mass(rest);
      // Compared with the motion, and for bodies at rest with what the forces would do alone.
      const VecX gain = rows_.solve_mass(balance_.impulse);
      const SparseMatrix& A = rows_.problem().M;
      const double size = u_.dot(A * u_) + u_begin_.dot(A * u_begin_) + gain.dot(balance_.impulse);
      const double error = std::sqrt(std::max(0.0, off.dot(rest)) / std::max(size, std::numeric_limits<double>::min()));
      const double speed = u_.cwiseAbs().maxCoeff() + u_begin_.cwiseAbs().maxCoeff() + gain.cwiseAbs().maxCoeff();
      if (!std::isfinite(error)) {
        report.status = StepStatus::NotFinite;
        return solve;
      }
      if ((size == 0 || error <= rules_.tolerance) && shift_change <= rules_.tolerance * speed) return solve;
      // Rounding, and the tolerance of the solver, end the progress.
      const bool stuck = error >= 0.5 * last && error <= 100 * rules_.tolerance;
      if (stuck) return solve;
      last = error;
      if (k > rules_.iterations) {
        if (solve.status == SolveStatus::Converged) solve.status = SolveStatus::Stalled;
        solve.message = fmt::format("the implicit forces miss their balance by {:.2g} after {} Newton iterations",
                                    error, rules_.iterations);
        return solve;
      }
    }
    rows_.set_momentum(rows_.problem().M * u_ - balance_.momentum);
    if (!rows_.empty()) {
      if (keep_problem_) start_ = r_;
      const int iterations = solve.iterations;
      const double seconds = solve.seconds;
      solve = solver.solve(rows_.problem(), r_);
      solve.iterations += iterations;
      solve.seconds += seconds;
    }
    u_ = rows_.velocity(r_);
    reaction = rows_.reaction(r_);
    if (solve.status == SolveStatus::NotFinite || !u_.allFinite()) {
      report.status = StepStatus::NotFinite;
      return solve;
    }
    if (!once) continue;
    if (rules_.linearised) {  // what loads and dampers did
      const Prediction at = prediction(h);
      SmoothForces f;
      const VecX u = rules_.position == PositionUpdate::End ? u_ : VecX(0.5 * (u_begin_ + u_));
      compute_smooth_forces(system, moved(system.bodies, motion.q, at.way * u_begin_), u, motion.time + at.time, f);
      balance_.loads = h * f.loads;
      balance_.damping = h * f.damping;
    }
    return solve;
  }
}

void ImplicitStepper::account(const System& system, Work& work, WarmStart& warm) {
  const VecX U = rows_.row_velocity(u_, r_);
  joints_.finish(system, q_mid_, u_begin_, rows_.layout(), r_, U, work, warm);
  account_contacts(system, q_place_, u_begin_, contact_blocks_, rows_.row(joints_.blocks().size()), r_, U, work,
                   r_contact_);
  const VecX mean = 0.5 * (u_begin_ + u_);
  work.loads += mean.dot(balance_.loads);
  work.damping += mean.dot(balance_.damping);
  scan_.keep(r_contact_, warm);
}

void ImplicitStepper::predict(const System& system, double h, const Motion& motion) {
  const Prediction at = prediction(h);
  const VecX q = moved(system.bodies, motion.q, at.way * u_begin_);
  predicted_ = predict_momentum(system, q, u_begin_, motion.time + at.time, h, at.d, begin_);
}

StepReport ImplicitStepper::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                                 WarmStart& warm) {
  Stopwatch whole, clock;
  StepReport report;
  const Bodies& bodies = system.bodies;
  start_.resize(0);
  u_begin_ = motion.u;
  bodies.prescribe(motion.time + h / 2, motion.q, u_begin_);
  // Rows of joints at mid-step; where q_E = q_B + h u_E at the begin, so that `stabilised` closes them at the end.
  q_mid_ = motion.q;
  if (rules_.position == PositionUpdate::Mean) bodies.advance(motion.q, u_begin_, 0.5 * h, q_mid_, threads);
  q_place_ = rules_.detect_mid ? q_mid_ : motion.q;
  scan_.find(system, q_place_, u_begin_, h, 0, threads);
  report.times.detection = clock.lap();

  // Forces at the begin of the step, where the scheme wants them.
  if (rules_.forces == ForcePlace::Ends) {
    compute_smooth_forces(system, motion.q, u_begin_, motion.time, begin_);
    mass_begin_ = compute_mass(system, motion.q, u_begin_, motion.time);
    acceleration_ = Eigen::SimplicialLLT<SparseMatrix>(mass_begin_).solve(begin_.all);
  } else if (rules_.forces == ForcePlace::Ahead) {
    predict(system, h, motion);
  }
  form_rows(system, h, threads, motion, warm);
  report.times.assembly = clock.lap();
  report.solve = iterate(system, solver, h, motion, report);
  report.times.solve = clock.lap();
  if (report.status != StepStatus::Done) return report;

  VecX q_end = moved(bodies, motion.q, way(h, u_, rows_.reaction(r_)), threads);
  if (!q_end.allFinite()) {
    report.status = StepStatus::NotFinite;
    return report;
  }
  account(system, report.work, warm);
  report.contacts = static_cast<int>(contact_blocks_.size());
  report.penetration = scan_.penetration();
  joints_.break_joints(system, h, motion.broken);
  end_motion(system, h, q_end, u_, motion, report);
  report.times.total = whole.lap();
  return report;
}

std::optional<StepProblem> ImplicitStepper::last_problem(const System&) const {
  if (start_.size() == 0) return {};
  return StepProblem{rows_.problem(), start_, r_};
}

}  // namespace cairn
