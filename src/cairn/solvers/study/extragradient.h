// SPDX-License-Identifier: Apache-2.0
// Extragradient method with a self-adaptive step on the variational inequality of the true law (Korpelevich 1976;
// Khobotov 1987; He and Liao 2002; "EG" of Acary, Bremond and Huber's RR-9118).
//
// With F(y) = W y + b + De Saxce's shift:  p = P_K(y - tau F(y)),  y <- P_K(y - gamma a tau F(p)),
//   d = y - p - tau (F(y) - F(p)),  a = (y - p).d / |d|^2,
// where tau is cut until tau |F(y) - F(p)| <= nu |y - p| and grows where that holds easily. No matrix is factorised, no
// symmetry used; where F is monotone the distance to the solutions never grows. Two products with W per iteration.
#pragma once
#include "cairn/solvers/study/scaled_problem.h"

namespace cairn {

class Extragradient final : public Solver {
 public:
  struct Settings : FirstOrderSettings {
    double contraction = 0.9;
    double relaxation = 1.8;

    Settings() { max_iterations = 100000; }
    void describe(ParameterVisitor& v) {
      describe_first_order(v);
      v.real("contraction", contraction, "", {0, 1, true, true},
             "bound nu of tau |F(y) - F(p)| / |y - p|: the step is cut above it");
      v.real("relaxation", relaxation, "", {0, 2, true, true}, "gamma: how far along the corrected direction");
    }
  };

  explicit Extragradient(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "extragradient"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
  ScaledProblem scaled_;
  IterationRecord record_;
  VecX y_, p_, F_, Fp_, V_;
};

}  // namespace cairn
