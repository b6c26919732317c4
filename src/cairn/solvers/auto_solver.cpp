// SPDX-License-Identifier: Apache-2.0
// The default solver: see the header.
#include "cairn/solvers/auto_solver.h"

#include "cairn/problem/islands.h"

#include <cmath>
#include <numeric>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class Settings>
Settings with_limits(const SolverLimits& limits, int max_iterations) {
  Settings settings;
  settings.tolerance = limits.tolerance;
  settings.max_iterations = max_iterations;
  return settings;
}

/// Blocks of W per constraint up to which it counts as sparse: then contact space is faster than velocity space.
constexpr double sparse_blocks = 20;
/// Constraints below which W is taken without counting, where there are no pairs.
constexpr int small_problem = 20;

/// Fraction of the tolerance that Newton aims at in a step of a simulation: the next one then starts within it.
constexpr double step_overshoot = 1e-3;

/// Ball joints that make a chain, which sweeps follow link by link.
constexpr int chain = 4;

/// Multiplications per contact and sweep.
constexpr double sweep_cost = 150;

/// Contacts from which factorisations are so expensive that sweeps are given time: their gain comes and goes.
constexpr int large_island = 1000;
constexpr int most_early_sweeps = 8000;  ///< that they are given whatever is predicted

/// Contacts below which contact space is taken without looking at the other.
constexpr std::size_t small_island = 60;

/// Rows up to which pivoting is tried.
constexpr int most_pivot_rows = 1000;

/// From here on a point counts as a local minimum that a search may lead out of, and up to here is that affordable.
constexpr double minimum_residual = 1e-3;
constexpr int largest_split = 2000;

/// How many blocks W has at most.
double blocks_of_w(const PairProblem& problem) {
  std::vector<double> constraints(at(problem.block_count), 0);
  for (const PairBlock& c : problem.blocks) {
    ++constraints[at(c.first)];
    if (c.second >= 0) ++constraints[at(c.second)];
  }
  double sum = 0;
  for (const double count : constraints) sum += count * count;
  return sum;
}

double norm_of_b(const PairProblem& problem) {
  double sum = 0;
  for (const PairBlock& c : problem.blocks) sum += c.b.squaredNorm();
  return std::sqrt(sum);
}

bool has_only_equations(const ContactProblem& problem) {
  if (!problem.pairs()) return EqualitySolve::applies(problem.laws());
  const std::vector<PairBlock>& blocks = problem.pairs()->blocks;
  return blocks.size() >= chain &&
         std::all_of(blocks.begin(), blocks.end(), [](const PairBlock& c) { return c.law == LawKind::Bilateral; });
}

bool is_linear(const ConstraintLaw& law) {
  return law.kind == LawKind::Frictionless || law.kind == LawKind::Bilateral || law.kind == LawKind::Interval;
}

/// Impulses of an island between those of all, r, and scaled ones, x.
template <class Action>
void for_rows(const std::vector<int>& offset, std::span<const int> island, Action&& action) {
  int row = 0;
  for (const int i : island)
    for (int l = offset[at(i)]; l < offset[at(i) + 1]; ++l) action(l, row++);
}

}  // namespace

AutoSolver::AutoSolver(const Settings& s)
    : settings_(s),
      gauss_seidel_(with_limits<GaussSeidel::Settings>(s, s.max_iterations)),
      stages_(s, s.newton_work),
      rest_(with_limits<RestSplit::Settings>(s, RestSplit::Settings().max_iterations)),
      lemke_(with_limits<Lemke::Settings>(s, 100000)) {}

SolveReport AutoSolver::run(const ContactProblem& problem, VecX& r, const Budget& budget) {
  SolveReport report;
  stages_.set_overshoot(problem.pairs() ? step_overshoot : 1);
  if (has_only_equations(problem) && solve_equations(problem, r, report)) return report;
  double limit = settings_.tolerance;
  if (problem.pairs()) {
    // Sweeps are cheap on small problems, a factorisation is not: the fewer contacts, the more sweeps come first.
    const int quick = std::max(8, settings_.quick_work / std::max(1, problem.size()));
    gauss_seidel_.set_max_iterations(std::min(quick, settings_.max_iterations));
    report = gauss_seidel_.solve(problem, r, budget);
    // A scene at rest: what the warm start leaves adds up over steps, so one Newton step removes it before it is too
    // much.
    if (report.status == SolveStatus::Converged && report.iterations <= 1)
      limit = std::min(limit, std::max(0.1 * settings_.tolerance, 3e-10));
    const bool rests = limit < settings_.tolerance;
    if ((rests ? report.residual.scaled <= limit : report.status != SolveStatus::IterationLimit) || budget.over())
      return report;
  }
  if (limit < settings_.tolerance || prefers_bodies(problem)) {
    solve_by_bodies(problem, limit, r, report, budget);
  } else {
    const int before = report.iterations;
    report = solve_by_w(problem, r, budget);
    report.iterations += before;
    if (problem.pairs()) report.residual = problem.residual(r);
  }
  if (!problem.pairs()) search(problem, r, report, budget);
  return report;
}

bool AutoSolver::solve_equations(const ContactProblem& problem, VecX& r, SolveReport& report) {
  report.iterations = equality_.solve(problem.local(), r);
  report.residual = compute_residual(problem.local(), r);
  if (report.iterations > 0 && report.residual.scaled <= settings_.tolerance) {
    if (problem.pairs()) report.residual = problem.residual(r);
    return true;
  }
  if (!r.allFinite()) r.setZero();
  report = {};
  return false;
}

bool AutoSolver::prefers_bodies(const ContactProblem& problem) {
  const int n = problem.size();
  if (problem.pairs()) return blocks_of_w(*problem.pairs()) >= sparse_blocks * n;
  return n >= small_problem && velocity_.set(problem) && velocity_.blocks_of_w() >= sparse_blocks * n &&
         velocity_.parts() <= settings_.newton_bodies && velocity_.plan(settings_.newton_cost * n);
}

void AutoSolver::solve_by_bodies(const ContactProblem& problem, double limit, VecX& r, SolveReport& report,
                                 const Budget& budget) {
  const int n = problem.size();
  const PairProblem* pairs = problem.pairs();
  const IslandList islands = group_islands(pairs ? find_islands(*pairs) : std::vector<int>(at(n), 0));
  const double reference = pairs ? norm_of_b(*pairs) : 0;
  const std::vector<int>& offset = problem.offset();
  bool factorised = true;
  SolveStatus worst = SolveStatus::Converged;
  for (int k = 0; k < islands.size(); ++k) {
    const std::span<const int> island = islands[k];
    const double size = static_cast<double>(island.size());
    if (pairs) velocity_.set(problem, island);  // else prefers_bodies() has set and planned it
    if (reference > 0) velocity_.set_reference(std::sqrt(size / n) * reference);
    const VecX& scale = velocity_.laws().scale;
    x_.resize(velocity_.laws().total());
    for_rows(offset, island, [&](int l, int row) { x_[row] = r[l] * scale[row]; });
    velocity_.velocity(x_, U_);
    double residual = velocity_.laws().residual(x_, U_);
    if (residual <= limit) continue;
    if (pairs && (velocity_.parts() > settings_.newton_bodies || !velocity_.plan(settings_.newton_cost * size))) {
      factorised = false;
      continue;
    }
    if (!pairs) residual = sweep_velocities(x_, residual, report, budget);
    if (residual > limit) stages_.run(velocity_, x_, residual, report, budget);
    if (report.status != SolveStatus::Converged) worst = report.status;
    for_rows(offset, island, [&](int l, int row) { r[l] = x_[row] / scale[row]; });
  }
  if (!factorised && limit == settings_.tolerance) {
    gauss_seidel_.set_max_iterations(settings_.max_iterations);
    const int before = report.iterations;
    report = gauss_seidel_.solve(problem, r, budget);
    report.iterations += before;
    return;
  }
  report.residual = problem.residual(r);
  if (worst == SolveStatus::Converged) worst = SolveStatus::Stalled;
  report.status = report.residual.scaled <= settings_.tolerance ? SolveStatus::Converged : worst;
}

double AutoSolver::sweep_velocities(VecX& x, double residual, SolveReport& report, const Budget& budget) {
  constexpr int batch = 8;
  const int affordable = std::clamp(5 * settings_.quick_work / std::max(1, velocity_.laws().size()), 60, 600);
  velocity_.prepare_sweeps(x);
  while (residual > settings_.tolerance && report.iterations < settings_.max_iterations && !budget.over()) {
    for (int k = 0; k < batch; ++k) velocity_.sweep(x, k % 2 == 0);
    report.iterations += batch;
    velocity_.velocity(x, U_);
    const double before = residual;
    residual = velocity_.laws().residual(x, U_);
    note(report.iterations, budget.seconds(), residual);
    const double more =
        residual < before ? batch * std::log(residual / settings_.tolerance) / std::log(before / residual) : INFINITY;
    if (report.iterations > batch && more > affordable) break;
  }
  report.status = residual <= settings_.tolerance ? SolveStatus::Converged : SolveStatus::IterationLimit;
  return residual;
}

SolveReport AutoSolver::solve_by_w(const ContactProblem& whole, VecX& r, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  SolveReport report;
  sweeps_.set(problem, settings_.tolerance, 1, true);
  sweeps_.start(r);
  if (!sweep_islands(whole, r, report, budget)) return finish(problem, report.status, r, report);
  if (left_.empty()) return finish(problem, SolveStatus::Converged, r, report);
  if (solve_by_pivots(problem, r, report, budget)) return finish(problem, report.status, r, report);
  const SolveStatus worst = solve_islands(whole, r, report, budget);
  while (sweeps_.active() > 0) {
    if (budget.over()) return finish(problem, SolveStatus::TimeLimit, r, report);
    if (report.iterations >= settings_.max_iterations) return finish(problem, SolveStatus::IterationLimit, r, report);
    note(report.iterations, budget.seconds(), sweeps_.round(r, true));
    ++report.iterations;
  }
  return finish(problem, worst, r, report);
}

SolveReport AutoSolver::finish(const LocalProblem& problem, SolveStatus status, VecX& r, SolveReport report) {
  report.status = status;
  report.residual = sweeps_.residual(r);
  if (!std::isfinite(report.residual.scaled)) {
    report.status = SolveStatus::NotFinite;
    r.setZero();
    report.residual = compute_residual(problem, r);
  }
  // Converged means the residual of the result, whatever the stages thought.
  if (report.residual.scaled <= settings_.tolerance) {
    report.status = SolveStatus::Converged;
  } else if (report.status == SolveStatus::Converged) {
    report.status = SolveStatus::Stalled;
  }
  return report;
}

bool AutoSolver::sweep_islands(const ContactProblem& problem, VecX& r, SolveReport& report, const Budget& budget) {
  const IslandList& islands = sweeps_.islands();
  left_.clear();
  gained_.assign(at(islands.size()), INFINITY);
  while (sweeps_.active() > 0) {
    if (budget.over()) {
      report.status = SolveStatus::TimeLimit;
      return false;
    }
    const double now = sweeps_.round(r, true);
    const int done = ++report.iterations;
    note(done, budget.seconds(), now);
    if (!std::isfinite(now)) {
      report.status = SolveStatus::NotFinite;
      return false;
    }
    // A few plain sweeps (mixing begins after them) are a better place for Newton than many that led nowhere.
    if (done == std::min(5, settings_.max_iterations)) early_ = r;
    const bool last = done >= settings_.max_iterations;
    if (!last && (done < 8 || (done & (done - 1)) != 0)) continue;  // a look at every power of two
    for (int k = 0; k < islands.size(); ++k) {
      if (!sweeps_.is_active(k)) continue;
      const double found = sweeps_.look(k, r);
      if (!goes_on_sweeping(problem, k, gained_[at(k)], found, done) || last) {
        sweeps_.set_active(k, false);
        left_.push_back(k);
      }
      gained_[at(k)] = found;
    }
  }
  return true;
}

bool AutoSolver::goes_on_sweeping(const ContactProblem& problem, int k, double before, double found, int done) {
  const std::span<const int> island = sweeps_.islands()[k];
  if (!std::isfinite(before)) return true;
  const int affordable = affordable_sweeps(problem, island);
  const double more = found < before ? 0.5 * done * std::log(found) / std::log(before / found) : INFINITY;
  const bool early =
      static_cast<int>(island.size()) >= large_island && done < std::min(affordable / 8, most_early_sweeps);
  return !(more > affordable) || early;
}

bool AutoSolver::solve_by_pivots(const LocalProblem& problem, VecX& r, SolveReport& report, const Budget& budget) {
  // Rows without friction: pivoting is exact and does not need a monotone problem.
  if (problem.size() > most_pivot_rows || !std::all_of(problem.law.begin(), problem.law.end(), is_linear)) return false;
  VecX x = r;
  const SolveReport pivots = lemke_.solve(problem, x, budget);
  report.iterations += pivots.iterations;
  report.message = pivots.message;
  report.status = pivots.status;
  if (pivots.residual.scaled < sweeps_.residual(r).scaled) {
    r = x;
    for (const int k : left_) sweeps_.look(k, r);
  }
  return pivots.status == SolveStatus::Converged || pivots.status == SolveStatus::Infeasible;
}

SolveStatus AutoSolver::solve_islands(const ContactProblem& whole, VecX& r, SolveReport& report, const Budget& budget) {
  const LocalProblem& problem = whole.local();
  const double reference = problem.b.norm();
  SolveStatus worst = SolveStatus::Converged;
  for (const int k : left_) {
    const std::span<const int> island = sweeps_.islands()[k];
    const Place place = plan_island(whole, island);
    if (place == Place::None) {
      sweeps_.set_active(k, true);
      continue;
    }
    const double share = reference * std::sqrt(static_cast<double>(island.size()) / problem.size());
    if (place == Place::Velocity) {
      solve_island(velocity_, problem, k, share, r, report, budget);
    } else {
      solve_island(contact_, problem, k, share, r, report, budget);
    }
    if (report.status != SolveStatus::Converged) worst = report.status;
  }
  return worst;
}

template <class Space>
void AutoSolver::solve_island(Space& space, const LocalProblem& problem, int k, double reference, VecX& r,
                              SolveReport& report, const Budget& budget) {
  const std::span<const int> island = sweeps_.islands()[k];
  if (reference > 0) space.set_reference(reference);
  const VecX& scale = space.laws().scale;
  const auto to_scaled = [&](const VecX& whole, VecX& x) {
    for_rows(problem.offset, island, [&](int l, int row) { x[row] = whole[l] * scale[row]; });
  };
  // The first sweeps are the better start; but where a factorisation is expensive, thousands of sweeps have done most
  // of the work, and Newton's method has only a few contacts to turn.
  x_.resize(space.laws().total());
  to_scaled(sweeps_per_factorisation(space) < expensive_factorisation ? early_ : r, x_);
  space.velocity(x_, U_);
  const auto fast_sweeps = [&](VecX& x, int sweeps) {
    swept_.resize(r.size());
    for_rows(problem.offset, island, [&](int l, int row) { swept_[l] = x[row] / scale[row]; });
    for (int i = 0; i < sweeps && (i % 64 != 0 || !budget.over()); ++i) sweeps_.sweep(k, swept_, true);
    to_scaled(swept_, x);
  };
  stages_.run(space, x_, space.laws().residual(x_, U_), report, budget, fast_sweeps);
  x_ = x_.cwiseQuotient(scale);
  const auto exchange = [&] { for_rows(problem.offset, island, [&](int l, int row) { std::swap(r[l], x_[row]); }); };
  exchange();
  if (!(sweeps_.look(k, r) <= gained_[at(k)])) {  // the sweeps had been better
    exchange();
    sweeps_.look(k, r);
  }
}

AutoSolver::Place AutoSolver::plan_island(const ContactProblem& whole, std::span<const int> island) {
  double limit = settings_.newton_cost * static_cast<double>(island.size());
  const bool velocity = island.size() >= small_island && velocity_.set(whole, island) &&
                        velocity_.parts() <= settings_.newton_bodies && velocity_.plan(limit);
  if (velocity) limit = velocity_.cost();
  const LocalProblem& problem = whole.local();
  const bool all = static_cast<int>(island.size()) == problem.size();
  const bool contact = contact_.set(all ? problem : extract(problem, island)) && contact_.plan(limit);
  return contact ? Place::Contact : velocity ? Place::Velocity : Place::None;
}

int AutoSolver::affordable_sweeps(const ContactProblem& problem, std::span<const int> island) {
  const int size = static_cast<int>(island.size());
  const int few = std::clamp(5 * settings_.quick_work / size, 60, 250);
  if (size < large_island) return few;
  const Place place = plan_island(problem, island);
  if (place == Place::None) return settings_.max_iterations;
  // As many as 25 factorisations cost.
  const double cost = place == Place::Contact ? contact_.cost() : velocity_.cost();
  return std::max(few, static_cast<int>(25 * 2 * cost / (sweep_cost * size)));
}

void AutoSolver::search(const ContactProblem& problem, VecX& r, SolveReport& report, const Budget& budget) {
  const bool minimum = report.status == SolveStatus::Stalled || report.status == SolveStatus::IterationLimit;
  if (!minimum || report.residual.scaled > minimum_residual || problem.size() > largest_split) return;
  const GlobalProblem* global = problem.global();
  if (!global || !rest_.supports(*global)) return;
  VecX x = r;
  SolveReport search = report;
  rest_.iterate(*global, x, search, budget);
  report.iterations = search.iterations;
  const Residual found = problem.residual(x);
  if (found.scaled >= report.residual.scaled) return;
  r = x;
  report.residual = found;
  report.status = found.scaled <= settings_.tolerance ? SolveStatus::Converged : search.status;
}

}  // namespace cairn
