// SPDX-License-Identifier: Apache-2.0
// Lemke's method against enumeration, textbook problems and closed forms of contacts.
#include "cairn/solvers/lemke.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "cairn/solvers/lemke_tableau.h"
#include "problem/enumerate_mlcp.h"
#include "solvers/random_problem.h"
#include "support/places.h"

namespace cairn {
namespace {

const double inf = std::numeric_limits<double>::infinity();

Mlcp make_lcp(const MatX& M, const VecX& q) { return {M, q, VecX::Zero(q.size()), VecX::Constant(q.size(), inf)}; }

MatX matrix(int n, std::initializer_list<double> rows) {
  MatX M(n, n);
  int k = 0;
  for (const double x : rows) M(k / n, k % n) = x, ++k;
  return M;
}

SolveReport run(const LocalProblem& problem, VecX& r, bool refine = true, int facets = 8) {
  Lemke::Settings settings;
  settings.tolerance = 1e-10;
  settings.refine = refine;
  settings.facets = facets;
  if (r.size() == 0) r = VecX::Zero(problem.b.size());
  return Lemke(settings).solve(problem, r);
}

TEST(lemke, finds_the_unique_solution_of_bounded_problems) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Mlcp p = random_mlcp(seed, 6);
    VecX z;
    const SolveReport report = run(to_local(p), z);
    ASSERT_EQ(report.status, SolveStatus::Converged) << seed << ": " << report.message;
    EXPECT_LT((z - enumerate_solutions(p).at(0)).norm(), 1e-9) << seed;
  }
}

TEST(lemke, numbers_of_any_size_are_as_good) {
  Mlcp p = random_mlcp(7, 6, false);
  const VecX expected = enumerate_solutions(p).at(0);
  VecX rows(6), columns(6);
  rows << 1e6, 1e-5, 1, 1e3, 1e-2, 10;
  columns << 1e-4, 1e3, 10, 1e5, 1, 1e-3;
  Mlcp scaled = make_lcp(rows.asDiagonal() * p.M * columns.asDiagonal(), rows.cwiseProduct(p.q));
  const MlcpAnswer answer = solve_by_lemke(scaled, VecX(), 1e-12, 1000, [] { return false; });
  EXPECT_LT((columns.cwiseProduct(answer.z) - expected).norm(), 1e-8 * expected.norm());
}

// Murty 1988, chapter 6: M lower triangular with 1 and 2, q = -1. z = (1, 0, ..., 0): w = (0, 1, ..., 1).
TEST(lemke, murtys_exponential_example) {
  const int n = 10;
  MatX M = MatX::Identity(n, n);
  for (int i = 0; i < n; ++i) M.row(i).head(i).setConstant(2);
  VecX z;
  const SolveReport report = run(to_local(make_lcp(M, -VecX::Ones(n))), z);
  EXPECT_EQ(report.status, SolveStatus::Converged);
  EXPECT_LT((z - VecX::Unit(n, 0)).norm(), 1e-12);
}

// Kostreva 1979: simple principal pivoting cycles here; by symmetry z = (1, 1, 1)/3.
TEST(lemke, kostrevas_cycling_example) {
  VecX z;
  run(to_local(make_lcp(matrix(3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), -VecX::Ones(3))), z);
  EXPECT_LT((z - VecX::Constant(3, 1.0 / 3)).norm(), 1e-14);
}

// w0 = -z1 - z2, w1 = z0 - 1, w2 = 1 - z0: only z = (1, 0, 0) with w = 0, everything degenerate.
TEST(lemke, isolated_degenerate_solution_of_a_matrix_of_no_class) {
  VecX z;
  const SolveReport report = run(to_local(make_lcp(matrix(3, {0, -1, -1, 1, 0, 0, -1, 0, 0}), vec({0, -1, 1}))), z);
  EXPECT_EQ(report.status, SolveStatus::Converged) << report.message;
  EXPECT_LT((z - vec({1, 0, 0})).norm(), 1e-10);
}

TEST(lemke, ray_of_a_monotone_problem_proves_that_there_is_no_solution) {
  // w0 + w1 = -2 whatever z.
  VecX z;
  const SolveReport report = run(to_local(make_lcp(matrix(2, {1, -1, -1, 1}), vec({-1, -1}))), z);
  EXPECT_EQ(report.status, SolveStatus::Infeasible);
  EXPECT_NE(report.message.find("ray"), std::string::npos) << report.message;
}

TEST(lemke, contradictory_equations_are_infeasible) {
  Mlcp p = make_lcp(MatX::Ones(2, 2), vec({-1, 3}));
  p.lower.setConstant(-inf);
  VecX z;
  const SolveReport report = run(to_local(p), z);
  EXPECT_EQ(report.status, SolveStatus::Infeasible) << report.message;
}

// Painleve's rod at acceleration level, sliding into the ground (Kaufman 2.2.4): (1.6 - 1.2 mu) alpha - g >= 0 has no
// alpha >= 0 for mu = 2. The matrix is not monotone, so that a ray alone proves nothing and nothing is claimed.
TEST(lemke, painleves_rod_without_solution_is_not_called_solved) {
  VecX z;
  const SolveReport report = run(to_local(make_lcp(MatX::Constant(1, 1, 1.6 - 2.4), VecX::Constant(1, -9.81))), z);
  EXPECT_EQ(report.status, SolveStatus::Stalled);
  EXPECT_NE(report.message.find("ray"), std::string::npos) << report.message;
}

// The same rod pulled off the ground has two solutions, alpha = 0 and alpha = g / 0.8: either will do.
TEST(lemke, painleves_rod_with_two_solutions_gets_one_of_them) {
  const Mlcp p = make_lcp(MatX::Constant(1, 1, 1.6 - 2.4), VecX::Constant(1, 9.81));
  ASSERT_EQ(enumerate_solutions(p).size(), 2u);
  VecX z = VecX::Constant(1, 1.0);
  EXPECT_EQ(run(to_local(p), z).status, SolveStatus::Converged);
  EXPECT_LT(std::min(std::abs(z[0]), std::abs(z[0] - 9.81 / 0.8)), 1e-12);
}

// Kaufman, problem A4: n'M^-1 n = 1.6, n'M^-1 d = -1.2, d'M^-1 d = 3.4, mu = 2 beyond mu_crit = 4/3, h g = 9.81e-3.
TEST(lemke, painleves_rod_at_velocity_level_sticks_or_slides_as_derived) {
  MatX W(2, 2);
  W << 1.6, -1.2, -1.2, 3.4;
  const double gh = 9.81e-3;
  VecX stick, slide;
  const ConstraintLaw law{LawKind::Coulomb, 2};
  EXPECT_EQ(run(one_contact(W, law, vec({-gh, -1})), stick).status, SolveStatus::Converged);
  EXPECT_NEAR(stick[0], (3.4 * gh + 1.2) / 4, 1e-14);
  EXPECT_NEAR(stick[1], (1.6 + 1.2 * gh) / 4, 1e-14);
  EXPECT_EQ(run(one_contact(W, law, vec({-gh, 1})), slide).status, SolveStatus::Converged);
  EXPECT_NEAR(slide[0], gh / 4, 1e-14);
  EXPECT_NEAR(slide[1], -2 * gh / 4, 1e-14);
}

TEST(lemke, particle_sticks_inside_the_polygon_exactly) {
  VecX r;
  const VecX b = vec({-2, 0.3, 0.4});
  EXPECT_EQ(run(particle_contact(0.5, 0.5, b), r, false).status, SolveStatus::Converged);
  EXPECT_LT((r + b / 0.5).norm(), 1e-13);  // |r_T| / r_N = 0.25: inside any polygon of 8
}

// Sliding at 0.3 rad from T1: the nearest vertex of the octagon is at pi, and the impulse is mu r_N there.
TEST(lemke, particle_slides_along_a_vertex_unless_facets_turn) {
  const double w = 0.5, mu = 0.1, v = 1;
  const VecX b = vec({-1, v * std::cos(0.3), v * std::sin(0.3)});
  const LocalProblem problem = particle_contact(w, mu, b);
  VecX plain, exact;
  const SolveReport coarse = run(problem, plain, false);
  EXPECT_EQ(coarse.status, SolveStatus::Stalled);
  EXPECT_NE(coarse.message.find("8 facets"), std::string::npos) << coarse.message;
  EXPECT_NE(coarse.message.find("true cone"), std::string::npos) << coarse.message;
  EXPECT_LT((plain - vec({2, -0.2, 0})).norm(), 1e-13);
  EXPECT_EQ(run(problem, exact).status, SolveStatus::Converged);
  EXPECT_LT((exact - vec({2, -0.2 * std::cos(0.3), -0.2 * std::sin(0.3)})).norm(), 1e-10);
}

TEST(lemke, more_facets_come_closer_to_the_cone) {
  const VecX b = vec({-1, std::cos(0.3), std::sin(0.3)});
  double last = 1;
  for (const int facets : {4, 16, 64}) {
    VecX r;
    const double residual = run(particle_contact(1, 0.3, b), r, false, facets).residual.scaled;
    EXPECT_LT(residual, last) << facets;
    last = residual;
  }
}

TEST(lemke, rolling_friction_is_a_second_polygon) {
  // A particle with five rows and W = 1: each disc is cut on its own.
  VecX b(5), r;
  b << -1, 0.6, 0.8, 0.03, -0.04;
  const LocalProblem problem = one_contact(MatX::Identity(5, 5), {LawKind::Rolling, 0.5, 0.1}, b);
  EXPECT_EQ(run(problem, r).status, SolveStatus::Converged);
  VecX expected(5);
  expected << 1, -0.3, -0.4, -0.03, 0.04;  // |b_T| = 1 > 0.5 slides, |b_M| = 0.05 < 0.1 sticks
  EXPECT_LT((r - expected).norm(), 1e-9);
}

// Four corners on 6 degrees of freedom: impulses are not unique, the motion is. A flat brick slows down by mu g h.
TEST(lemke, hyperstatic_brick_slides_to_the_velocity_of_coulombs_law) {
  const double mu = 0.5, gh = 0.0981;
  const Vec3 v(1.5, 2, -gh);
  const LocalProblem problem = brick_on_corners(mu, v);
  VecX r;
  const SolveReport report = run(problem, r);
  ASSERT_EQ(report.status, SolveStatus::Converged) << report.message;
  const VecX U = problem.velocity(r);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(U[3 * k], 0, 1e-9);
    EXPECT_NEAR(U[3 * k + 1], v[0] - mu * gh * 0.6, 1e-9);
    EXPECT_NEAR(U[3 * k + 2], v[1] - mu * gh * 0.8, 1e-9);
  }
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], gh, 1e-10);
}

TEST(lemke, spatial_friction_between_many_bodies_meets_the_true_cone) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const LocalProblem problem = to_local(random_problem(seed, 6, 10, 1, 0.3));
    VecX r;
    const SolveReport report = run(problem, r);
    EXPECT_EQ(report.status, SolveStatus::Converged) << seed << ": " << report.message;
  }
}

TEST(lemke, warm_start_at_the_solution_needs_no_pivot) {
  const LocalProblem problem = to_local(random_problem(3, 6, 10, 0, 0.3));
  VecX r;
  run(problem, r);
  VecX again = r * (1 + 1e-6);
  const SolveReport report = run(problem, again);
  EXPECT_EQ(report.status, SolveStatus::Converged);
  EXPECT_EQ(report.iterations, 0) << report.message;
  EXPECT_LT((again - r).norm(), 1e-8 * r.norm());
}

TEST(lemke, declines_large_problems_and_refuses_odd_facets) {
  Lemke::Settings settings;
  settings.max_unknowns = 5;
  VecX r = VecX::Zero(3);
  EXPECT_EQ(Lemke(settings).solve(particle_contact(1, 0.3, vec({-1, 1, 0})), r).status, SolveStatus::TooCostly);
  EXPECT_TRUE(r.isZero());
  settings.facets = 7;
  EXPECT_THROW(Lemke{settings}, Error);
}

TEST(lemke, fischer_burmeister_newton_solves_a_positive_definite_problem) {
  const Mlcp p = random_mlcp(11, 6, false);
  VecX y = VecX::Ones(6);
  fischer_burmeister_newton(p.M, p.q, y, 100, [] { return false; });
  EXPECT_LT((y - enumerate_solutions(p).at(0)).norm(), 1e-9);
}

// Files of dense LCPs: n, then 0 n n n n, M by columns, q.
TEST(lemke, solves_the_published_complementarity_problems) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "../shared/data/fclib/lcp";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no problem data";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    int n = 0, type = 0, skip = 0;
    file >> n >> type;
    if (type != 0) continue;
    for (int k = 0; k < 4; ++k) file >> skip;
    Mlcp p = make_lcp(MatX(n, n), VecX(n));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) file >> p.M(i, j);
    for (int i = 0; i < n; ++i) file >> p.q[i];
    ASSERT_TRUE(file) << entry.path();
    VecX z;
    EXPECT_EQ(run(to_local(p), z).status, SolveStatus::Converged) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace cairn
