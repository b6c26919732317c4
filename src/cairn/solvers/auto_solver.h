// SPDX-License-Identifier: Apache-2.0
// The default: chooses, combines and hands over.
//
// 0. Equations alone: one factorisation (equality_solve.h).
// 1. Accelerated sweeps of Gauss-Seidel, as long as they will get there sooner than a factorisation: over pairs where
//    the problem gives them, else over W, island by island.
// 2. What they leave goes to Newton's methods, stage after stage (auto_stages.h), island by island: on W where that is
//    sparse, otherwise on the velocities of the bodies. A problem whose warm start was good enough already is a scene
//    at rest: its residual is brought down further, before what the steps leave adds up.
// 3. What is too large to factorise: sweeps to their limit.
// 4. Where all that ends in a local minimum, a search with moving and resting bodies (rest_split.h).
// Complementarity rows without friction (circuits, relays) that sweeps cannot solve go to Lemke. The best iterate of
// all stages is returned.
#pragma once
#include "cairn/solvers/auto_stages.h"
#include "cairn/solvers/equality_solve.h"
#include "cairn/solvers/gauss_seidel.h"
#include "cairn/solvers/lemke.h"
#include "cairn/solvers/rest_split.h"

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
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  bool solve_equations(const ContactProblem& problem, VecX& r, SolveReport& report);
  /// Whether W is so dense that the velocities of the bodies are the better unknowns.
  bool prefers_bodies(const ContactProblem& problem);

  /// By way of the bodies: islands whose residual is above the limit.
  void solve_by_bodies(const ContactProblem& problem, double limit, VecX& r, SolveReport& report, const Budget& budget);
  /// Sweeps over scaled impulses on velocity_ as long as they will get there; the residual.
  double sweep_velocities(VecX& x, double residual, SolveReport& report, const Budget& budget);

  /// By way of W: sweeps over islands, then pivots or Newton on those they leave.
  SolveReport solve_by_w(const ContactProblem& problem, VecX& r, const Budget& budget);
  /// Fills left_; false where time or numbers ended it, as the report then says.
  bool sweep_islands(const ContactProblem& problem, VecX& r, SolveReport& report, const Budget& budget);
  /// Sweeps over island k have gained from `before` to `found` by half of those done: whether more of them are worth
  /// it.
  bool goes_on_sweeping(const ContactProblem& problem, int k, double before, double found, int done);
  /// Whether pivoting has the last word.
  bool solve_by_pivots(const LocalProblem& problem, VecX& r, SolveReport& report, const Budget& budget);
  /// The worst status of the stages on the islands left; those that are too large become active again.
  SolveStatus solve_islands(const ContactProblem& problem, VecX& r, SolveReport& report, const Budget& budget);
  /// Newton's methods on island k, from the first sweeps, on a space that is set and planned; r keeps the better.
  template <class Space>
  void solve_island(Space& space, const LocalProblem& problem, int k, double reference, VecX& r, SolveReport& report,
                    const Budget& budget);
  SolveReport finish(const LocalProblem& problem, SolveStatus status, VecX& r, SolveReport report);
  /// Where Newton works on an island.
  enum class Place { None, Contact, Velocity };
  /// The space with the cheaper factorisation, set and planned. Where bodies touch many others in space, the graph of
  /// contacts fills far more than that of bodies; in walls and chains it is the other way round.
  Place plan_island(const ContactProblem& problem, std::span<const int> island);
  /// How many more sweeps over an island are cheaper than Newton on it.
  int affordable_sweeps(const ContactProblem& problem, std::span<const int> island);

  void search(const ContactProblem& problem, VecX& r, SolveReport& report, const Budget& budget);

  Settings settings_;
  GaussSeidel gauss_seidel_;
  EqualitySolve equality_;
  NewtonStages stages_;
  RestSplit rest_;
  Lemke lemke_;
  ContactSpace contact_;
  VelocitySpace velocity_;
  IslandSweeps sweeps_;
  std::vector<int> left_;       ///< islands for Newton
  std::vector<double> gained_;  ///< residual of each island half of the sweeps ago
  VecX x_, U_;
  VecX early_;  ///< impulses after the first, plain sweeps
  VecX swept_;  ///< all impulses while an island is swept between Newton's steps
};

}  // namespace cairn
