// SPDX-License-Identifier: Apache-2.0
// Accelerated projected gradient descent (Nesterov), after Mazhar, Heyn, Negrut and Tasora 2015 (ACM TOG 34(3),
// algorithm 1), here on the true law of Coulomb: the shift of De Saxce is frozen while it is not the larger error.
//
//   p = P_K(y - g / L),  g = W y + b + s;   L doubles until  d'W d <= L |d|^2,  d = p - y, and shrinks by 0.9 after;
//   y = p + beta (p - p_old) with Nesterov's beta;  restart (y = p) where g.(p - p_old) > 0 (O'Donoghue and Candes).
// One product with W per trial step: W y follows from W p and W p_old.
#pragma once
#include "cairn/solvers/study/scaled_problem.h"

namespace cairn {

class Apgd final : public Solver {
 public:
  struct Settings : FirstOrderSettings {
    double shrink = 0.9;
    double shift_ratio = 0.5;

    Settings() { max_iterations = 100000; }
    void describe(ParameterVisitor& v) {
      describe_first_order(v);
      v.real("shrink", shrink, "", {0, 1, true}, "factor on the Lipschitz estimate after each iteration");
      v.real(
          "shift_ratio", shift_ratio, "", positive,
          "the shift mu |U_T| is renewed once the residual with the old one is below this share of the true residual");
    }
  };

  explicit Apgd(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "apgd"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
  ScaledProblem scaled_;
  IterationRecord record_;
  VecX y_, Vy_, p_, Vp_, old_, Vold_, s_, fresh_, g_;
};

}  // namespace cairn
