// SPDX-License-Identifier: Apache-2.0
// The default: chooses, combines and hands over.
//
// 1. Accelerated sweeps of Gauss-Seidel, island by island, as long as they will get there sooner than a factorisation.
// 2. Newton on the natural map; where that finds no zero, an interior point method finds the region and proximal Newton
//    the last digits, by several ways until one succeeds, at last along the path of De Saxce's shift, which also tells
//    problems without solution.
// 3. What is too large to factorise: sweeps to their limit.
// Complementarity rows without friction (circuits, relays) that sweeps cannot solve go to Lemke. The best iterate of
// all stages is returned.
#pragma once
#include "cairn/solvers/equality_solve.h"
#include "cairn/solvers/gauss_seidel.h"
#include "cairn/solvers/interior_point.h"
#include "cairn/solvers/lemke.h"
#include "cairn/solvers/natural_newton.h"
#include "cairn/solvers/proximal_newton.h"
#include "cairn/solvers/rest_split.h"
#include "cairn/solvers/shift_path.h"

#include <functional>

namespace cairn {

class AutoSolver final : public Solver {
 public:
  struct Settings : SolverLimits {
    int quick_work = 4000;
    double newton_cost = 1e6;
    int newton_bodies = 20000;
    double newton_work = 3e10;

    Settings() { max_iterations = 20000; }
    void describe(ParameterVisitor& v) {
      describe_limits(v);
      v.integer("quick_work", quick_work, {1, 1e9, false},
                "contact updates by Gauss-Seidel before Newton is tried (at least 8 sweeps)");
      v.real("newton_cost", newton_cost, "", positive,
             "multiplications per contact and factorisation up to which Newton is used");
      v.integer("newton_bodies", newton_bodies, {1, 1e9, false}, "bodies in contact up to which Newton is used");
      v.real(
          "newton_work", newton_work, "", positive,
          "multiplications in all factorisations of an island of contacts, or 300 factorisations where that is more");
    }
  };

  explicit AutoSolver(const Settings& settings);
  std::string_view name() const override { return "auto"; }
  const SolverLimits& limits() const override { return settings_; }
  void set_max_seconds(double seconds) override;
  bool supports(const ConstraintLaw&) const override { return true; }
  using Solver::solve;
  SolveReport solve(const LocalProblem& problem, VecX& r) override;
  SolveReport solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) override;
  SolveReport solve(const GlobalProblem& problem, VecX& r) override;

 private:
  /// Sets the velocity space of an island where its bodies are known; false where it has none.
  using SetBodies = std::function<bool(std::span<const int> island)>;
  /// overshoot: share of the tolerance that Newton aims at once it has met that.
  SolveReport solve_local(const LocalProblem& problem, const SetBodies& bodies, VecX& r, double overshoot);
  /// Newton's methods on island k, from the first sweeps, on a space that is set and planned; r keeps the better.
  template <class Space>
  void solve_island(Space& space, const LocalProblem& problem, int k, double reference, VecX& r, SolveReport& report,
                    const Stopwatch& stopwatch);
  SolveReport solve_whole(const GlobalProblem& problem, VecX& r);
  /// Where Newton works on an island.
  enum class Place { None, Contact, Velocity };
  /// The space with the cheaper factorisation, set and planned. Where bodies touch many others in space, the graph of
  /// contacts fills far more than that of bodies; in walls and chains it is the other way round.
  Place plan_island(const LocalProblem& problem, const SetBodies& bodies, std::span<const int> island);
  /// How many more sweeps over an island are cheaper than Newton on it.
  int affordable_sweeps(const LocalProblem& problem, const SetBodies& bodies, std::span<const int> island);
  /// Plain sweeps over scaled impulses of an island.
  using FastSweeps = std::function<void(VecX& x, int sweeps)>;
  /// Stages 2 and 3 on a space, from scaled impulses x with the given residual; leaves the best in x. fast_sweeps:
  /// where there are cheaper sweeps than those of the space.
  template <class Space>
  void solve_on(Space& space, VecX& x, double residual, SolveReport& report, const Stopwatch& stopwatch,
                const FastSweeps& fast_sweeps = {});
  bool out_of_time(const Stopwatch& stopwatch) const {
    return settings_.max_seconds > 0 && stopwatch.seconds() > settings_.max_seconds;
  }

  Settings settings_;
  GaussSeidel gauss_seidel_;
  EqualitySolve equality_;
  NaturalNewton natural_;
  ProximalNewton newton_;
  InteriorPoint interior_, lagged_, held_;
  ShiftPath path_;
  RestSplit rest_;
  Lemke lemke_;
  ContactSpace contact_;
  VelocitySpace velocity_;
  IslandSweeps sweeps_;
  std::vector<int> left_;       ///< islands for Newton
  std::vector<double> gained_;  ///< residual of each island half of the sweeps ago
  VecX x_, best_, start_;
  VecX early_;  ///< impulses after the first, plain sweeps
  VecX swept_;  ///< all impulses while an island is swept between Newton's steps
  std::vector<PairVelocity> z_;
  std::vector<Vec3> U_;
};

}  // namespace cairn
