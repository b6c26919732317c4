// SPDX-License-Identifier: Apache-2.0
// Stages of the default solver: see the header.
#include "cairn/solvers/auto_stages.h"

#include <cmath>

namespace cairn {
namespace {

using Method = NewtonStage::Method;
using Laws = NewtonStage::Laws;

// Residuals below which a stage is worth its price: a solution is near; nearer; only a few contacts can be wrong. A
// wall about to slide has points where the merit function is stationary at 1e-6 to 5e-6 everywhere.
constexpr double near_by = 1e-3, nearer = 1e-4, at_hand = 3e-5, few_wrong = 1e-5;

constexpr NewtonStage stages[] = {
    {"natural map", Method::Natural},
    {"sweeps in turn", Method::Turns},
    {"natural map near by", Method::Natural, 20, 0, 0, near_by},
    {"natural map near by again", Method::Natural, 40, 0, 0, near_by},
    {"last digits", Method::Proximal, 0, 25, 1e-3, at_hand, Laws::Cones},
    {"laws without cones", Method::Proximal, 0, 3000, 1e-3, INFINITY, Laws::Others},
    {"interior point", Method::Interior, 32, 0, 0, INFINITY, Laws::Cones},
    {"proximal Newton", Method::Proximal},
    {"impulses to the middle of their cones", Method::Centre, 0, 600, 1e-3, nearer, Laws::Cones},
    {"natural map after sweeps", Method::Natural, 10},
    {"natural map after more sweeps", Method::Natural, 30},
    {"interior point from another start", Method::Interior, 0, 0, 0, INFINITY, Laws::Cones},
    {"proximal Newton from there", Method::Proximal},
    {"softer proximal Newton", Method::Proximal, 5, 2000, 1e-2},
    {"natural map from there", Method::Natural, 10},
    {"rounds near by", Method::Rounds, 0, 2000, 0, few_wrong},
    {"path of the shift", Method::Path},
    {"softer natural map", Method::Natural, 0, 0, 0, INFINITY, Laws::Any, true},
    {"proximal Newton from the softer", Method::Proximal},
    {"natural map from the softer", Method::Natural, 10},
    {"lagged interior point", Method::Lagged, 32, 0, 0, INFINITY, Laws::Cones},
    {"proximal Newton from the lagged", Method::Proximal},
    {"natural map from the lagged", Method::Natural, 10},
    {"rounds", Method::Rounds},
};

/// However costly: fewer factorisations would not be worth beginning.
constexpr double least_factorisations = 300;

/// From here on it pays to leave the space for sweeps over W, which cost a tenth of those over bodies.
constexpr int many_sweeps = 100;

template <class Settings>
Settings with_limits(const SolverLimits& limits, int max_iterations) {
  Settings settings;
  settings.tolerance = limits.tolerance;
  settings.max_iterations = max_iterations;
  return settings;
}

ProximalNewton::Settings proximal_settings(const SolverLimits& limits) {
  auto settings = with_limits<ProximalNewton::Settings>(limits, 3000);
  settings.overshoot = 0.01;
  return settings;
}

}  // namespace

std::span<const NewtonStage> newton_stages() { return stages; }

NewtonStages::NewtonStages(const SolverLimits& limits, double work)
    : limits_(limits),
      work_(work),
      natural_(with_limits<NaturalNewton::Settings>(limits, 100)),
      proximal_(proximal_settings(limits)),
      interior_(InteriorPoint::stage(limits, InteriorPoint::Shift::Linearised)),
      lagged_(InteriorPoint::stage(limits, InteriorPoint::Shift::Lagged)),
      held_(InteriorPoint::stage(limits, InteriorPoint::Shift::Held)),
      path_(with_limits<ShiftPath::Settings>(limits, 1000)) {}

/// One run through the stages: where it stands, and what each method does from there. x stays where a stage left it.
template <class Space>
struct NewtonStages::Run {
  NewtonStages& own;
  Space& space;
  VecX& x;
  double best;  ///< residual of own.best_
  SolveReport& report;
  const Budget& budget;
  const FastSweeps& fast_sweeps;
  int first_iteration = report.iterations;
  double affordable = std::max(least_factorisations, own.work_ / std::max(1.0, 2 * space.cost()));
  bool cones = std::all_of(space.laws().law.begin(), space.laws().law.end(),
                           [&](const ConstraintLaw& law) { return own.interior_.supports(law); });

  /// Iterations that the budget of work has left; 0 also when the time is over.
  int left() const {
    const double rest = affordable - (report.iterations - first_iteration);
    return budget.over() ? 0 : static_cast<int>(std::clamp(rest, 0.0, 1e6));
  }

  bool good() {
    if (report.residual.scaled < best) {
      best = report.residual.scaled;
      own.best_ = x;
    }
    return best <= own.limits_.tolerance;
  }

  bool applies(const NewtonStage& stage) const {
    return best < stage.below && (stage.laws == Laws::Any || cones == (stage.laws == Laws::Cones));
  }

  void sweep(int sweeps, bool symmetric) {
    if (sweeps >= many_sweeps && fast_sweeps) return fast_sweeps(x, sweeps);
    if (sweeps > 0) space.prepare_sweeps(x);
    for (int k = 0; k < sweeps; ++k) space.sweep(x, !symmetric || k % 2 == 0);
  }

  /// Where it finds a local minimum of |F| instead of a zero, sweeps lead out of it.
  bool natural(int sweeps, bool soft = false) {
    if (soft) x = own.start_;
    if (left() == 0) return false;
    sweep(sweeps, false);
    own.natural_.set_proximal(soft ? 0.1 : 0.01);
    own.natural_.set_max_iterations(std::min(100, left()));
    own.natural_.iterate(space, x, report, budget);
    return good();
  }

  /// In large heaps a factorisation costs as much as hundreds of sweeps: both in turn, as long as that helps. Impulses
  /// that sweeps do not settle wander, so every turn is another start.
  bool turns() {
    const double worth = sweeps_per_factorisation(space);
    if (worth < expensive_factorisation) return false;
    const int sweeps = static_cast<int>(std::min(worth, fast_sweeps ? 4000.0 : 1000.0));
    for (int poor = 0; poor < 6 && left() > 0;) {
      const double before = best;
      if (natural(sweeps)) return true;
      poor = best < 0.9 * before ? 0 : poor + 1;
    }
    return false;
  }

  /// Sweeps leave the corner that Newton is stuck in; with another compliance it takes another way from there.
  bool proximal(int sweeps, int iterations, double compliance) {
    if (left() == 0) return false;
    sweep(sweeps, true);
    own.proximal_.set_max_iterations(std::min(iterations, left()));
    own.proximal_.set_compliance(compliance);
    own.proximal_.iterate(space, x, report, budget);
    return good();
  }

  bool interior(InteriorPoint& method, int sweeps) {
    if (left() == 0) return false;
    x = own.start_;
    sweep(sweeps, true);
    method.iterate(space, x, report, budget);
    return good();
  }

  /// Newton's impulses end on the border of many cones, where the next step has no room. The convex problem of the
  /// shift that was found moves them to the middle of what is admissible, at nearly the same velocity.
  bool centre(int iterations, double compliance) {
    for (int poor = 0; poor < 8 && left() > 0;) {
      const double before = best;
      own.held_.iterate(space, x, report, budget);
      if (good() || proximal(0, iterations, compliance)) return true;
      poor = best < 0.9 * before ? 0 : poor + 1;
    }
    return false;
  }

  /// Slow where Newton finds local minima only, but it goes on as long as a round gains.
  bool rounds(int iterations) {
    int sweeps = 30;
    for (bool gains = true; gains && left() > 0;) {
      const double before = best;
      for (const double compliance : {1e-2, 1e-3, 1e-1, 1e-4}) {
        x = own.best_;
        if (proximal(sweeps, iterations, compliance) || natural(10)) return true;
        sweeps = sweeps < 500 ? 2 * sweeps : 30;
      }
      gains = best < 0.7 * before;
    }
    return false;
  }

  bool path() {
    if (left() == 0) return false;
    x = own.best_;
    own.path_.set_max_iterations(std::max(1, left() / 2));
    own.path_.iterate(space, x, report, budget);
    return good();
  }

  bool run(const NewtonStage& stage) {
    switch (stage.method) {
      case Method::Natural: return natural(stage.sweeps, stage.soft);
      case Method::Turns: return turns();
      case Method::Proximal: return proximal(stage.sweeps, stage.iterations, stage.compliance);
      case Method::Interior: return interior(own.interior_, stage.sweeps);
      case Method::Lagged: return interior(own.lagged_, stage.sweeps);
      case Method::Centre: return centre(stage.iterations, stage.compliance);
      case Method::Rounds: return rounds(stage.iterations);
      case Method::Path: return path();
    }
    return false;
  }
};

template <class Space>
void NewtonStages::run(Space& space, VecX& x, double residual, SolveReport& report, const Budget& budget,
                       const FastSweeps& fast_sweeps, std::span<const NewtonStage> stages) {
  best_ = start_ = x;
  Run<Space> run{*this, space, x, residual, report, budget, fast_sweeps};
  bool done = false;
  for (const NewtonStage& stage : stages) {
    if (!run.applies(stage)) continue;
    done = run.run(stage);
    if (done || (stage.method == Method::Path && report.status == SolveStatus::Infeasible)) break;
  }
  x = best_;
  report.residual.scaled = run.best;
  if (done) report.status = SolveStatus::Converged;
}

template void NewtonStages::run(ContactSpace&, VecX&, double, SolveReport&, const Budget&, const FastSweeps&,
                                std::span<const NewtonStage>);
template void NewtonStages::run(VelocitySpace&, VecX&, double, SolveReport&, const Budget&, const FastSweeps&,
                                std::span<const NewtonStage>);

}  // namespace cairn
