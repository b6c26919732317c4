// SPDX-License-Identifier: Apache-2.0
// Accelerations of bodies are the limit of what a short step does to their velocity; dq/dt that of what it does to q.
#include "cairn/bodies/affine.h"
#include "cairn/bodies/bodies.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

Bodies make_bodies() {
  Bodies bodies;
  RigidSpec rigid;
  rigid.mass = 2;
  rigid.inertia = Vec3(1, 2, 2.5).asDiagonal();
  rigid.orientation = Quat(0.5, -0.5, 0.5, 0.5);
  rigid.velocity = {1, 2, 3};
  rigid.angular_velocity = {-1, 2, 0.5};
  rigid.linear_damping = 0.3;
  bodies.add_rigid(rigid);
  bodies.add_fixed(Vec3::Zero(), Quat::Identity());
  AffineSpec affine;
  affine.young = 1e4;
  affine.deformation(0, 1) = 0.1;
  affine.deformation_rate(2, 0) = 0.5;
  bodies.add(std::make_shared<AffineBody>(affine));
  return bodies;
}

TEST(Accelerations, are_the_limit_of_short_steps) {
  const Bodies bodies = make_bodies();
  VecX q, u;
  bodies.initial(q, u);
  VecX force = VecX::LinSpaced(bodies.nu(), -3, 4);
  const Vec3 gravity(0, 0, -9.81);
  FreeMotion at_once, step;
  const double damping = bodies.accelerations(q, u, force, 0, gravity, at_once);
  EXPECT_NEAR(damping, -0.3 * 2 * (1 + 4 + 9), 1e-12);
  // Differences of first order, extrapolated once.
  VecX rate[2];
  for (int k = 0; k < 2; ++k) {
    const double h = 1e-4 / (k + 1);
    bodies.free_motion(q, u, force, {0, h, gravity, false}, step, {});
    rate[k] = (step.u_free - u) / h;
  }
  const VecX expected = 2 * rate[1] - rate[0];
  for (Eigen::Index i = 0; i < u.size(); ++i)
    EXPECT_NEAR(at_once.u_free[i], expected[i], 1e-6 * (1 + std::abs(expected[i]))) << i;
  EXPECT_EQ(at_once.u_free.segment(6, 6), VecX::Zero(6));  // the fixed one
}

TEST(Accelerations, rate_of_the_configuration_is_that_of_a_short_move) {
  const Bodies bodies = make_bodies();
  VecX q, u, rate;
  bodies.initial(q, u);
  bodies.rate_of_configuration(q, u, rate);
  VecX ahead(q.size()), behind(q.size());
  const double h = 1e-5;
  bodies.advance(q, u, h, ahead, {});
  bodies.advance(q, u, -h, behind, {});
  EXPECT_LT((rate - (ahead - behind) / (2 * h)).lpNorm<Eigen::Infinity>(), 1e-9);
}

}  // namespace
}  // namespace cairn
