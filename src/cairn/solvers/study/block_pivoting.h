// SPDX-License-Identifier: Apache-2.0
// Block principal pivoting for the bounded Mlcp (Judice and Pires 1994; Hewlett 7.8), with Murty's single pivots when
// it stops making progress, and box friction whose bounds follow the normal impulses.
#pragma once
#include "cairn/problem/polyhedral.h"
#include "cairn/solvers/solver.h"

#include <functional>
#include <vector>

namespace cairn {

/// Which bound a variable is at: free variables have w = 0.
enum class PivotState : signed char { Lower = -1, Free = 0, Upper = 1 };

struct BlockPivotRun {
  bool solved = false;
  bool singular = false;  ///< a block of free rows could not be solved
  int iterations = 0;     ///< sets tried
  int single = 0;         ///< of them reached by Murty's rule
};

/// Solves p from the given states, for M with positive principal minors in finitely many steps. `allowed` caps the
/// steps.
BlockPivotRun run_block_pivoting(const Mlcp& p, std::vector<PivotState>& states, VecX& z, int allowed,
                                 const std::function<bool()>& expired);

class BlockPivoting final : public Solver {
 public:
  struct Settings : SolverLimits {
    int max_passes = 100;
    bool refine = true;
    int max_unknowns = 3000;

    Settings() { max_iterations = 5000; }
    void describe(ParameterVisitor& v) {
      describe_limits(v);
      v.integer("max_passes", max_passes, {1, 1e6, false}, "updates of the friction bounds mu r_N");
      v.boolean("refine", refine, "finish on the true cone by Newton's method once the box model is solved");
      v.integer("max_unknowns", max_unknowns, {1, 20000, false}, "size above which it declines (too-costly)");
    }
  };

  explicit BlockPivoting(const Settings& settings) : settings_(settings) {}
  std::string_view name() const override { return "block-pivoting"; }
  const SolverLimits& limits() const override { return settings_; }
  bool supports(const ConstraintLaw& law) const override { return !law.has_ellipsoid(); }

 private:
  SolveReport run(const ContactProblem& problem, VecX& r, const Budget& budget) override;
  Settings settings_;
};

}  // namespace cairn
