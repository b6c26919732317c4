// SPDX-License-Identifier: Apache-2.0
// The outer iteration of Staggered Projections: see the header.
#include "cairn/solvers/study/staggered_projections.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Progress is judged over windows: accelerated ones that gain too little are followed by a plain one, and a plain one
/// that neither gains nor falls steadily lowers the relaxation. The plain iteration may rise for long before it
/// converges (jamming rods grow geometrically until they stick), so its window is longer.
constexpr int accelerated_window = 20, plain_window = 50;
constexpr double accelerated_gain = 0.7, plain_gain = 0.5, steady_share = 0.75;
/// An accelerated step that raises the residual by more is taken back.
constexpr double accepted_rise = 1.5;
constexpr double relaxation_factor = 0.6;
constexpr double least_relaxation = 0.01;
/// Share of the present residual, and of the tolerance, to which the projections are solved.
constexpr double inner_share = 0.02, inner_tolerance = 0.1;

/// Anderson acceleration (type II) of x <- T(x) with mixing: from the last differences of x and T(x) - x.
class Acceleration {
 public:
  explicit Acceleration(int memory) : memory_(memory) {}
  int size() const { return static_cast<int>(x_.size()); }
  void clear() { x_.clear(), g_.clear(); }

  /// The next x, from x and its defect g = T(x) - x.
  VecX next(const VecX& x, const VecX& g, double mixing) {
    VecX result = x + mixing * g;
    const int columns = static_cast<int>(x_.size());
    if (columns > 0) {
      MatX dx(x.size(), columns), dg(x.size(), columns);
      for (int j = 0; j < columns; ++j) {
        dx.col(j) = (j + 1 < columns ? x_[static_cast<std::size_t>(j) + 1] : x) - x_[static_cast<std::size_t>(j)];
        dg.col(j) = (j + 1 < columns ? g_[static_cast<std::size_t>(j) + 1] : g) - g_[static_cast<std::size_t>(j)];
      }
      // Columns of very different length: scaled, and nearly dependent ones left out by the pivoting.
      const VecX length = dg.colwise().norm().transpose();
      for (int j = 0; j < columns; ++j)
        if (length[j] > 0) dg.col(j) /= length[j], dx.col(j) /= length[j];
      Eigen::ColPivHouseholderQR<MatX> qr(dg);
      qr.setThreshold(1e-10);
      const VecX gamma = qr.solve(g);
      if (gamma.allFinite()) result -= (dx + mixing * dg) * gamma;
    }
    if (memory_ > 0) {
      x_.push_back(x);
      g_.push_back(g);
      if (static_cast<int>(x_.size()) > memory_) x_.erase(x_.begin()), g_.erase(g_.begin());
    }
    return result;
  }

 private:
  int memory_;
  std::vector<VecX> x_, g_;
};

VecX gather(const VecX& r, const std::vector<int>& rows, const VecX& scale) {
  VecX x(static_cast<int>(rows.size()));
  for (int p = 0; p < x.size(); ++p) x[p] = scale[p] * r[rows[static_cast<std::size_t>(p)]];
  return x;
}

void scatter(const VecX& x, const std::vector<int>& rows, const VecX& scale, VecX& r) {
  for (int p = 0; p < x.size(); ++p) r[rows[static_cast<std::size_t>(p)]] = x[p] / scale[p];
}

}  // namespace

StaggeredProjections::StaggeredProjections(const Settings& settings) : settings_(settings) {
  if (settings.facets % 2 != 0) {
    throw Error("solver 'staggered-projections': facets is {}; must be even, friction opposes both directions alike",
                settings.facets);
  }
}

SolveReport StaggeredProjections::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  require_laws(*this, problem.law);
  SolveReport report;
  const VecX warm = r, scales = problem.scales();
  VecX U(problem.b.size());
  report.residual = compute_residual(problem, scales, r, U);
  const auto finish = [&](SolveStatus status) {
    report.status = status;
    return report;
  };
  if (report.residual.scaled <= settings_.tolerance) return finish(SolveStatus::Converged);
  if (!std::isfinite(report.residual.scaled)) {
    r.setZero();
    report.residual = compute_residual(problem, scales, r, U);
    return finish(SolveStatus::NotFinite);
  }
  const double b_norm = problem.b.norm();
  const StaggeredStage::Options options{settings_.friction == Friction::Polygon, settings_.facets,
                                        settings_.direct_rows};
  StaggeredStage contact(problem, StaggeredStage::Part::Contact, options);
  StaggeredStage friction(problem, StaggeredStage::Part::Friction, options);
  const bool polygons = settings_.friction == Friction::Polygon && !friction.empty();
  const bool parallel = settings_.order == Order::Parallel;

  // Rows that carry nothing are zero; the others start in their sets.
  VecX start = VecX::Zero(r.size());
  for (const std::vector<int>* rows : {&contact.rows(), &friction.rows()})
    for (const int row : *rows) start[row] = r[row];
  r = start;
  contact.clip(r);

  // What the acceleration sees: normal impulses, and friction too where both are projected at once.
  std::vector<int> state_rows = contact.rows();
  VecX state_scale = contact.scale();
  if (parallel) {
    state_rows.insert(state_rows.end(), friction.rows().begin(), friction.rows().end());
    state_scale.conservativeResize(state_scale.size() + friction.scale().size());
    state_scale.tail(friction.scale().size()) = friction.scale();
  }
  Acceleration acceleration(settings_.acceleration);

  double relaxation = settings_.relaxation, last_residual = report.residual.scaled;
  const auto inner = [&](double residual) {
    // Of one projection alone, or where the change of friction decides, the projections must be exact.
    const bool exact = friction.empty() || contact.empty() || settings_.relative_change > 0;
    const double share = exact ? 0 : inner_share * residual;
    return std::max({share, inner_tolerance * settings_.tolerance, 1e-16}) * b_norm;
  };
  const auto out_of_time = [&] { return budget.over(); };

  // Contact first: the warm start is that of friction.
  problem.velocity(r, U);
  StaggeredStage::Outcome outcome = contact.project(U, r, inner(last_residual), budget.max_seconds, budget);
  VecX best = warm, candidate, image, plain_step = r, last_friction = start;
  double least = report.residual.scaled, least_state = INFINITY;
  SolveStatus status = SolveStatus::IterationLimit;
  int window_age = 0, falls = 0;
  double window_start = INFINITY, previous = INFINITY;
  bool accelerated = false, plain = settings_.acceleration == 0;
  bool unbounded = outcome.unbounded;

  for (report.iterations = 1;; ++report.iterations) {
    if (!parallel) {
      problem.velocity(r, U);
      friction.set_bounds(r);
      friction.project(U, r, inner(last_residual), budget.max_seconds, budget);
    }
    candidate = r;
    if (parallel) {
      friction.set_bounds(r);
      friction.clip(candidate);
    }
    const Residual residual = compute_residual(problem, scales, candidate, U);
    note(report.iterations, budget.seconds(), residual.scaled);
    if (!std::isfinite(residual.scaled)) {
      status = SolveStatus::NotFinite;
      break;
    }
    // Polygons have their own law, whose residual takes the place of the true one in every decision.
    double progress = residual.scaled;
    if (polygons) progress = std::hypot(contact.residual(U, candidate), friction.residual(U, candidate)) / b_norm;
    const bool better = progress < least_state;
    if (polygons ? better : residual.scaled < least)
      least = residual.scaled, best = candidate, report.residual = residual;
    if (better) least_state = progress;
    if (least <= settings_.tolerance) {
      status = SolveStatus::Converged;
      break;
    }
    if (polygons && progress <= settings_.tolerance) {
      status = SolveStatus::Stalled;
      report.message = "the polygon's law is met; its friction differs from the disc's";
      break;
    }
    // The thesis' criterion, with the guards for friction that is zero.
    if (settings_.relative_change > 0) {
      const double change = friction.metric(r - last_friction), size = friction.metric(last_friction);
      if (change <= settings_.relative_change * size) {
        status = SolveStatus::Stalled;
        report.message = "friction changes by less than relative_change";
        break;
      }
    }
    last_friction = r;
    if (report.iterations >= settings_.max_iterations) break;
    if (out_of_time()) {
      status = SolveStatus::TimeLimit;
      break;
    }
    // An accelerated step that failed: the plain step from where it began.
    if (accelerated && progress > accepted_rise * last_residual) {
      acceleration.clear();
      accelerated = false;
      r = plain_step;
      continue;
    }
    if (progress < previous) ++falls;
    previous = progress;
    if (settings_.adaptive && ++window_age >= (plain ? plain_window : accelerated_window)) {
      const bool gained = least_state <= (plain ? plain_gain : accelerated_gain) * window_start;
      if (!gained && !plain && settings_.acceleration > 0) {
        plain = true;
      } else {
        if (!gained && falls < steady_share * window_age) {
          // A cycle, or growth without end: smaller steps.
          if (relaxation <= least_relaxation) {
            status = SolveStatus::Stalled;
            break;
          }
          relaxation *= relaxation_factor;
        }
        plain = settings_.acceleration == 0;
      }
      window_age = falls = 0;
      window_start = least_state;
      acceleration.clear();
    }
    last_residual = progress;

    if (parallel) problem.velocity(r, U);  // else U is that of the residual
    image = r;
    outcome = contact.project(U, image, inner(last_residual), budget.max_seconds, budget);
    unbounded |= outcome.unbounded;
    if (parallel) {
      friction.set_bounds(r);
      friction.project(U, image, inner(last_residual), budget.max_seconds, budget);
    }
    const VecX x = gather(r, state_rows, state_scale), defect = gather(image, state_rows, state_scale) - x;
    if (defect.norm() <= 1e-15 * x.norm()) {
      status = SolveStatus::Stalled;
      report.message = "neither projection changes the impulses";
      break;
    }
    plain_step = r;
    scatter(x + relaxation * defect, state_rows, state_scale, plain_step);
    accelerated = !plain && acceleration.size() > 0;
    if (!plain) scatter(acceleration.next(x, defect, relaxation), state_rows, state_scale, r);
    if (!accelerated) r = plain_step;
    contact.clip(r);
  }

  if (status == SolveStatus::NotFinite) {
    best.setZero();
    report.residual = compute_residual(problem, scales, best, U);
  }
  const bool has_time = status == SolveStatus::IterationLimit || status == SolveStatus::Stalled;
  if (has_time || (status == SolveStatus::TimeLimit && settings_.end_with_contact)) {
    // Graceful degradation: a last contact projection with the best friction leaves nothing penetrating.
    candidate = best;
    problem.velocity(candidate, U);
    contact.project(U, candidate, inner_tolerance * settings_.tolerance * b_norm, 0, budget);
    const Residual last = compute_residual(problem, scales, candidate, U);
    if (std::isfinite(last.scaled) && (settings_.end_with_contact || (!polygons && last.scaled < least))) {
      best = candidate, report.residual = last;
      if (last.scaled <= settings_.tolerance) status = SolveStatus::Converged;
    }
  }
  if (unbounded && status != SolveStatus::Converged && status != SolveStatus::NotFinite) {
    report.message = "no velocity meets all contacts and joints: impulses grow without bound";
    status = SolveStatus::Infeasible;
  }
  r = best;
  if (status == SolveStatus::Converged) report.message.clear();
  return finish(status);
}

}  // namespace cairn
