// SPDX-License-Identifier: Apache-2.0
// One step of the variational penalty method.
#include "cairn/steppers/study/variational_penalty.h"

#include "cairn/math/rotation.h"

#include <Eigen/SparseLU>

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double least_share = 1e-7;  // of a Newton correction, below which there is no progress

FirstOrderRules rules_of() {
  FirstOrderRules rules;
  rules.implicit_forces = false;  // the discrete Lagrangian has V(q_B)
  return rules;
}

}  // namespace

VariationalPenalty::VariationalPenalty(const Settings& settings)
    : FirstOrderStepper("variational-penalty", rules_of()), settings_(settings) {}

PenaltyOscillator VariationalPenalty::oscillator(double h) const {
  PenaltyOscillator o{settings_.mass, settings_.stiffness, settings_.damping, settings_.halvings};
  if (!(o.stiffness > 0)) o.stiffness = stiffness_of_phase(o.mass, o.halvings, h, 2 * pi * settings_.turns + pi / 2);
  return o;
}

void VariationalPenalty::check(const System& system, const Motion& motion, double h) const {
  FirstOrderStepper::check(system, motion, h);
  const PenaltyOscillator o = oscillator(h);
  const double phase = penalty_phase(o, h);
  if (!std::isfinite(phase))
    throw Error(
        "stepper 'variational-penalty': stiffness {:.4g} N/m on {:.4g} kg is unstable even in the fine steps of {:.3g} "
        "s;"
        " at most {:.4g} N/m, or more halvings",
        o.stiffness, o.mass, std::ldexp(h, -o.halvings), 4 * o.mass / std::pow(std::ldexp(h, -o.halvings), 2));
  const double delta = rescale(o, h).delta;
  if (!(delta > 0) && !settings_.negative_delta)
    throw Error(
        "stepper 'variational-penalty': stiffness {:.6g} N/m on {:.4g} kg gives Delta = {:.3g} at steps of {:.4g} s; "
        "must "
        "be > 0, for instance with {:.6g} N/m",
        o.stiffness, o.mass, delta, h,
        stiffness_of_phase(o.mass, o.halvings, h, 2 * pi * std::floor(phase / (2 * pi)) + pi / 2));
}

VecX VariationalPenalty::errors_at(const System& system, const VecX& q, const VecX& s, double time) const {
  JointPlaces at;
  at.set(system, q, s, time);
  VecX phi(static_cast<Eigen::Index>(rows_held_.size()));
  Eigen::Index row = 0;
  for (const std::size_t i : held_) {
    const RowVector g = equation_error(rows_.joints.equation(i), at);
    for (int l = 0; l < rows_.block(i).rows; ++l) phi[row++] = g[l];
  }
  return phi;
}

VariationalPenalty::Trial VariationalPenalty::attempt(const System& system, double h, const Motion& motion,
                                                      VecX u) const {
  Trial trial;
  trial.q = moved(system.bodies, motion.q, h * u);
  trial.phi = errors_at(system, trial.q, motion.s, motion.time + h);
  trial.balance = A_ * u - p_ + h * (H_ * (before_ + gain_ * trial.phi));
  trial.u = std::move(u);
  return trial;
}

SparseMatrix VariationalPenalty::tangent(const System& system, double h, const Motion& motion,
                                         const Trial& trial) const {
  const Bodies& bodies = system.bodies;
  RowProblem end;
  end.begin(bodies, trial.u);
  JointPlaces at;
  at.set(system, trial.q, motion.s, motion.time + h);
  for (const std::size_t i : held_) {
    RowBlock rows;
    fill_rows(rows_.joints.equation(i), at, rows);
    end.add(bodies, trial.q, std::span(&rows, 1));
  }
  end.finish();
  // A change of Omega turns the body by T(h Omega)' h dOmega in its own axes.
  std::vector<Eigen::Triplet<double>> entries;
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    for (int i = 0; i < s.nu; ++i)
      if (!s.rigid || i < 3) entries.emplace_back(s.u + i, s.u + i, 1.0);
    if (!s.rigid) continue;
    const Mat3 T = tangent_map(h * trial.u.segment<3>(s.u + 3));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entries.emplace_back(s.u + 3 + i, s.u + 3 + j, T(i, j));
  }
  SparseMatrix turn(bodies.nu(), bodies.nu());
  turn.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix H_end = turn * end.problem().H;
  return A_ + h * h * gain_ * SparseMatrix(H_ * H_end.transpose());
}

StepReport VariationalPenalty::step(const System& system, Solver& solver, double h, Threads threads, Motion& motion,
                                    WarmStart& warm) {
  // Substeps are h 2^-k. A failed one is halved, so the next is the largest such interval that begins where it ends.
  const std::int64_t whole = std::int64_t{1} << settings_.divisions;
  std::int64_t at = 0, span = whole;  // in units of the shortest
  const auto length = [&](double) { return h * (static_cast<double>(span) / static_cast<double>(whole)); };
  return parts_.run(system, h, motion, warm, length, [&](double d) {
    StepReport report = FirstOrderStepper::step(system, solver, d, threads, motion, warm);
    const double delta = rescale(oscillator(d / 2), d / 2).delta;
    const bool may_divide = span > 1 && (delta > 0 || settings_.negative_delta);
    if (report.status == StepStatus::Done && report.solve.status == SolveStatus::Infeasible)
      report.status = StepStatus::StepLimit;
    if (report.status == StepStatus::Done && (solved_ || !may_divide)) {
      parts_.add(report, rows_.joints.impulses(), rows_.joints.coordinate_impulses());
      at += span;
      span = at & -at;
      return Substeps::Verdict::Keep;
    }
    if (!may_divide) return parts_.fail(report);
    span /= 2;
    return Substeps::Verdict::Repeat;
  });
}

void VariationalPenalty::split_rows(GlobalProblem& rest, std::vector<int>& others) {
  // Rows that are penalties, and those of the contact problem.
  held_.clear();
  rows_held_.clear();
  for (std::size_t i = 0; i < rows_.block_count(); ++i) {
    const RowBlock& block = rows_.block(i);
    const bool held = i < rows_.first_contact() && rows_.joints.equation(i).is_position() && block.compliance.isZero(0);
    if (held) held_.push_back(i);
    for (int l = 0; l < block.rows; ++l) (held ? rows_held_ : others).push_back(rows_.rows.row(i) + l);
    if (held) continue;
    rest.law.push_back(block.law);
    rest.offset.push_back(rest.offset.back() + block.rows);
  }
  const GlobalProblem& all = rows_.rows.problem();
  H_ = select_columns(all.H, rows_held_);
  rest.H = select_columns(all.H, others);
  rest.w = select_rows(all.w, others);
  if (all.compliance.size() > 0) rest.compliance = select_rows(all.compliance, others);
}

StepStatus VariationalPenalty::find_velocity(const System& system, Solver& solver, double h, const Motion& motion,
                                             SolveReport& report) {
  const PenaltyOscillator o = oscillator(h);
  const RescaledPenalty p = rescale(o, h);
  if (!std::isfinite(p.delta) || p.delta == 0 || (p.delta < 0 && !settings_.negative_delta))
    return StepStatus::IndefiniteStiffness;

  GlobalProblem rest;
  std::vector<int> others;
  split_rows(rest, others);
  VecX r = select_rows(rows_.r, others);
  const double mass = o.mass / (h * h);
  before_ =
      ((p.b - 2 * mass) * errors_at(system, motion.q, motion.s, motion.time) +
       (p.c + mass) * errors_at(system, moved(system.bodies, motion.q, -h * u_begin_), motion.s, motion.time - h)) /
      p.delta;
  gain_ = (mass + p.a) / p.delta;

  // Newton's method from the velocity of the begin: q_E = 2 q_B - q_A. Without other rows corrections are damped by
  // Deuflhard's natural monotonicity: the next correction with the same tangent must be shorter. The balance itself is
  // no guide: stiff penalties make curved valleys of it.
  report = {};
  const auto length = [&](const VecX& du) { return std::sqrt(std::max(0.0, du.dot(A_ * du))); };
  Trial now = attempt(system, h, motion, u_begin_);
  double last = std::numeric_limits<double>::infinity(), share = 1;
  bool converged = false, stuck = false;
  int k = 0;
  while (!converged && !stuck && k < settings_.iterations) {
    ++k;
    SparseMatrix T = held_.empty() ? A_ : tangent(system, h, motion, now);
    T.makeCompressed();
    const Eigen::SparseLU<SparseMatrix> factor(T);
    if (factor.info() != Eigen::Success) return StepStatus::IndefiniteStiffness;
    VecX target = T * now.u - now.balance;
    if (!others.empty()) {
      rest.M = T;
      rest.f = target;
      const SolveReport solved = solve_rows(solver, rest, r);
      const int before = report.iterations;
      report = solved;
      report.iterations += before;
      if (report.status == SolveStatus::NotFinite) return StepStatus::NotFinite;
      target += rest.H * r;
    }
    const VecX change = others.empty() ? VecX(-factor.solve(now.balance)) : VecX(factor.solve(target) - now.u);
    if (!change.allFinite()) return StepStatus::NotFinite;
    const double step = h * change.cwiseAbs().maxCoeff(), size = length(change);
    share = others.empty() ? std::min(1.0, 4 * share) : 1;
    Trial next = attempt(system, h, motion, now.u + share * change);
    if (others.empty() && step > settings_.tolerance)
      while (!(length(factor.solve(next.balance)) <= (1 - 0.25 * share) * size) && share > least_share) {
        share *= 0.5;
        next = attempt(system, h, motion, now.u + share * change);
      }
    stuck = share <= least_share;
    if (!stuck) now = std::move(next);
    // Rounding ends the progress where penalties are very stiff, and what the solver leaves where there are contacts.
    const double noise = others.empty() ? 0 : 10 * h * solver.limits().tolerance * now.u.cwiseAbs().maxCoeff();
    const double limit = std::max(settings_.tolerance, noise);
    converged = step <= limit || held_.empty() || (step <= 1e3 * limit && (stuck || step >= 0.5 * last));
    last = step;
  }
  if (others.empty()) {
    report.iterations = k;
    report.residual.scaled = report.residual.relative =
        last / std::max(h * (u_begin_.cwiseAbs().maxCoeff() + now.u.cwiseAbs().maxCoeff()), last + 1e-300);
  }
  // The equations have far solutions too, with multipliers that throw the bodies about.
  const bool far = length(now.u) > 10 * (length(u_begin_) + length(rows_.rows.solve_mass(p_)));
  solved_ = converged && !far;
  if (far) report.status = SolveStatus::Infeasible, report.message = "Newton's method ends in a far solution";
  if (!converged && report.status == SolveStatus::Converged) {
    report.status = SolveStatus::Stalled;
    report.message =
        fmt::format("Newton's method on the penalties stands at steps of {:.2g} m after {} iterations", last, k);
  }
  u_ = now.u;
  const VecX held = -h * (before_ + gain_ * now.phi);
  for (std::size_t i = 0; i < rows_held_.size(); ++i) rows_.r[rows_held_[i]] = held[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < others.size(); ++i) rows_.r[others[i]] = r[static_cast<Eigen::Index>(i)];
  return StepStatus::Done;
}

}  // namespace cairn
