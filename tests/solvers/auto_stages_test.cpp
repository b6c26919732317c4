// SPDX-License-Identifier: Apache-2.0
// The stages of `auto`, each by itself: honest, never worse than the start, and only where it applies.
#include "cairn/solvers/auto_stages.h"

#include <gtest/gtest.h>

#include <set>

#include "solvers/random_problem.h"

namespace cairn {
namespace {

constexpr double tolerance = 1e-8;

SolverLimits limits() {
  SolverLimits limits;
  limits.tolerance = tolerance;
  return limits;
}

struct Outcome {
  VecX x;
  SolveReport report;
  double before = 0, after = 0;
};

/// Stages from a few sweeps on; residuals recomputed.
Outcome run(const PairProblem& problem, std::span<const NewtonStage> stages) {
  VelocitySpace space;
  space.set(problem);
  EXPECT_TRUE(space.plan(INFINITY));
  Outcome out;
  out.x = VecX::Zero(space.laws().total());
  space.prepare_sweeps(out.x);
  for (int k = 0; k < 3; ++k) space.sweep(out.x, true);
  VecX U;
  space.velocity(out.x, U);
  out.before = space.laws().residual(out.x, U);
  NewtonStages(limits(), 1e9).run(space, out.x, out.before, out.report, Budget{}, {}, stages);
  space.velocity(out.x, U);
  out.after = space.laws().residual(out.x, U);
  return out;
}

TEST(NewtonStages, each_alone_is_honest_and_never_worse_than_its_start) {
  int solved = 0;
  for (unsigned seed = 0; seed < 4; ++seed) {
    const PairProblem problem = random_problem(seed, 12, 20, 2, 0.5);
    for (const NewtonStage& stage : newton_stages()) {
      const Outcome out = run(problem, std::span(&stage, 1));
      EXPECT_LE(out.after, out.before) << stage.name;
      EXPECT_NEAR(out.report.residual.scaled, out.after, 1e-12) << stage.name;
      EXPECT_EQ(out.report.residual.scaled <= tolerance, out.after <= tolerance) << stage.name;
      if (out.after <= tolerance) {
        EXPECT_EQ(out.report.status, SolveStatus::Converged) << stage.name;
        ++solved;
      }
    }
  }
  EXPECT_GT(solved, 20);  // most of those that apply at this distance
}

TEST(NewtonStages, together_solve_what_one_of_them_solves) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Outcome out = run(random_problem(seed, 12, 20, 2, 0.5), newton_stages());
    EXPECT_EQ(out.report.status, SolveStatus::Converged) << seed;
    EXPECT_LE(out.after, tolerance) << seed;
  }
}

TEST(NewtonStages, a_stage_that_does_not_apply_does_nothing) {
  const PairProblem problem = random_problem(1, 12, 20, 2, 0.5);
  const NewtonStage far{"too far", NewtonStage::Method::Natural, 0, 0, 0, 1e-12};
  const NewtonStage others{"not of cones", NewtonStage::Method::Proximal, 0, 3000, 1e-3,
                           INFINITY,       NewtonStage::Laws::Others};
  for (const NewtonStage& stage : {far, others}) {
    const Outcome out = run(problem, std::span(&stage, 1));
    EXPECT_EQ(out.report.iterations, 0) << stage.name;
    EXPECT_EQ(out.after, out.before) << stage.name;
  }
}

TEST(NewtonStages, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const NewtonStage& stage : newton_stages()) EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
}

}  // namespace
}  // namespace cairn
