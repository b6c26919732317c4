// SPDX-License-Identifier: Apache-2.0
// De Saxce's shift brought in along a path: see the header.
#include "cairn/solvers/shift_path.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Lengths along the path, whose unit is |r| or |b| in impulses, whichever is larger, and 1 in t.
constexpr double first_length = 0.05, longest = 0.5, shortest = 1e-7;
// Below this length a failed step may mean a kink.
constexpr double kink_length = 1e-2;
// Points of the path are not exact: a step may also move by this.
constexpr double nearby = 1e-5;
constexpr int most_newton_steps = 6;
constexpr double smallest_compliance = 1e-10;

/// C^-1, B and dF/dt of one constraint with N rows, where y is what P_K projects.
template <int N>
void linearise_one(const ConstraintLaw& law, int rows, const double* y, const double* U, double t, double eps,
                   double shift0, const double* lack, double* B, double* inverse, double* by_t) {
  using Block = Eigen::Matrix<double, N, N, 0, N == Eigen::Dynamic ? max_rows : N, N == Eigen::Dynamic ? max_rows : N>;
  using Vector = Eigen::Matrix<double, N, 1, 0, N == Eigen::Dynamic ? max_rows : N, 1>;
  Block D(rows, rows);
  project_derivative(law, rows, y, D.data());
  double slope[max_rows];
  velocity_shift_gradient(law, rows, U, slope);
  Block DS = D;
  for (int l = 0; l < rows; ++l) DS.col(l) += t * slope[l] * D.col(0);
  const Block C = Block::Identity(rows, rows) - (1 - eps) * D;
  const Block inverse_C = C.inverse();
  Eigen::Map<Block>(inverse, rows, rows) = inverse_C;
  Eigen::Map<Block>(B, rows, rows) = inverse_C * DS;
  // dF/dt = D ((s(U) - s0) e_N + q0).
  Vector change = Eigen::Map<const Vector>(lack, rows);
  change[0] += velocity_shift(law, rows, U) - shift0;
  Eigen::Map<Vector>(by_t, rows) = D * change;
}

void multiply(const LawBlocks& blocks, const ScaledLaws& laws, const VecX& in, VecX& out) {
  out.resize(in.size());
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)], rows = laws.rows(i);
    if (rows == 3) {
      out.segment<3>(o) = Eigen::Map<const Mat3>(blocks[i]) * in.segment<3>(o);
    } else {
      out.segment(o, rows).noalias() = Eigen::Map<const MatX>(blocks[i], rows, rows) * in.segment(o, rows);
    }
  }
}

}  // namespace

bool ShiftPath::over(const SolveReport& report, const Budget& budget) const {
  return report.iterations + factorisations_ >= last_ || budget.over();
}

template <class Space>
void ShiftPath::begin(Space& space, const VecX& r, double eps) {
  const ScaledLaws& laws = space.laws();
  eps_ = eps;
  t_ = 0;
  VecX U0;
  space.velocity(r, U0);
  centre_.resize(r.size());
  lack_.resize(r.size());
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)], rows = laws.rows(i);
    U0[o] += velocity_shift(laws.law[at(i)], rows, U0.data() + o);
    double y[max_rows];
    for (int l = 0; l < rows; ++l) y[l] = r[o + l] - U0[o + l];
    project(laws.law[at(i)], rows, y, centre_.data() + o);
  }
  space.velocity(centre_, U_);
  shift0_.setZero(laws.size());
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)];
    shift0_[i] = velocity_shift(laws.law[at(i)], laws.rows(i), U_.data() + o);
  }
  lack_ = U_ - U0 - (centre_ - r);
  for (int i = 0; i < laws.size(); ++i) lack_[laws.offset[at(i)]] += shift0_[i];
  r_ = centre_;
  unit_ = std::max({laws.b.norm(), r_.norm(), 1e-300});
}

double ShiftPath::evaluate(const ScaledLaws& laws, const VecX& r, const VecX& U, double t) {
  F_.resize(r.size());
  y_ = r - U + (1 - t) * lack_ - eps_ * (r - centre_);
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)], rows = laws.rows(i);
    y_[o] -= (1 - t) * shift0_[i] + t * velocity_shift(laws.law[at(i)], rows, U.data() + o);
    project(laws.law[at(i)], rows, y_.data() + o, F_.data() + o);
  }
  F_ = r - F_;
  return F_.norm();
}

template <class Space>
bool ShiftPath::factorise(Space& space, const VecX& r, double t) {
  // dF = dr - D (dr - S dU - eps dr) = C (dr + B dU),  C = 1 - D + eps D,  B = C^-1 D S.
  const ScaledLaws& laws = space.laws();
  const VecX& U = space.U();
  evaluate(laws, r, U, t);
  Ft_.resize(r.size());
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)], rows = laws.rows(i);
    double* B = B_.values.data() + B_.start[at(i)];
    double* inverse = inverse_.values.data() + inverse_.start[at(i)];
    const auto one = rows == 3 ? linearise_one<3> : linearise_one<Eigen::Dynamic>;
    one(laws.law[at(i)], rows, y_.data() + o, U.data() + o, t, eps_, shift0_[i], lack_.data() + o, B, inverse,
        Ft_.data() + o);
    B_.zero[at(i)] = std::all_of(B, B + rows * rows, [](double x) { return x == 0; });
  }
  ++factorisations_;
  return space.true_factor(B_);
}

template <class Space>
bool ShiftPath::solve(Space& space, const VecX& F, VecX& x) {
  const ScaledLaws& laws = space.laws();
  multiply(inverse_, laws, F, c_);
  space.true_source(c_);
  if (!space.true_direction_again()) return false;
  multiply(B_, laws, space.dU(), x);
  x = c_ + x;  // dU is that of -F
  return x.allFinite();
}

template <class Space>
bool ShiftPath::update_tangent(Space& space, const VecX& r, double t) {
  space.true_start(r);
  if (!factorise(space, r, t) || !solve(space, Ft_, xt_)) return false;
  const double dt = space.true_sign() / std::sqrt(xt_.squaredNorm() / (unit_ * unit_) + 1);
  tangent_ = -dt * xt_;
  tangent_t_ = dt;
  return true;
}

template <class Space>
bool ShiftPath::take(Space& space, double length) {
  const ScaledLaws& laws = space.laws();
  if (t_ + length * tangent_t_ > 1) length = (1 - t_) / tangent_t_;
  trial_ = r_ + length * tangent_;
  trial_t_ = t_ + length * tangent_t_;
  const bool end = trial_t_ > 1 - 1e-14;
  if (end) trial_t_ = 1;
  const double allowed = end ? aim_ : std::max(aim_, 1e-7 * laws.b.norm());
  double before = INFINITY;
  for (newton_steps_ = 0; newton_steps_ <= most_newton_steps; ++newton_steps_) {
    space.true_start(trial_);
    const double error = evaluate(laws, trial_, space.U(), trial_t_);
    if (error <= allowed) {
      const double way = (trial_ - r_).squaredNorm() / (unit_ * unit_) + (trial_t_ - t_) * (trial_t_ - t_);
      return way <= 9 * length * length + nearby * nearby && trial_t_ <= 1;
    }
    if (!(error <= 1.5 * before) || newton_steps_ == most_newton_steps) return false;
    before = error;
    if (!factorise(space, trial_, trial_t_) || !solve(space, F_, x_)) return false;
    if (end) {
      trial_ -= x_;
      continue;
    }
    if (!solve(space, Ft_, xt_)) return false;
    const double inverse = 1 / (unit_ * unit_);
    const double denominator = tangent_t_ - inverse * tangent_.dot(xt_);
    const double dt = inverse * tangent_.dot(x_) / denominator;
    if (!std::isfinite(dt)) return false;
    trial_ -= x_ + dt * xt_;
    trial_t_ += dt;
  }
  return false;
}

template <class Space>
bool ShiftPath::follow(Space& space, double length, const SolveReport& report, const Budget& budget) {
  if (!update_tangent(space, r_, t_)) return false;
  while (t_ < 1) {
    if (over(report, budget)) return false;
    const VecX forward = tangent_;
    const double forward_t = tangent_t_;
    // Along the tangent; where that fails, along the one from beyond the kink that may lie ahead.
    bool arrived = take(space, length);
    if (!arrived && length < kink_length) {
      ahead_ = r_ + length * forward;
      if (update_tangent(space, ahead_, t_ + length * forward_t)) arrived = take(space, length);
    }
    if (arrived) {  // on, not back: the tangent there must not point to where it came from
      step_ = trial_ - r_;
      const double step_t = trial_t_ - t_;
      arrived = update_tangent(space, trial_, trial_t_) &&
                (trial_t_ >= 1 || step_.dot(tangent_) / (unit_ * unit_) + step_t * tangent_t_ > 0);
    }
    if (!arrived) {
      tangent_ = forward;
      tangent_t_ = forward_t;
      length *= 0.3;
      if (length < shortest) return false;
      continue;
    }
    r_.swap(trial_);
    t_ = trial_t_;
    if (newton_steps_ <= 2) length = std::min(longest, 2 * length);
    if (newton_steps_ >= 4) length *= 0.7;
  }
  return true;
}

template <class Space>
void ShiftPath::iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget) {
  const ScaledLaws& laws = space.laws();
  B_.set(laws);
  inverse_.set(laws);
  factorisations_ = 0;
  last_ = report.iterations + settings_.max_iterations;
  aim_ = 0.1 * settings_.tolerance * laws.unit();
  VecX best_r = r, U;
  space.velocity(r, U);
  double best = laws.residual(r, U), before = best;
  report.status = SolveStatus::Stalled;
  double eps = settings_.compliance;
  int failures = 0;
  // Impulses that grow as 1/eps leave the same residual at every eps: what no impulses take away.
  double level = 0, level_eps = 0, level_r = 0;
  for (int path = 0; best > settings_.tolerance; ++path) {
    if (over(report, budget)) {
      report.status = budget.over() ? SolveStatus::TimeLimit : SolveStatus::IterationLimit;
      break;
    }
    begin(space, r, eps);
    const bool arrived = follow(space, path == 0 ? first_length : longest, report, budget);
    for (int i = 0; i < laws.size(); ++i) {
      const int o = laws.offset[at(i)];
      project(laws.law[at(i)], laws.rows(i), r_.data() + o, r_.data() + o);
    }
    space.velocity(r_, U);
    const double now = laws.residual(r_, U);
    if (now < best) best = now, best_r = r_;
    if (!arrived) {
      if (++failures == 3) break;
      eps *= 3;
      continue;
    }
    if (std::abs(now - level) > 0.01 * level) level = now, level_eps = eps, level_r = r_.norm();
    if (eps < 1e-3 * level_eps && r_.norm() > 10 * level_r) {
      report.status = SolveStatus::Infeasible;
      report.message = fmt::format(
          "probably no solution: with compliance it is solved down to {:.1g}, impulses grow as its inverse, and the "
          "residual stays at {:.3g}",
          eps, now);
      break;
    }
    // The residual is eps |r - c|: slow progress asks for a stiffer problem, whose path has more turns.
    if (now > 0.3 * before) {
      if (eps <= smallest_compliance) break;
      eps = std::max(smallest_compliance, 0.3 * eps);
    }
    r = r_;
    before = now;
  }
  if (best <= settings_.tolerance) report.status = SolveStatus::Converged;
  report.iterations += factorisations_;
  report.residual.scaled = best;
  r = best_r;
}

template void ShiftPath::iterate(ContactSpace&, VecX&, SolveReport&, const Budget&);
template void ShiftPath::iterate(VelocitySpace&, VecX&, SolveReport&, const Budget&);

}  // namespace cairn
