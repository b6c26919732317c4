// SPDX-License-Identifier: Apache-2.0
// The default: Gauss-Seidel while it is quick, proximal Newton where forces must travel far, Gauss-Seidel again where that costs too much.
#pragma once
#include "cairn/solvers/gauss_seidel.h"
#include "cairn/solvers/proximal_newton.h"

namespace cairn {

class AutoSolver final : public Solver {
 public:
  struct Settings {
    double tolerance = 1e-8;
    int quick_sweeps = 8;
    int max_iterations = 2000;
    double max_cost = 3e7;

    void describe(ParameterVisitor& v) {
      v.real("tolerance", tolerance, "", positive, "scaled residual at which the problem counts as solved");
      v.integer("quick_sweeps", quick_sweeps, {1, 1e9, false}, "Gauss-Seidel sweeps tried before Newton");
      v.integer("max_iterations", max_iterations, {1, 1e9, false}, "Gauss-Seidel sweeps where Newton is not possible");
      v.real("max_cost", max_cost, "", positive, "multiplications per Newton factorisation up to which Newton is used");
    }
  };

  explicit AutoSolver(const Settings& settings);
  std::string_view name() const override { return "auto"; }
  double tolerance() const override { return settings_.tolerance; }
  bool supports(LawKind) const override { return true; }
  SolveReport solve(const LocalProblem& problem, VecX& r) override;
  SolveReport solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) override;

 private:
  template <class Quick, class Newton, class Long>
  SolveReport chain(Quick&& quick, Newton&& newton, Long&& rest);

  Settings settings_;
  GaussSeidel quick_, long_;
  ProximalNewton newton_;
};

}  // namespace cairn
