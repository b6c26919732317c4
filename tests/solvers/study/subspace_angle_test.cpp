// SPDX-License-Identifier: Apache-2.0
// Principal angles between contact and friction where they follow from a drawing.
#include "cairn/solvers/study/subspace_angle.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <numbers>
#include <random>

namespace cairn {
namespace {

/// W = H M^-1 H' for rows H grouped in contacts of `rows` rows each.
LocalProblem make_problem(const MatX& H, const VecX& mass, int rows, double mu) {
  LocalProblem p;
  const MatX W = H * mass.cwiseInverse().asDiagonal() * H.transpose();
  for (int i = 0; i < H.rows() / rows; ++i) {
    p.law.push_back({LawKind::Coulomb, mu});
    p.offset.push_back(p.offset.back() + rows);
  }
  BlockMatrixBuilder builder(p.offset);
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < W.cols(); ++j) builder.add(i, j, W(i, j));
  p.W = builder.finish();
  p.b = VecX::Zero(H.rows());
  return p;
}

/// Kaufman's rod (thesis section 2.7): half length 1, coordinates (a, x, y), contact at its lower end.
LocalProblem make_rod(double a, double mass, double inertia, double mu) {
  MatX H(2, 3);
  H << std::sin(a), 0, 1, std::cos(a), 1, 0;
  return make_problem(H, Vec3(inertia, mass, mass), 2, mu);
}

TEST(SubspaceAngle, of_a_rod_is_the_angle_between_its_generalised_normal_and_friction_direction) {
  // n'M^-1 n = 1.6, n'M^-1 d = -1.2, d'M^-1 d = 3.4 for m = 1, I = 1/3, tan a = -1/2.
  const SubspaceAngle s = minimum_principal_angle(make_rod(-std::atan(0.5), 1, 1.0 / 3, 0.7));
  EXPECT_NEAR(s.cosine, 1.2 / std::sqrt(1.6 * 3.4), 1e-14);
  EXPECT_NEAR(s.angle, std::acos(1.2 / std::sqrt(1.6 * 3.4)), 1e-13);
  EXPECT_EQ(s.contact_rank, 1);
  EXPECT_EQ(s.friction_rank, 1);
  EXPECT_EQ(s.largest_friction, 0.7);
}

TEST(SubspaceAngle, critical_friction_of_a_uniform_rod_is_least_at_tangent_one_half_where_it_is_four_thirds) {
  // mu_crit = (1 + 4 tan^2 a) / (3 |tan a|).
  EXPECT_NEAR(critical_friction(make_rod(-std::atan(0.5), 1, 1.0 / 3, 1), 0), 4.0 / 3, 1e-13);
  EXPECT_NEAR(critical_friction(make_rod(0.3, 2, 2.0 / 3, 1), 0),
              (1 + 4 * std::pow(std::tan(0.3), 2)) / (3 * std::tan(0.3)), 1e-12);
  EXPECT_EQ(critical_friction(make_rod(0, 1, 1.0 / 3, 1), 0), std::numeric_limits<double>::infinity());
}

TEST(SubspaceAngle, of_a_point_mass_on_a_plane_is_a_right_angle) {
  const SubspaceAngle s = minimum_principal_angle(make_problem(Mat3::Identity(), Vec3(2, 2, 2), 3, 0.5));
  EXPECT_EQ(s.cosine, 0);
  EXPECT_NEAR(s.angle, std::numbers::pi / 2, 1e-15);
}

TEST(SubspaceAngle, of_a_box_on_four_points_is_that_of_tilting_against_pushing) {
  // Normal impulses give vertical force and tilting moments; a push at height h below the centre gives force and moment
  // h. Between the moment (length 1/sqrt(I)) and the push (length sqrt(1/m + h^2/I)): cos = (h/I) sqrt(I) / that
  // length.
  const double m = 3, h = 0.4, Ix = 0.9, Iy = 0.7, Iz = 1.1;
  MatX H(12, 6);
  for (int i = 0; i < 4; ++i) {
    const Vec3 arm(i & 1 ? 0.5 : -0.5, i & 2 ? 0.3 : -0.3, -h);
    const Vec3 axes[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int k = 0; k < 3; ++k) H.row(3 * i + k) << axes[k].transpose(), arm.cross(axes[k]).transpose();
  }
  VecX mass(6);
  mass << m, m, m, Ix, Iy, Iz;
  const double weakest = std::min(Ix, Iy);
  const double expected = h / std::sqrt(weakest) / std::sqrt(1 / m + h * h / weakest);
  const SubspaceAngle s = minimum_principal_angle(make_problem(H, mass, 3, 0.5));
  EXPECT_NEAR(s.cosine, expected, 1e-12);
  EXPECT_EQ(s.contact_rank, 3);
  EXPECT_EQ(s.friction_rank, 3);
}

TEST(SubspaceAngle, of_a_block_between_floor_and_wall_is_zero_until_one_of_them_lets_go) {
  // Plane block without rotation: friction on the floor acts along the normal of the wall.
  MatX H(4, 2);
  H << 0, 1, 1, 0, -1, 0, 0, 1;
  const LocalProblem p = make_problem(H, Vec2(1, 1), 2, 0.5);
  EXPECT_NEAR(minimum_principal_angle(p).angle, 0, 1e-7);
  VecX r(4);
  r << 1, 0.2, 0, 0;
  const SubspaceAngle active = minimum_principal_angle(p, r);
  EXPECT_NEAR(active.angle, std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(active.contact_rank, 1);
}

TEST(SubspaceAngle, agrees_with_a_search_over_both_subspaces_and_does_not_depend_on_units) {
  std::mt19937 rng(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    const MatX H = MatX::NullaryExpr(6, 5, [&] { return normal(rng); });
    const VecX mass = VecX::NullaryExpr(5, [&] { return 0.3 + std::abs(normal(rng)); });
    const SubspaceAngle s = minimum_principal_angle(make_problem(H, mass, 3, 0.4));
    // Two normals: scan the unit circle of their span; the best partner in span D is the projection, by least squares.
    const MatX X = H * mass.cwiseSqrt().cwiseInverse().asDiagonal();
    MatX N(5, 2), D(5, 4);
    N << X.row(0).transpose(), X.row(3).transpose();
    D << X.middleRows(1, 2).transpose(), X.middleRows(4, 2).transpose();
    const Eigen::ColPivHouseholderQR<MatX> partner(D);
    double best = 0;
    for (int k = 0; k < 4000; ++k) {
      const double angle = std::numbers::pi * k / 4000;
      const VecX x = (N * Vec2(std::cos(angle), std::sin(angle))).normalized();
      best = std::max(best, (D * partner.solve(x)).norm());
    }
    EXPECT_NEAR(s.cosine, best, 2e-5);
    const SubspaceAngle scaled = minimum_principal_angle(make_problem(1e3 * H, 1e-7 * mass, 3, 0.4));
    EXPECT_NEAR(scaled.cosine, s.cosine, 1e-12);
  }
}

}  // namespace
}  // namespace cairn
