// SPDX-License-Identifier: Apache-2.0
// The two projections of Kaufman's Staggered Projections (thesis 2009, section 5.3) on a local problem.
//
// Contact: normal impulses, bilateral and interval rows, with friction fixed. Friction: tangential (and rolling) rows
// with the normal impulses fixed. Both minimise 1/2 (x - x0)'S(x - x0) + U(x0)'(x - x0), S the symmetric part of their
// rows of W and U the exact velocity at the present impulses x0: where x = x0 is the minimum, U obeys the law also when
// W is not symmetric. Redundant impulses stay where they are as far as the law lets them.
//
// Unknowns are scaled per set by the root of the mean diagonal of S: radii and impulses of one set share that factor,
// but for the ellipses of orthotropic friction, which the scaling makes round.
#pragma once
#include "cairn/math/quadratic_program.h"
#include "cairn/problem/local_problem.h"
#include "cairn/solvers/study/staggered_quadratic.h"

#include <array>
#include <memory>

namespace cairn {

class StaggeredStage {
 public:
  enum class Part { Contact, Friction };
  struct Options {
    bool polygons = false;  ///< friction in inscribed polygons instead of discs
    int facets = 8;
    int direct_rows = 24;  ///< up to this many rows by the dual active-set method, where all sets are polyhedra
  };
  struct Outcome {
    bool solved = false;
    bool unbounded = false;  ///< impulses can grow forever: no velocity is admissible
  };

  StaggeredStage(const LocalProblem& problem, Part part, const Options& options);
  bool empty() const { return rows_.empty(); }
  const std::vector<int>& rows() const { return rows_; }
  /// Factors that make impulses of these rows comparable: x = scale r.
  const VecX& scale() const { return scale_; }

  /// Friction: bounds from the normal impulses in r.
  void set_bounds(const VecX& r);
  /// Moves the rows of r to the nearest point of their sets.
  void clip(VecX& r) const;
  /// Replaces the rows of r by the projection; U = W r + b at the given r. `residual` [m/s] bounds the natural map.
  Outcome project(const VecX& U, VecX& r, double residual, double seconds, const Budget& budget);
  /// Natural map of these sets, |scale^2 r - P(scale^2 r - U)| [m/s]: zero when project() would change nothing.
  double residual(const VecX& U, const VecX& r) const;
  /// d' S d over the rows, d a difference of impulses: the kinetic energy metric of the thesis, times two.
  double metric(const VecX& d) const;

 private:
  struct Bound {
    int normal_row = -1;                  ///< row of r whose value times mu bounds the set; -1: mu alone does
    double mu = 0;                        ///< 0: not a set of friction
    std::array<double, 2> stretch{1, 1};  ///< axes of an ellipse over the largest of them
  };
  void add_set(StaggeredSet set, int first_row, Bound bound, double fallback_scale, const LocalProblem& problem);
  bool solve_direct(const VecX& x0, const VecX& g0, VecX& x, Outcome& outcome);

  Options options_;
  std::vector<int> rows_;  ///< of the problem
  VecX scale_;
  std::vector<Bound> bounds_;
  std::vector<double> set_scale_;
  StaggeredQuadratic quadratic_;
  std::vector<StaggeredSet> pending_;  ///< sets before the matrix is known

  bool direct_ = false;
  std::unique_ptr<DualActiveSet> dual_;
  std::vector<int> dual_rows_, last_active_;
};

}  // namespace cairn
