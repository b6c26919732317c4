// SPDX-License-Identifier: Apache-2.0
// Natural coordinates carry the same mechanics as rigid ones.
#include "cairn/bodies/natural.h"

#include <gtest/gtest.h>
#include <random>

namespace cairn {
namespace {

struct Moving {
  Frame z;
  Vec6 u, F;

  explicit Moving(unsigned seed) {
    std::srand(seed);
    z = natural_place({Quat(Eigen::Vector4d::Random().normalized()).toRotationMatrix(), Vec3::Random()});
    u = Vec6::Random();
    F = Vec6::Random();
  }
};

Vec12 stacked(const Frame& z) { return Eigen::Map<const Vec12>(z.data()); }
Frame framed(const Vec12& z) { return Eigen::Map<const Frame>(z.data()); }

TEST(Natural, rates_and_forces_are_those_of_the_rigid_body) {
  for (unsigned seed = 1; seed < 10; ++seed) {
    const Moving at(seed);
    const Vec12 rate = stacked(natural_rate(at.z, at.u));
    const Mat6x12 S = rigid_rate(at.z);
    EXPECT_LT((S * rate - at.u).norm(), 1e-14);
    EXPECT_NEAR((S.transpose() * at.F).dot(rate), at.F.dot(at.u), 1e-14);  // power
  }
}

TEST(Natural, kinetic_energy_needs_a_constant_mass_only) {
  Mat3 inertia;
  inertia << 2, 0.1, -0.2, 0.1, 1.7, 0.3, -0.2, 0.3, 1.4;
  const Eigen::Matrix4d M = natural_mass(3, inertia);
  for (unsigned seed = 1; seed < 10; ++seed) {
    const Moving at(seed);
    const Frame rate = natural_rate(at.z, at.u);
    const double expected = 0.5 * (3 * at.u.head<3>().squaredNorm() + at.u.tail<3>().dot(inertia * at.u.tail<3>()));
    EXPECT_NEAR(0.5 * (rate * M).cwiseProduct(rate).sum(), expected, 1e-13);
  }
}

TEST(Natural, acceleration_is_the_derivative_of_the_rate) {
  const Moving at(5);
  const Vec6 change = Vec6::Random();
  const double d = 1e-5;
  const auto rate_at = [&](double t) {
    const Vec6 u = at.u + t * change;
    const Vec3 angle = t * at.u.tail<3>() + 0.5 * t * t * change.tail<3>();
    const Mat3 turn = Eigen::AngleAxisd(angle.norm(), angle.normalized()).toRotationMatrix();
    Frame z = at.z;
    z.rightCols<3>() = at.z.rightCols<3>() * turn;
    return natural_rate(z, u);
  };
  const Frame difference = (rate_at(d) - rate_at(-d)) / (2 * d);
  EXPECT_LT((difference - natural_acceleration(at.z, at.u, change)).norm(), 1e-8);
}

TEST(Natural, changes_of_rates_and_torques_match_differences) {
  const Moving at(3);
  const Frame rate = natural_rate(at.z, at.u);
  const double d = 1e-6;
  for (int i = 0; i < 12; ++i) {
    const Vec12 e = d * Vec12::Unit(i);
    const Frame up = framed(stacked(at.z) + e), down = framed(stacked(at.z) - e);
    const Vec6 du = (rigid_rate(up) - rigid_rate(down)) * stacked(rate) / (2 * d);
    EXPECT_LT((du - rigid_rate_change(rate).col(i)).norm(), 1e-9);
    const Vec12 dQ = (rigid_rate(up) - rigid_rate(down)).transpose() * at.F / (2 * d);
    EXPECT_LT((dQ - torque_change(at.F.tail<3>()).col(i)).norm(), 1e-9);
    // The orientation that is written follows S.
    VecX q = VecX::Zero(7), q_up = q, q_down = q;
    store_rigid(up, 0, q_up);
    store_rigid(down, 0, q_down);
    const Vec3 turned = (stored_orientation(q_down, 0).conjugate() * stored_orientation(q_up, 0)).vec().eval() / d;
    EXPECT_LT((turned - rigid_rate(at.z).bottomRows<3>().col(i)).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace cairn
