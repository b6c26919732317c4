// SPDX-License-Identifier: Apache-2.0
// Proximal point over semismooth Newton: see the header.
#include "cairn/solvers/proximal_newton.h"

#include "cairn/solvers/space_solve.h"

#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void project_all(const ScaledLaws& laws, const VecX& x, VecX& out) {
  out.resize(x.size());
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)];
    project(laws.law[at(i)], laws.rows(i), x.data() + o, out.data() + o);
  }
}

}  // namespace

/// y and gamma = P_K(y) at the space's point; returns the length of the gradient.
template <class Space>
double ProximalNewton::evaluate(Space& space, double eps) {
  y_ = centre_ - (space.U() + shift_) / eps;
  project_all(space.laws(), y_, gamma_);
  return space.gradient(gamma_);
}

template <class Space>
bool ProximalNewton::newton_step(Space& space, double eps, bool roots) {
  const ScaledLaws& laws = space.laws();
  for (int i = 0; i < laws.size(); ++i) {
    double* block = blocks_.values.data() + blocks_.start[at(i)];
    const int rows = laws.rows(i);
    const double* y = y_.data() + laws.offset[at(i)];
    (roots ? project_derivative_root : project_derivative)(laws.law[at(i)], rows, y, block);
    blocks_.zero[at(i)] = std::all_of(block, block + rows * rows, [](double x) { return x == 0; });
  }
  if (!space.direction(blocks_, eps)) return false;
  // f is convex: find where its slope along dz vanishes, by the Illinois variant of regula falsi.
  const double z_dz = space.z_dz(), dz_dz = space.dz_dz();
  const auto slope = [&](double alpha) {
    double sum = z_dz + alpha * dz_dz;
    const VecX &U = space.U(), &dU = space.dU();
    double y[max_rows];
    for (int i = 0; i < laws.size(); ++i) {
      const int o = laws.offset[at(i)], rows = laws.rows(i);
      for (int l = 0; l < rows; ++l) y[l] = centre_[o + l] - (U[o + l] + alpha * dU[o + l] + shift_[o + l]) / eps;
      project(laws.law[at(i)], rows, y, y);
      for (int l = 0; l < rows; ++l) sum -= dU[o + l] * y[l];
    }
    return sum;
  };
  const double start = -std::abs(space.g_dz());
  double alpha = 1, high_slope = slope(1);
  if (high_slope > 0.1 * -start) {
    double low = 0, low_slope = start, high = 1;
    for (int i = 0; i < 30; ++i) {
      alpha = (low * high_slope - high * low_slope) / (high_slope - low_slope);
      const double s = slope(alpha);
      if (std::abs(s) <= 0.1 * -start) break;
      if (s > 0) {
        high = alpha, high_slope = s;
        low_slope *= 0.5;
      } else {
        low = alpha, low_slope = s;
        high_slope *= 0.5;
      }
    }
  }
  space.step(alpha);
  return true;
}

/// The same for the true law by Alart and Curnier's map.
template <class Space>
double ProximalNewton::true_evaluate(Space& space, double eps) {
  const ScaledLaws& laws = space.laws();
  y_ = centre_ - space.U() / eps;
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)];
    project_by_parts(laws.law[at(i)], laws.rows(i), y_.data() + o, gamma_.data() + o);
  }
  return space.true_gradient(gamma_);
}

template <class Space>
bool ProximalNewton::true_newton_step(Space& space, double eps, double& gradient) {
  const ScaledLaws& laws = space.laws();
  for (int i = 0; i < laws.size(); ++i) {
    double* block = blocks_.values.data() + blocks_.start[at(i)];
    const int rows = laws.rows(i), o = laws.offset[at(i)];
    project_by_parts_derivative(laws.law[at(i)], rows, y_.data() + o, block);
    blocks_.zero[at(i)] = std::all_of(block, block + rows * rows, [](double x) { return x == 0; });
  }
  if (!space.true_direction(blocks_, eps)) return false;
  const double before = gradient;
  double alpha = 1, taken = 0;
  for (int halving = 0; halving < 8; ++halving, alpha *= 0.5) {
    space.step(alpha - taken);
    taken = alpha;
    gradient = true_evaluate(space, eps);
    if (gradient < (1 - 0.1 * alpha) * before) return true;
  }
  return gradient < before;
}

/// One outer step on the true law. False when the inner iteration does not get there; gamma_ then holds what it has.
template <class Space>
bool ProximalNewton::true_outer_step(Space& space, double eps, double aim, int& steps) {
  space.true_start(centre_);
  gamma_.resize(centre_.size());
  double gradient = true_evaluate(space, eps);
  for (steps = 0; gradient > aim; ++steps)
    if (steps == 12 || !true_newton_step(space, eps, gradient)) return false;
  return true;
}

/// One outer step with De Saxce's shift as it is at the centre: a convex problem, always solvable.
template <class Space>
bool ProximalNewton::convex_outer_step(Space& space, double eps, double aim, int& steps) {
  const ScaledLaws& laws = space.laws();
  for (int i = 0; i < laws.size(); ++i) {
    const int o = laws.offset[at(i)];
    shift_[o] = velocity_shift(laws.law[at(i)], laws.rows(i), U_.data() + o);
  }
  space.start(centre_);
  double previous = INFINITY;
  for (steps = 0; steps < 40; ++steps) {
    const double gradient = evaluate(space, eps);
    if (!std::isfinite(gradient)) return false;
    if (gradient <= aim || (gradient >= 0.5 * previous && gradient <= 1e-7 * space.norm())) return true;
    previous = gradient;
    if (!newton_step(space, eps, std::is_same_v<Space, ContactSpace>)) return false;
  }
  return false;
}

// Outer steps on the true law without a gain after which convex ones are tried. Where W has no full rank impulses may
// have far to go at a residual that stays the same, so the patience is long and compliance falls far.
constexpr int patience = 30;
// After convex steps the true ones begin this much softer than the last that could be solved.
constexpr double softer = 100;

template <class Space>
void ProximalNewton::iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget) {
  const ScaledLaws& laws = space.laws();
  blocks_.set(laws);
  shift_.setZero(r.size());
  project_all(laws, r, centre_);
  space.velocity(centre_, U_);
  best_ = centre_;
  double now = laws.residual(centre_, U_), best = now;
  const double target = settings_.overshoot * settings_.tolerance;
  const double unit = laws.unit();
  double true_eps = settings_.compliance, convex_eps = settings_.compliance, solved_eps = settings_.compliance;
  int convex_left = 0, poor = 0, cycles = 0;
  double cycle_start = now;
  report.status = SolveStatus::IterationLimit;
  const auto take = [&](double residual) {
    now = residual;
    centre_.swap(trial_);
    U_.swap(U_trial_);
    if (now < best) best = now, best_ = centre_;
  };
  const int last_iteration = report.iterations + settings_.max_iterations;
  int extra = 2;  // outer steps beyond the tolerance: the next step of a simulation then starts inside it
  while (best > target && report.iterations < last_iteration) {
    if (best <= settings_.tolerance && extra-- == 0) break;
    if (budget.over()) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    const bool convex = convex_left > 0;
    const double eps = convex ? convex_eps : true_eps;
    // The gradient is the error of z that the inner iteration leaves: a small share of what the outer step has to gain.
    const double aim = (convex ? 0.05 : 0.02) * std::max(now, target) * unit;
    int steps = 0;
    const bool solved = convex ? convex_outer_step(space, eps, aim, steps) : true_outer_step(space, eps, aim, steps);
    report.iterations += std::max(1, steps);
    project_all(laws, gamma_, trial_);
    space.velocity(trial_, U_trial_);
    const double residual = laws.residual(trial_, U_trial_);
    note(report.iterations, budget.seconds(), residual);
    const bool better = residual < 0.8 * now;
    // Impulses so large that b is lost in their rounding solve nothing: there is no solution to find.
    const bool lost = !(trial_.norm() <= 1e12 * std::max(laws.b.norm(), 1e-300));
    if (lost) {
      report.status = SolveStatus::Stalled;
      report.message = "impulses grow without bound: there is probably no solution";
      break;
    }
    if (std::isfinite(residual) && ((solved && residual < (convex ? 100 : 1.5) * now) || residual < 0.9 * now))
      take(residual);
    if (convex) {
      --convex_left;
      // Small compliance makes the outer steps fast, but the inner ones slow, and costs digits.
      if (!solved) {
        convex_eps = std::min(1.0, 30 * convex_eps);
      } else if (steps <= 12) {
        convex_eps = std::max(settings_.min_compliance, (steps <= 5 ? 0.1 : 0.3) * convex_eps);
      }
      if (convex_left == 0) {
        poor = 0;
        cycles = best < 0.8 * cycle_start ? 0 : cycles + 1;
        cycle_start = best;
        if (cycles == 4) {
          report.status = SolveStatus::Stalled;
          break;
        }
      }
      continue;
    }
    if (solved && steps <= 6) {
      true_eps = std::max(settings_.min_compliance, (steps <= 3 ? 0.3 : 0.5) * true_eps);
    } else if (!solved) {
      true_eps *= 3;
    }
    if (solved) solved_eps = eps;
    poor = better ? 0 : poor + 1;
    if (poor >= patience || true_eps > 3) {
      convex_left = 4;
      true_eps = std::min(settings_.compliance, softer * solved_eps);
    }
  }
  if (best <= settings_.tolerance) {
    report.status = SolveStatus::Converged;
  } else if (!std::isfinite(best)) {
    report.status = SolveStatus::NotFinite;
  }
  report.residual.scaled = best;
  r = best_;
}

template void ProximalNewton::iterate(ContactSpace&, VecX&, SolveReport&, const Budget&);
template void ProximalNewton::iterate(VelocitySpace&, VecX&, SolveReport&, const Budget&);

SolveReport ProximalNewton::run(const ContactProblem& problem, VecX& r, const Budget& budget) {
  const double max_cost = std::min(settings_.max_cost, settings_.max_cost_per_contact * std::max(1, problem.size()));
  return solve_in_space(problem, max_cost, contact_, velocity_, r, [&](auto& space, VecX& x, SolveReport& report) {
    iterate(space, x, report, budget);
    report.message = fmt::format("{}, {:.2g} multiplications per factorisation", space.name, space.cost());
  });
}

}  // namespace cairn
