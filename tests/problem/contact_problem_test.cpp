// SPDX-License-Identifier: Apache-2.0
// Views of one contact problem agree, and each is made once.
#include "cairn/problem/contact_problem.h"

#include <gtest/gtest.h>

#include "cairn/problem/dense_matrix.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

/// Random impulses of a problem.
VecX impulses(const ContactProblem& problem, unsigned seed) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  return VecX::NullaryExpr(problem.row_count(), [&] { return d(rng); });
}

/// A chain of masses with constraints of one to three rows, compliance and, if asked for, a skew part of M.
GlobalProblem random_global(unsigned seed, double skew) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  constexpr int n = 20;
  GlobalProblem problem;
  for (const auto& [law, rows] : {std::pair<ConstraintLaw, int>{{LawKind::Coulomb, 0.4}, 3},
                                  {{LawKind::Bilateral}, 2},
                                  {{LawKind::Frictionless}, 1},
                                  {{LawKind::Coulomb, 0.7}, 3}}) {
    problem.law.push_back(law);
    problem.offset.push_back(problem.offset.back() + rows);
  }
  MatX M = MatX::Zero(n, n);
  for (int first = 0; first < n; first += 5) {  // four parts
    const MatX A = MatX::NullaryExpr(5, 5, [&] { return d(rng); });
    M.block<5, 5>(first, first) = A * A.transpose() + MatX::Identity(5, 5) + skew * (A - A.transpose());
  }
  const int m = problem.offset.back();
  problem.M = M.sparseView();
  problem.H = MatX(MatX::NullaryExpr(n, m, [&] { return rng() % 3 == 0 ? d(rng) : 0.0; })).sparseView();
  problem.f = VecX::NullaryExpr(n, [&] { return d(rng); });
  problem.w = VecX::NullaryExpr(m, [&] { return d(rng); });
  problem.compliance = VecX::NullaryExpr(m, [&] { return std::abs(d(rng)); });
  return problem;
}

void expect_same(const Residual& a, const Residual& b) {
  EXPECT_NEAR(a.scaled, b.scaled, 1e-12 * b.scaled);
  EXPECT_NEAR(a.relative, b.relative, 1e-12 * b.relative);
  EXPECT_NEAR(a.cone, b.cone, 1e-12 * b.cone);
  EXPECT_GT(b.scaled, 1e-3);
}

TEST(ContactProblem, w_of_pairs_of_their_mass_and_rows_and_dense_is_one) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const PairProblem pairs = random_problem(seed, 4, 9, 2, 0.5);
    const ContactProblem problem(pairs);
    ASSERT_NE(problem.global(), nullptr);
    const MatX H = problem.global()->H;
    const MatX dense = H.transpose() * H, W = to_dense(problem.local());
    EXPECT_LT((W - dense).norm(), 1e-13 * dense.norm());
    const ContactProblem by_mass(*problem.global());
    EXPECT_LT((to_dense(by_mass.local()) - dense).norm(), 1e-13 * dense.norm());
    EXPECT_LT((by_mass.local().b - problem.local().b).norm(), 1e-13 * problem.local().b.norm());
  }
}

TEST(ContactProblem, residual_and_velocities_are_the_same_by_every_view) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ContactProblem pairs(random_problem(seed, 4, 9, 2, 0.5)), local(pairs.local()), global(*pairs.global());
    const VecX r = impulses(pairs, seed), U = pairs.velocity(r);
    expect_same(pairs.residual(r), local.residual(r));
    expect_same(global.residual(r), local.residual(r));
    EXPECT_LT((local.velocity(r) - U).norm(), 1e-12 * U.norm());
    EXPECT_LT((global.velocity(r) - U).norm(), 1e-12 * U.norm());
  }
  for (const double skew : {0.0, 0.2}) {
    const ContactProblem global(random_global(3, skew)), local(global.local()), fresh(random_global(3, skew));
    const VecX r = impulses(global, 5);
    expect_same(fresh.residual(r), local.residual(r));  // without W
    expect_same(global.residual(r), local.residual(r));
    EXPECT_LT((fresh.velocity(r) - local.velocity(r)).norm(), 1e-12 * local.velocity(r).norm());
  }
}

TEST(ContactProblem, says_which_views_it_gives_and_makes_each_once) {
  const ContactProblem pairs(random_problem(1, 4, 9, 2, 0.5)), global(random_global(1, 0)), local(pairs.local());
  EXPECT_NE(pairs.pairs(), nullptr);
  EXPECT_EQ(global.pairs(), nullptr);
  EXPECT_EQ(local.pairs(), nullptr);
  EXPECT_EQ(local.global(), nullptr);
  EXPECT_THROW(local.mass(), Error);
  EXPECT_EQ(pairs.global(), pairs.global());
  const MassFactor* mass = &global.mass();
  const LocalProblem* W = &global.local();
  const VecX r = impulses(global, 1);
  global.residual(r);
  EXPECT_EQ(&global.mass(), mass);
  EXPECT_EQ(&global.local(), W);
  EXPECT_EQ(&local.local(), &pairs.local());  // born so: no copy
  EXPECT_EQ(global.dofs(), 20);
  EXPECT_EQ(pairs.dofs(), 24);
}

TEST(ContactProblem, knows_its_layout_in_every_form) {
  const ContactProblem pairs(random_problem(1, 4, 9, 2, 0.5));
  EXPECT_EQ(pairs.offset(), pairs.local().offset);
  EXPECT_EQ(pairs.row_count(), 27);
  for (int i = 0; i < pairs.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(pairs.laws()[k].kind, pairs.local().law[k].kind);
    EXPECT_EQ(pairs.laws()[k].mu, pairs.local().law[k].mu);
  }
}

TEST(ContactProblem, of_complementarity_rows_is_w_alone_and_gives_them_back) {
  Mlcp rows;
  rows.M = (MatX(3, 3) << 2, -1, 0.5, 0, 1, 0.2, -0.5, 0, 3).finished();  // unsymmetric
  rows.q = Vec3(-1, 0.5, 2);
  rows.lower = Vec3(0, -INFINITY, -1);
  rows.upper = Vec3(INFINITY, INFINITY, 1);
  const ContactProblem problem(rows);
  ASSERT_EQ(problem.size(), 3);
  EXPECT_EQ(to_dense(problem.local()), rows.M);
  EXPECT_EQ(problem.local().b, rows.q);
  EXPECT_EQ(problem.laws()[0].kind, LawKind::Frictionless);
  EXPECT_EQ(problem.laws()[1].kind, LawKind::Bilateral);
  EXPECT_EQ(problem.laws()[2].kind, LawKind::Interval);
  EXPECT_EQ(problem.laws()[2].lower, -1);
  EXPECT_EQ(problem.laws()[2].upper, 1);
  const VecX z = Vec3(0.3, -0.7, 0.4);
  EXPECT_LT((problem.velocity(z) - rows.slack(z)).norm(), 1e-15);
}

TEST(ContactProblem, parts_side_by_side_are_one_problem_whose_views_hold_both) {
  const PairProblem pairs = random_problem(4, 4, 9, 0, 0.5);
  const LocalProblem general = ContactProblem(random_global(2, 0)).local();
  const ContactProblem both(general, pairs, {}), joined(both.local());
  ASSERT_EQ(both.parts().size(), 2u);
  EXPECT_EQ(both.parts()[1].pairs(), &pairs);
  EXPECT_EQ(both.pairs(), nullptr);
  EXPECT_EQ(both.global(), nullptr);
  EXPECT_EQ(both.size(), 4 + 9);
  EXPECT_EQ(both.offset(), joined.offset());
  EXPECT_EQ(both.laws()[0].kind, LawKind::Coulomb);
  EXPECT_EQ(both.laws()[1].kind, LawKind::Bilateral);
  EXPECT_EQ(both.laws()[12].mu, 0.5);
  const MatX W = to_dense(joined.local());
  EXPECT_EQ(W.topLeftCorner(9, 9), to_dense(general));
  EXPECT_TRUE(W.topRightCorner(9, 27).isZero(0));
  const VecX r = impulses(both, 1);
  EXPECT_LT((both.velocity(r) - joined.velocity(r)).norm(), 1e-12 * joined.velocity(r).norm());
  expect_same(both.residual(r), joined.residual(r));
}

TEST(ContactProblem, that_it_took_over_outlives_what_it_was_made_of) {
  const auto make = [] { return ContactProblem(random_problem(2, 4, 9, 2, 0.5)); };
  const ContactProblem problem = make(), moved = [&] {
    ContactProblem first = make();
    return first;
  }();
  const VecX r = impulses(problem, 2);
  EXPECT_EQ(problem.residual(r).scaled, moved.residual(r).scaled);
}

}  // namespace
}  // namespace cairn
