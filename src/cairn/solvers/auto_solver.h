// SPDX-License-Identifier: Apache-2.0
// The default: Gauss-Seidel while it is quick, proximal Newton where forces must travel far, Gauss-Seidel again where
// that costs too much.
#pragma once
#include "cairn/solvers/gauss_seidel.h"
#include "cairn/solvers/proximal_newton.h"

namespace cairn {

class AutoSolver final : public Solver {
 public:
  struct Settings {
    double tolerance = 1e-8;
    int quick_work = 4000;
    int max_iterations = 2000;
    double newton_cost = 4000;
    int newton_bodies = 500;

    void describe(ParameterVisitor& v) {
      v.real("tolerance", tolerance, "", positive, "scaled residual at which the problem counts as solved");
      v.integer("quick_work", quick_work, {1, 1e9, false},
                "contact updates by Gauss-Seidel before Newton is tried (at least 8 sweeps)");
      v.integer("max_iterations", max_iterations, {1, 1e9, false}, "Gauss-Seidel sweeps where Newton is not possible");
      v.real("newton_cost", newton_cost, "", positive,
             "multiplications per contact and factorisation up to which Newton is used");
      v.integer("newton_bodies", newton_bodies, {1, 1e9, false}, "bodies in contact up to which Newton is used");
    }
  };

  explicit AutoSolver(const Settings& settings);
  std::string_view name() const override { return "auto"; }
  double tolerance() const override { return settings_.tolerance; }
  bool supports(LawKind) const override { return true; }
  SolveReport solve(const LocalProblem& problem, VecX& r) override;
  SolveReport solve(const PairProblem& problem, std::vector<Vec3>& r, Threads threads) override;

 private:
  template <class Sweeps, class Newton>
  SolveReport chain(std::size_t contacts, Sweeps&& sweeps, Newton&& newton);

  Settings settings_;
  GaussSeidel gauss_seidel_;
  ProximalNewton newton_;
};

}  // namespace cairn
