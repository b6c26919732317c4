// SPDX-License-Identifier: Apache-2.0
// De Saxce's shift brought in along a path: the way to a solution where Newton's method finds only hollows.
//
// With the shift held at s0 the problem is convex and has one solution; with the shift that belongs to its own velocity
// it is Coulomb's. Between them, in scaled variables, for t from 0 to 1:
//   F(r, t) = r - P_K(r - V),   V = U + ((1 - t) s0 + t s(U)) e_N - (1 - t) q0 + eps (r - c),   U = W r + b
// c = P_K(r0 - U~(r0)) is near the start r0, s0 its shift, and q0 what its velocity lacks: then c solves t = 0 exactly.
// For every t the velocity is bounded whatever the shift is, so the shift that a convex problem gives back maps a ball
// into itself, and the solutions of all t contain a piece that joins t = 0 with t = 1 (Browder 1960, Summa Bras. Math.
// 4; the same argument gives existence: Acary, Cadoux, Lemarechal and Malick 2011, ZAMM 91(2)). It is piecewise smooth
// and may run back in t. It is followed by its arc length, by tangent and Newton's method, and the sign of the
// determinant says which way is on (Allgower and Georg 1990, Numerical Continuation Methods, sections 2 and 12): dt has
// the sign of det dF/dr, which is that of det(1 + A' B A). Where a contact changes its state the path has a kink; there
// the tangent is taken from beyond it.
//
// eps keeps dF/dr regular where W has no full rank, and makes every problem solvable. At t = 1 the residual is
// eps |r - c|: the path is followed again from there, with smaller eps where that gains little, until the tolerance is
// met. Where the residual stays the same over three decades of eps, impulses grow without bound: strong evidence that
// there is no solution, told by the status infeasible. Rank-deficient and unsymmetric W are as good as others; what it
// needs are factorisations: some hundred on problems of some hundred contacts.
#pragma once
#include "cairn/solvers/prox_space.h"
#include "cairn/solvers/solver.h"

namespace cairn {

class ShiftPath {
 public:
  struct Settings : SolverLimits {
    double compliance = 1e-2;  ///< eps of the first path; later ones are stiffer as progress asks
    Settings() { max_iterations = 2000; }
  };
  explicit ShiftPath(const Settings& settings) : settings_(settings) {}
  void set_max_iterations(int iterations) { settings_.max_iterations = iterations; }
  /// On a space that is set and planned; r in scaled variables, the best iterate out. Fills status, iterations
  /// (factorisations, added to those there) and the scaled residual.
  template <class Space>
  void iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget);

 private:
  /// Sets up the path that begins near r; r_ is its start.
  template <class Space>
  void begin(Space& space, const VecX& r, double eps);
  /// F_ at (r, t), where U is that of r; returns |F|.
  double evaluate(const ScaledLaws& laws, const VecX& r, const VecX& U, double t);
  /// Factorises dF/dr at (r, t), of which the space is at r.
  template <class Space>
  bool factorise(Space& space, const VecX& r, double t);
  /// (dF/dr)^-1 of the right-hand side c = C^-1 F of the blocks C (see the source), with the last factorisation.
  template <class Space>
  bool solve(Space& space, const VecX& c, VecX& x);
  /// From (r_, t_) with a tangent to the next point on the path; false when Newton does not get there.
  template <class Space>
  bool take(Space& space, double length);
  /// Unit tangent at (r, t), the way the determinant says.
  template <class Space>
  bool update_tangent(Space& space, const VecX& r, double t);
  /// Follows the path from its begin; false when it gets stuck or the budget ends.
  template <class Space>
  bool follow(Space& space, double length, const SolveReport& report, const Budget& budget);
  bool over(const SolveReport& report, const Budget& budget) const;

  Settings settings_;
  double eps_ = 0, t_ = 0, unit_ = 1, aim_ = 0;
  VecX centre_, shift0_, lack_;  ///< c, s0 e_N, q0
  VecX r_, tangent_, trial_, ahead_, step_;
  double tangent_t_ = 0, trial_t_ = 0;
  int newton_steps_ = 0;               ///< of the last take()
  int factorisations_ = 0, last_ = 0;  ///< since iterate() began, and how many it may make
  LawBlocks B_, inverse_;              ///< C^-1 D S and C^-1
  VecX F_, Ft_, c_, x_, xt_, U_, y_;
};

}  // namespace cairn
