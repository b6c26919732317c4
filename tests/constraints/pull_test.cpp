// SPDX-License-Identifier: Apache-2.0
// A pull: its force, its tangents against differences, its limit, and bodies that cannot be pulled.
#include "cairn/constraints/pull.h"

#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/bodies/affine.h"
#include "support/random_motion.h"

namespace cairn {
namespace {

MaterialPoint on(int body, const Vec3& X = Vec3::Zero()) { return {.body = body, .local = X}; }

/// One rigid body, turned and moving.
struct Free {
  System system;
  Motion motion;
  Free() {
    system.bodies.add_fixed(Vec3::Zero(), Quat::Identity());
    system.bodies.add_rigid({.mass = 2,
                             .inertia = Vec3(0.1, 0.2, 0.25).asDiagonal(),
                             .position = {1, 2, 3},
                             .orientation = Quat(0.5, 0.1, -0.7, 0.3).normalized(),
                             .velocity = {0.3, -0.4, 0.5},
                             .angular_velocity = {1, -2, 0.5}});
    motion = initial_motion(system);
  }
  ForceView view() const { return {system.bodies, motion.q, motion.u, 0}; }
};

TEST(Pull, force_is_that_of_a_spring_and_a_damper_and_ends_at_its_limit) {
  const Free f;
  const Vec3 anchor{0.1, 0.2, -0.3}, target{1, 1, 1};
  const PlacedPoint x = f.system.bodies.place(on(1, anchor), f.motion.q);
  const Vec3 v = f.system.bodies.point_velocity(x, f.motion.q, f.motion.u);
  const Vec3 wanted = 50 * (target - x.x) - 3 * v;
  EXPECT_LT((Pull({on(1, anchor), target, 50, 3, 1e9}).force(f.system.bodies, f.motion.q, f.motion.u) - wanted).norm(),
            1e-12);
  const Vec3 cut = Pull({on(1, anchor), target, 50, 3, 7}).force(f.system.bodies, f.motion.q, f.motion.u);
  EXPECT_NEAR(cut.norm(), 7, 1e-12);
  EXPECT_LT(cut.cross(wanted).norm(), 1e-9 * wanted.norm());
}

TEST(Pull, tangents_are_those_of_differences_below_and_at_the_limit) {
  const Free f;
  for (const double limit : {1e9, 20.0}) {
    const Pull pull({on(1, {0.1, 0.2, -0.3}), {1, 1, 1}, 50, 3, limit});
    const ForceTangent exact = pull.tangent(f.view()), differences = difference_tangent(pull, f.view());
    EXPECT_LT((exact.K - differences.K).norm(), 1e-5 * (1 + differences.K.norm())) << limit;
    EXPECT_LT((exact.D - differences.D).norm(), 1e-6 * (1 + differences.D.norm())) << limit;
  }
}

TEST(Pull, suits_the_mass_of_its_body_and_the_step) {
  const Free f;
  const double omega = 2 * M_PI * 2;
  const Pull pull = make_pull(f.system, f.motion, 1e-3, on(1), {0, 0, 0});
  EXPECT_NEAR(pull.spec().stiffness, 2 * omega * omega, 1e-9);
  EXPECT_NEAR(pull.spec().damping, 2 * 2 * omega, 1e-9);
  EXPECT_NEAR(pull.spec().limit, 20 * 2 * 9.81, 1e-9);
  // Far out on a light lever the point weighs little: a stiff hand would throw it about in steps of 0.05 s.
  const Pull far = make_pull(f.system, f.motion, 0.05, on(1, {3, 0, 0}), {0, 0, 0});
  EXPECT_LT(far.spec().stiffness, 0.5 * pull.spec().stiffness);
  EXPECT_THROW(make_pull(f.system, f.motion, 1e-3, on(0), Vec3::Zero()), Error);
  EXPECT_THROW(Pull({on(1), {0, 0, NAN}, 1, 1, 1}), Error);
}

TEST(Pull, of_an_affine_body_sees_its_whole_mass) {
  System system;
  AffineSpec spec;
  spec.shape = Box{{0.1, 0.1, 0.1}};
  system.bodies.add(std::make_shared<AffineBody>(spec));
  const Motion motion = initial_motion(system);
  const double mass = spec.density * 0.008, omega = 2 * M_PI * 2;
  EXPECT_NEAR(make_pull(system, motion, 1e-4, on(0), Vec3::Zero()).spec().stiffness, mass * omega * omega,
              1e-6 * mass * omega * omega);
}

}  // namespace
}  // namespace cairn
