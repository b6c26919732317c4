// SPDX-License-Identifier: Apache-2.0
// Spectral projected gradient: Barzilai-Borwein steps with a nonmonotone line search (Birgin, Martinez and Raydan 2000,
// SPG2; the "BB" solver of Chrono), with De Saxce's shift as an outer fixed point so that it ends on the true law.
//
//   d = P_K(y - alpha g) - y,  g = W y + b + s,  y <- y + lambda d
// alpha alternates between |d|^2/(d'W d) and (d'W d)/|W d|^2. lambda = 1 while f <= max of the last values + 1e-4 g.d,
// else the exact minimum -g.d/(d'W d) of f = y'W y/2 + (b + s).y along d. One product with W per iteration.
#pragma once
#include "cairn/solvers/study/scaled_problem.h"

namespace cairn {

class SpectralGradient final : public Solver {
 public:
  struct Settings : FirstOrderSettings {
    int memory = 10;
    double shift_ratio = 0.5;

    Settings() { max_iterations = 100000; }
    void describe(ParameterVisitor& v) {
      describe_first_order(v);
      v.integer("memory", memory, {1, 1000, false}, "values of f the line search looks back on; 1: monotone");
      v.real(
          "shift_ratio", shift_ratio, "", positive,
          "the shift mu |U_T| is renewed once the residual with the old one is below this share of the true residual");
    }
  };

  explicit SpectralGradient(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "spectral-gradient"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
  ScaledProblem scaled_;
  IterationRecord record_;
  VecX y_, V_, d_, Wd_, s_, fresh_;
  std::vector<double> values_;  ///< last values of f, a ring
};

}  // namespace cairn
