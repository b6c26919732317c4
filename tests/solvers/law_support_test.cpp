// SPDX-License-Identifier: Apache-2.0
// Every solver of the registry with every law of the registry: what it says it knows it solves, with a residual
// recomputed here; what it does not know it refuses with an error that names both and those that do.
#include <gtest/gtest.h>

#include <random>

#include "laws/own_laws.h"

#include "cairn/base/error.h"
#include "cairn/solvers/solver.h"
#include "cairn/solvers/study/newton.h"

namespace cairn {
namespace {

constexpr double tolerance = 1e-8;

/// The interior point method by itself ends near 1e-7 (docs/solvers.md), whatever the law.
double tolerance_of(const std::string& solver) { return solver == "interior-point" ? 1e-6 : tolerance; }

/// W = A A' of random rows over more freedoms than rows, and velocities b that freedoms in motion have. Rows of moments
/// see only a third: their impulses are of another size.
LocalProblem random_problem(unsigned seed, const std::vector<LawKind>& kinds) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  LocalProblem problem;
  for (const LawKind kind : kinds) {
    problem.law.push_back(make_example_law(kind));
    problem.offset.push_back(problem.offset.back() + law_rows(kind));
  }
  const int m = problem.offset.back(), freedoms = m + 6;
  MatX A = MatX::NullaryExpr(m, freedoms, [&] { return d(rng); });
  for (int i = 0; i < problem.size(); ++i)
    for (int l = 3; l < problem.rows(i); ++l) A.row(problem.offset[static_cast<std::size_t>(i)] + l) /= 3;
  VecX motion = VecX::NullaryExpr(freedoms, [&] { return d(rng); });
  // Against the first row of each constraint, so that most contacts close.
  for (int i = 0; i < problem.size(); ++i)
    motion -= 0.5 * A.row(problem.offset[static_cast<std::size_t>(i)]).transpose() / std::sqrt(freedoms);
  const MatX W = A * A.transpose();
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = A * motion;
  return problem;
}

/// Planes in place of discs are another law, which pgs-lcp does not leave again.
bool only_approximates(const std::string& solver, const LocalProblem& problem) {
  if (solver != "pgs-lcp") return false;
  LawPart parts[max_parts];
  for (int i = 0; i < problem.size(); ++i) {
    const int count = law_parts(problem.law[static_cast<std::size_t>(i)], problem.rows(i), parts);
    for (int p = 0; p < count; ++p)
      if (parts[p].count > 1 && parts[p].largest() > 0) return true;
  }
  return false;
}

/// Solves or is refused, as `supports` says.
void expect_as_declared(const std::string& name, const LocalProblem& problem, const std::string& what) {
  const std::string aim = fmt::format("{}", tolerance_of(name));
  const auto solver = solvers().make(name, {{"tolerance", aim}, {"max_iterations", "100000"}, {"max_seconds", "5"}});
  VecX r = VecX::Zero(problem.b.size());
  const ConstraintLaw* unknown = find_unsupported(*solver, problem.law);
  if (unknown) {
    try {
      solver->solve(problem, r);
      ADD_FAILURE() << name << " took " << what;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("'" + name + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("'" + std::string(law_name(unknown->kind)) + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("auto, gauss-seidel"), std::string::npos) << message;
    }
    return;
  }
  const SolveReport report = solver->solve(problem, r);
  ASSERT_TRUE(r.allFinite()) << name << " on " << what;
  const double residual = compute_residual(problem, r).scaled;
  EXPECT_EQ(report.status == SolveStatus::Converged, residual <= tolerance_of(name)) << name << " on " << what;
  if (only_approximates(name, problem)) return;
  EXPECT_LE(residual, tolerance_of(name)) << name << " on " << what << ": " << to_string(report.status) << " after "
                                          << report.iterations << ", " << report.message;
}

TEST(LawSupport, every_solver_solves_one_constraint_of_every_law_it_knows_and_refuses_the_others) {
  for (const LawType* type : law_kinds())
    for (const auto& entry : solvers().entries())
      for (unsigned seed = 0; seed < 6; ++seed) {
        const std::string what = std::string(type->name) + ", seed " + std::to_string(seed);
        expect_as_declared(entry.name, random_problem(seed, {type->kind}), what);
      }
}

TEST(LawSupport, every_solver_solves_five_coupled_constraints_of_every_law_it_knows) {
  for (const LawType* type : law_kinds())
    for (const auto& entry : solvers().entries())
      for (unsigned seed = 0; seed < 2; ++seed) {
        const std::string what = "five of " + std::string(type->name) + ", seed " + std::to_string(seed);
        expect_as_declared(entry.name, random_problem(10 + seed, std::vector<LawKind>(5, type->kind)), what);
      }
}

TEST(LawSupport, every_solver_solves_a_mix_of_all_laws_it_knows_and_refuses_the_mix_of_all_others) {
  std::vector<LawKind> all;
  for (const LawType* type : law_kinds()) all.push_back(type->kind);
  for (const auto& entry : solvers().entries())
    for (unsigned seed = 0; seed < 2; ++seed) {
      expect_as_declared(entry.name, random_problem(20 + seed, all), "one of each");
      std::vector<LawKind> known;
      for (const LawKind kind : all)
        if (entry.make({})->supports(make_example_law(kind))) known.push_back(kind);
      expect_as_declared(entry.name, random_problem(30 + seed, known), "one of each that it knows");
    }
}

TEST(LawSupport, the_solvers_that_must_know_every_law_do) {
  for (const char* name : {"auto", "gauss-seidel", "proximal-newton", "newton", "sor-prox", "jor-prox", "admm", "apgd",
                           "spectral-gradient", "extragradient", "exact-regularisation"})
    for (const LawType* type : law_kinds())
      EXPECT_TRUE(solvers().make(name)->supports(make_example_law(type->kind))) << name << ' ' << type->name;
  EXPECT_FALSE(solvers().make("interior-point")->supports({LawKind::Rolling}));
  EXPECT_FALSE(solvers().make("lemke")->supports(make_example_law(LawKind::Contensou)));
}

TEST(LawSupport, every_solver_solves_a_law_that_a_program_added_or_refuses_it) {
  for (const LawKind kind : {test::own_coulomb(), test::own_skin()})
    for (const auto& entry : solvers().entries())
      for (unsigned seed = 0; seed < 2; ++seed) {
        const std::string what = std::string(law_name(kind)) + ", seed " + std::to_string(seed);
        expect_as_declared(entry.name, random_problem(50 + seed, {kind}), what);
        expect_as_declared(entry.name, random_problem(60 + seed, std::vector<LawKind>(4, kind)), "four of " + what);
      }
  for (const char* name :
       {"auto", "gauss-seidel", "proximal-newton", "newton", "admm", "apgd", "spectral-gradient", "extragradient"})
    EXPECT_TRUE(solvers().make(name)->supports(make_example_law(test::own_skin()))) << name;
  for (const char* name : {"interior-point", "lemke", "pgs-lcp", "sor-prox", "exact-regularisation"})
    EXPECT_FALSE(solvers().make(name)->supports(make_example_law(test::own_skin()))) << name;
}

TEST(LawSupport, functions_and_steps_that_are_not_the_default_solve_the_laws_they_know) {
  for (const LawType* type : law_kinds()) {
    const LocalProblem problem = random_problem(40, {type->kind, type->kind});
    for (const char* function : {"natural-map", "alart-curnier", "jean-moreau", "fischer-burmeister"}) {
      const auto solver = solvers().make("newton", {{"function", function}});
      VecX r = VecX::Zero(problem.b.size());
      if (!solver->supports(problem.law[0])) {
        EXPECT_THROW(solver->solve(problem, r), Error) << function << ' ' << type->name;
        continue;
      }
      solver->solve(problem, r);
      EXPECT_LE(compute_residual(problem, r).scaled, tolerance) << function << ' ' << type->name;
    }
    for (const char* step : {"block", "r-equals-g", "spectral"}) {
      const auto solver = solvers().make("sor-prox", {{"step", step}});
      VecX r = VecX::Zero(problem.b.size());
      solver->solve(problem, r);
      EXPECT_LE(compute_residual(problem, r).scaled, tolerance) << step << ' ' << type->name;
    }
  }
}

TEST(LawSupport, friction_of_one_direction_only_is_solved_or_refused) {
  // An ellipse without height, spinning without friction, a limit of zero: sets that are flat.
  LocalProblem problem = random_problem(50, {LawKind::Orthotropic, LawKind::Orthotropic, LawKind::Spinning,
                                             LawKind::Contensou, LawKind::Tresca, LawKind::Disc});
  problem.law[0].mu_2 = 0;
  problem.law[1].mu = 0;
  problem.law[2].mu = 0;
  problem.law[3].mu_spinning = 0;
  problem.law[4].limit = problem.law[5].limit = 0;
  for (const auto& entry : solvers().entries()) expect_as_declared(entry.name, problem, "flat sets");
  // And those that do not know contensou, without it.
  LocalProblem discs = random_problem(51, {LawKind::Orthotropic, LawKind::Orthotropic, LawKind::Tresca});
  discs.law[0].mu_2 = 0;
  discs.law[1].mu = 0;
  discs.law[2].limit = 0;
  for (const auto& entry : solvers().entries()) expect_as_declared(entry.name, discs, "flat ellipses");
}

TEST(LawSupport, equal_coefficients_along_both_tangents_are_coulombs_law) {
  const LocalProblem coulomb = random_problem(60, std::vector<LawKind>(4, LawKind::Coulomb));
  LocalProblem orthotropic = coulomb;
  for (ConstraintLaw& law : orthotropic.law) law.mu_2 = law.mu, law.kind = LawKind::Orthotropic;
  VecX expected = VecX::Zero(12);
  ASSERT_EQ(solvers().make("auto", {{"tolerance", "1e-12"}})->solve(coulomb, expected).status, SolveStatus::Converged);
  for (const auto& entry : solvers().entries()) {
    const std::string aim = fmt::format("{}", tolerance_of(entry.name));
    const auto solver = entry.make({{"tolerance", aim}, {"max_seconds", "5"}});
    VecX r = VecX::Zero(12), plain = r;
    // What stalls on Coulomb's law (planes; the end of the interior point method) stalls here too, and only that.
    const bool able = solver->solve(coulomb, plain).status == SolveStatus::Converged;
    EXPECT_EQ(solver->solve(orthotropic, r).status == SolveStatus::Converged, able) << entry.name;
    if (!able) continue;
    EXPECT_LT((r - expected).norm(), 1000 * tolerance_of(entry.name) * expected.norm()) << entry.name;
  }
}

}  // namespace
}  // namespace cairn
