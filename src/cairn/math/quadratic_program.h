// SPDX-License-Identifier: Apache-2.0
// Dense convex quadratic programs by the dual active-set method of Goldfarb and Idnani (Math. Programming 27, 1983),
// the method of the QL code behind Kaufman's Staggered Projections (thesis 2009, section 5.3.6).
//
//   minimise 1/2 x'Gx + a'x   subject to   Ce'x + ce0 = 0,   Ci'x + ci0 >= 0.
// The iteration starts at the unconstrained minimum and adds one violated constraint at a time, so that the multipliers
// stay admissible and the objective only grows: it ends after finitely many steps, or proves that nothing is feasible.
//
// G singular (redundant contacts): a proximal term shift/2 |x - x_k|^2 makes each program strictly convex, and steps
// x_k -> x_k+1 remove its effect: the gradient error of the original program is exactly shift (x_k+1 - x_k).
#pragma once
#include "cairn/math/types.h"

#include <span>
#include <string_view>
#include <vector>

namespace cairn {

/// Unbounded: only with a shift, when the objective falls forever along a direction that stays feasible.
enum class QuadraticStatus { Optimal, Infeasible, Unbounded, NotDefinite, IterationLimit };
std::string_view to_string(QuadraticStatus status);

/// C'x + c0, one column of C per constraint.
struct LinearConstraints {
  MatX C{};
  VecX c0{};
  int count() const { return static_cast<int>(c0.size()); }
};

struct QuadraticSolution {
  QuadraticStatus status = QuadraticStatus::Optimal;
  VecX x;
  VecX equality_multipliers;  ///< G x + a = Ce y + Ci u
  VecX multipliers;           ///< u >= 0 of the inequalities
  std::vector<int> active;    ///< inequalities in the final working set
  int iterations = 0;         ///< constraints added and dropped
  int proximal_steps = 0;
};

/// One matrix G, factorised once, for many programs.
class DualActiveSet {
 public:
  /// `relative_shift` times the mean diagonal of G is the weight of the proximal term; 0 asks for G positive definite.
  explicit DualActiveSet(const MatX& G, double relative_shift = 0);
  bool definite() const { return definite_; }
  int size() const { return static_cast<int>(G_.rows()); }

  /// `start`: centre of the first proximal term (empty: 0), without effect when there is no shift. `first`:
  /// inequalities tried before all others when they are violated, e.g. those of the last solution.
  QuadraticSolution solve(const VecX& a, const LinearConstraints& equalities, const LinearConstraints& inequalities,
                          const VecX& start = {}, std::span<const int> first = {}) const;

 private:
  MatX G_, J_;  ///< J J' = (G + shift 1)^-1
  double shift_ = 0;
  bool definite_ = false;
};

/// Strictly convex program in one call.
QuadraticSolution solve_quadratic_program(const MatX& G, const VecX& a, const LinearConstraints& equalities,
                                          const LinearConstraints& inequalities);

}  // namespace cairn
