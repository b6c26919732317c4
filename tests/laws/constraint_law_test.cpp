// SPDX-License-Identifier: Apache-2.0
// Laws of any number of rows: projections against brute force, derivatives against differences, natural maps.
#include "cairn/laws/constraint_law.h"

#include "cairn/base/error.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn {
namespace {

struct Case {
  ConstraintLaw law;
  int rows;
};

std::vector<Case> all_laws() {
  std::vector<Case> all{{{LawKind::Coulomb, 0.6}, 2},    {{LawKind::Coulomb, 0.6}, 3},
                        {{LawKind::Coulomb, 0}, 3},      {{LawKind::Coulomb, 10}, 3},
                        {{LawKind::Frictionless}, 1},    {{LawKind::Frictionless}, 3},
                        {{LawKind::Bilateral}, 4},       {{LawKind::Rolling, 0.7, 0.2}, 5},
                        {{LawKind::Rolling, 0, 0.3}, 5}, {{LawKind::Interval, 0, 0, -1, 2}, 1}};
  const auto add = [&](int rows, LawKind kind, double mu, double mu_2, double rolling, double spinning, double limit) {
    ConstraintLaw law{kind, mu, rolling};
    law.mu_2 = mu_2, law.mu_spinning = spinning, law.limit = limit;
    all.push_back({law, rows});
  };
  add(3, LawKind::Orthotropic, 0.8, 0.2, 0, 0, 0);
  add(3, LawKind::Orthotropic, 0.1, 5, 0, 0, 0);
  add(3, LawKind::Orthotropic, 0.5, 0, 0, 0, 0);
  add(2, LawKind::Tresca, 0, 0, 0, 0, 0.7);
  add(3, LawKind::Tresca, 0, 0, 0, 0, 0.7);
  add(3, LawKind::Tresca, 0, 0, 0, 0, 0);
  add(2, LawKind::Disc, 0, 0, 0, 0, 0.6);
  add(4, LawKind::Spinning, 0.5, 0, 0, 0.3, 0);
  add(4, LawKind::Spinning, 0, 0, 0, 0.3, 0);
  add(6, LawKind::RollingSpinning, 0.5, 0, 0.2, 0.3, 0);
  add(6, LawKind::RollingSpinning, 2, 0, 0, 0.1, 0);
  add(4, LawKind::Contensou, 0.5, 0, 0, 0.2, 0);
  add(4, LawKind::Contensou, 0.3, 0, 0, 2, 0);
  add(4, LawKind::Contensou, 0.5, 0, 0, 0, 0);
  add(6, LawKind::RollingContensou, 0.5, 0, 0.3, 0.2, 0);
  add(6, LawKind::RollingContensou, 0.2, 0, 2, 1, 0);
  add(6, LawKind::RollingContensou, 0.5, 0, 0, 0.2, 0);
  return all;
}

std::string name(const Case& c) { return std::string(law_name(c.law.kind)) + " " + std::to_string(c.rows); }

/// The definitions of the sets, written out once more; without r_N, those of friction by itself.
bool inside(const Case& c, const VecX& r, double slack) {
  const ConstraintLaw& law = c.law;
  const auto ellipse = [&](double x, double a, double y, double b) {  // |(x/a, y/b)| <= r_N, axes of length 0 closed
    if (a == 0) return std::abs(x) <= slack && std::abs(y) <= b * r[0] + slack;
    if (b == 0) return std::abs(y) <= slack && std::abs(x) <= a * r[0] + slack;
    return std::hypot(x / a, y / b) <= r[0] + slack / std::min(a, b);
  };
  const bool slides = c.rows >= 3 && r.segment<2>(1).norm() <= law.mu * r[0] + slack;
  if (law.kind == LawKind::Bilateral) return true;
  if (law.kind == LawKind::Interval) return r[0] >= law.lower - slack && r[0] <= law.upper + slack;
  if (law.kind == LawKind::Frictionless) return r[0] >= -slack && r.tail(c.rows - 1).norm() <= slack;
  if (law.kind == LawKind::Coulomb) return r.tail(c.rows - 1).norm() <= law.mu * r[0] + slack;
  if (law.kind == LawKind::Rolling) return slides && r.segment<2>(3).norm() <= law.mu_rolling * r[0] + slack;
  if (law.kind == LawKind::Orthotropic) return r[0] >= -slack && ellipse(r[1], law.mu, r[2], law.mu_2);
  if (law.kind == LawKind::Tresca) return r[0] >= -slack && r.tail(c.rows - 1).norm() <= law.limit + slack;
  if (law.kind == LawKind::Disc) return r.norm() <= law.limit + slack;
  if (law.kind == LawKind::Spinning) return slides && std::abs(r[3]) <= law.mu_spinning * r[0] + slack;
  if (law.kind == LawKind::RollingSpinning)
    return slides && r.segment<2>(3).norm() <= law.mu_rolling * r[0] + slack &&
           std::abs(r[5]) <= law.mu_spinning * r[0] + slack;
  if (law.kind == LawKind::Contensou)
    return r[0] >= -slack && ellipse(r.segment<2>(1).norm(), law.mu, r[3], law.mu_spinning);
  if (law.kind == LawKind::RollingContensou)
    return r[0] >= -slack && ellipse(r.segment<2>(1).norm(), law.mu, r[3], law.mu_spinning) &&
           r.segment<2>(4).norm() <= law.mu_rolling * r[0] + slack;
  return false;
}

/// A member by those definitions alone: a random point, its friction shortened until it is inside.
VecX draw_member(const Case& c, std::mt19937& rng) {
  std::normal_distribution<double> d;
  VecX r = VecX::NullaryExpr(c.rows, [&] { return 2 * d(rng); });
  if (c.law.has_normal()) r[0] = std::abs(r[0]);
  if (c.law.kind == LawKind::Interval) r[0] = std::clamp(r[0], c.law.lower, c.law.upper);
  // Axes of length 0 in turn, then all of the friction together.
  for (int row = c.law.has_normal() ? 1 : 0; row < c.rows && !inside(c, r, 0); ++row) {
    VecX alone = VecX::Zero(c.rows);
    alone[0] = c.law.has_normal() ? 1 : 0;
    alone[row] += 1e-9;
    if (!inside(c, alone, 0)) r[row] = 0;
  }
  for (int cut = 0; cut < 200 && !inside(c, r, 0); ++cut) {
    if (c.law.has_normal()) r.tail(c.rows - 1) *= 0.9;
    if (!c.law.has_normal()) r *= 0.9;
  }
  return r;
}

TEST(ConstraintLaw, projection_lies_in_the_set_and_no_other_point_of_it_is_nearer) {
  std::mt19937 rng(3);
  std::normal_distribution<double> d;
  for (const Case& c : all_laws()) {
    for (int trial = 0; trial < 200; ++trial) {
      const VecX x = VecX::NullaryExpr(c.rows, [&] { return d(rng); });
      VecX p(c.rows), q(c.rows);
      project(c.law, c.rows, x.data(), p.data());
      ASSERT_TRUE(inside(c, p, 1e-14)) << name(c) << ": " << p.transpose();
      // Projection on a convex set: (x - p).(y - p) <= 0 for all y in it, those on its border among them.
      for (int other = 0; other < 20; ++other) {
        const VecX member = draw_member(c, rng);
        ASSERT_TRUE(inside(c, member, 0)) << name(c);
        EXPECT_LE((x - p).dot(member - p), 1e-13) << name(c);
        const VecX y = VecX::NullaryExpr(c.rows, [&] { return 2 * d(rng); });
        project(c.law, c.rows, y.data(), q.data());
        EXPECT_LE((x - p).dot(q - p), 1e-13) << name(c);
      }
      project(c.law, c.rows, p.data(), q.data());
      EXPECT_LT((p - q).norm(), 4e-15 + 4e-15 * p.norm()) << name(c);
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
      EXPECT_LT((D - difference).norm(), 1e-6) << name(c);
      EXPECT_LT((B - parts).norm(), 1e-6) << name(c);
      EXPECT_LT((S * S - D).norm(), 1e-14) << name(c);
      EXPECT_LT((D - D.transpose()).norm(), 1e-15) << name(c);
    }
  }
}

TEST(ConstraintLaw, gradient_of_the_shift_agrees_with_differences_and_the_shift_is_the_support_function) {
  std::mt19937 rng(5);
  std::normal_distribution<double> d;
  for (const Case& c : all_laws()) {
    for (int trial = 0; trial < 30; ++trial) {
      const VecX U = VecX::NullaryExpr(c.rows, [&] { return d(rng); });
      VecX g(c.rows);
      velocity_shift_gradient(c.law, c.rows, U.data(), g.data());
      const double shift = velocity_shift(c.law, c.rows, U.data()), h = 1e-6;
      for (int j = 0; j < c.rows; ++j) {
        VecX plus = U, minus = U;
        plus[j] += h, minus[j] -= h;
        const double rise = velocity_shift(c.law, c.rows, plus.data()) - velocity_shift(c.law, c.rows, minus.data());
        EXPECT_NEAR(g[j], rise / (2 * h), 1e-7) << name(c);
      }
      if (!c.law.is_cone()) {
        EXPECT_EQ(shift, 0) << name(c);
        continue;
      }
      // No friction at r_N = 1 has more power than s(U), and the gradient is the one that has it.
      for (int other = 0; other < 30; ++other) {
        VecX member = draw_member(c, rng);
        if (member[0] > 0) member /= member[0];
        EXPECT_LE(member.tail(c.rows - 1).dot(U.tail(c.rows - 1)), shift + 1e-12) << name(c);
      }
      VecX most = g;
      most[0] = 1;
      EXPECT_TRUE(inside(c, most, 1e-13)) << name(c);
      EXPECT_NEAR(g.dot(U), shift, 1e-13) << name(c);
    }
  }
}

/// A law in its own words: r inside; of a contact 0 <= U_N _|_ r_N >= 0; and no friction that
/// the present r_N allows has more power against U than r (the principle of maximal dissipation).
void expect_law(const Case& c, const VecX& U, const VecX& r, std::mt19937& rng, double slack) {
  EXPECT_TRUE(inside(c, r, slack)) << name(c) << ": " << r.transpose();
  const bool contact = c.law.has_normal();
  if (contact) {
    EXPECT_GE(U[0], -slack) << name(c);
    EXPECT_NEAR(U[0] * r[0], 0, slack) << name(c);
  }
  const int first = contact ? 1 : 0;
  for (int other = 0; other < 50; ++other) {
    VecX z = draw_member(c, rng);
    if (c.law.is_cone()) z *= z[0] > 0 ? r[0] / z[0] : 0;
    EXPECT_GE(U.tail(c.rows - first).dot((z - r).tail(c.rows - first)), -slack) << name(c);
  }
}

TEST(ConstraintLaw, where_the_natural_map_is_zero_the_law_holds_in_its_own_words) {
  // One constraint, U = W r + b, by r <- P_K(r - rho U~) from many starts: what it converges to obeys the law.
  std::mt19937 rng(6);
  std::normal_distribution<double> d;
  for (const Case& c : all_laws()) {
    if (c.law.kind == LawKind::Bilateral || c.law.mu > 1) continue;  // the iteration wants moderate friction
    int converged = 0;
    for (int trial = 0; trial < 40; ++trial) {
      const MatX A = MatX::NullaryExpr(c.rows, c.rows, [&] { return 0.3 * d(rng); });
      const MatX W = A * A.transpose() + MatX::Identity(c.rows, c.rows);
      VecX b = VecX::NullaryExpr(c.rows, [&] { return 2 * d(rng); }), r = VecX::Zero(c.rows), U, y(c.rows), F(c.rows);
      const double rho = 0.5 / W.trace();
      double left = 1;
      for (int k = 0; k < 20000 && left > 1e-13; ++k) {
        U = W * r + b;
        y = r - rho * U;
        y[0] -= rho * velocity_shift(c.law, c.rows, U.data());
        project(c.law, c.rows, y.data(), y.data());
        left = (y - r).norm();
        r = y;
      }
      if (left > 1e-13) continue;
      ++converged;
      U = W * r + b;
      EXPECT_LT(natural_map(c.law, c.rows, U.data(), r.data(), 0.7, F.data()), 1e-20) << name(c);
      expect_law(c, U, r, rng, 1e-9);
      // Alart and Curnier's map has the same fixed points.
      for (const double step : {0.1, 1.0, 7.0}) {
        y = r - step * U;
        project_by_parts(c.law, c.rows, y.data(), y.data());
        EXPECT_LT((y - r).norm(), 1e-9) << name(c);
      }
    }
    EXPECT_GT(converged, 35) << name(c);
  }
}

TEST(ConstraintLaw, sliding_friction_of_an_ellipse_is_normal_to_it_and_not_against_the_velocity) {
  // r_T = -r_N (mu_1^2 U_1, mu_2^2 U_2)/|(mu_1 U_1, mu_2 U_2)|: with mu = (0.8, 0.2) and U_T along (1, 1), by hand.
  ConstraintLaw law{LawKind::Orthotropic, 0.8};
  law.mu_2 = 0.2;
  const double size = std::hypot(0.8, 0.2), r_N = 3;
  const Vec3 U(0, 1, 1), r(r_N, -r_N * 0.64 / size, -r_N * 0.04 / size);
  EXPECT_LT(natural_map(law, 3, U.data(), r.data(), 2, nullptr), 1e-28);
  EXPECT_NEAR(velocity_shift(law, 3, U.data()), size, 1e-15);
  const double along = 1 / std::hypot(1 / 0.8, 1 / 0.2);  // on the ellipse, opposite to U_T
  const Vec3 opposite(r_N, -r_N * along, -r_N * along);
  EXPECT_GT(natural_map(law, 3, U.data(), opposite.data(), 2, nullptr), 1e-2);

  // Contensou: spinning takes of the sliding friction. mu = 0.5, mu_s = 0.1 m, U_T = 0.2 m/s, omega = 1 rad/s: the two
  // parts mu U = mu_s omega = 0.1 are equal, so r_T = mu r_N/sqrt 2 and m_S = mu_s r_N/sqrt 2.
  ConstraintLaw contensou{LawKind::Contensou, 0.5};
  contensou.mu_spinning = 0.1;
  const double V[4] = {0, 0.2, 0, -1}, m[4] = {2, -0.5 * 2 / std::sqrt(2), 0, 0.1 * 2 / std::sqrt(2)};
  EXPECT_LT(natural_map(contensou, 4, V, m, 3, nullptr), 1e-28);
  EXPECT_NEAR(velocity_shift(contensou, 4, V), 0.1 * std::sqrt(2), 1e-15);
}

TEST(ConstraintLaw, scaling_the_rows_of_impulses_and_velocities_scales_the_law) {
  std::mt19937 rng(8);
  std::normal_distribution<double> d;
  for (const Case& c : all_laws()) {
    // Factors that leave every set of its kind: one for N, the tangents (one each for an ellipse), moments and spin.
    VecX factor = VecX::Constant(c.rows, 2);
    if (c.law.has_normal() && c.rows > 1) factor.tail(c.rows - 1).setConstant(0.7);
    if (c.law.kind == LawKind::Orthotropic) factor[2] = 3;
    if (c.rows >= 5 && c.law.has_normal()) factor.segment(3, 2).setConstant(5);
    if (c.law.kind == LawKind::RollingContensou) {
      factor[3] = 0.1;
      factor.segment(4, 2).setConstant(5);
    } else if (c.law.mu_spinning > 0) {
      factor[c.rows - 1] = 0.1;
    }
    Case scaled = c;
    scale_law_rows(scaled.law, c.rows, factor.data());
    Case doubled = c;
    scale_law(doubled.law, 2);
    for (int trial = 0; trial < 50; ++trial) {
      const VecX r = draw_member(c, rng);
      EXPECT_TRUE(inside(scaled, r.cwiseQuotient(factor), 1e-13)) << name(c);
      EXPECT_TRUE(inside(doubled, 2 * r, 1e-13)) << name(c);
      const VecX y = draw_member(scaled, rng), U = VecX::NullaryExpr(c.rows, [&] { return d(rng); });
      EXPECT_TRUE(inside(c, y.cwiseProduct(factor), 1e-13)) << name(c);
      // The shift goes with the normal velocity: V_N = factor_N U_N.
      const VecX V = U.cwiseProduct(factor);
      EXPECT_NEAR(velocity_shift(scaled.law, c.rows, V.data()), factor[0] * velocity_shift(c.law, c.rows, U.data()),
                  1e-13)
          << name(c);
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
  for (const LawType* type : law_kinds()) {
    const LawType& info = *type;
    const ConstraintLaw example = make_example_law(info.kind);
    EXPECT_NO_THROW(check_law(example, info.rows, "x")) << info.name;
    EXPECT_THROW(check_law(example, 7, "x"), Error) << info.name;
    EXPECT_THROW(check_law(example, 0, "x"), Error) << info.name;
    // Every number that a law describes is checked.
    struct Spoiler final : ParameterVisitor {
      int at = 0, count = 0;
      void real(std::string_view, double& value, std::string_view, Range, std::string_view, Presence) override {
        if (count++ == at) value = std::nan("");
      }
      void integer(std::string_view, int&, Range, std::string_view) override {}
      void boolean(std::string_view, bool&, std::string_view) override {}
      void choice_index(std::string_view, int&, std::span<const std::string_view>, std::string_view) override {}
      void vector(std::string_view, std::span<double, 3>, std::string_view, Range, Presence,
                  std::string_view) override {}
      void direction(std::string_view, std::span<double, 3>, std::string_view) override {}
      void text(std::string_view, std::string&, std::string_view) override {}
      void points(std::string_view, std::vector<std::array<double, 3>>&, std::string_view, std::string_view) override {}
    };
    for (Spoiler spoiler; spoiler.at < 3; ++spoiler.at) {
      ConstraintLaw spoilt = example;
      spoiler.count = 0;
      if (info.describe_set) info.describe_set(spoilt, spoiler);
      if (spoiler.at >= spoiler.count) break;
      EXPECT_THROW(check_law(spoilt, info.rows, "x"), Error) << info.name << " number " << spoiler.at;
    }
  }
  for (const Case& c : all_laws()) EXPECT_NO_THROW(check_law(c.law, c.rows, "x"));
}

}  // namespace
}  // namespace cairn
