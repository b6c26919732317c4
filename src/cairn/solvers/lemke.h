// SPDX-License-Identifier: Apache-2.0
// Lemke's complementary pivoting on the Stewart-Trinkle LCP of a contact problem (Cottle, Pang and Stone 2009, 4.4;
// Kaufman 2009, 2.5.7), with facets that turn to the sliding directions until the true cone is met.
#pragma once
#include "cairn/problem/polyhedral.h"
#include "cairn/solvers/solver.h"

#include <functional>

namespace cairn {

/// What complementary pivoting found for an Mlcp.
struct MlcpAnswer {
  VecX z;
  double residual = 0;  ///< of the Mlcp
  int pivots = 0;
  bool ray = false;         ///< the last path ended in a ray
  bool infeasible = false;  ///< and M is monotone (or the equations contradict each other): there is no solution
  bool expired = false;     ///< stopped by `expired` or by `max_pivots`
  std::string how;          ///< in words
};

/// Lemke's method from the basis of `warm` (if any), from zero, from further covering vectors, and at last from where a
/// Fischer-Burmeister Newton iteration ends. Done when the residual is at most `goal`.
MlcpAnswer solve_by_lemke(const Mlcp& problem, const VecX& warm, double goal, int max_pivots,
                          const std::function<bool()>& expired);

class Lemke final : public Solver {
 public:
  struct Settings : SolverLimits {
    int facets = 8;
    bool refine = true;
    int max_unknowns = 2000;

    Settings() { max_iterations = 100000; }
    void describe(ParameterVisitor& v) {
      describe_limits(v);
      v.integer("facets", facets, {4, 64, false}, "edges of the friction polygon in space; even");
      v.boolean("refine", refine, "turn the facets to the sliding directions until the true cone is met");
      v.integer("max_unknowns", max_unknowns, {1, 20000, false},
                "size of the complementarity problem above which it declines (too-costly)");
    }
  };

  /// Throws Error when `facets` is odd.
  explicit Lemke(const Settings& settings);
  std::string_view name() const override { return "lemke"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw& law) const override { return !law.has_ellipsoid(); }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
};

/// Semismooth Newton on the natural map of the true laws from r (scaled): what a polyhedral answer lacks at the end.
/// Returns |F|; r changes only if |F| falls.
double finish_on_cone(const BalancedProblem& problem, VecX& r, double goal, int max_iterations);

}  // namespace cairn
