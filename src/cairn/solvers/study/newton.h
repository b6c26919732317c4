// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton methods in contact space: F(W r + b, r) = 0 for the whole problem at once, by
//   (dF/dU (W + eps I) + dF/dr) dr = -F,   r <- r + alpha dr,
// with the functions of newton_functions.h, or Koziara's directions NEWT, HYB, FIX, UNIL and his driver SCSOL (thesis,
// sections 11.2 and 13.3). eps, which fades with the residual, is a proximal term: it does not move the solution, and
// makes the systems regular where W has no full rank. docs/newton.md says what converges where.
//
// The default, the natural map with a line search, factorises in velocity space (natural_newton.h) where the problem
// comes with its bodies and they have fewer degrees of freedom than the constraints have rows.
#pragma once
#include "cairn/solvers/natural_newton.h"
#include "cairn/solvers/solver.h"
#include "cairn/solvers/study/newton_functions.h"

namespace cairn {

class Newton final : public Solver {
 public:
  enum class Variant { Jacobian, Newt, Hyb, Fix, Unil };
  enum class Globalisation { None, LineSearch, Scsol };
  enum class Rho { Trace, Spectral, Split };

  struct Settings : SolverLimits {
    NewtonFunction function = NewtonFunction::NaturalMap;
    Variant variant = Variant::Jacobian;
    Globalisation globalisation = Globalisation::LineSearch;
    Rho rho = Rho::Trace;
    int memory = 10;
    int sweeps = 10;
    int restarts = 10;
    double proximal = 1e-2;

    Settings() { max_iterations = 500; }
    void describe(ParameterVisitor& v);
  };

  /// What the last solve took, beside iterations.
  struct Counts {
    int searches = 0, cuts = 0;  ///< steps that were cut, and how often
    int regularised = 0;         ///< systems that were singular as they stood
    int sweeps = 0, restarts = 0;
  };

  /// Throws Error where Koziara's variants are asked of another function than Alart-Curnier's.
  explicit Newton(const Settings& settings);
  std::string_view name() const override { return "newton"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw& law) const override;
  const Counts& counts() const { return counts_; }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  bool natural() const;
  /// On velocity_, from r, with restarts by sweeps; the best iterate in r.
  void solve_in_velocities(VecX& r, SolveReport& report, const Budget& budget);

  Settings settings_;
  Counts counts_;
  VelocitySpace velocity_;
};

}  // namespace cairn
