// SPDX-License-Identifier: Apache-2.0
// What must hold for every convex set, run over all kinds and their extremes: the properties that define a projection,
// its derivative and the support function.
#include "cairn/math/convex_sets.h"

#include "cairn/base/error.h"
#include "math/set_cases.h"

#include <gtest/gtest.h>

namespace cairn::sets {
namespace {

constexpr double rounding = 1e-13;  // relative to the sizes that enter

class EverySet : public testing::TestWithParam<SetCase> {
 protected:
  const ConvexSet& set() const { return GetParam().set; }
  int n() const { return rows(set()); }
  /// Near the set, far from it, and the origin.
  VecX draw_point(int i) {
    if (i == 0) return VecX::Zero(n());
    return (i % 3 == 0 ? 30.0 : 1.0) * draw_vector(rng, n());
  }
  std::mt19937 rng{7};
};

TEST_P(EverySet, projection_is_a_member_and_no_member_is_on_the_other_side_of_it) {
  // (x - P x).(z - P x) <= 0 for all members z, and P x a member: that is the projection and nothing else is.
  for (int i = 0; i < 300; ++i) {
    const VecX x = draw_point(i), p = project(set(), x), out = x - p;
    const double size = 1 + x.norm();
    ASSERT_TRUE(p.allFinite());
    EXPECT_LE(excess(set(), p), 10 * rounding * size) << x.transpose();
    for (int k = 0; k < 60; ++k) {
      const VecX z = draw_member(set(), rng);
      EXPECT_LE(out.dot(z - p), rounding * size * (size + z.norm())) << x.transpose() << " | " << z.transpose();
    }
  }
}

TEST_P(EverySet, no_random_search_among_members_finds_a_nearer_point) {
  // Frank and Wolfe's method with the best of some random members in place of the support point: it uses nothing but
  // convexity and the definition of the set.
  constexpr int trials = 8, steps = 250, draws = 12;
  int reached = 0;
  for (int i = 0; i < trials; ++i) {
    const VecX x = 2 * draw_vector(rng, n());
    VecX z = draw_member(set(), rng);
    for (int k = 0; k < steps; ++k) {
      VecX best = z;
      for (int d = 0; d < draws; ++d) {
        const VecX member = draw_member(set(), rng);
        if ((x - z).dot(member - best) > 0) best = member;
      }
      const VecX along = best - z;
      if (along.squaredNorm() > 0) z += std::clamp((x - z).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
    }
    const double found = (z - x).norm(), ours = violation(set(), x);
    EXPECT_GE(found, ours - rounding * (1 + x.norm()));
    reached += found <= ours + 0.02 * (1 + x.norm());
  }
  EXPECT_GE(reached, trials / 2) << "the search itself should come near";
}

TEST_P(EverySet, members_come_back_bit_for_bit_and_projecting_twice_changes_nothing) {
  for (int i = 0; i < 200; ++i) {
    const VecX x = draw_point(i), p = project(set(), x);
    EXPECT_LT((project(set(), p) - p).norm(), rounding * (1 + x.norm()));
    const VecX a = draw_member(set(), rng), b = draw_member(set(), rng), inside = 0.5 * (a + b);
    if (GetParam().solid && excess(set(), inside) < -1e-9) {
      EXPECT_EQ(project(set(), inside), inside);
    }
    EXPECT_LT((project(set(), a) - a).norm(), rounding * (1 + a.norm()));
  }
}

TEST_P(EverySet, projection_is_firmly_non_expansive) {
  for (int i = 0; i < 300; ++i) {
    const VecX x = draw_point(i), y = i % 2 ? draw_point(i) : VecX(x + 1e-3 * draw_vector(rng, n()));
    const VecX d = project(set(), x) - project(set(), y);
    EXPECT_LE(d.squaredNorm(), d.dot(x - y) + rounding * (1 + x.norm()) * (x - y).norm());
  }
}

TEST_P(EverySet, projection_is_the_same_in_every_unit) {
  for (const double s : {1e-9, 1e9}) {
    const ConvexSet large = scaled(set(), s);
    for (int i = 0; i < 60; ++i) {
      const VecX x = draw_point(i);
      EXPECT_LT((project(large, s * x) - s * project(set(), x)).norm(), rounding * s * (1 + x.norm()));
      EXPECT_LT((project_derivative(large, s * x) - project_derivative(set(), x)).norm(), 1e-6);
    }
  }
}

TEST_P(EverySet, points_at_any_distance_give_finite_members) {
  for (const double s : {1e-150, 1e-30, 1e-9, 1e9, 1e30, 1e120}) {
    for (int i = 1; i < 20; ++i) {
      const VecX x = s * draw_vector(rng, n()), p = project(set(), x);
      ASSERT_TRUE(p.allFinite()) << x.transpose();
      EXPECT_LE(excess(set(), p), 1e-11 * (1 + s));
      EXPECT_TRUE(project_derivative(set(), x).allFinite()) << x.transpose();
    }
  }
}

TEST_P(EverySet, derivative_is_symmetric_between_zero_and_one_and_agrees_with_differences) {
  int compared = 0, kinks = 0;
  for (int i = 0; i < 150; ++i) {
    const VecX x = draw_point(i);
    const MatX D = project_derivative(set(), x);
    EXPECT_LT((D - D.transpose()).norm(), 1e-13);
    const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(D).eigenvalues();
    EXPECT_GE(values.minCoeff(), -1e-12);
    EXPECT_LE(values.maxCoeff(), 1 + 1e-12);
    for (int k = 0; k < n(); ++k) {
      const VecX step = 1e-6 * (1 + x.norm()) * VecX::Unit(n(), k);
      const VecX plus = x + step, minus = x - step;
      const VecX slope = (project(set(), plus) - project(set(), minus)) / (2 * step.norm());
      // The error of central differences is bounded by the change of the derivative over the stencil.
      const double change =
          (project_derivative(set(), plus) - D).norm() + (project_derivative(set(), minus) - D).norm();
      kinks += change > 1e-2;
      if (change > 1e-2) continue;
      EXPECT_LT((slope - D.col(k)).norm(), 1e-7 + change) << x.transpose();
      ++compared;
    }
  }
  EXPECT_GT(compared, 10 * kinks);
}

TEST_P(EverySet, support_bounds_every_member_and_is_reached_where_the_normal_points) {
  for (int i = 0; i < 200; ++i) {
    const VecX y = draw_vector(rng, n());
    const double most = support(set(), y);
    if (std::isfinite(most)) {
      for (int k = 0; k < 50; ++k) {
        const VecX z = draw_member(set(), rng);
        EXPECT_LE(z.dot(y), most + rounding * (1 + z.norm()));
      }
    } else if (is_cone(set())) {
      EXPECT_GT(project(set(), y).norm(), 0);  // P(y).y = |P(y)|^2: growing along P(y)
    }
    // x - P x is normal to the set at P x.
    const VecX x = draw_point(i), p = project(set(), x), normal = x - p;
    if (is_cone(set())) {
      const VecX lifted = normal + 1e-6 * p;
      if (p.norm() > 1e-6) {
        EXPECT_EQ(support(set(), lifted), infinity) << x.transpose();
      }
    } else if (std::isfinite(support(set(), normal))) {
      EXPECT_NEAR(support(set(), normal), normal.dot(p), 10 * rounding * std::pow(1 + x.norm(), 2)) << x.transpose();
    }
  }
  EXPECT_EQ(support(set(), VecX(VecX::Zero(n()))), 0);
}

/// Those of them that are cones.
class EveryCone : public EverySet {};

TEST_P(EveryCone, projections_on_it_and_on_its_polar_add_up_and_are_orthogonal) {
  const ConvexSet dual = make_dual(set());
  for (int i = 0; i < 200; ++i) {
    const VecX x = draw_point(i), p = project(set(), x), polar = -project(dual, VecX(-x));
    EXPECT_LT((x - p - polar).norm(), rounding * (1 + x.norm()));
    EXPECT_LT(std::abs(p.dot(polar)), rounding * (1 + x.squaredNorm()));
    const VecX z = draw_member(set(), rng);
    EXPECT_LE(violation(set(), VecX(1e6 * z)), 1e6 * rounding * (1 + z.norm()));
    EXPECT_LE(polar.dot(z), rounding * (1 + x.norm()) * (1 + z.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, EverySet, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

std::vector<SetCase> all_cones() {
  std::vector<SetCase> cones;
  for (const SetCase& one : all_cases())
    if (is_cone(one.set)) cones.push_back(one);
  return cones;
}

INSTANTIATE_TEST_SUITE_P(Sets, EveryCone, testing::ValuesIn(all_cones()),
                         [](const auto& one) { return one.param.name; });

TEST(ConvexSets, wrong_numbers_are_named) {
  const auto message = [](auto make) -> std::string {
    try {
      const ConvexSet set = make();
      return "accepted";
    } catch (const Error& e) {
      return e.what();
    }
  };
  const double nan = std::nan("");
  EXPECT_EQ(message([] { return Disc{-2, 2}; }), "disc: radius is -2; must be finite and >= 0");
  EXPECT_EQ(message([] { return Disc{2, 0}; }), "disc: 0 rows; must be 1 to 1048576");
  EXPECT_EQ(message([&] { return Ellipse{nan, 1}; }), "ellipse: a is nan; must be finite and >= 0");
  EXPECT_EQ(message([] { return Ellipsoid{{1, -1, 1}}; }), "ellipsoid: a semi-axis is -1; must be finite and >= 0");
  EXPECT_EQ(message([] { return Interval{1, 0.5}; }), "interval: bounds [1, 0.5] hold nothing");
  EXPECT_EQ(message([] { return Interval{infinity, infinity}; }), "interval: bounds [inf, inf] hold nothing");
  EXPECT_EQ(message([&] { return Interval{nan, 1}; }), "interval: bounds [nan, 1] hold nothing");
  EXPECT_EQ(message([] { return FrictionCone{infinity}; }), "friction cone: mu is inf; must be finite and >= 0");
  EXPECT_EQ(message([] { return FrictionCone{1, 3}; }), "friction cone: 3 tangential rows; must be 1 or 2");
  EXPECT_EQ(message([] { return RollingCone{1, -0.1}; }), "rolling cone: mu_rolling is -0.1; must be finite and >= 0");
  EXPECT_EQ(message([] { return EllipticCone{-1, 1}; }), "elliptic cone: mu1 is -1; must be finite and >= 0");
  EXPECT_EQ(message([] { return PolyhedralCone{1, 2}; }), "polyhedral cone: facets is 2; must be at least 3");
  EXPECT_EQ(message([&] { return Polygon{1, 4, nan}; }), "polygon: angle is nan; must be finite");
  EXPECT_EQ(message([] { return Product{}; }), "product: no parts; must have at least one");
  EXPECT_EQ(message([] {
              return make_transformed(Mat2::Zero(), {}, Disc{1, 2});
            }),
            "transformed set: singular values of the matrix from 0 to 0; must be regular");
  EXPECT_EQ(message([] {
              return make_transformed(Mat3::Identity(), {}, Disc{1, 2});
            }),
            "transformed set: matrix 3 x 3 and centre of 0 rows for a disc of 2 rows; must agree");
  EXPECT_EQ(message([] { return make_dual(Disc{1, 2}); }), "a disc has no dual cone; must be a cone");
  EXPECT_EQ(message([] {
              return DualCone{std::make_shared<const ConvexSet>(Disc{1, 2})};
            }),
            "dual cone: a disc is no cone; must be one");
  EXPECT_THROW(project(Disc{1, 2}, VecX(Vec3(1, 2, 3))), Error);
  EXPECT_THROW(support(FrictionCone{1}, VecX(Vec2(1, 2))), Error);
}

TEST(ConvexSets, duals_have_their_closed_forms) {
  // K_mu* = K_1/mu; the corners of a pyramid become the faces of its dual.
  EXPECT_DOUBLE_EQ(std::get<FrictionCone>(make_dual(FrictionCone{0.25}).value).mu, 4);
  EXPECT_TRUE(std::holds_alternative<Zero>(make_dual(Free{3}).value));
  const PolyhedralCone pyramid{0.6, 5, 0.2};
  const ConvexSet dual = make_dual(pyramid);
  for (int j = 0; j < 5; ++j) {
    const double at = 0.2 + 2 * std::numbers::pi * j / 5;
    const Vec3 corner(1, 0.6 * std::cos(at), 0.6 * std::sin(at));
    // The foot of the axis on the face of the dual that the corner makes.
    const Vec3 on_face = Vec3(1, 0, 0) - corner[0] / corner.squaredNorm() * corner;
    EXPECT_LT(violation(dual, on_face), 1e-15);
    EXPECT_GT(violation(dual, VecX(on_face - 1e-6 * corner)), 0.9e-6);
  }
}

}  // namespace
}  // namespace cairn::sets
