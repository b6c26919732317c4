// SPDX-License-Identifier: Apache-2.0
// Exact regularisation (Studer 2009, section 4.2): every law gets a slope r through an offset r*, and the offsets are
// shifted until they are the impulses; the limit is the rigid law, at any slope.
//
//   regularised law  r_i = prox_Ci(r*_i - U_i / e_i)  <=>  the problem with W + e in place of W and b - e r* of b,
//   shift            r* <- r  once the regularised problem is solved well enough;  e_c = compliance D_c.
// (Proximal point iteration.) The regularised problem has a regular matrix whatever the rank of W, and sweeps of
// SORprox solve it. With one JORprox sweep per shift and 1/e for R this is JORprox itself.
#pragma once
#include "cairn/solvers/study/prox_iteration.h"

namespace cairn {

class ExactRegularisation final : public Solver {
 public:
  struct Settings : SolverLimits {
    double compliance = 0.01;
    ProxStep step = ProxStep::REqualsG;
    double accuracy = 0.2;
    int max_sweeps = 200;

    Settings() { max_iterations = 100000; }
    void describe(ParameterVisitor& v);
  };

  explicit ExactRegularisation(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "exact-regularisation"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }
  /// Iterations are sweeps in all.

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
  LocalProblem regularised_;
  ProxIteration iteration_, measure_;
  IterationRecord record_;
  VecX e_, offset_, U_;
};

}  // namespace cairn
