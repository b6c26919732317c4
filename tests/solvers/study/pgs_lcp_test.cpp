// SPDX-License-Identifier: Apache-2.0
// Projected Gauss-Seidel: what it solves, and that it says when its model is not the law.
#include "cairn/solvers/study/pgs_lcp.h"

#include <gtest/gtest.h>

#include <numbers>

#include "problem/enumerate_mlcp.h"

namespace cairn {
namespace {

PgsLcp::Settings make_settings(FrictionModel::Kind kind = FrictionModel::Kind::Box) {
  PgsLcp::Settings settings;
  settings.tolerance = 1e-10;
  settings.max_iterations = 5000;
  settings.friction = kind;
  return settings;
}

SolveReport run(const LocalProblem& problem, VecX& r, const PgsLcp::Settings& settings = make_settings()) {
  r = VecX::Zero(problem.b.size());
  return PgsLcp(settings).solve(problem, r);
}

TEST(pgs_lcp, solves_symmetric_positive_definite_problems_with_bounds) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Mlcp p = random_mlcp(seed, 6);
    p.M = 0.5 * (p.M + p.M.transpose()).eval();
    for (const double relaxation : {1.0, 1.4}) {
      PgsLcp::Settings settings = make_settings();
      settings.relaxation = relaxation;
      VecX z;
      const SolveReport report = run(to_local(p), z, settings);
      ASSERT_EQ(report.status, SolveStatus::Converged) << seed << ": " << report.message;
      EXPECT_LT((z - enumerate_solutions(p).at(0)).norm(), 1e-7) << seed;
    }
  }
}

TEST(pgs_lcp, plane_sliding_is_exact) {
  // U_N = r_N + 0.3 r_T - 1, r_T = -mu r_N: r_N = 1 / (1 - 0.3 mu).
  MatX W(2, 2);
  W << 1, 0.3, 0.3, 1;
  VecX r;
  EXPECT_EQ(run(one_contact(W, {LawKind::Coulomb, 0.4}, vec({-1, 3})), r).status, SolveStatus::Converged);
  EXPECT_NEAR(r[0], 1 / (1 - 0.12), 1e-9);
}

TEST(pgs_lcp, box_friction_reaches_its_corner_and_reports_the_true_residual) {
  const LocalProblem problem = particle_contact(1, 0.3, vec({-1, 2, 2}));
  VecX r;
  const SolveReport report = run(problem, r);
  EXPECT_EQ(report.status, SolveStatus::Stalled);
  EXPECT_LT((r - vec({1, -0.3, -0.3})).norm(), 1e-12);  // sqrt(2) outside the disc
  EXPECT_NEAR(report.residual.cone, (0.3 * std::sqrt(2.0) - 0.3) / r.norm(), 1e-12);
  EXPECT_NE(report.message.find("box model solved to"), std::string::npos) << report.message;
}

TEST(pgs_lcp, pyramid_stays_inside_the_disc) {
  const VecX b = vec({-1, 2 * std::cos(0.3), 2 * std::sin(0.3)});
  VecX r;
  const SolveReport report = run(particle_contact(1, 0.3, b), r, make_settings(FrictionModel::Kind::Pyramid));
  EXPECT_EQ(report.status, SolveStatus::Stalled);
  EXPECT_LT((r - vec({1, -0.3, 0})).norm(), 1e-9);  // the vertex at pi
  EXPECT_LE(report.residual.cone, 1e-12);
}

TEST(pgs_lcp, sticking_brick_on_four_corners_stops) {
  const LocalProblem problem = brick_on_corners(0.5, Vec3(0.01, 0.02, -0.0981));
  VecX r;
  const SolveReport report = run(problem, r);
  ASSERT_EQ(report.status, SolveStatus::Converged) << report.message;
  EXPECT_LT(problem.velocity(r).norm(), 1e-8);
}

TEST(pgs_lcp, polygon_projection_is_the_nearest_of_all_points) {
  for (const int facets : {4, 6, 8}) {
    for (int k = 0; k < 40; ++k) {
      const Vec2 x = (0.2 + 0.05 * k) * Vec2(std::cos(0.9 * k), std::sin(0.9 * k));
      const Vec2 p = project_on_polygon(x, 1, facets);
      double nearest = 1e9, outside = 0;
      for (int j = 0; j < facets; ++j) {
        const double a = 2 * std::numbers::pi * j / facets, c = 2 * std::numbers::pi * (j + 1) / facets;
        const Vec2 from(std::cos(a), std::sin(a)), to(std::cos(c), std::sin(c));
        const Vec2 normal(std::cos((a + c) / 2), std::sin((a + c) / 2));
        outside = std::max(outside, x.dot(normal) - from.dot(normal));
        EXPECT_LE(p.dot(normal), from.dot(normal) + 1e-12);
        for (int s = 0; s <= 1000; ++s) nearest = std::min(nearest, (from + s / 1000.0 * (to - from) - x).norm());
      }
      if (outside <= 0) {
        EXPECT_LT((p - x).norm(), 1e-14);
      } else {
        EXPECT_NEAR((p - x).norm(), nearest, 1e-5);
      }
    }
  }
  EXPECT_TRUE(project_on_polygon({1, 1}, 0, 8).isZero());
}

TEST(pgs_lcp, divergence_is_a_status_and_not_a_number) {
  // Rotation: Gauss-Seidel on two equations with spectral radius 100.
  Mlcp p = random_mlcp(1, 2, false);
  p.M << 1, 10, -10, 1;
  p.lower.setConstant(-std::numeric_limits<double>::infinity());
  VecX z;
  const SolveReport report = run(to_local(p), z);
  EXPECT_EQ(report.status, SolveStatus::NotFinite);
  EXPECT_TRUE(z.isZero());
}

TEST(pgs_lcp, iteration_limit_returns_the_best_so_far) {
  PgsLcp::Settings settings = make_settings();
  settings.max_iterations = 3;
  const LocalProblem problem = brick_on_corners(0.5, Vec3(0.01, 0.02, -0.0981));
  VecX r;
  const SolveReport report = run(problem, r, settings);
  EXPECT_EQ(report.status, SolveStatus::IterationLimit);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_LT(report.residual.scaled, compute_residual(problem, VecX::Zero(12)).scaled);
  EXPECT_NEAR(report.residual.scaled, compute_residual(problem, r).scaled, 1e-15);
}

}  // namespace
}  // namespace cairn
