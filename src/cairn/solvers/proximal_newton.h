// SPDX-License-Identifier: Apache-2.0
// Proximal point iteration over a semismooth Newton method in velocity space: accurate also where W has no full rank.
//
// Outer step k (augmented Lagrangian): with compliance R_c = eps trace(W_cc)/3 and De Saxce's shift s_c = mu |U_T| of
// the last iterate,
//   z minimises  f(z) = |z|^2/2 + sum_c R_c/2 |P_K(y_c)|^2,   y_c = r_c - (U_c(z) + s_c e_N)/R_c,   then r_c <-
//   P_K(y_c).
// f is convex and once differentiable; its Newton matrix I + H~' (dP_K/R) H~ couples bodies that touch, so a sparse
// block Cholesky factorisation solves it, with an exact line search along the convex f (the inner problem is that of
// Castro, Permenter and Han's SAP; the outer one removes its compliance: Acary and Bremond's proximal point).
#pragma once
#include "cairn/math/block_cholesky.h"
#include "cairn/solvers/solver.h"

namespace cairn {

class ProximalNewton final : public Solver {
 public:
  struct Settings {
    double tolerance = 1e-8;
    int max_iterations = 200;
    double compliance = 1e-3;
    int max_bodies = 20000;
    double max_cost = 2e9;
    double max_cost_per_contact = 1e9;
    double overshoot = 0.01;

    void describe(ParameterVisitor& v) {
      v.real("tolerance", tolerance, "", positive, "scaled residual at which the problem counts as solved");
      v.integer("max_iterations", max_iterations, {1, 1e9, false}, "Newton steps in all before it gives up");
      v.real("compliance", compliance, "", positive,
             "first compliance of the proximal steps, relative to W; falls as they converge");
      v.integer("max_bodies", max_bodies, {1, 1e9, false}, "bodies in contact beyond which it declines the problem");
      v.real("max_cost", max_cost, "", positive,
             "multiplications per factorisation beyond which it declines the problem");
      v.real("max_cost_per_contact", max_cost_per_contact, "", positive, "the same limit per contact");
      v.real("overshoot", overshoot, "", {0, 1, true}, "share of the tolerance it aims at once the tolerance is met");
    }
  };

  explicit ProximalNewton(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "proximal-newton"; }
  double tolerance() const override { return settings_.tolerance; }
  bool supports(LawKind) const override { return true; }
  SolveReport solve(const LocalProblem& problem, VecX& r) override;
  SolveReport solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) override;

 private:
  bool prepare(const PairProblem& problem);
  void velocities(const PairProblem& problem, std::span<const PairVelocity> z, std::vector<Vec3>& U) const;
  double slope(const PairProblem& problem, double alpha) const;
  bool newton_step(const PairProblem& problem);
  double gradient(const PairProblem& problem);

  Settings settings_;
  BlockCholesky factor_;
  std::vector<int> node_, block_of_node_;  ///< body block <-> row of the Newton matrix
  std::vector<std::pair<int, int>> pairs_;
  std::vector<double> scale_, R_, shift_;  ///< per constraint: trace(W)/3, compliance, mu |U_T|
  std::vector<Vec3> r_, y_, gamma_, U_, dU_, best_;
  std::vector<PairVelocity> z_, dz_, grad_, scratch_;
  std::vector<Vec6> rhs_;
};

}  // namespace cairn
