// SPDX-License-Identifier: Apache-2.0
// Bodies that move and bodies that rest, in turn: for structures of which a part slides and the rest only carries it.
//
// Such problems are hard because of what rests: its impulses are not unique, and Newton's method ends on the border of
// their many cones, in a hollow of the merit function. But whatever impulses hold it will do. So
//   1. bodies slower than a multiple of the residual are held (v = 0), and the contacts of the others are solved: a
//      smaller problem, M v = f + H r on the dofs of moving bodies only;
//   2. with these impulses as a load, the contacts among held bodies are solved from an interior point method, which
//      ends in the middle of the admissible impulses: where the load can be carried, their velocity is zero and both
//      parts together solve the whole problem;
//   3. where it cannot, the moving part has found another of its solutions: the whole, its impulses moved to the middle
//      of their cones, is a new start for proximal Newton, which may set other bodies free, and so on.
// It is a search: deterministic, without promise, and each round costs about a thousand factorisations.
#pragma once
#include "cairn/solvers/interior_point.h"
#include "cairn/solvers/natural_newton.h"
#include "cairn/solvers/proximal_newton.h"

#include <optional>

namespace cairn {

class RestSplit {
 public:
  struct Settings : SolverLimits {
    Settings() { max_iterations = 400000; }  // factorisations
  };
  explicit RestSplit(const Settings& settings);
  void set_max_iterations(int iterations) { settings_.max_iterations = iterations; }
  /// Whether it knows the laws; bodies must be parts of M of moderate size.
  bool supports(const GlobalProblem& problem) const;
  /// Looks for a better r than the one given. Fills status, iterations (added to those there) and the scaled residual.
  void iterate(const GlobalProblem& problem, VecX& r, SolveReport& report, const Budget& budget);

  /// The problem of the rounds to come; false if it cannot be factorised.
  bool set(const GlobalProblem& problem, const Budget& budget);
  /// One round, from scaled impulses x of the given residual: who moves, the moving part, the resting part under its
  /// load. The residual of both together, infinite where all bodies move or none.
  double split(VecX& x, double residual, int round);
  /// The whole problem, and the residual of scaled impulses.
  VelocitySpace& whole() { return whole_; }
  double residual_of(const VecX& x);

 private:
  double natural(VelocitySpace& space, VecX& x, double proximal);
  double newton(VelocitySpace& space, VecX& x, double compliance, int iterations);
  double interior(VelocitySpace& space, VecX& x);
  /// Impulses of the whole to the middle of what is admissible, the shift held.
  void recentre(VecX& x);
  /// The moving part from its own impulses and from zero; the best in x.
  double solve_moving(VelocitySpace& space, VecX& x, int round);
  int left() const;

  Settings settings_;
  NaturalNewton natural_;
  ProximalNewton newton_;
  InteriorPoint interior_, held_;
  const GlobalProblem* problem_ = nullptr;
  std::vector<int> body_;
  std::optional<MassFactor> mass_;
  VelocitySpace whole_, moving_, resting_;
  VecX U_;
  SolveReport work_;  ///< iterations of all stages
  const Budget* budget_ = nullptr;
};

}  // namespace cairn
