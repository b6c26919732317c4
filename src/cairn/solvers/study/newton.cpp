// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton methods: see the header. Inside, constraint c is measured in units that make its D_c = 1:
// r^ = D_c^1/2 r, U^ = U / D_c^1/2, W^_ij = W_ij / (D_i D_j)^1/2; cones are the same in them.
#include "cairn/solvers/study/newton.h"

#include "cairn/base/error.h"
#include "cairn/solvers/study/newton_linear.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <deque>

namespace cairn {
namespace {

constexpr std::array<std::string_view, 4> function_names{"natural-map", "alart-curnier", "jean-moreau",
                                                         "fischer-burmeister"};
constexpr std::array<std::string_view, 5> variant_names{"jacobian", "newt", "hyb", "fix", "unil"};
constexpr std::array<std::string_view, 3> globalisation_names{"none", "line-search", "scsol"};
constexpr std::array<std::string_view, 3> rho_names{"trace", "spectral", "split"};

// Koziara's numbers for SCSOL (section 13.3): shrinking and decrease of the line search, its smallest step, the factor
// on rho against cycling and how often it is used. J is the setting `memory`.
constexpr double scsol_sigma = 0.9, scsol_gamma = 0.1, scsol_beta = 0.034, scsol_phi = 10;
constexpr int scsol_L = 6;
// The same of the other line search; it halves, and a step that it cuts short asks for a larger eps instead.
constexpr double search_sigma = 0.5, search_gamma = 1e-4, search_smallest = 1e-3;
// Iterations without a tenth of progress after which it restarts.
constexpr int patience = 15;
// |dR|/|R| at which FIX moves its bounds: not below what rounding allows where cond(W) is 1e8, as in stiff structures.
constexpr double fix_eps = 1e-6;

LocalProblem scale_problem(const LocalProblem& problem, const VecX& root) {
  LocalProblem hat = problem;
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    hat.b.segment(problem.offset[row], problem.rows(i)) /= root[i];
    scale_law(hat.law[row], root[i]);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const int j = problem.W.column[static_cast<std::size_t>(k)];
      double* values = hat.W.values.data() + hat.W.start[static_cast<std::size_t>(k)];
      const double factor = 1 / (root[i] * root[j]);
      for (int l = 0; l < problem.rows(i) * problem.rows(j); ++l) values[l] *= factor;
    }
  }
  return hat;
}

/// Largest eigenvalue of the symmetric part of a block; 1, its scale here, where it has none.
double largest_eigenvalue(const MatX& block) {
  if (block.rows() == 0) return 1;
  const MatX symmetric = 0.5 * (block + block.transpose());
  const double value = Eigen::SelfAdjointEigenSolver<MatX>(symmetric, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  return value > 1e-12 ? value : 1;
}

/// One solve: the scaled problem, the iterate and what was counted.
struct Run {
  const Newton::Settings& set;
  const Budget& budget;
  VecX root;
  LocalProblem hat;
  double b_norm, size;  ///< |b|, and a typical length of b^ per constraint
  VecX r, U, dr, dU, trial_r, trial_U, candidate, candidate_U;
  std::vector<double> rho_n, rho_t, bound;
  std::vector<double> step;  ///< 1/lambda_max(W_cc), of the sweeps
  std::vector<KoziaraBranch> state;
  std::vector<char> changed;  ///< between stick and slip, at the last linearisation
  std::vector<int> rho_changes;
  std::vector<NewtonBlocks> blocks;
  NewtonLinear linear;
  Newton::Counts counts;

  Run(const Newton::Settings& settings, const Budget& watch, const LocalProblem& problem, const VecX& scales)
      : set(settings),
        budget(watch),
        root(scales.cwiseSqrt()),
        hat(scale_problem(problem, root)),
        b_norm(problem.b.norm()) {
    const std::size_t n = static_cast<std::size_t>(problem.size());
    size = hat.b.norm() / std::sqrt(static_cast<double>(n));
    if (!(size > 0)) size = 1;
    for (VecX* x : {&r, &U, &dr, &dU, &trial_r, &trial_U, &candidate, &candidate_U}) x->setZero(problem.b.size());
    state.assign(n, KoziaraBranch::Open);
    bound.assign(n, 0);
    changed.assign(n, 0);
    rho_changes.assign(n, 0);
    blocks.resize(n);
    const bool one_rho =
        set.function == NewtonFunction::NaturalMap || set.function == NewtonFunction::FischerBurmeister || koziara();
    for (int i = 0; i < problem.size(); ++i) {
      const MatX block = hat.diagonal(i);
      step.push_back(1 / largest_eigenvalue(block));
      const bool split = set.rho == Newton::Rho::Split && !one_rho;
      const double both = set.rho == Newton::Rho::Trace ? 1 : step.back();
      const int tangents = problem.rows(i) - 1;
      rho_n.push_back(split && block(0, 0) > 1e-12 ? 1 / block(0, 0) : both);
      rho_t.push_back(split ? 1 / largest_eigenvalue(block.bottomRightCorner(tangents, tangents)) : both);
    }
  }

  bool koziara() const { return set.variant != Newton::Variant::Jacobian; }
  KoziaraRows koziara_kind() const { return static_cast<KoziaraRows>(static_cast<int>(set.variant) - 1); }
  NewtonPoint point(int i, const VecX& U_of, const VecX& r_of) const {
    const std::size_t k = static_cast<std::size_t>(i);
    return {hat.law[k], hat.rows(i), U_of.data() + hat.offset[k], r_of.data() + hat.offset[k], rho_n[k], rho_t[k]};
  }

  /// |F|^2 / 2 of the function that the line search watches.
  double merit(const VecX& U_of, const VecX& r_of) const {
    double F[max_rows], sum = 0;
    for (int i = 0; i < hat.size(); ++i) {
      if (koziara()) {
        koziara_value(point(i, U_of, r_of), size, F);
      } else {
        newton_value(set.function, point(i, U_of, r_of), F);
      }
      for (int l = 0; l < hat.rows(i); ++l) sum += F[l] * F[l];
    }
    return 0.5 * sum;
  }

  /// Scaled residual of the projection of the iterate on its cones, which stays in `candidate`.
  double measure() {
    for (int i = 0; i < hat.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      project(hat.law[k], hat.rows(i), r.data() + hat.offset[k], candidate.data() + hat.offset[k]);
    }
    hat.velocity(candidate, candidate_U);
    double sum = 0;
    for (int i = 0; i < hat.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      const double *Uc = candidate_U.data() + hat.offset[k], *rc = candidate.data() + hat.offset[k];
      sum += root[i] * root[i] * natural_map(hat.law[k], hat.rows(i), Uc, rc, 1, nullptr);
    }
    return sum == 0 ? 0 : std::sqrt(sum) / b_norm;
  }

  /// Fills `blocks` at the iterate; counts contacts whose friction changed state.
  void linearise(bool first) {
    for (int i = 0; i < hat.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      if (!koziara()) {
        newton_blocks(set.function, point(i, U, r), blocks[k]);
        continue;
      }
      const KoziaraBranch now = koziara_rows(koziara_kind(), point(i, U, r), bound[k], first, blocks[k]);
      changed[k] = now != state[k] && now != KoziaraBranch::Open && state[k] != KoziaraBranch::Open;
      state[k] = now;
    }
  }
  /// Projected block Gauss-Seidel, one projection per constraint; ends early when the time is up.
  void sweep(int count) {
    double y[max_rows];
    for (int s = 0; s < count; ++s) {
      if (budget.over()) break;
      ++counts.sweeps;
      for (int i = 0; i < hat.size(); ++i) {
        const std::size_t row = static_cast<std::size_t>(i);
        const int rows = hat.rows(i), o = hat.offset[row];
        std::copy_n(hat.b.data() + o, rows, y);
        Eigen::Map<VecX> velocity(y, rows);
        for (int k = hat.W.row_start[row]; k < hat.W.row_start[row + 1]; ++k) {
          const std::size_t j = static_cast<std::size_t>(hat.W.column[static_cast<std::size_t>(k)]);
          velocity += hat.block(i, k).lazyProduct(r.segment(hat.offset[j], hat.rows(static_cast<int>(j))));
        }
        y[0] += velocity_shift(hat.law[row], rows, y);
        for (int l = 0; l < rows; ++l) y[l] = r[o + l] - step[row] * y[l];
        project(hat.law[row], rows, y, r.data() + o);
      }
    }
    place(r);
  }

  void place(const VecX& at) {
    r = at;
    hat.velocity(r, U);
  }

  /// Newton direction at the iterate with at least `eps` on the diagonal of W; false where no eps makes it regular.
  bool direction(double eps) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      if (linear.factor(blocks, eps) && linear.solve(blocks, dr)) {
        hat.velocity(dr, dU);
        dU -= hat.b;
        return dU.allFinite();
      }
      ++counts.regularised;
      eps = std::max(1e-10, 100 * eps);
    }
    return false;
  }

  /// Backtracks from the full step until the merit falls below `reference` by enough. Leaves the trial; returns the
  /// step.
  double search(double now, double reference, double sigma, double gamma, double smallest) {
    double alpha = 1;
    bool cut = false;
    for (;;) {
      trial_r = r + alpha * dr;
      trial_U = U + alpha * dU;
      const double value = merit(trial_U, trial_r);
      if (value <= reference - 2 * gamma * alpha * now || !(alpha > smallest)) break;
      alpha *= sigma;
      cut = true;
      ++counts.cuts;
    }
    counts.searches += cut ? 1 : 0;
    return alpha;
  }
};

}  // namespace

void Newton::Settings::describe(ParameterVisitor& v) {
  describe_limits(v);
  v.choice("function", function, function_names, "whose zero is sought");
  v.choice("variant", variant, variant_names,
           "derivative of the function, or Koziara's rows (alart-curnier; unil: without friction)");
  v.choice("globalisation", globalisation, globalisation_names,
           "full steps, line search with restarts, or Koziara's driver");
  v.choice("rho", rho, rho_names, "of each contact: rows/trace(W), 1/lambda_max(W), or 1/lambda_max of N and T apart");
  v.integer("memory", memory, {0, 1000, false}, "past merits a step may rise to; 0: none (Armijo)");
  v.integer("sweeps", sweeps, {0, 1e6, false}, "Gauss-Seidel sweeps before the first step and at a restart");
  v.integer("restarts", restarts, {0, 1e6, false}, "times it leaves a place without progress by sweeps");
  v.real("proximal", proximal, "", non_negative, "compliance added to W per relative residual; 0: only where singular");
}

Newton::Newton(const Settings& settings) : settings_(settings) {
  check_parameters("solver 'newton'", settings_);
  if (settings_.variant != Variant::Jacobian && settings_.function != NewtonFunction::AlartCurnier) {
    throw Error("solver 'newton': variant '{}' is a way to solve function 'alart-curnier', not '{}'",
                variant_names[static_cast<std::size_t>(settings_.variant)],
                function_names[static_cast<std::size_t>(settings_.function)]);
  }
}

bool Newton::supports(const ConstraintLaw& law) const {
  if (settings_.variant == Variant::Jacobian) return function_supports(settings_.function, law.kind);
  return koziara_supports(static_cast<KoziaraRows>(static_cast<int>(settings_.variant) - 1), law);
}

SolveReport Newton::run(const ContactProblem& whole, VecX& r, const Budget& budget) {
  SolveReport report;
  counts_ = {};
  if (natural() && whole.dofs() < whole.row_count() && velocity_.set(whole) && velocity_.plan(INFINITY)) {
    solve_in_velocities(r, report, budget);
    report.residual = whole.residual(r);
    if (report.residual.scaled <= settings_.tolerance) report.status = SolveStatus::Converged;
    return report;
  }
  const LocalProblem& problem = whole.local();
  const bool jacobian = settings_.variant == Variant::Jacobian;
  const std::string_view method = jacobian ? function_names[static_cast<std::size_t>(settings_.function)]
                                           : variant_names[static_cast<std::size_t>(settings_.variant)];
  require_laws(*this, problem.law, fmt::format("{} '{}'", jacobian ? "function" : "variant", method));
  const auto finish = [&](SolveStatus status) {
    report.status = status;
    return report;
  };
  const VecX scales = problem.scales();
  VecX U(problem.b.size());
  report.residual = compute_residual(problem, scales, r, U);
  if (report.residual.scaled <= settings_.tolerance) return finish(SolveStatus::Converged);
  if (!std::isfinite(report.residual.scaled) && !problem.b.isZero(0)) {
    // A warm start that is not a number is no reason to give up; a problem that is not one is.
    r.setZero();
    report.residual = compute_residual(problem, scales, r, U);
    if (!std::isfinite(report.residual.scaled)) return finish(SolveStatus::NotFinite);
    if (report.residual.scaled <= settings_.tolerance) return finish(SolveStatus::Converged);
  }

  Run run(settings_, budget, problem, scales);
  VecX best = VecX::Zero(r.size());
  double best_value = INFINITY;
  const auto take = [&](int iteration) {
    const double value = run.measure();
    note(iteration, budget.seconds(), value);
    if (value < best_value) best_value = value, best = run.candidate;
    return value;
  };
  // From rest, unless the warm start is better.
  run.place(run.r);
  take(0);
  VecX warm(r.size());
  for (int i = 0; i < problem.size(); ++i) {
    const int o = problem.offset[static_cast<std::size_t>(i)];
    warm.segment(o, problem.rows(i)) = run.root[i] * r.segment(o, problem.rows(i));
  }
  run.place(warm);
  take(0);
  const bool cold = best.isZero(0);
  run.place(best);
  const bool classic = run.koziara() || settings_.globalisation == Globalisation::Scsol;
  if (settings_.sweeps > 0 && best_value > settings_.tolerance) {
    run.sweep(settings_.sweeps);
    take(0);
  }
  run.linear.plan(run.hat);

  std::deque<double> merits;
  double weight = 1, last_best = best_value, lap = 0;
  int without_progress = 0;
  SolveStatus status = SolveStatus::IterationLimit;
  Stopwatch laps;
  while (best_value > settings_.tolerance) {
    if (report.iterations >= settings_.max_iterations) break;
    if (budget.max_seconds > 0 && budget.seconds() + lap > budget.max_seconds) {
      status = SolveStatus::TimeLimit;
      break;
    }
    laps.lap();
    const bool first = run.koziara() && cold && settings_.sweeps == 0 && report.iterations == 0;
    run.linearise(first);
    const double now = run.merit(run.U, run.r);
    merits.push_back(now);
    while (static_cast<int>(merits.size()) > settings_.memory + 1) merits.pop_front();
    // Far away a soft problem, near the solution the hard one: eps falls with the residual, and Newton stays fast.
    const double distance = std::sqrt(2 * now / static_cast<double>(problem.size())) / run.size;
    const double eps = settings_.proximal * weight * std::min(1.0, distance);
    if (!run.direction(eps)) {
      status = SolveStatus::Stalled;
      report.message = "singular system; ";
      break;
    }
    ++report.iterations;
    double alpha = 1;
    const double reference = *std::max_element(merits.begin(), merits.end());
    if (settings_.globalisation == Globalisation::LineSearch) {
      alpha = run.search(now, reference, search_sigma, search_gamma, search_smallest);
      weight = std::clamp(weight * (alpha == 1 ? 0.3 : alpha < 0.2 ? 10 : 1), 1e-8, 1e6);
    } else if (settings_.globalisation == Globalisation::Scsol && settings_.variant != Variant::Fix &&
               report.iterations > 1) {
      alpha = run.search(now, reference, scsol_sigma, scsol_gamma, scsol_beta);
    }
    run.place(run.r + alpha * run.dr);
    const double value = take(report.iterations);
    if (!std::isfinite(value)) {
      run.place(best);
      ++without_progress;
      merits.clear();
    }

    // FIX moves its bounds once the problem with given bounds is solved; SCSOL changes rho where friction flips.
    if (settings_.variant == Variant::Fix && run.dr.norm() <= fix_eps * run.r.norm() + 1e-300) {
      for (int i = 0; i < problem.size(); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        run.bound[k] = std::max(0.0, run.r[problem.offset[k]]);
      }
    }
    if (settings_.globalisation == Globalisation::Scsol && settings_.variant != Variant::Fix &&
        report.iterations > scsol_L) {
      for (std::size_t k = 0; k < run.changed.size(); ++k) {
        if (!run.changed[k] || run.rho_changes[k] >= scsol_L) continue;
        run.rho_n[k] *= scsol_phi;
        run.rho_t[k] *= scsol_phi;
        ++run.rho_changes[k];
      }
    }
    lap = laps.lap();

    // Without progress: sweeps from the best iterate, twice as many each time.
    without_progress = best_value < 0.9 * last_best ? 0 : without_progress + 1;
    if (without_progress == 0) last_best = best_value;
    if (classic || without_progress < patience) continue;
    if (run.counts.restarts >= settings_.restarts || settings_.sweeps == 0) {
      status = SolveStatus::Stalled;
      break;
    }
    run.place(best);
    run.sweep(settings_.sweeps << std::min(run.counts.restarts, 8));
    take(report.iterations);
    ++run.counts.restarts;
    without_progress = 0;
    merits.clear();
  }

  // Back to the problem's units; the projection again, for rounding.
  VecX projected(best.size());
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const int o = problem.offset[k];
    best.segment(o, problem.rows(i)) /= run.root[i];
    project(problem.law[k], problem.rows(i), best.data() + o, projected.data() + o);
  }
  Residual returned = compute_residual(problem, scales, projected, U);
  if (returned.scaled <= settings_.tolerance || !(returned.scaled > 1.1 * best_value)) {
    best = projected;
  } else {
    returned = compute_residual(problem, scales, best, U);
  }
  counts_ = run.counts;
  if (!(returned.scaled > report.residual.scaled)) {
    r = best;
    report.residual = returned;
  }
  if (report.residual.scaled <= settings_.tolerance) status = SolveStatus::Converged;
  report.message += fmt::format("{}, {} LU: {} line searches ({} cuts), {} regularised, {} sweeps, {} restarts", method,
                                run.linear.dense() ? "dense" : "sparse", run.counts.searches, run.counts.cuts,
                                run.counts.regularised, run.counts.sweeps, run.counts.restarts);
  return finish(status);
}

bool Newton::natural() const {
  return settings_.function == NewtonFunction::NaturalMap && settings_.variant == Variant::Jacobian &&
         settings_.globalisation == Globalisation::LineSearch && settings_.rho == Rho::Trace && settings_.proximal > 0;
}

void Newton::solve_in_velocities(VecX& r, SolveReport& report, const Budget& budget) {
  const ScaledLaws& laws = velocity_.laws();
  VecX x = r.cwiseProduct(laws.scale), best, U;
  velocity_.velocity(x, U);
  double best_value = laws.residual(x, U);
  best = x;
  NaturalNewton::Settings inner;
  inner.tolerance = settings_.tolerance;
  inner.proximal = settings_.proximal;
  inner.memory = settings_.memory;
  inner.patience = patience;
  counts_ = {};
  for (int restart = 0; best_value > settings_.tolerance; ++restart) {
    inner.max_iterations = settings_.max_iterations - report.iterations;
    velocity_.prepare_sweeps(x);
    const int sweeps = restart == 0 ? settings_.sweeps : settings_.sweeps << std::min(restart - 1, 8);
    for (int k = 0; k < sweeps; ++k) velocity_.sweep(x, true);
    counts_.sweeps += sweeps;
    NaturalNewton newton(inner);
    newton.iterate(velocity_, x, report, budget);
    note(report.iterations, budget.seconds(), report.residual.scaled);
    if (report.residual.scaled < best_value) best_value = report.residual.scaled, best = x;
    x = best;
    if (report.status != SolveStatus::Stalled || restart == settings_.restarts || settings_.sweeps == 0) break;
    ++counts_.restarts;
  }
  report.message =
      fmt::format("natural-map, LU in velocity space: {} sweeps, {} restarts", counts_.sweeps, counts_.restarts);
  r = best.cwiseQuotient(laws.scale);
}

}  // namespace cairn
