// SPDX-License-Identifier: Apache-2.0
// What `auto` tries on constraints that sweeps do not solve: its stages as data, in their order, each of which can be
// run alone. All work on one space (prox_space.h) from one start; the best iterate of all is what counts.
#pragma once
#include "cairn/solvers/interior_point.h"
#include "cairn/solvers/natural_newton.h"
#include "cairn/solvers/proximal_newton.h"
#include "cairn/solvers/shift_path.h"

#include <functional>

namespace cairn {

struct NewtonStage {
  enum class Method : std::uint8_t {
    Natural,   ///< Newton on the natural map
    Turns,     ///< the same in turn with as many sweeps as a factorisation costs, where those are many
    Proximal,  ///< proximal Newton
    Interior,  ///< interior point method, from the start
    Lagged,    ///< the same, De Saxce's shift lagged
    Centre,    ///< the convex problem of the shift that was found, then proximal Newton, in turn
    Rounds,    ///< proximal Newton from the best point with one compliance after another, as long as that gains
    Path,      ///< along the path of De Saxce's shift; may find that there is no solution
  };
  enum class Laws : std::uint8_t { Any, Cones, Others };

  std::string_view name;
  Method method;
  int sweeps = 0;                                          ///< first
  int iterations = 2000;                                   ///< of proximal Newton, at most
  double compliance = 1e-3;                                ///< of proximal Newton, at the start
  double below = std::numeric_limits<double>::infinity();  ///< applies to a best residual below this
  Laws laws = Laws::Any;                                   ///< applies where all laws are cones, or some are not
  bool soft = false;                                       ///< from the start, with ten times the proximal term
};

/// In the order in which `auto` tries them.
std::span<const NewtonStage> newton_stages();

/// Sweeps that a factorisation of a planned space costs.
template <class Space>
double sweeps_per_factorisation(const Space& space) {
  constexpr double sweep_cost = 150;  // multiplications per constraint
  return 2 * space.cost() / (sweep_cost * std::max(1, space.laws().size()));
}
/// From when on a factorisation counts as expensive, in sweeps.
constexpr double expensive_factorisation = 100;

class NewtonStages {
 public:
  /// work: multiplications in all factorisations, or 300 factorisations where that is more.
  NewtonStages(const SolverLimits& limits, double work);
  /// Fraction of the tolerance that Newton's method aims at once it has met that.
  void set_overshoot(double share) { natural_.set_overshoot(share); }

  /// Plain sweeps over scaled impulses, where there are cheaper ones than those of the space.
  using FastSweeps = std::function<void(VecX& x, int sweeps)>;
  /// Stage after stage until one solves it, on a space that is set and planned, from scaled impulses x of the given
  /// residual. Leaves the best in x; fills status, iterations (added to those there) and the scaled residual.
  template <class Space>
  void run(Space& space, VecX& x, double residual, SolveReport& report, const Budget& budget,
           const FastSweeps& fast_sweeps = {}, std::span<const NewtonStage> stages = newton_stages());

 private:
  template <class Space>
  struct Run;

  SolverLimits limits_;
  double work_;
  NaturalNewton natural_;
  ProximalNewton proximal_;
  InteriorPoint interior_, lagged_, held_;
  ShiftPath path_;
  VecX best_, start_;
};

}  // namespace cairn
