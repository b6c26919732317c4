// SPDX-License-Identifier: Apache-2.0
// Proximal point iteration over a semismooth Newton method: accurate also where W has no full rank.
//
// Outer step k (augmented Lagrangian, in the scaled variables of prox_space.h): with compliance eps and De Saxce's
// shift s_c = mu |U_T| of the last iterate,
//   z minimises  f(z) = |z|^2/2 + eps/2 sum_c |P_K(y_c)|^2,   y_c = r_c - (U_c(z) + s_c e_N)/eps,   then r_c <-
//   P_K(y_c).
// f is convex and once differentiable; Newton with a sparse Cholesky factorisation and an exact line search along f
// solves it, only as exactly as the outer step deserves (the inner problem is that of Castro, Permenter and Han's SAP;
// the outer one removes its compliance: Acary and Bremond's proximal point).
#pragma once
#include "cairn/solvers/prox_space.h"
#include "cairn/solvers/solver.h"

namespace cairn {

class ProximalNewton final : public Solver {
 public:
  struct Settings : SolverLimits {
    double compliance = 1e-3;
    double min_compliance = 1e-8;
    double max_cost = 4e9;
    double max_cost_per_contact = 1e9;
    double overshoot = 1;

    Settings() { max_iterations = 4000; }
    void describe(ParameterVisitor& v) {
      describe_limits(v);
      v.real("compliance", compliance, "", positive,
             "first compliance of the proximal steps, relative to W; falls as they converge");
      v.real("min_compliance", min_compliance, "", positive, "compliance below which it does not go");
      v.real("max_cost", max_cost, "", positive, "multiplications per factorisation beyond which it declines");
      v.real("max_cost_per_contact", max_cost_per_contact, "", positive, "the same per contact");
      v.real("overshoot", overshoot, "", {0, 1, true}, "share of the tolerance it aims at once the tolerance is met");
    }
  };

  explicit ProximalNewton(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "proximal-newton"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

  /// On a space that is set and planned; r in scaled variables, in and out. Fills status, iterations (added to those
  /// there) and the scaled residual.
  template <class Space>
  void iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget);
  void set_max_iterations(int iterations) { settings_.max_iterations = iterations; }
  void set_compliance(double compliance) { settings_.compliance = compliance; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  template <class Space>
  double evaluate(Space& space, double eps);
  template <class Space>
  bool newton_step(Space& space, double eps, bool roots);
  template <class Space>
  double true_evaluate(Space& space, double eps);
  template <class Space>
  bool true_newton_step(Space& space, double eps, double& gradient);
  template <class Space>
  bool true_outer_step(Space& space, double eps, double aim, int& steps);
  template <class Space>
  bool convex_outer_step(Space& space, double eps, double aim, int& steps);

  Settings settings_;
  ContactSpace contact_;
  VelocitySpace velocity_;
  LawBlocks blocks_;
  VecX centre_, shift_, y_, gamma_, U_, U_trial_, best_, trial_;
};

}  // namespace cairn
