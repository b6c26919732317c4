// SPDX-License-Identifier: Apache-2.0
// Sweeps of block Gauss-Seidel over a problem in local form, island by island: an island that is solved rests while
// the others go on. A constraint is prepared when it first needs an impulse; nothing is allocated after set().
// Accelerated by mixing (mixing.h).
#pragma once
#include "cairn/problem/islands.h"
#include "cairn/problem/residual.h"
#include "cairn/solvers/local_solver.h"
#include "cairn/solvers/mixing.h"

namespace cairn {

class IslandSweeps {
 public:
  /// Keeps a reference to the problem. Coloured: neighbours come apart, as in parallel sweeps.
  void set(const LocalProblem& problem, double tolerance, double relaxation, bool accelerated, bool coloured = false);
  const IslandList& islands() const { return islands_; }
  const VecX& scales() const { return scales_; }
  /// Looks at all islands; those that are not good enough become active.
  void start(const VecX& r);
  int active() const { return active_count_; }
  bool is_active(int island) const { return state_[static_cast<std::size_t>(island)].active; }
  void set_active(int island, bool active);
  /// Sweeps over the active islands, which end where they have become good enough. The scaled residual, in part from
  /// estimates: the update of a sweep, scaled like the residual, is one, and costs nothing.
  double round(VecX& r, bool forward);
  /// One plain sweep; the length of its update, D |dr|.
  double sweep(int island, VecX& r, bool forward);
  /// The true residual of an island, in units of what it may have; renews what residual() knows of it.
  double look(int island, const VecX& r);
  /// Of all, recomputed wherever an island was not looked at since it moved.
  Residual residual(const VecX& r);

 private:
  struct State {
    double allowed = 0;    ///< |F| at which the island is good
    double estimate = 0;   ///< |F| by the last look, or by the last update
    double threshold = 0;  ///< of the estimate: where another look is worth it; after a miss it falls by what missed
    bool active = false;
    bool looked = false;  ///< since it moved
    MixingState mixing;
  };
  void velocity(int i, const double* r, double* U) const;
  /// look() where velocity_ is known.
  double judge(int island, const VecX& r);
  double sweep_threes(int island, VecX& r, bool forward);
  void prepare(int i);
  void order_by_colour();
  void mix(int island, VecX& r);

  const LocalProblem* problem_ = nullptr;
  IslandList islands_;
  std::vector<State> state_;
  std::vector<LocalSolver> solver_;
  std::vector<char> ready_;
  std::vector<int> diagonal_;  ///< block of W of each constraint, -1: none
  VecX scales_, velocity_;
  std::vector<int> place_;  ///< of each member's rows in the vectors below
  VecX F_, g_;
  Mixing mixing_;
  double relaxation_ = 1, unit_ = 1;  ///< unit: 1 / |b|
  int active_count_ = 0, rounds_ = 0;
  bool accelerated_ = true;
  bool threes_ = false;  ///< nothing but Coulomb friction in three rows
};

}  // namespace cairn
