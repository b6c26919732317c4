// SPDX-License-Identifier: Apache-2.0
// Projected Gauss-Seidel (SOR) row by row, the workhorse of real-time engines (Bullet, ODE; Kaufman 2.5.9, comparator
// 2): friction in a box |r_Ti| <= mu r_N, or in a regular polygon inside the disc; r_N is that of the same sweep.
#pragma once
#include "cairn/problem/polyhedral.h"
#include "cairn/solvers/solver.h"

#include <array>

namespace cairn {

class PgsLcp final : public Solver {
 public:
  struct Settings : SolverLimits {
    double relaxation = 1;
    FrictionModel::Kind friction = FrictionModel::Kind::Box;
    int facets = 8;

    void describe(ParameterVisitor& v) {
      static constexpr std::array<std::string_view, 2> kinds{"pyramid", "box"};
      describe_limits(v);
      v.real("relaxation", relaxation, "", {0.05, 1.95, false},
             "over-relaxation of each update (SOR); 1: Gauss-Seidel");
      v.choice("friction", friction, kinds, "shape that replaces the friction disc in space");
      v.integer("facets", facets, {4, 64, false}, "edges of the pyramid; even");
    }
  };

  /// Throws Error when `facets` is odd.
  explicit PgsLcp(const Settings& settings);
  std::string_view name() const override { return "pgs-lcp"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw& law) const override { return !law.has_ellipsoid(); }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  void project_friction(double radius, int tangents, double* t) const;
  void sweep(const LocalProblem& problem, const VecX& diagonal, VecX& r) const;
  /// As compute_residual, scaled, with the polygon or box of radius mu r_N in place of the disc.
  double model_residual(const LocalProblem& problem, const VecX& scales, const VecX& r, VecX& U) const;

  Settings settings_;
};

/// Nearest point of the regular polygon with vertices radius (cos, sin)(2 pi j / facets).
Vec2 project_on_polygon(const Vec2& x, double radius, int facets);

}  // namespace cairn
