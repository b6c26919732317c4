// SPDX-License-Identifier: Apache-2.0
// Primal-dual interior point method on the friction cones with De Saxce's shift inside the iteration, in velocity space
// or contact space (prox_space.h): high accuracy where the forces are not unique.
//
// x = (mu r_N, r_T) and y = ((U_N + mu |U_T|)/mu, U_T) in the second-order cone, x o y = sigma mu_bar e. Nesterov-Todd
// scaling, Mehrotra's predictor and corrector (Alizadeh and Goldfarb 2003; Andersen, Roos and Terlaky 2003; for contact
// Acary, Armand, Nguyen and Shpakovych 2023). Newton's matrix is 1 + A' P A with P = S^-1 V^-2 S^-1 per contact, as in
// proximal methods; with the shift linearised it is unsymmetric. With the shift held as it is at the start the problem
// is convex and always solved; its impulses lie in the middle of what is admissible, which makes them a good start for
// others.
#pragma once
#include "cairn/solvers/prox_space.h"
#include "cairn/solvers/solver.h"

namespace cairn {

class InteriorPoint final : public Solver {
 public:
  enum class Shift { Linearised, Lagged, Held };
  struct Settings : SolverLimits {
    Shift shift = Shift::Linearised;
    int sweeps = 10;
    double max_cost = 4e9;

    Settings() { max_iterations = 100; }
    void describe(ParameterVisitor& v) {
      static constexpr std::string_view shifts[] = {"linearised", "lagged", "held"};
      describe_limits(v);
      v.choice("shift", shift, shifts,
               "De Saxce's shift: part of Newton's matrix, from the last iterate, or as it is at the start (convex)");
      v.integer("sweeps", sweeps, {0, 1e6, false}, "sweeps of Gauss-Seidel that find the starting point");
      v.real("max_cost", max_cost, "", positive, "multiplications per factorisation beyond which it declines");
    }
  };

  /// As a stage of other solvers: from the point it is given.
  static Settings stage(const SolverLimits& limits, Shift shift) {
    Settings settings;
    settings.tolerance = limits.tolerance;
    settings.max_iterations = 80;
    settings.sweeps = 0;
    settings.shift = shift;
    return settings;
  }

  explicit InteriorPoint(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "interior-point"; }
  const SolverLimits& limits() const override { return settings_; }
  /// Laws of one second-order cone in up to three rows. Orthotropic friction along one tangent only is none.
  bool supports(const ConstraintLaw& law) const override {
    if (law.kind == LawKind::Orthotropic) return (law.mu > 0) == (law.mu_2 > 0);
    return law.kind == LawKind::Coulomb || law.kind == LawKind::Frictionless || law.kind == LawKind::Bilateral;
  }
  /// On a space that others use too; r scaled, in and out. The residual is in scaled variables' own measure e_scaled.
  template <class Space>
  void iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget);

 private:
  template <class Space>
  struct Run;
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  /// Scaling of one contact: V and its inverse (symmetric, at most 3 x 3), and lambda = V x = V^-1 y.
  struct Scaling {
    Mat3 V = Mat3::Zero(), inverse = Mat3::Zero();
    Vec3 lambda = Vec3::Zero();
  };
  Settings settings_;
  ContactSpace contact_;
  VelocitySpace velocity_;
  std::vector<Scaling> scaling_;
  LawBlocks blocks_;
};

}  // namespace cairn
