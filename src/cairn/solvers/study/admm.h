// SPDX-License-Identifier: Apache-2.0
// Proximal ADMM in contact space on the true law of Coulomb (Carpentier, Le Lidec and Montaut, RSS 2024; the solver of
// Pinocchio 3): De Saxce's shift s follows the velocity in every iteration, without an outer fixed point.
//
//   (W + (eta + rho) I) x = z + rho y + eta x_old - b - s,   s <- s + sigma (mu |U_T(x)| - s) (sigma = 1 can cycle)
//   y <- P_K(x^ - z/rho),  z <- z - rho (x^ - y),  x^ = a x + (1 - a) y_old (over-relaxation)
// z tends to U~ and x - y to 0. The factorisation is kept until rho changes; rho starts from the spectrum of W, moves
// when the primal residual |x - y| and the dual one |W x + b + s - z| differ by a factor, and later where it is slow.
#pragma once
#include "cairn/solvers/study/scaled_problem.h"

#include <memory>

namespace cairn {

class Admm final : public Solver {
 public:
  struct Settings : FirstOrderSettings {
    double proximal = 1e-6;
    double rho = 0;
    double rho_power = 0.2;
    double balance = 2;
    double over_relaxation = 1.6;
    int dense_rows = 240;
    double dense_fill = 0.15;
    double shift_step = 0.5;

    Settings() { max_iterations = 20000; }
    void describe(ParameterVisitor& v) {
      describe_first_order(v);
      v.real("proximal", proximal, "", positive, "eta: proximal weight, in units of the diagonal of W");
      v.real("rho", rho, "", non_negative, "first penalty rho, in units of the diagonal of W; 0: from the spectrum");
      v.real("rho_power", rho_power, "", {0, 0.5, false, false},
             "first rho = sqrt(L eta) (L/eta)^power, L the largest eigenvalue of the scaled W");
      v.real("balance", balance, "", {1, 1e9, true}, "factor between primal and dual residual beyond which rho moves");
      v.real("over_relaxation", over_relaxation, "", {0, 2, true, true}, "a: 1 is plain ADMM");
      v.real("shift_step", shift_step, "", {0, 1, true, false},
             "share of the change of mu |U_T| taken per iteration; 1 is the published method, which can cycle");
      v.integer("dense_rows", dense_rows, {0, 1e5, false}, "rows up to which W is factorised as a dense matrix");
      v.real("dense_fill", dense_fill, "", unit_interval,
             "share of the entries a sparse factor may have before a dense one, which runs faster, is taken");
    }
  };

  explicit Admm(const Settings& settings);
  ~Admm() override;
  std::string_view name() const override { return "admm"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw&) const override { return true; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  class Factor;
  Settings settings_;
  ScaledProblem scaled_;
  IterationRecord record_;
  std::unique_ptr<Factor> factor_;
  VecX x_, y_, z_, s_, rhs_, Vx_, Vy_, skew_, old_, fresh_;
};

}  // namespace cairn
