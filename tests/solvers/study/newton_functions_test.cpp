// SPDX-License-Identifier: Apache-2.0
// Functions of the semismooth Newton solver: zero exactly on the law, derivatives against finite differences, and
// Koziara's rows against the equations of his thesis.
#include "cairn/solvers/study/newton_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cairn {
namespace {

constexpr NewtonFunction functions[] = {NewtonFunction::NaturalMap, NewtonFunction::AlartCurnier,
                                        NewtonFunction::JeanMoreau, NewtonFunction::FischerBurmeister};

struct Case {
  ConstraintLaw law;
  int rows;
};

std::vector<Case> cases(NewtonFunction function) {
  std::vector<Case> all{
      {{LawKind::Coulomb, 0.4}, 3}, {{LawKind::Coulomb, 1.7}, 2},      {{LawKind::Coulomb, 0.0}, 3},
      {{LawKind::Frictionless}, 1}, {{LawKind::Frictionless}, 3},      {{LawKind::Bilateral}, 1},
      {{LawKind::Bilateral}, 6},    {{LawKind::Rolling, 0.5, 0.2}, 5}, {{LawKind::Interval, 0, 0, -0.5, 0.8}, 1}};
  for (std::size_t k = std::size_t{LawKind::Orthotropic.index}; k < law_kinds().size(); ++k)
    all.push_back({make_example_law(law_kinds()[k]->kind), law_kinds()[k]->rows});
  all.push_back({make_example_law(LawKind::Tresca), 2});
  all.push_back({make_example_law(LawKind::Orthotropic), 3});
  all.back().law.mu_2 = 0;
  std::erase_if(all, [&](const Case& c) { return !function_supports(function, c.law); });
  return all;
}

VecX random_vector(std::mt19937& rng, int n) {
  std::normal_distribution<double> d;
  VecX x(n);
  for (double& e : x) e = d(rng);
  return x;
}

/// A pair (U, r) that obeys the law, in one of its states.
void admissible_pair(const Case& c, std::mt19937& rng, VecX& U, VecX& r) {
  std::uniform_real_distribution<double> unit(0.1, 1);
  const unsigned which = rng() % 3;
  U = VecX::Zero(c.rows), r = VecX::Zero(c.rows);
  // Sticks or slides, in an ellipsoid with these axes: r = a e, and -U normal to it there, along e/a.
  const auto ellipsoid = [&](int first, const VecX& axes) {
    const VecX e = random_vector(rng, static_cast<int>(axes.size())).normalized();
    const bool slides = rng() % 2 || axes.minCoeff() == 0;
    r.segment(first, e.size()) = (slides ? 1 : unit(rng)) * axes.cwiseProduct(e);
    if (!slides) return;
    const double length = unit(rng) * axes.maxCoeff();
    for (int i = 0; i < e.size(); ++i) {
      U[first + i] = axes[i] > 0 ? -length * e[i] / axes[i] : unit(rng);  // along an axis of length 0 anything goes
      if (axes.maxCoeff() == 0) U[first + i] = -e[i];
    }
    if (axes.maxCoeff() > 0 && axes.minCoeff() == 0)  // flat: e has no part along it
      for (int i = 0; i < e.size(); ++i)
        if (axes[i] > 0) r[first + i] = axes[i] * (e[i] > 0 ? 1 : -1);
  };
  const auto part = [&](int first, double mu) {
    ellipsoid(first, VecX::Constant(std::min(2, c.rows - first), mu * r[0]));
  };
  const ConstraintLaw& law = c.law;
  enum class Family { Equation, Disc, Tresca, Interval, Contact };
  const Family family = law.kind == LawKind::Bilateral  ? Family::Equation
                        : law.kind == LawKind::Disc     ? Family::Disc
                        : law.kind == LawKind::Tresca   ? Family::Tresca
                        : law.kind == LawKind::Interval ? Family::Interval
                                                        : Family::Contact;
  switch (family) {
    case Family::Equation: r = random_vector(rng, c.rows); break;
    case Family::Disc: ellipsoid(0, VecX::Constant(2, law.limit)); break;
    case Family::Tresca:  // friction acts whether the contact is closed or not
      if (which == 0) U[0] = unit(rng);
      if (which != 0) r[0] = unit(rng);
      ellipsoid(1, VecX::Constant(c.rows - 1, law.limit));
      break;
    case Family::Interval:
      r[0] = which == 0 ? c.law.lower : which == 1 ? c.law.upper : c.law.lower + 0.3 * unit(rng);
      U[0] = which == 0 ? unit(rng) : which == 1 ? -unit(rng) : 0;
      break;
    case Family::Contact:
      if (which == 0) {  // open
        U = random_vector(rng, c.rows);
        U[0] = unit(rng);
        break;
      }
      r[0] = unit(rng);
      if (c.law.kind == LawKind::Frictionless) {
        U.tail(c.rows - 1) = random_vector(rng, c.rows - 1);
        break;
      }
      if (law.kind == LawKind::Orthotropic) {
        ellipsoid(1, r[0] * Vec2(law.mu, law.mu_2));
      } else if (!law.is_planar()) {
        ellipsoid(1, r[0] * Vec3(law.mu, law.mu, law.mu_spinning));
      } else {
        part(1, law.mu);
      }
      if (law.kind == LawKind::Rolling || law.kind == LawKind::RollingSpinning) part(3, law.mu_rolling);
      if (law.kind == LawKind::RollingContensou) part(4, law.mu_rolling);
      if (law.kind == LawKind::Spinning || law.kind == LawKind::RollingSpinning)
        ellipsoid(c.rows - 1, VecX::Constant(1, law.mu_spinning * r[0]));
  }
}

TEST(NewtonFunctions, vanish_on_pairs_that_obey_the_law) {
  std::mt19937 rng(1);
  for (const NewtonFunction function : functions)
    for (const Case& c : cases(function))
      for (int trial = 0; trial < 200; ++trial) {
        VecX U, r;
        admissible_pair(c, rng, U, r);
        double F[max_rows];
        newton_value(function, {c.law, c.rows, U.data(), r.data(), 0.7, 1.3}, F);
        for (int i = 0; i < c.rows; ++i) {
          EXPECT_NEAR(F[i], 0, 2e-15) << static_cast<int>(function) << " law " << law_name(c.law.kind);
        }
      }
}

TEST(NewtonFunctions, grow_with_the_natural_map_on_pairs_that_do_not) {
  // F = 0 only on the law: away from it |F| is bounded below by the distance that the law itself measures.
  std::mt19937 rng(2);
  for (const NewtonFunction function : functions)
    for (const Case& c : cases(function))
      for (int trial = 0; trial < 500; ++trial) {
        VecX U, r;
        admissible_pair(c, rng, U, r);
        const double size = std::pow(10.0, -static_cast<double>(trial % 6));
        U += size * random_vector(rng, c.rows);
        r += size * random_vector(rng, c.rows);
        const double wrong = std::sqrt(natural_map(c.law, c.rows, U.data(), r.data(), 1, nullptr));
        double F[max_rows], square = 0;
        newton_value(function, {c.law, c.rows, U.data(), r.data(), 0.7, 1.3}, F);
        for (int i = 0; i < c.rows; ++i) square += F[i] * F[i];
        EXPECT_GE(std::sqrt(square), 0.05 * wrong) << static_cast<int>(function) << " law " << law_name(c.law.kind);
      }
}

TEST(NewtonFunctions, have_the_derivatives_that_finite_differences_show) {
  std::mt19937 rng(3);
  const double h = 1e-6;
  int checked = 0, kinks = 0;
  for (const NewtonFunction function : functions)
    for (const Case& c : cases(function))
      for (int trial = 0; trial < 300; ++trial) {
        const int n = c.rows;
        VecX x = random_vector(rng, 2 * n);                                          // U, then r
        if (c.law.is_cone() && trial % 2) x[n] = std::abs(x[n]) + 0.5, x[0] *= 0.1;  // more sticking and sliding
        const auto value = [&](const VecX& at) {
          VecX F(n);
          newton_value(function, {c.law, n, at.data(), at.data() + n, 0.7, 1.3}, F.data());
          return F;
        };
        NewtonBlocks blocks;
        newton_blocks(function, {c.law, n, x.data(), x.data() + n, 0.7, 1.3}, blocks);
        const VecX centre = value(x);
        for (int i = 0; i < n; ++i) EXPECT_EQ(blocks.F[static_cast<std::size_t>(i)], centre[i]);
        MatX difference(n, 2 * n);
        bool kink = false;
        for (int j = 0; j < 2 * n; ++j) {
          VecX high = x, low = x;
          high[j] += h, low[j] -= h;
          const VecX up = (value(high) - centre) / h, down = (centre - value(low)) / h;
          kink = kink || (up - down).norm() > 1e-3;
          difference.col(j) = 0.5 * (up + down);
        }
        (kink ? kinks : checked)++;
        if (kink) continue;
        MatX exact(n, 2 * n);
        exact.leftCols(n) = Eigen::Map<const MatX>(blocks.dU.data(), n, n);
        exact.rightCols(n) = Eigen::Map<const MatX>(blocks.dr.data(), n, n);
        EXPECT_LT((exact - difference).norm(), 1e-5)
            << static_cast<int>(function) << " law " << law_name(c.law.kind) << " rows " << n;
      }
  EXPECT_LT(kinks, checked / 50);
}

TEST(NewtonFunctions, stay_finite_at_the_apex_and_on_the_boundaries) {
  for (const NewtonFunction function : functions) {
    const ConstraintLaw law{LawKind::Coulomb, 0.5};
    for (const VecX& x : {VecX(VecX::Zero(6)), VecX(VecX::Unit(6, 3)), VecX(VecX::Unit(6, 0)), VecX(VecX::Unit(6, 4)),
                          VecX(VecX::Unit(6, 1) + 2 * VecX::Unit(6, 3) - VecX::Unit(6, 4))}) {
      NewtonBlocks blocks;
      newton_blocks(function, {law, 3, x.data(), x.data() + 3, 1, 1}, blocks);
      for (std::size_t i = 0; i < 9; ++i) EXPECT_TRUE(std::isfinite(blocks.dU[i]) && std::isfinite(blocks.dr[i]));
      // Nothing moves without consequence: (dU W + dr) is regular for W = 1.
      const MatX J = Eigen::Map<const MatX>(blocks.dU.data(), 3, 3) + Eigen::Map<const MatX>(blocks.dr.data(), 3, 3);
      EXPECT_GT(std::abs(J.determinant()), 1e-3) << static_cast<int>(function) << " at " << x.transpose();
    }
  }
}

TEST(NewtonFunctions, say_which_laws_they_know) {
  for (const LawKind kind :
       {LawKind::Coulomb, LawKind::Frictionless, LawKind::Bilateral, LawKind::Rolling, LawKind::Interval}) {
    EXPECT_TRUE(function_supports(NewtonFunction::NaturalMap, make_example_law(kind)));
    const bool plain = kind != LawKind::Rolling && kind != LawKind::Interval;
    EXPECT_EQ(function_supports(NewtonFunction::FischerBurmeister, make_example_law(kind)), plain);
    EXPECT_EQ(koziara_supports(KoziaraRows::Hyb, {kind, 0.3}), plain);
  }
  EXPECT_FALSE(koziara_supports(KoziaraRows::Unil, {LawKind::Coulomb, 0.3}));
  EXPECT_TRUE(koziara_supports(KoziaraRows::Unil, {LawKind::Coulomb, 0}));
}

TEST(KoziaraRows, vanish_on_pairs_that_obey_the_law_as_does_his_function) {
  std::mt19937 rng(5);
  for (const Case& c : {Case{{LawKind::Coulomb, 0.4}, 3}, Case{{LawKind::Coulomb, 0.4}, 2},
                        Case{{LawKind::Frictionless}, 3}, Case{{LawKind::Bilateral}, 3}})
    for (int trial = 0; trial < 300; ++trial) {
      VecX U, r;
      admissible_pair(c, rng, U, r);
      const NewtonPoint at{c.law, c.rows, U.data(), r.data(), 0.8, 0.8};
      double C[max_rows];
      koziara_value(at, 1, C);
      for (int i = 0; i < c.rows; ++i) EXPECT_NEAR(C[i], 0, 2e-15);
      for (const KoziaraRows kind : {KoziaraRows::Newt, KoziaraRows::Hyb, KoziaraRows::Fix}) {
        NewtonBlocks blocks;
        koziara_rows(kind, at, r[0], false, blocks);
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.rows); ++i) EXPECT_NEAR(blocks.F[i], 0, 2e-15);
      }
    }
}

TEST(KoziaraRows, of_newt_are_the_linearised_function_where_the_impulse_lies_on_the_cone) {
  // Equations (11.2.13-14): with dU_N = -U_N from the normal row, the tangential rows are those of C_T = 0 divided by
  // its factor (mu d_N when it sticks, |d_T| when it slides). The cut max(mu d_N, |R_T|) is exact where
  // |R_T| <= mu d_N.
  std::mt19937 rng(6);
  const double rho = 0.8, h = 1e-6;
  const ConstraintLaw law{LawKind::Coulomb, 0.5};
  int stick = 0, slip = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    VecX U = random_vector(rng, 3), r = random_vector(rng, 3);
    r[0] = 1 + std::abs(r[0]);
    U[0] *= 0.2;
    r.tail(2) *= 0.2;
    NewtonBlocks blocks;
    const KoziaraBranch state =
        koziara_rows(KoziaraRows::Newt, {law, 3, U.data(), r.data(), rho, rho}, 0, false, blocks);
    const double d_n = r[0] - rho * U[0];
    if (state == KoziaraBranch::Open || r.tail(2).norm() > law.mu * d_n) continue;
    (state == KoziaraBranch::Stick ? stick : slip)++;
    const MatX dU = Eigen::Map<const MatX>(blocks.dU.data(), 3, 3), dr = Eigen::Map<const MatX>(blocks.dr.data(), 3, 3);
    // A direction that obeys the normal row.
    VecX step_U = random_vector(rng, 3), step_r = random_vector(rng, 3);
    step_U[0] = -U[0];
    const auto C = [&](double s) {
      const VecX V = U + s * step_U, q = r + s * step_r;
      VecX value(3);
      koziara_value({law, 3, V.data(), q.data(), rho, rho}, 1, value.data());
      return value;
    };
    const Vec3 slope = (C(h) - C(-h)) / (2 * h), value = C(0);
    const double factor = state == KoziaraBranch::Stick ? law.mu * d_n : (r - rho * U).tail(2).norm();
    const VecX row = dU * step_U + dr * step_r + Eigen::Map<const VecX>(blocks.F.data(), 3);
    // C + C' step, with mu (d_N + d_N' step) d_T in place of the step's second-order terms; both sides linear.
    EXPECT_LT((row.tail(2) - (value + slope).tail(2) / factor).norm(), 1e-4 * (1 + row.norm())) << trial;
  }
  EXPECT_GT(stick, 50);
  EXPECT_GT(slip, 50);
}

TEST(KoziaraRows, start_from_all_contacts_closed_without_friction) {
  const ConstraintLaw law{LawKind::Coulomb, 0.5};
  const Vec3 U(3, 1, -2), r = Vec3::Zero();
  NewtonBlocks blocks;
  EXPECT_EQ(koziara_rows(KoziaraRows::Hyb, {law, 3, U.data(), r.data(), 1, 1}, 0, true, blocks), KoziaraBranch::Slip);
  EXPECT_EQ(Mat3(Eigen::Map<const Mat3>(blocks.dU.data())), Mat3(Vec3(1, 0, 0).asDiagonal()));
  EXPECT_EQ(Mat3(Eigen::Map<const Mat3>(blocks.dr.data())), Mat3(Vec3(0, 1, 1).asDiagonal()));
  EXPECT_EQ(Vec3(blocks.F.data()), Vec3(3, 0, 0));
}

}  // namespace
}  // namespace cairn
