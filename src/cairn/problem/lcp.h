// SPDX-License-Identifier: Apache-2.0
// Mixed linear complementarity problems with bounds, dense, and their reduction to the standard form (Cottle, Pang and
// Stone, The Linear Complementarity Problem, 2009, chapters 1 and 2).
//
//   w = M z + q,   lower <= z <= upper,   w_i = 0 inside, w_i >= 0 at the lower bound, w_i <= 0 at the upper one.
// Free rows are equations, [0, inf) complementarity, finite intervals relays (also: boxes of friction).
#pragma once
#include "cairn/problem/local_problem.h"

#include <string>
#include <vector>

namespace cairn {

struct Mlcp {
  MatX M;
  VecX q, lower, upper;

  int size() const { return static_cast<int>(q.size()); }
  VecX slack(const VecX& z) const { return M * z + q; }
};

/// Throws Error naming `owner` unless sizes fit, numbers are finite and bounds hold something.
void check_problem(const Mlcp& problem, std::string_view owner);

/// |D z - P(D z - w)| / |q| with D_i = M_ii where positive, else the mean of those (1 without any).
double compute_residual(const Mlcp& problem, const VecX& z);

/// One constraint per row: bilateral, frictionless (with [0, inf)) or interval.
LocalProblem to_local(const Mlcp& problem);

/// Whether the symmetric part of M is positive semidefinite to `tolerance` relative to its largest entry.
bool is_monotone(const MatX& M, double tolerance = 1e-10);

/// Row and column factors that bring the largest entries of rows and columns near 1 (Ruiz 2001).
void equilibrate(const MatX& A, VecX& row, VecX& column);

/// Solves again, from the data, for the entries of z that lie strictly between their bounds while the others stay:
/// up to three steps of refinement, each kept only if the residual falls. Leaves z within its bounds.
void refine_on_active_set(const Mlcp& problem, VecX& z);

/// The standard form t = M y + q, 0 <= y _|_ t >= 0 of an Mlcp. Equations are eliminated with their unknowns, together
/// with as many complementarity rows (whose z and w change roles) as make that block regular; finite intervals are
/// doubled: w = w+ - v, 0 <= v _|_ upper - z >= 0.
class LcpReduction {
 public:
  explicit LcpReduction(const Mlcp& problem);

  const MatX& M() const { return M_; }
  const VecX& q() const { return q_; }
  /// z of the Mlcp for y.
  VecX recover(const VecX& y) const;
  /// Which y are positive for such z: y_i > t_i with y and t taken from z and w.
  std::vector<char> find_basis(const VecX& z) const;
  /// Empty unless the equations depend on each other, contradict each other or lack unknowns.
  const std::string& remark() const { return remark_; }
  /// No z satisfies the equations, whatever the other rows.
  bool contradictory() const { return contradictory_; }

 private:
  void eliminate(const std::vector<int>& free, const std::vector<int>& kept);
  std::vector<int> choose_exchanged(const std::vector<int>& free, const std::vector<int>& kept) const;

  Mlcp shifted_;             ///< lower bounds at 0, upper-only rows turned
  VecX sign_, base_;         ///< z = base + sign * shifted z
  std::vector<int> solved_;  ///< rows of the eliminated block: equations, then exchanged rows
  std::vector<int> rest_;    ///< the other rows with a variable
  int equations_ = 0;
  std::vector<int> boxed_;  ///< places in rest_ with a finite upper bound
  MatX from_rest_;          ///< z_solved = from_rest z_rest + from_exchanged w_exchanged + constant
  MatX from_exchanged_;
  VecX constant_;
  MatX M_;
  VecX q_;
  std::string remark_;
  bool contradictory_ = false;
};

}  // namespace cairn
