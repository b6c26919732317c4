// SPDX-License-Identifier: Apache-2.0
// Forces, mass and tangents of a whole system against differences and against Newton's and Euler's laws.
#include "cairn/assembly/smooth_forces.h"

#include <gtest/gtest.h>

#include "cairn/sim/model.h"

namespace cairn {
namespace {

/// A rigid body, an affine one and a spring with a damper between them, all in motion.
Model make_pair() {
  Model model;
  model.add_rigid({.name = "brick",
                   .shape = Box{{0.3, 0.2, 0.1}},
                   .position = {0.1, 0.2, 0.3},
                   .orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized())),
                   .velocity = {0.3, -0.2, 0.5},
                   .angular_velocity = {1, -2, 0.5},
                   .linear_damping = 0.4,
                   .angular_damping = 0.2});
  Affine jelly{.name = "jelly"};
  jelly.spec.shape = Box{{0.2, 0.2, 0.2}};
  jelly.spec.position = {1, 0.1, 0.4};
  jelly.spec.young = 1e4;
  jelly.spec.deformation = (Mat3() << 1.1, 0.05, 0, 0.02, 0.95, 0, 0, 0.03, 1.02).finished();
  jelly.spec.velocity = {-0.1, 0.2, 0.1};
  model.add_affine(jelly);
  model.add_spring({.name = "spring",
                    .body_a = "brick",
                    .body_b = "jelly",
                    .anchor_a = {0.3, 0.1, 0},
                    .anchor_b = {-0.2, 0, 0.1},
                    .stiffness = 300,
                    .damping = 5,
                    .rest_length = 0.2});
  model.add_fixed({.name = "floor", .shape = HalfSpace{}, .position = {0, 0, -5}});
  return model;
}

TEST(SmoothForces, of_a_free_rigid_body_are_gravity_and_the_gyroscopic_moment) {
  Model model;
  const Mat3 J = Vec3(2, 3, 4).asDiagonal();
  model.add_rigid({.velocity = {1, 2, 3}, .angular_velocity = {0.5, 1, 2}, .mass = 5, .inertia = J});
  const Motion motion = initial_motion(model.system());
  SmoothForces f;
  compute_smooth_forces(model.system(), motion.q, motion.u, 0, f);
  const Vec3 omega(0.5, 1, 2);
  EXPECT_LT((f.all.head<3>() - Vec3(0, 0, -5 * 9.81)).norm(), 1e-13);
  EXPECT_LT((f.all.tail<3>() + omega.cross(J * omega)).norm(), 1e-13);
}

TEST(SmoothForces, tangents_are_the_symmetric_part_of_differences) {
  const Model model = make_pair();
  const System& system = model.system();
  const Motion motion = initial_motion(system);
  const Bodies& bodies = system.bodies;
  const auto force = [&](const VecX& q, const VecX& u) {
    SmoothForces f;
    compute_smooth_forces(system, q, u, 0, f);
    // The gyroscopic moment is left out of the tangents.
    VecX all = f.all;
    const Vec3 omega = u.segment<3>(3);
    all.segment<3>(3) += omega.cross(bodies.inertia(0) * omega);
    return all;
  };
  const int n = bodies.nu();
  MatX K(n, n), D(n, n);
  constexpr double step = 1e-6;
  for (int j = 0; j < n; ++j) {
    const VecX direction = VecX::Unit(n, j);
    VecX forward(bodies.nq()), backward(bodies.nq());
    bodies.advance(motion.q, direction, step, forward, {});
    bodies.advance(motion.q, direction, -step, backward, {});
    K.col(j) = (force(backward, motion.u) - force(forward, motion.u)) / (2 * step);
    D.col(j) =
        (force(motion.q, motion.u - step * direction) - force(motion.q, motion.u + step * direction)) / (2 * step);
  }
  for (const auto& [d, k] : {std::pair{0.01, 0.0}, std::pair{0.0, 2e-3}, std::pair{0.01, 2e-3}}) {
    const MatX A = compute_step_mass(system, motion.q, motion.u, 0, d, k);
    const MatX expected = MatX(compute_mass(system, motion.q, motion.u, 0)) + d * D + k * K;
    EXPECT_LT((A - 0.5 * (expected + expected.transpose())).norm(), 1e-6 * A.norm()) << d << " " << k;
  }
}

TEST(SmoothForces, bodies_that_cannot_move_have_no_force_and_unit_mass) {
  const Model model = make_pair();
  const Motion motion = initial_motion(model.system());
  SmoothForces f;
  compute_smooth_forces(model.system(), motion.q, motion.u, 0, f);
  const MatX M = compute_mass(model.system(), motion.q, motion.u, 0);
  EXPECT_EQ(f.all.tail<6>().norm(), 0);
  EXPECT_EQ((M.bottomRightCorner<6, 6>() - MatX::Identity(6, 6)).norm(), 0);
}

}  // namespace
}  // namespace cairn
