// SPDX-License-Identifier: Apache-2.0
// One step of the variational penalty method.
#include "cairn/steppers/variational_penalty.h"

#include "cairn/math/rotation.h"

#include <Eigen/SparseLU>

#include <cmath>
#include <numbers>

namespace cairn {
namespace {

constexpr double pi = std::numbers::pi;

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
        "stepper 'variational-penalty': stiffness {:.4g} N/m on {:.4g} kg is unstable even in the fine steps of {:.3g} s;"
        " at most {:.4g} N/m, or more halvings",
        o.stiffness, o.mass, std::ldexp(h, -o.halvings), 4 * o.mass / std::pow(std::ldexp(h, -o.halvings), 2));
  const double delta = rescale(o, h).delta;
  if (!(delta > 0) && !settings_.negative_delta)
    throw Error(
        "stepper 'variational-penalty': stiffness {:.6g} N/m on {:.4g} kg gives Delta = {:.3g} at steps of {:.4g} s; must "
        "be > 0, for instance with {:.6g} N/m",
        o.stiffness, o.mass, delta, h,
        stiffness_of_phase(o.mass, o.halvings, h, 2 * pi * std::floor(phase / (2 * pi)) + pi / 2));
}

VecX VariationalPenalty::errors_at(const System& system, const VecX& q, const VecX& s, double time) const {
  VecX near = s;
  follow_coordinates(system.joints, system.bodies, q, near);
  VecX phi(static_cast<Eigen::Index>(rows_held_.size()));
  Eigen::Index row = 0;
  for (const std::size_t i : held_) {
    const RowVector g = joints_.position_error(system, i, q, near, time);
    for (int l = 0; l < block(i).rows; ++l) phi[row++] = g[l];
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
  for (const std::size_t i : held_) {
    RowBlock rows;
    joints_.position_rows(system, i, trial.q, motion.time + h, rows);
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

StepStatus VariationalPenalty::find_velocity(const System& system, Solver& solver, double h, const Motion& motion,
                                             SolveReport& report) {
  const PenaltyOscillator o = oscillator(h);
  const RescaledPenalty p = rescale(o, h);
  if (!std::isfinite(p.delta) || p.delta == 0 || (p.delta < 0 && !settings_.negative_delta))
    return StepStatus::IndefiniteStiffness;

  // Rows that are penalties, and those of the contact problem.
  held_.clear();
  rows_held_.clear();
  GlobalProblem rest;
  std::vector<int> others;
  for (std::size_t i = 0; i < block_count(); ++i) {
    const bool held = block(i).position && block(i).compliance.isZero(0);
    if (held) held_.push_back(i);
    for (int l = 0; l < block(i).rows; ++l) (held ? rows_held_ : others).push_back(rows_.row(i) + l);
    if (held) continue;
    rest.law.push_back(block(i).law);
    rest.offset.push_back(rest.offset.back() + block(i).rows);
  }
  const GlobalProblem& all = rows_.problem();
  H_ = select_columns(all.H, rows_held_);
  rest.H = select_columns(all.H, others);
  rest.w = select_rows(all.w, others);
  if (all.compliance.size() > 0) rest.compliance = select_rows(all.compliance, others);
  VecX r = select_rows(r_, others);
  const double mass = o.mass / (h * h);
  before_ = ((p.b - 2 * mass) * errors_at(system, motion.q, motion.s, motion.time) +
             (p.c + mass) * errors_at(system, moved(system.bodies, motion.q, -h * u_begin_), motion.s, motion.time - h)) /
            p.delta;
  gain_ = (mass + p.a) / p.delta;

  // Newton's method from the velocity of the begin: q_E = 2 q_B - q_A.
  report = {};
  const auto size_of = [&](const VecX& balance) { return std::sqrt(std::max(0.0, balance.dot(rows_.solve_mass(balance)))); };
  Trial now = attempt(system, h, motion, u_begin_);
  double size = size_of(now.balance), last = std::numeric_limits<double>::infinity();
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
    const VecX change = factor.solve(target) - now.u;
    if (!change.allFinite()) return StepStatus::NotFinite;
    const double step = h * change.cwiseAbs().maxCoeff();
    // Without other rows the balance must shrink; with them full steps are taken.
    double share = 1;
    Trial next = attempt(system, h, motion, now.u + change);
    double next_size = size_of(next.balance);
    if (others.empty())
      while (!(next_size <= (1 - 1e-4 * share) * size) && share > 1e-6 && step > settings_.tolerance) {
        share *= 0.5;
        next = attempt(system, h, motion, now.u + share * change);
        next_size = size_of(next.balance);
      }
    now = std::move(next);
    size = next_size;
    // Rounding ends the progress where penalties are very stiff.
    converged = step <= settings_.tolerance || held_.empty() || (step >= 0.5 * last && step <= 1e3 * settings_.tolerance);
    stuck = share <= 1e-6;
    last = step;
  }
  if (others.empty()) {
    report.iterations = k;
    report.residual.scaled = report.residual.relative =
        size / std::max(std::sqrt(u_begin_.dot(A_ * u_begin_)) + size_of(p_), std::numeric_limits<double>::min());
  }
  if (!converged && report.status == SolveStatus::Converged) {
    report.status = SolveStatus::Stalled;
    report.message = fmt::format("Newton's method on the penalties stands at steps of {:.2g} m after {} iterations", last, k);
  }
  u_ = now.u;
  const VecX held = -h * (before_ + gain_ * now.phi);
  for (std::size_t i = 0; i < rows_held_.size(); ++i) r_[rows_held_[i]] = held[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < others.size(); ++i) r_[others[i]] = r[static_cast<Eigen::Index>(i)];
  return StepStatus::Done;
}

}  // namespace cairn
