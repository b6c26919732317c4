// SPDX-License-Identifier: Apache-2.0
// The default solver: see the header.
#include "cairn/solvers/auto_solver.h"

#include "cairn/problem/islands.h"

#include <cmath>

namespace cairn {
namespace {

template <class Settings>
Settings with_limits(const SolverLimits& limits, int max_iterations) {
  Settings settings;
  settings.tolerance = limits.tolerance;
  settings.max_seconds = limits.max_seconds;
  settings.max_iterations = max_iterations;
  return settings;
}

ProximalNewton::Settings newton_settings(const SolverLimits& limits) {
  auto settings = with_limits<ProximalNewton::Settings>(limits, 3000);
  settings.overshoot = 0.01;
  return settings;
}

/// Blocks of W per constraint up to which it counts as sparse: then contact space is faster than velocity space.
constexpr double sparse_blocks = 20;

/// However costly: fewer would not be worth beginning.
constexpr double least_factorisations = 300;

/// Multiplications per contact and sweep.
constexpr double sweep_cost = 150;

/// Sweeps that a factorisation of a planned space costs, and from when on it counts as dear.
template <class Space>
double sweeps_per_factorisation(const Space& space) {
  return 2 * space.cost() / (sweep_cost * std::max(1, space.laws().size()));
}
constexpr double dear_factorisation = 100;
/// From here on it pays to leave the space for sweeps over W, which cost a tenth of those over bodies.
constexpr int many_sweeps = 100;

/// Contacts from which factorisations are so dear that sweeps are given time: their gain comes and goes.
constexpr int large_island = 1000;
constexpr int most_early_sweeps = 8000;  ///< that they are given whatever is predicted

/// Contacts below which contact space is taken without looking at the other.
constexpr std::size_t small_island = 60;

/// From here on a point counts as a hollow that a search may lead out of, and up to here is the search affordable.
constexpr double hollow_residual = 1e-3;
constexpr int largest_split = 2000;

/// How many blocks W has at most.
double blocks_of_w(const PairProblem& problem) {
  std::vector<double> constraints(static_cast<std::size_t>(problem.block_count), 0);
  for (const PairBlock& c : problem.blocks) {
    ++constraints[static_cast<std::size_t>(c.first)];
    if (c.second >= 0) ++constraints[static_cast<std::size_t>(c.second)];
  }
  double sum = 0;
  for (const double count : constraints) sum += count * count;
  return sum;
}

}  // namespace

AutoSolver::AutoSolver(const Settings& s)
    : settings_(s),
      gauss_seidel_(with_limits<GaussSeidel::Settings>(s, s.max_iterations)),
      natural_(with_limits<NaturalNewton::Settings>(s, 100)),
      newton_(newton_settings(s)),
      interior_(InteriorPoint::stage(s, InteriorPoint::Shift::Linearised)),
      lagged_(InteriorPoint::stage(s, InteriorPoint::Shift::Lagged)),
      held_(InteriorPoint::stage(s, InteriorPoint::Shift::Held)),
      path_(with_limits<ShiftPath::Settings>(s, 1000)),
      rest_(with_limits<RestSplit::Settings>(s, RestSplit::Settings().max_iterations)),
      lemke_(with_limits<Lemke::Settings>(s, 100000)) {}

void AutoSolver::set_max_seconds(double seconds) {
  settings_.max_seconds = seconds;
  for (Solver* stage : std::initializer_list<Solver*>{&gauss_seidel_, &newton_, &interior_, &lagged_, &held_, &lemke_})
    stage->set_max_seconds(seconds);
  natural_.set_max_seconds(seconds);
  path_.set_max_seconds(seconds);
  rest_.set_max_seconds(seconds);
}

template <class Space>
void AutoSolver::solve_on(Space& space, VecX& x, double residual, SolveReport& report, const Stopwatch& stopwatch,
                          const FastSweeps& fast_sweeps) {
  const ScaledLaws& laws = space.laws();
  // Newton runs from where it starts; the interior point method needs cones it knows.
  const bool cones =
      std::all_of(laws.law.begin(), laws.law.end(), [&](const auto& law) { return interior_.supports(law); });
  best_ = x;
  double best = residual;
  // Remembers the best iterate; x stays where the stage left it.
  const auto good = [&] {
    if (report.residual.scaled < best) {
      best = report.residual.scaled;
      best_ = x;
    }
    return best <= settings_.tolerance;
  };
  const auto sweep = [&](int sweeps, bool symmetric) {
    if (sweeps >= many_sweeps && fast_sweeps) return fast_sweeps(x, sweeps);
    if (sweeps > 0) space.prepare_sweeps(x);
    for (int k = 0; k < sweeps; ++k) space.sweep(x, !symmetric || k % 2 == 0);
  };
  // Iterations that the budget of work has left; 0 also when the time is over.
  const int first_iteration = report.iterations;
  const double affordable = std::max(least_factorisations, settings_.newton_work / std::max(1.0, 2 * space.cost()));
  const auto left = [&] {
    const double rest = affordable - (report.iterations - first_iteration);
    return out_of_time(stopwatch) ? 0 : static_cast<int>(std::clamp(rest, 0.0, 1e6));
  };
  const auto newton = [&](int iterations, double compliance = 1e-3) {
    if (left() == 0) return false;
    newton_.set_max_iterations(std::min(iterations, left()));
    newton_.set_compliance(compliance);
    newton_.iterate(space, x, report, stopwatch);
    return good();
  };
  // Newton on the natural map. Where it finds a hollow of |F| instead of a zero, sweeps lead out of it.
  const auto natural = [&](int sweeps) {
    if (left() == 0) return false;
    sweep(sweeps, false);
    natural_.set_max_iterations(std::min(100, left()));
    natural_.iterate(space, x, report, stopwatch);
    return good();
  };
  const auto interior = [&](InteriorPoint& method, int sweeps) {
    if (!cones || left() == 0) return false;
    x = start_;
    sweep(sweeps, true);
    method.iterate(space, x, report, stopwatch);
    return good();
  };
  const auto softly = [&] {  // another way: softer steps from the start
    x = start_;
    natural_.set_proximal(0.1);
    const bool result = natural(0);
    natural_.set_proximal(0.01);
    return result;
  };
  const auto near = [&] { return best < 1e-3; };
  // In large heaps a factorisation costs as much as hundreds of sweeps: both in turn, as long as that helps. Impulses
  // that sweeps do not settle wander, so every turn is another start.
  const auto in_turn = [&] {
    const double worth = sweeps_per_factorisation(space);
    if (worth < dear_factorisation) return false;
    const int sweeps = static_cast<int>(std::min(worth, fast_sweeps ? 4000.0 : 1000.0));
    for (int poor = 0; poor < 6 && left() > 0;) {
      const double before = best;
      if (natural(sweeps)) return true;
      poor = best < 0.9 * before ? 0 : poor + 1;
    }
    return false;
  };
  // Newton's impulses end on the border of many cones, where the next step has no room. The convex problem of the shift
  // that was found moves them to the middle of what is admissible, at nearly the same velocity; then on with Newton.
  const auto recentred = [&] {
    if (!cones) return false;
    for (int poor = 0; poor < 8 && left() > 0;) {
      const double before = best;
      held_.iterate(space, x, report, stopwatch);
      if (good() || newton(600)) return true;
      poor = best < 0.9 * before ? 0 : poor + 1;
    }
    return false;
  };
  // Sweeps leave the corner that Newton is stuck in; with another compliance it takes another way from there.
  const auto again = [&](int sweeps, double compliance) {
    if (left() == 0) return false;
    sweep(sweeps, true);
    return newton(2000, compliance);
  };
  bool impossible = false;
  const auto along_path = [&] {
    if (left() == 0) return false;
    x = best_;
    path_.set_max_iterations(std::max(1, left() / 2));
    path_.iterate(space, x, report, stopwatch);
    impossible = report.status == SolveStatus::Infeasible;
    return good();
  };
  const auto end = [&] {
    x = best_;
    report.residual.scaled = best;
  };
  // Proximal Newton from the best point with one compliance after another: slow where Newton finds hollows only, but it
  // goes on as long as a round gains.
  const auto rounds = [&] {
    int sweeps = 30;
    for (bool gains = true; gains && left() > 0;) {
      const double before = best;
      for (const double compliance : {1e-2, 1e-3, 1e-1, 1e-4}) {
        x = best_;
        if (again(sweeps, compliance) || natural(10)) return true;
        sweeps = sweeps < 500 ? 2 * sweeps : 30;
      }
      gains = best < 0.7 * before;
    }
    return false;
  };
  start_ = x;
  bool done = natural(0) || in_turn() || (near() && natural(20)) || (near() && natural(40)) ||
              ((best < 3e-5 || !cones) && newton(cones ? 25 : 3000));
  done = done || interior(interior_, 32) || newton(2000) || (best < 1e-4 && recentred()) || natural(10) || natural(30);
  // From another start it ends in another hollow: a wall about to slide has them at 1e-6 to 5e-6 everywhere.
  done = done || interior(interior_, 0) || newton(2000) || again(5, 1e-2) || natural(10);
  done = done || (best < 1e-5 && rounds());
  done = done || along_path();
  if (impossible) return end();
  done = done || softly() || newton(2000) || natural(10);
  done = done || interior(lagged_, 32) || newton(2000) || natural(10);
  done = done || rounds();
  end();
  if (done) report.status = SolveStatus::Converged;
}

template <class Space>
void AutoSolver::solve_island(Space& space, const LocalProblem& problem, int k, double reference, VecX& r,
                              SolveReport& report, const Stopwatch& stopwatch) {
  const std::span<const int> island = sweeps_.islands()[k];
  if (reference > 0) space.set_reference(reference);
  const ScaledLaws& laws = space.laws();
  // The first sweeps are the better start; but where a factorisation is dear, thousands of sweeps have done most of the
  // work, and Newton's method has only a few contacts to turn.
  const VecX& start = sweeps_per_factorisation(space) < dear_factorisation ? early_ : r;
  x_.resize(laws.total());
  for (std::size_t m = 0; m < island.size(); ++m) {
    const int from = problem.offset[static_cast<std::size_t>(island[m])], to = laws.offset[m];
    for (int l = 0; l < laws.rows(static_cast<int>(m)); ++l) x_[to + l] = start[from + l] * laws.scale[to + l];
  }
  VecX U;
  space.velocity(x_, U);
  const auto copy = [&](VecX& whole, VecX& part, bool back) {
    for (std::size_t m = 0; m < island.size(); ++m) {
      const int o = problem.offset[static_cast<std::size_t>(island[m])];
      for (int l = laws.offset[m]; l < laws.offset[m + 1]; ++l) {
        double& r_l = whole[o + l - laws.offset[m]];
        if (back) {
          part[l] = r_l * laws.scale[l];
        } else {
          r_l = part[l] / laws.scale[l];
        }
      }
    }
  };
  const auto fast_sweeps = [&](VecX& x, int sweeps) {
    swept_.resize(r.size());
    copy(swept_, x, false);
    for (int i = 0; i < sweeps && (i % 64 != 0 || !out_of_time(stopwatch)); ++i) sweeps_.sweep(k, swept_, true);
    copy(swept_, x, true);
  };
  solve_on(space, x_, laws.residual(x_, U), report, stopwatch, fast_sweeps);
  x_ = x_.cwiseQuotient(laws.scale);
  const auto exchange = [&] {
    for (std::size_t m = 0; m < island.size(); ++m) {
      const int to = problem.offset[static_cast<std::size_t>(island[m])];
      for (int l = 0; l < laws.rows(static_cast<int>(m)); ++l) std::swap(r[to + l], x_[laws.offset[m] + l]);
    }
  };
  exchange();
  if (!(sweeps_.look(k, r) <= gained_[static_cast<std::size_t>(k)])) {  // the sweeps had been better
    exchange();
    sweeps_.look(k, r);
  }
}

AutoSolver::Place AutoSolver::plan_island(const LocalProblem& problem, const SetBodies& bodies,
                                          std::span<const int> island) {
  double limit = settings_.newton_cost * static_cast<double>(island.size());
  const bool velocity = bodies && island.size() >= small_island && bodies(island) &&
                        velocity_.parts() <= settings_.newton_bodies && velocity_.plan(limit);
  if (velocity) limit = velocity_.cost();
  const bool whole = static_cast<int>(island.size()) == problem.size();
  const bool contact = contact_.set(whole ? problem : extract(problem, island)) && contact_.plan(limit);
  return contact ? Place::Contact : velocity ? Place::Velocity : Place::None;
}

int AutoSolver::affordable_sweeps(const LocalProblem& problem, const SetBodies& bodies, std::span<const int> island) {
  const int size = static_cast<int>(island.size());
  const int few = std::clamp(5 * settings_.quick_work / size, 60, 250);
  if (size < large_island) return few;
  const Place place = plan_island(problem, bodies, island);
  if (place == Place::None) return settings_.max_iterations;
  // As many as 25 factorisations cost.
  const double cost = place == Place::Contact ? contact_.cost() : velocity_.cost();
  return std::max(few, static_cast<int>(25 * 2 * cost / (sweep_cost * size)));
}

SolveReport AutoSolver::solve(const LocalProblem& problem, VecX& r) { return solve_local(problem, {}, r, 1); }

SolveReport AutoSolver::solve_local(const LocalProblem& problem, const SetBodies& bodies, VecX& r, double overshoot) {
  const Stopwatch stopwatch;
  const int n = problem.size();
  check_start(problem.b, r);
  if (EqualitySolve::applies(problem)) {
    SolveReport direct;
    direct.iterations = equality_.solve(problem, r);
    direct.residual = compute_residual(problem, r);
    direct.status = SolveStatus::Converged;
    direct.seconds = stopwatch.seconds();
    if (direct.iterations > 0 && direct.residual.scaled <= settings_.tolerance) return direct;
    if (!r.allFinite()) r.setZero();
  }
  natural_.set_overshoot(overshoot);
  sweeps_.set(problem, settings_.tolerance, 1, true);
  sweeps_.start(r);
  SolveReport report;
  const auto finish = [&](SolveStatus status) {
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
    report.seconds = stopwatch.seconds();
    return report;
  };
  // Sweeps; what an island gained in the last half of them predicts how many more it takes.
  const IslandList& islands = sweeps_.islands();
  left_.clear();
  gained_.assign(static_cast<std::size_t>(islands.size()), INFINITY);
  while (sweeps_.active() > 0) {
    if (out_of_time(stopwatch)) return finish(SolveStatus::TimeLimit);
    const double now = sweeps_.round(r, true);
    const int done = ++report.iterations;
    note(done, stopwatch.seconds(), now);
    if (!std::isfinite(now)) return finish(SolveStatus::NotFinite);
    // A few plain sweeps (mixing begins after them) are a better place for Newton than many that led nowhere.
    if (done == std::min(5, settings_.max_iterations)) early_ = r;
    const bool last = done >= settings_.max_iterations;
    if (!last && (done < 8 || (done & (done - 1)) != 0)) continue;  // a look at every power of two
    for (int k = 0; k < islands.size(); ++k) {
      if (!sweeps_.is_active(k)) continue;
      const double found = sweeps_.look(k, r);
      double& before = gained_[static_cast<std::size_t>(k)];
      const double more = found < before ? 0.5 * done * std::log(found) / std::log(before / found) : INFINITY;
      const int affordable = affordable_sweeps(problem, bodies, islands[k]);
      const bool early =
          static_cast<int>(islands[k].size()) >= large_island && done < std::min(affordable / 8, most_early_sweeps);
      if (last || (std::isfinite(before) && more > affordable && !early)) {
        sweeps_.set_active(k, false);
        left_.push_back(k);
      }
      before = found;
    }
  }
  if (left_.empty()) return finish(SolveStatus::Converged);
  // Rows without friction: pivoting is exact and does not need a monotone problem.
  const bool linear = std::all_of(problem.law.begin(), problem.law.end(), [](const auto& law) {
    return law.kind == LawKind::Frictionless || law.is_equation() || law.has_bounds();
  });
  if (linear && n <= 1000) {
    VecX x = r;
    const SolveReport pivots = lemke_.solve(problem, x);
    report.iterations += pivots.iterations;
    report.message = pivots.message;
    if (pivots.residual.scaled < sweeps_.residual(r).scaled) {
      r = x;
      for (const int k : left_) sweeps_.look(k, r);
    }
    if (pivots.status == SolveStatus::Converged || pivots.status == SolveStatus::Infeasible)
      return finish(pivots.status);
  }
  // Newton's methods island by island: only those that need it, each with its own steps.
  const double reference = problem.b.norm();
  bool factorised = true;
  SolveStatus worst = SolveStatus::Converged;
  for (const int k : left_) {
    const std::span<const int> island = islands[k];
    const Place place = plan_island(problem, bodies, island);
    if (place == Place::None) {
      factorised = false;
      sweeps_.set_active(k, true);
      continue;
    }
    const double share = reference * std::sqrt(static_cast<double>(island.size()) / n);
    if (place == Place::Velocity) {
      solve_island(velocity_, problem, k, share, r, report, stopwatch);
    } else {
      solve_island(contact_, problem, k, share, r, report, stopwatch);
    }
    if (report.status != SolveStatus::Converged) worst = report.status;
  }
  while (!factorised && sweeps_.active() > 0) {
    if (out_of_time(stopwatch)) return finish(SolveStatus::TimeLimit);
    if (report.iterations >= settings_.max_iterations) return finish(SolveStatus::IterationLimit);
    note(report.iterations, stopwatch.seconds(), sweeps_.round(r, true));
    ++report.iterations;
  }
  return finish(worst);
}

SolveReport AutoSolver::solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) {
  const Stopwatch stopwatch;
  constexpr double overshoot = 1e-3;  // of a step of a simulation: the next one then starts within the tolerance
  // Sweeps are cheap on small problems, a factorisation is not: the fewer contacts, the more sweeps come first.
  const int n = static_cast<int>(problem.size());
  // Ball joints alone: chains, which sweeps follow link by link. One factorisation instead.
  constexpr int chain = 4;
  if (n >= chain && std::all_of(problem.blocks.begin(), problem.blocks.end(),
                                [](const PairBlock& c) { return c.law == LawKind::Bilateral; })) {
    VecX found(3 * n);
    for (int i = 0; i < n; ++i) found.segment<3>(3 * i) = r[static_cast<std::size_t>(i)];
    SolveReport report = solve_local(to_local(problem), {}, found, overshoot);
    for (int i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = found.segment<3>(3 * i);
    report.residual = compute_residual(problem, r, z_, U_);
    report.seconds = stopwatch.seconds();
    return report;
  }
  const int quick = std::max(8, settings_.quick_work / std::max(1, n));
  gauss_seidel_.set_max_iterations(std::min(quick, settings_.max_iterations));
  SolveReport report = gauss_seidel_.solve(problem, r, threads);
  // A scene at rest: what the warm start leaves adds up over steps, so one Newton step removes it before it is too
  // much.
  const double settled = std::max(0.1 * settings_.tolerance, 3e-10);
  const bool settle =
      report.status == SolveStatus::Converged && report.iterations <= 1 && settled < settings_.tolerance;
  const double limit = settle ? settled : settings_.tolerance;
  if ((settle && report.residual.scaled <= limit) || (!settle && report.status != SolveStatus::IterationLimit) ||
      out_of_time(stopwatch)) {
    return report;
  }
  if (!settle && blocks_of_w(problem) < sparse_blocks * n) {
    VecX x(3 * n);
    for (int i = 0; i < n; ++i) x.segment<3>(3 * i) = r[static_cast<std::size_t>(i)];
    const int iterations = report.iterations;
    const auto bodies = [&](std::span<const int> island) {
      velocity_.set(extract(problem, island));
      return true;
    };
    report = solve_local(to_local(problem), bodies, x, overshoot);
    for (int i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = x.segment<3>(3 * i);
    report.iterations += iterations;
    report.residual = compute_residual(problem, r, z_, U_);
    report.seconds = stopwatch.seconds();
    return report;
  }
  natural_.set_overshoot(overshoot);
  const auto islands = group_islands(find_islands(problem));
  double reference = 0;
  for (const PairBlock& c : problem.blocks) reference += c.b.squaredNorm();
  reference = std::sqrt(reference);
  bool factorised = true;
  SolveStatus worst = SolveStatus::Converged;
  for (int k = 0; k < islands.size(); ++k) {
    const std::span<const int> island = islands[k];
    const int size = static_cast<int>(island.size());
    if (islands.size() == 1) {
      velocity_.set(problem);
    } else {
      velocity_.set(extract(problem, island));
    }
    if (reference > 0) velocity_.set_reference(std::sqrt(static_cast<double>(size) / n) * reference);
    const VecX& scale = velocity_.laws().scale;
    x_.resize(3 * size);
    for (int i = 0; i < size; ++i)
      x_.segment<3>(3 * i) = r[static_cast<std::size_t>(island[static_cast<std::size_t>(i)])];
    x_ = x_.cwiseProduct(scale);
    VecX U;
    velocity_.velocity(x_, U);
    const double residual = velocity_.laws().residual(x_, U);
    if (residual <= limit) continue;
    if (velocity_.parts() > settings_.newton_bodies || !velocity_.plan(settings_.newton_cost * size)) {
      factorised = false;
      continue;
    }
    solve_on(velocity_, x_, residual, report, stopwatch);
    if (report.status != SolveStatus::Converged) worst = report.status;
    x_ = x_.cwiseQuotient(scale);
    for (int i = 0; i < size; ++i)
      r[static_cast<std::size_t>(island[static_cast<std::size_t>(i)])] = x_.segment<3>(3 * i);
  }
  if (factorised || settle) {
    report.residual = compute_residual(problem, r, z_, U_);
    report.seconds = stopwatch.seconds();
    if (worst == SolveStatus::Converged) worst = SolveStatus::Stalled;
    report.status = report.residual.scaled <= settings_.tolerance ? SolveStatus::Converged : worst;
    return report;
  }
  gauss_seidel_.set_max_iterations(settings_.max_iterations);
  const int iterations = report.iterations;
  report = gauss_seidel_.solve(problem, r, threads);
  report.iterations += iterations;
  report.seconds = stopwatch.seconds();
  return report;
}

SolveReport AutoSolver::solve(const GlobalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  SolveReport report = solve_whole(problem, r);
  const bool hollow = report.status == SolveStatus::Stalled || report.status == SolveStatus::IterationLimit;
  if (!hollow || report.residual.scaled > hollow_residual || problem.size() > largest_split || !rest_.supports(problem))
    return report;
  VecX x = r;
  SolveReport search = report;
  rest_.iterate(problem, x, search, stopwatch);
  report.iterations = search.iterations;
  const Residual found = compute_residual(to_local(problem), x);
  if (found.scaled < report.residual.scaled) {
    r = x;
    report.residual = found;
    report.status = found.scaled <= settings_.tolerance ? SolveStatus::Converged : search.status;
  }
  report.seconds = stopwatch.seconds();
  return report;
}

SolveReport AutoSolver::solve_whole(const GlobalProblem& problem, VecX& r) {
  const Stopwatch stopwatch;
  // By way of W, unless so many constraints share bodies that it becomes dense.
  if (problem.size() < 20 || !velocity_.set(problem) || velocity_.blocks_of_w() < sparse_blocks * problem.size() ||
      velocity_.parts() > settings_.newton_bodies || !velocity_.plan(settings_.newton_cost * problem.size())) {
    const auto bodies = [&](std::span<const int> island) { return velocity_.set(extract(problem, island)); };
    SolveReport report = solve_local(to_local(problem), bodies, r, 1);
    report.seconds = stopwatch.seconds();
    return report;
  }
  SolveReport report;
  const ScaledLaws& laws = velocity_.laws();
  check_start(laws.b, r);
  x_ = r.cwiseProduct(laws.scale);
  VecX U;
  velocity_.velocity(x_, U);
  double now = laws.residual(x_, U), before = INFINITY;
  if (now > settings_.tolerance) velocity_.prepare_sweeps(x_);
  constexpr int batch = 8;
  const int affordable = std::clamp(5 * settings_.quick_work / std::max(1, problem.size()), 60, 600);
  best_ = x_;
  while (now > settings_.tolerance && report.iterations < settings_.max_iterations && !out_of_time(stopwatch)) {
    for (int k = 0; k < batch; ++k) velocity_.sweep(x_, k % 2 == 0);
    report.iterations += batch;
    velocity_.velocity(x_, U);
    before = now;
    now = laws.residual(x_, U);
    note(report.iterations, stopwatch.seconds(), now);
    const double more = now < before ? batch * std::log(now / settings_.tolerance) / std::log(before / now) : INFINITY;
    if (report.iterations > batch && more > affordable) break;
  }
  report.residual.scaled = now;
  report.status = now <= settings_.tolerance ? SolveStatus::Converged : SolveStatus::IterationLimit;
  if (now > settings_.tolerance) solve_on(velocity_, x_, now, report, stopwatch);
  r = x_.cwiseQuotient(laws.scale);
  report.seconds = stopwatch.seconds();
  report.residual = compute_residual(to_local(problem), r);
  return report;
}

}  // namespace cairn
