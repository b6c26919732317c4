// SPDX-License-Identifier: Apache-2.0
// Equilibria under slow loads against statics.
#include "cairn/steppers/quasi_static.h"

#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

Model make_static(double h, const ParameterValues& parameters = {}) {
  Model model;
  model.run.stepper = {"quasi-static", parameters};
  model.run.step = h;
  return model;
}

TEST(QuasiStatic, weight_on_a_spring_sinks_by_its_weight_over_the_stiffness) {
  Model model = make_static(1);
  model.add_rigid({.name = "weight", .position = {0, 0, -1}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
  model.add_spring({.name = "spring", .body_b = "weight", .stiffness = 1000, .rest_length = 1});
  Simulation simulation(model);
  simulation.run(20);
  EXPECT_NEAR(simulation.position({0}).z(), -1 - 2 * 9.81 / 1000, 1e-6);
  EXPECT_EQ(simulation.velocity({0}).norm(), 0);
}

TEST(QuasiStatic, elastic_block_is_compressed_by_its_own_weight) {
  // One constant strain: the mean stress is half of the weight over the base. Free to widen, so sigma = E eps.
  Model model = make_static(1);
  model.set_contact({.friction = 0});
  model.add_fixed({.shape = HalfSpace{}});
  Affine block{.name = "block"};
  block.spec.shape = Box{{0.5, 0.5, 0.5}};
  block.spec.density = 2000;
  block.spec.young = 1e8;
  block.spec.poisson = 0.2;
  block.spec.position = {0, 0, 0.5};
  model.add_affine(block);
  Simulation simulation(model);
  simulation.run(20);
  const VecX q = simulation.state().motion.q.tail(12);
  const Vec3 F(q[0], q[4], q[8]);
  const double strain = 0.5 * 2000 * 9.81 * 1 / 1e8;
  EXPECT_NEAR(F.z() - 1, -strain, 1e-3 * strain);
  EXPECT_NEAR(F.x() - 1, 0.2 * strain, 2e-3 * strain);
  EXPECT_NEAR(simulation.position({1}).z(), 0.5 * F.z(), 1e-8);
}

TEST(QuasiStatic, block_on_an_incline_holds_below_the_friction_angle_and_moves_on_above) {
  for (const double mu : {0.3, 0.8}) {
    Model model = make_static(1);
    const double tilt = M_PI / 6;
    model.set_gravity(9.81 * Vec3(std::sin(tilt), 0, -std::cos(tilt)));
    model.set_contact({.friction = mu});
    model.add_fixed({.shape = HalfSpace{}});
    const BodyId block = model.add_rigid({.shape = Box{}, .position = {0, 0, 0.5}});
    Simulation simulation(model);
    simulation.run(5);
    if (mu > std::tan(tilt)) {
      EXPECT_NEAR(simulation.position(block).x(), 0, 1e-9);
      Vec3 force = Vec3::Zero();
      for (const ContactResult& c : simulation.contacts()) force += (c.body_a == block.value ? 1 : -1) * c.impulse;
      EXPECT_LT((force + 1000 * model.system().gravity).norm(), 1e-3 * 9810);
    } else {
      EXPECT_GT(simulation.position(block).x(), 1e-3);
    }
  }
}

TEST(QuasiStatic, a_body_that_is_pushed_makes_the_given_way_once_per_step) {
  // The pusher goes 1 mm per step whatever the number of relaxations; the block is pushed before it.
  Model model = make_static(1);
  model.set_contact({.friction = 0.5});
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  model.add_fixed({.name = "pusher",
                   .shape = Box{{0.1, 0.1, 0.1}},
                   .position = {-0.3, 0, 0.2},
                   .motion = PrescribedMotion{[](double) { return Vec3(1e-3, 0, 0); }, {}}});
  const BodyId block = model.add_rigid({.name = "block", .shape = Box{{0.2, 0.2, 0.2}}, .position = {0, 0, 0.2}});
  Simulation simulation(model);
  simulation.run(10);
  EXPECT_NEAR(simulation.position(model.body("pusher")).x(), -0.3 + 0.01, 1e-12);
  EXPECT_NEAR(simulation.position(block).x(), 0.01, 1e-6);
}

TEST(QuasiStatic, joints_hold_a_hanging_body) {
  Model model = make_static(1);
  model.add_rigid({.name = "arm", .position = {0.5, 0, 0}, .mass = 1, .inertia = Mat3(0.1 * Mat3::Identity())});
  model.add_joint({.kind = JointKind::Weld, .body_a = "arm"});
  Simulation simulation(model);
  simulation.run(3);
  EXPECT_LT((simulation.position({0}) - Vec3(0.5, 0, 0)).norm(), 1e-6);
  EXPECT_NEAR(simulation.joint_impulses()[0].force.z(), 9.81, 1e-6);
  EXPECT_NEAR(std::abs(simulation.joint_impulses()[0].torque.y()), 0.5 * 9.81, 1e-5);
}

}  // namespace
}  // namespace cairn
