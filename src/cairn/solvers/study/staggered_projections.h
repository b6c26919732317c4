// SPDX-License-Identifier: Apache-2.0
// Staggered Projections: contact with friction fixed and friction with contact fixed, in turn (D. M. Kaufman, "Coupled
// Principles for Computational Frictional Contact Mechanics", Rutgers 2009, chapter 5, algorithm 1).
//
// Each half is a convex quadratic problem (staggered_stage.h); a pair of impulses that neither half changes obeys the
// exact law of Signorini and Coulomb, which is not itself a minimisation. The iteration contracts by cos^2 of the least
// angle between the contact and friction subspaces where contacts stick, and by mu/mu_crit where they slide, mu_crit
// being Painleve's coefficient (solvers/study/subspace_angle.h): beyond it the plain iteration need not converge.
//
// With polygons in place of discs the law itself differs: its solution is returned as Stalled, with a message, unless
// it meets Coulomb's law too (all contacts stick). Ours: the true residual decides; normal impulses are relaxed when it
// stops falling; Anderson acceleration of the fixed point. `acceleration` 0 and `adaptive` false give the thesis'
// algorithm.
#pragma once
#include "cairn/solvers/solver.h"
#include "cairn/solvers/study/staggered_stage.h"

namespace cairn {

class StaggeredProjections final : public Solver {
 public:
  enum class Friction { Disc, Polygon };
  enum class Order { Staggered, Parallel };

  struct Settings : SolverLimits {
    Friction friction = Friction::Disc;
    int facets = 8;
    Order order = Order::Staggered;
    double relaxation = 1;
    bool adaptive = true;
    int acceleration = 6;
    double relative_change = 0;
    bool end_with_contact = false;
    int direct_rows = 24;

    void describe(ParameterVisitor& v) {
      describe_limits(v);
      static constexpr std::string_view frictions[] = {"disc", "polygon"};
      static constexpr std::string_view orders[] = {"staggered", "parallel"};
      v.choice("friction", friction, frictions, "exact disc of Coulomb, or the regular polygon inscribed in it");
      v.integer("facets", facets, {4, 256, false}, "corners of the polygon, an even number");
      v.choice("order", order, orders, "one projection after the other, or both from the same impulses (Jacobi)");
      v.real("relaxation", relaxation, "", {0, 1, true, false}, "share of each contact projection that is taken");
      v.boolean("adaptive", adaptive, "lower the relaxation when the residual stops falling");
      v.integer("acceleration", acceleration, {0, 50, false}, "iterates of Anderson's acceleration; 0: none");
      v.real("relative_change", relative_change, "", non_negative,
             "stop also when friction changes by less (ratio of squared norms, as in the thesis); 0: off");
      v.boolean("end_with_contact", end_with_contact,
                "when not converged end with a contact projection: no penetration, approximate friction");
      v.integer("direct_rows", direct_rows, {0, 2000, false},
                "rows up to which polyhedral projections are solved by the dual active-set method");
    }
  };

  explicit StaggeredProjections(const Settings& settings);
  std::string_view name() const override { return "staggered-projections"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw& law) const override { return !law.has_ellipsoid(); }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
};

}  // namespace cairn
