// SPDX-License-Identifier: Apache-2.0
// Cohesion as a shift of the unknown: a glued block by hand, and the shift taken back.
#include "cairn/problem/cohesion.h"

#include "cairn/base/error.h"
#include "cairn/problem/residual.h"
#include "problem/enumerate_mlcp.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

/// A block of 2 kg on one contact point, glued with c = 3 N s, pulled by an impulse p [N s]: U = r/m + p/m.
LocalProblem glued_block(const Vec3& pull) {
  return one_contact(Mat3::Identity() / 2, {LawKind::Coulomb, 0.5}, VecX(pull / 2));
}

/// Solves one contact with W = 1/m by r' <- P_K(r' - m U~ / 2).
VecX solve(const LocalProblem& problem, VecX r) {
  for (int k = 0; k < 2000; ++k) {
    VecX U = problem.velocity(r);
    U[0] += velocity_shift(problem.law[0], 3, U.data());
    r -= U;
    project(problem.law[0], 3, r.data(), r.data());
  }
  EXPECT_LT(compute_residual(problem, r).scaled, 1e-12);
  return r;
}

TEST(Cohesion, a_glued_block_hangs_up_to_its_cohesion_and_comes_off_beyond) {
  const std::vector<double> c{3};
  for (const double pull : {-4.0, 1.0, 2.9, 3.5}) {
    LocalProblem problem = glued_block({pull, 0, 0});
    VecX r = VecX::Zero(3);
    apply_cohesion(c, problem, r);
    r = solve(problem, r);
    remove_cohesion(c, problem, r);
    // Held: r_N = -pull and no motion. Beyond: r_N = -c, the rest of the pull moves it.
    const double expected = std::max(-pull, -3.0);
    EXPECT_NEAR(r[0], expected, 1e-12) << pull;
    EXPECT_NEAR(problem.velocity(r)[0], (pull + expected) / 2, 1e-12) << pull;
    EXPECT_EQ(find_broken_cohesion(c, problem, r).size(), pull > 3 ? 1u : 0u) << pull;
  }
}

TEST(Cohesion, friction_of_a_glued_contact_is_bounded_by_the_shifted_normal_impulse) {
  // Hanging with r_N = -1: |r_T| <= 0.5 (3 - 1) = 1, so a tangential pull of 0.8 sticks and one of 2.5 slides.
  const std::vector<double> c{3};
  for (const double pull : {0.8, 2.5}) {
    LocalProblem problem = glued_block({1, pull, 0});
    VecX r = VecX::Zero(3);
    apply_cohesion(c, problem, r);
    r = solve(problem, r);
    remove_cohesion(c, problem, r);
    EXPECT_NEAR(r[0], -1, 1e-12);
    EXPECT_NEAR(r[1], -std::min(pull, 1.0), 1e-12);
  }
}

TEST(Cohesion, taken_back_it_leaves_problem_and_velocity_as_they_were) {
  MatX W(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) W(i, j) = i == j ? 4 : 1 / (1.0 + i + j);
  LocalProblem problem;
  problem.law = {{LawKind::Coulomb, 0.5}, {LawKind::Frictionless}, {LawKind::Bilateral}};
  problem.offset = {0, 3, 4, 6};
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = VecX::LinSpaced(6, -1, 1);
  const LocalProblem before = problem;
  const VecX start = VecX::LinSpaced(6, 0, 5);
  VecX r = start;
  const std::vector<double> c{2, 0.5, 0};
  apply_cohesion(c, problem, r);
  EXPECT_EQ(r[0], start[0] + 2);
  EXPECT_EQ(r[3], start[3] + 0.5);
  EXPECT_EQ(r[4], start[4]);
  EXPECT_LT((problem.velocity(r) - before.velocity(start)).norm(), 1e-14);
  EXPECT_LT((problem.b - (before.b - W.col(0) * 2 - W.col(3) * 0.5)).norm(), 1e-15);
  remove_cohesion(c, problem, r);
  EXPECT_LT((problem.b - before.b).norm(), 1e-15);
  EXPECT_EQ(r, start);
}

TEST(Cohesion, what_has_no_normal_or_is_no_number_is_refused) {
  LocalProblem problem = one_contact(MatX::Identity(2, 2), make_example_law(LawKind::Disc), VecX::Zero(2));
  VecX r = VecX::Zero(2);
  EXPECT_THROW(apply_cohesion(std::vector<double>{1}, problem, r), Error);
  EXPECT_NO_THROW(apply_cohesion(std::vector<double>{0}, problem, r));
  EXPECT_THROW(apply_cohesion(std::vector<double>{-1}, problem, r), Error);
  EXPECT_THROW(apply_cohesion(std::vector<double>{std::nan("")}, problem, r), Error);
  EXPECT_THROW(apply_cohesion(std::vector<double>{0, 0}, problem, r), Error);
}

}  // namespace
}  // namespace cairn
