// SPDX-License-Identifier: Apache-2.0
// Laws of any number of rows: projections against brute force, derivatives against differences, natural maps.
#include "cairn/laws/constraint_law.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

struct Case {
  ConstraintLaw law;
  int rows;
};

std::vector<Case> all_laws() {
  return {{{LawKind::Coulomb, 0.6}, 2},    {{LawKind::Coulomb, 0.6}, 3},
          {{LawKind::Coulomb, 0}, 3},      {{LawKind::Coulomb, 10}, 3},
          {{LawKind::Frictionless}, 1},    {{LawKind::Frictionless}, 3},
          {{LawKind::Bilateral}, 4},       {{LawKind::Rolling, 0.7, 0.2}, 5},
          {{LawKind::Rolling, 0, 0.3}, 5}, {{LawKind::Interval, 0, 0, -1, 2}, 1}};
}

bool inside(const Case& c, const VecX& r, double slack) {
  const ConstraintLaw& law = c.law;
  switch (law.kind) {
    case LawKind::Bilateral: return true;
    case LawKind::Interval: return r[0] >= law.lower - slack && r[0] <= law.upper + slack;
    case LawKind::Frictionless: return r[0] >= -slack && r.tail(c.rows - 1).norm() <= slack;
    case LawKind::Coulomb: return r.tail(c.rows - 1).norm() <= law.mu * r[0] + slack;
    case LawKind::Rolling:
      return r.segment<2>(1).norm() <= law.mu * r[0] + slack && r.segment<2>(3).norm() <= law.mu_rolling * r[0] + slack;
  }
  return false;
}

TEST(ConstraintLaw, projection_lies_in_the_set_and_no_other_point_of_it_is_nearer) {
  std::mt19937 rng(3);
  std::normal_distribution<double> d;
  for (const Case& c : all_laws()) {
    for (int trial = 0; trial < 200; ++trial) {
      const VecX x = VecX::NullaryExpr(c.rows, [&] { return d(rng); });
      VecX p(c.rows), q(c.rows);
      project(c.law, c.rows, x.data(), p.data());
      ASSERT_TRUE(inside(c, p, 1e-14)) << trial;
      // Projection on a convex set: (x - p).(y - p) <= 0 for all y in it.
      for (int other = 0; other < 20; ++other) {
        const VecX y = VecX::NullaryExpr(c.rows, [&] { return 2 * d(rng); });
        project(c.law, c.rows, y.data(), q.data());
        EXPECT_LE((x - p).dot(q - p), 1e-13);
      }
      project(c.law, c.rows, p.data(), q.data());
      EXPECT_LT((p - q).norm(), 1e-15 + 1e-15 * p.norm());
    }
  }
}

TEST(ConstraintLaw, derivatives_agree_with_differences_and_the_root_with_its_square) {
  std::mt19937 rng(4);
  std::normal_distribution<double> d;
  const double h = 1e-7;
  for (const Case& c : all_laws()) {
    for (int trial = 0; trial < 100; ++trial) {
      const VecX x = VecX::NullaryExpr(c.rows, [&] { return d(rng); });
      MatX D(c.rows, c.rows), S(c.rows, c.rows), B(c.rows, c.rows), difference(c.rows, c.rows), parts(c.rows, c.rows);
      project_derivative(c.law, c.rows, x.data(), D.data());
      project_derivative_root(c.law, c.rows, x.data(), S.data());
      project_by_parts_derivative(c.law, c.rows, x.data(), B.data());
      for (int j = 0; j < c.rows; ++j) {
        VecX plus = x, minus = x, a(c.rows), b(c.rows);
        plus[j] += h, minus[j] -= h;
        project(c.law, c.rows, plus.data(), a.data());
        project(c.law, c.rows, minus.data(), b.data());
        difference.col(j) = (a - b) / (2 * h);
        project_by_parts(c.law, c.rows, plus.data(), a.data());
        project_by_parts(c.law, c.rows, minus.data(), b.data());
        parts.col(j) = (a - b) / (2 * h);
      }
      // A kink within h of x shows as a difference between one-sided slopes; random points meet none.
      EXPECT_LT((D - difference).norm(), 1e-6) << static_cast<int>(c.law.kind);
      EXPECT_LT((B - parts).norm(), 1e-6) << static_cast<int>(c.law.kind);
      EXPECT_LT((S * S - D).norm(), 1e-14);
      EXPECT_LT((D - D.transpose()).norm(), 1e-15);
    }
  }
}

TEST(ConstraintLaw, fixed_points_of_both_projections_are_the_law) {
  // Sliding: U_T opposite to r_T on the cone, U_N = 0. Both natural maps vanish there and not beside it.
  const ConstraintLaw law{LawKind::Rolling, 0.5, 0.1};
  const double r[5] = {2, -0.6, -0.8, 0.2, 0}, U[5] = {0, 0.3, 0.4, -0.7, 0};
  EXPECT_LT(natural_map(law, 5, U, r, 3, nullptr), 1e-30);
  const double wrong[5] = {0, 0.3, 0.4, 0.7, 0};
  EXPECT_GT(natural_map(law, 5, wrong, r, 3, nullptr), 1e-2);
  for (const double rho : {0.1, 1.0, 7.0}) {
    double y[5], out[5];
    for (int i = 0; i < 5; ++i) y[i] = r[i] - rho * U[i];
    project_by_parts(law, 5, y, out);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(out[i], r[i], 1e-14);
  }
  const ConstraintLaw relay{LawKind::Interval, 0, 0, -1, 2};
  const double at_upper = 2, pushing = -0.5, pulling = 0.5;
  EXPECT_EQ(natural_map(relay, 1, &pushing, &at_upper, 1, nullptr), 0);
  EXPECT_NEAR(natural_map(relay, 1, &pulling, &at_upper, 1, nullptr), 0.25, 1e-15);
}

TEST(ConstraintLaw, wrong_numbers_and_rows_are_refused) {
  EXPECT_THROW(check_law({LawKind::Coulomb, -0.1}, 3, "x"), Error);
  EXPECT_THROW(check_law({LawKind::Coulomb, std::nan("")}, 3, "x"), Error);
  EXPECT_THROW(check_law({LawKind::Coulomb, 0.5}, 4, "x"), Error);
  EXPECT_THROW(check_law({LawKind::Rolling, 0.5, -1}, 5, "x"), Error);
  EXPECT_THROW(check_law({LawKind::Interval, 0, 0, 2, 1}, 1, "x"), Error);
  EXPECT_THROW(check_law({LawKind::Bilateral}, 7, "x"), Error);
  for (const Case& c : all_laws()) EXPECT_NO_THROW(check_law(c.law, c.rows, "x"));
}

}  // namespace
}  // namespace cairn
