// SPDX-License-Identifier: Apache-2.0
// What must hold for the projection on every convex set, run over all kinds and their extremes: the properties that
// define it and its derivative. Members are drawn from the definitions; nothing here projects.
#include "cairn/math/elliptic_cone.h"
#include "cairn/math/polygon.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <random>
#include <string>

namespace cairn::sets {
namespace {

constexpr double rounding = 1e-13;  // relative to the sizes that enter

double draw_normal(std::mt19937& rng) { return std::normal_distribution<double>()(rng); }
double draw_unit(std::mt19937& rng) { return std::uniform_real_distribution<double>()(rng); }
VecX draw_vector(std::mt19937& rng, int n) {
  return VecX::NullaryExpr(n, [&] { return draw_normal(rng); });
}
/// In the unit ball; half of them on its surface.
VecX draw_in_ball(std::mt19937& rng, int n) {
  return (draw_unit(rng) < 0.5 ? 1 : draw_unit(rng)) * draw_vector(rng, n).normalized();
}
/// Height z_0 and the section at height 1 below it.
VecX draw_in_cone(std::mt19937& rng, const VecX& section) {
  VecX z(1 + section.size());
  const double height = 2 * std::abs(draw_normal(rng));
  z << height, height * section;
  return z;
}

struct SetCase {
  std::string name;
  int rows;
  std::function<void(const double*, double*)> project, derivative;
  std::function<VecX(std::mt19937&)> draw_member;
  friend std::ostream& operator<<(std::ostream& out, const SetCase& c) { return out << c.name; }
};

template <class Set>
SetCase make_case(std::string name, int rows, Set set, std::function<VecX(std::mt19937&)> draw) {
  return {std::move(name), rows, [set](const double* x, double* out) { project(set, x, out); },
          [set](const double* x, double* D) { project_derivative(set, x, D); }, std::move(draw)};
}

SetCase interval(std::string name, double lower, double upper) {
  return make_case(std::move(name), 1, Interval{lower, upper}, [=](std::mt19937& rng) {
    return VecX::Constant(1, std::clamp(3 * draw_normal(rng), lower, upper));
  });
}
SetCase disc(std::string name, double radius, int n) {
  return make_case(std::move(name), n, Disc{radius, n},
                   [=](std::mt19937& rng) -> VecX { return radius * draw_in_ball(rng, n); });
}
SetCase polygon(std::string name, double radius, int facets, double angle = 0) {
  return make_case(std::move(name), 2, Polygon{radius, facets, angle}, [=](std::mt19937& rng) -> VecX {
    const double sector = 2 * std::numbers::pi / facets, at = angle + sector * std::floor(draw_unit(rng) * facets);
    const double along = draw_unit(rng), deep = draw_unit(rng) < 0.5 ? 1 : draw_unit(rng);
    const Vec2 a(std::cos(at), std::sin(at)), b(std::cos(at + sector), std::sin(at + sector));
    return radius * deep * ((1 - along) * a + along * b);
  });
}
SetCase disc_cone(std::string name, DiscCone cone) {
  return make_case(std::move(name), cone.rows, cone, [=](std::mt19937& rng) {
    VecX section(cone.rows - 1);
    int first = 0;
    for (int p = 0; p < cone.count; first += cone.parts[p++].rows)
      section.segment(first, cone.parts[p].rows) = cone.parts[p].mu * draw_in_ball(rng, cone.parts[p].rows);
    return draw_in_cone(rng, section);
  });
}
SetCase elliptic(std::string name, double mu1, double mu2) {
  return make_case(std::move(name), 3, EllipticCone{mu1, mu2}, [=](std::mt19937& rng) {
    return draw_in_cone(rng, draw_in_ball(rng, 2).cwiseProduct(Vec2(mu1, mu2)));
  });
}
SetCase contensou(std::string name, double mu, double spinning) {
  return make_case(std::move(name), 4, ContensouCone{mu, spinning}, [=](std::mt19937& rng) {
    return draw_in_cone(rng, draw_in_ball(rng, 3).cwiseProduct(Vec3(mu, mu, spinning)));
  });
}
SetCase rolling_contensou(std::string name, double mu, double spinning, double rolling) {
  return make_case(std::move(name), 6, RollingContensouCone{{mu, spinning}, rolling}, [=](std::mt19937& rng) {
    VecX section(5);
    section << draw_in_ball(rng, 3).cwiseProduct(Vec3(mu, mu, spinning)), rolling * draw_in_ball(rng, 2);
    return draw_in_cone(rng, section);
  });
}

std::vector<SetCase> all_cases() {
  return {
      make_case("free", 3, Free{3}, [](std::mt19937& rng) -> VecX { return 4 * draw_vector(rng, 3); }),
      make_case("orthant", 4, NonNegative{4},
                [](std::mt19937& rng) -> VecX { return draw_vector(rng, 4).cwiseMax(0); }),
      interval("interval", -0.7, 0.3),
      interval("interval_above", -0.2, infinity),
      interval("interval_point", 0.4, 0.4),
      disc("segment", 0.6, 1),
      disc("disc", 0.6, 2),
      disc("disc_of_radius_zero", 0, 2),
      disc("ball", 1.2, 3),
      polygon("triangle", 0.8, 3, 0.3),
      polygon("octagon", 1, 8),
      polygon("polygon_of_radius_zero", 0, 6),
      polygon("polygon_64", 0.5, 64, -1),
      disc_cone("cone", {{{0.5, 2}}, 1, 3}),
      disc_cone("cone_steep", {{{30, 2}}, 1, 3}),
      disc_cone("cone_narrow", {{{1e-3, 2}}, 1, 3}),
      disc_cone("cone_ray", {{{0, 2}}, 1, 3}),
      disc_cone("cone_plane", {{{0.7, 1}}, 1, 2}),
      disc_cone("rolling", {{{0.5, 2}, {0.2, 2}}, 2, 5}),
      disc_cone("rolling_without_moment", {{{0.5, 2}, {0, 2}}, 2, 5}),
      disc_cone("rolling_spinning", {{{0.5, 2}, {0.2, 2}, {0.1, 1}}, 3, 6}),
      elliptic("elliptic", 0.3, 0.9),
      elliptic("elliptic_thin", 1e-3, 2),
      elliptic("elliptic_plane", 0, 0.6),
      contensou("contensou", 0.5, 0.02),
      contensou("contensou_without_spin", 0.5, 0),
      rolling_contensou("rolling_contensou", 0.5, 0.1, 0.2),
  };
}

class EverySet : public testing::TestWithParam<SetCase> {
 protected:
  int n() const { return GetParam().rows; }
  VecX project(const VecX& x) const {
    VecX out(n());
    GetParam().project(x.data(), out.data());
    return out;
  }
  MatX derivative(const VecX& x) const {
    MatX D(n(), n());
    GetParam().derivative(x.data(), D.data());
    return D;
  }
  VecX draw_member() { return GetParam().draw_member(rng); }
  /// Near the set, far from it, and the origin.
  VecX draw_point(int i) {
    return i == 0 ? VecX(VecX::Zero(n())) : VecX((i % 3 == 0 ? 30.0 : 1.0) * draw_vector(rng, n()));
  }
  std::mt19937 rng{7};
};

TEST_P(EverySet, members_stay_and_no_member_is_on_the_other_side_of_a_projection) {
  // (x - P x).(z - P x) <= 0 for all members z, and P x a member: that is the projection and nothing else is.
  for (int i = 0; i < 300; ++i) {
    const VecX x = draw_point(i), p = project(x), out = x - p, member = draw_member();
    const double size = 1 + x.norm();
    ASSERT_TRUE(p.allFinite());
    EXPECT_LT((project(p) - p).norm(), rounding * size) << x.transpose();
    EXPECT_LT((project(member) - member).norm(), rounding * (1 + member.norm()));
    for (int k = 0; k < 60; ++k) {
      const VecX z = draw_member();
      EXPECT_LE(out.dot(z - p), rounding * size * (size + z.norm())) << x.transpose() << " | " << z.transpose();
    }
  }
}

TEST_P(EverySet, projection_is_firmly_non_expansive) {
  for (int i = 0; i < 300; ++i) {
    const VecX x = draw_point(i), y = i % 2 ? draw_point(i) : VecX(x + 1e-3 * draw_vector(rng, n()));
    const VecX d = project(x) - project(y);
    EXPECT_LE(d.squaredNorm(), d.dot(x - y) + rounding * (1 + x.norm()) * (x - y).norm());
  }
}

TEST_P(EverySet, points_at_any_distance_give_finite_members) {
  for (const double s : {1e-150, 1e-30, 1e-9, 1e9, 1e30, 1e120})
    for (int i = 1; i < 20; ++i) {
      const VecX x = s * draw_vector(rng, n()), p = project(x);
      ASSERT_TRUE(p.allFinite()) << x.transpose();
      EXPECT_LE((project(p) - p).norm(), 1e-11 * (1 + s));
      EXPECT_TRUE(derivative(x).allFinite()) << x.transpose();
    }
}

TEST_P(EverySet, derivative_is_symmetric_between_zero_and_one_and_agrees_with_differences) {
  int compared = 0, kinks = 0;
  for (int i = 0; i < 150; ++i) {
    const VecX x = draw_point(i);
    const MatX D = derivative(x);
    EXPECT_LT((D - D.transpose()).norm(), 1e-13);
    const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(D).eigenvalues();
    EXPECT_GE(values.minCoeff(), -1e-12);
    EXPECT_LE(values.maxCoeff(), 1 + 1e-12);
    for (int k = 0; k < n(); ++k) {
      const VecX step = 1e-6 * (1 + x.norm()) * VecX::Unit(n(), k), plus = x + step, minus = x - step;
      const VecX slope = (project(plus) - project(minus)) / (2 * step.norm());
      // The error of central differences is bounded by the change of the derivative over the stencil.
      const double change = (derivative(plus) - D).norm() + (derivative(minus) - D).norm();
      kinks += change > 1e-2;
      if (change > 1e-2) continue;
      EXPECT_LT((slope - D.col(k)).norm(), 1e-7 + change) << x.transpose();
      ++compared;
    }
  }
  EXPECT_GT(compared, 10 * kinks);
}

INSTANTIATE_TEST_SUITE_P(Sets, EverySet, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace cairn::sets
