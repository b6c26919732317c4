// SPDX-License-Identifier: Apache-2.0
// docs/conventions.md, point by point.
#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

/// A box of 1 m^3 and 1000 kg at rest on a fixed box, added in the given order.
struct Resting {
  explicit Resting(bool ground_first, double mu = 0.5) {
    model.run.step = 1e-3;
    model.set_contact({.friction = mu});
    if (ground_first) add_ground();
    box = model.add_rigid({.name = "box", .shape = Box{}, .position = {0, 0, 0.5}});
    if (!ground_first) add_ground();
  }
  void add_ground() { model.add_fixed({.name = "ground", .shape = Box{Vec3(5, 5, 1)}, .position = {0, 0, -1}}); }
  Model model;
  BodyId box;
};

TEST(Conventions, c2_gravity_points_down_z_by_default) { EXPECT_EQ(Model{}.system().gravity, Vec3(0, 0, -9.81)); }

TEST(Conventions, c3_normal_points_from_b_to_a_and_the_impulse_on_a_pushes_it_away) {
  for (const bool ground_first : {true, false}) {
    Resting scene(ground_first);
    Simulation simulation(scene.model);
    simulation.step();
    ASSERT_EQ(simulation.contacts().size(), 4u);
    for (const ContactResult& c : simulation.contacts()) {
      const bool box_is_a = c.body_a == scene.box.value;
      EXPECT_LT((c.normal - Vec3(0, 0, box_is_a ? 1 : -1)).norm(), 1e-15);
      EXPECT_GT(c.impulse.dot(c.normal), 0);
    }
  }
}

TEST(Conventions, c4_first_row_of_a_frame_is_the_normal) {
  const Vec3 n = Vec3(1, 2, 3).normalized();
  EXPECT_EQ(Vec3(contact_frame(n).row(0)), n);
}

TEST(Conventions, c5_impulse_over_step_is_the_force) {
  Resting scene(true);
  Simulation simulation(scene.model);
  simulation.run(0.01);
  double force = 0;
  for (const ContactResult& c : simulation.contacts()) force += std::abs(c.impulse.z()) / 1e-3;
  EXPECT_NEAR(force, 1000 * 9.81, 1e-4);
}

TEST(Conventions, c6_and_c7_the_law_and_its_residual) {
  const Vec3 U(0, -0.3, 0.4);  // sliding at 0.5 m/s
  EXPECT_DOUBLE_EQ(shift_velocity(U, 0.2)[0], 0.1);
  const Vec3 r(10, 2 * 0.6, -2 * 0.8);  // on the cone, against the motion
  EXPECT_NEAR(shift_velocity(U, 0.2).dot(r), 0, 1e-15);
  EXPECT_LT(natural_map(LawKind::Coulomb, 0.2, U, r, 1).norm(), 1e-15);
}

TEST(Conventions, c8_quaternion_is_stored_w_first_and_turns_body_into_world) {
  Model model;
  const BodyId body =
      model.add_rigid({.shape = Box{}, .orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()))});
  Simulation simulation(model);
  EXPECT_NEAR(simulation.state().motion.q[3], std::cos(M_PI / 4), 1e-15);
  EXPECT_LT((simulation.orientation(body) * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(Conventions, c9_angular_velocity_is_given_in_world_axes_and_stored_in_body_axes) {
  Model model;
  const BodyId body = model.add_rigid(
      {.shape = Box{}, .orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ())), .angular_velocity = {0, 2, 0}});
  Simulation simulation(model);
  EXPECT_LT((simulation.state().motion.u.tail<3>() - Vec3(2, 0, 0)).norm(), 1e-15);
  EXPECT_LT((simulation.angular_velocity(body) - Vec3(0, 2, 0)).norm(), 1e-15);
}

TEST(Conventions, c10_affine_coordinates_are_f_by_rows_then_the_centre) {
  Model model;
  Mat3 F = Mat3::Identity();
  F(0, 1) = 0.25;
  const BodyId body = model.add_affine({.spec = {.position = {7, 8, 9}, .deformation = F}});
  Simulation simulation(model);
  EXPECT_EQ(simulation.state().motion.q[1], 0.25);
  EXPECT_EQ(simulation.position(body), Vec3(7, 8, 9));
}

TEST(Conventions, c11_penetration_is_the_depth_of_overlap) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.shape = Sphere{0.5}, .position = {0, 0, 0.5 - 0.01}});
  Simulation simulation(model);
  EXPECT_NEAR(simulation.step().penetration, 0.01, 1e-15);
  EXPECT_NEAR(simulation.contacts()[0].gap, -0.01, 1e-15);
}

TEST(Conventions, c12_friction_takes_energy_and_the_balance_closes) {
  Resting scene(true, 0.3);
  Model model = scene.model;
  model.add_rigid(
      {.name = "slider", .shape = Box{Vec3(0.1, 0.1, 0.1)}, .position = {2, 2, 0.1}, .velocity = {1, 0, 0}});
  Simulation simulation(model);
  const RunSummary& s = simulation.run(1);
  // A slider of 8 kg at 1 m/s ends at rest: all its 4 J went into friction.
  EXPECT_NEAR(s.work.friction, -4, 1e-6);
  EXPECT_NEAR(s.energy_end - s.energy_begin, s.work.total() + s.numerical, 1e-9);
}

}  // namespace
}  // namespace cairn
