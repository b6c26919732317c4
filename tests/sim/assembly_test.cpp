// SPDX-License-Identifier: Apache-2.0
// Starts that do not fit the joints: refused by name, or put together with the least motion.
#include "cairn/sim/assembly.h"

#include "cairn/assembly/joint_step.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

void add_rod(Model& model, const std::string& name, const Vec3& position, double angle, double length) {
  model.add_rigid({.name = name,
                   .position = position,
                   .orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())),
                   .mass = 1,
                   .inertia = Mat3((Vec3(1, 1, 0.01) * length * length / 12).asDiagonal())});
}

/// Four-bar linkage with rods of the given length for the coupler, each placed a little off.
Model linkage(double coupler, double off) {
  Model model;
  add_rod(model, "crank", {0 + off, 0, 0.5}, 0.05, 1);
  add_rod(model, "coupler", {0.5 * coupler, off, 1.02}, M_PI / 2, coupler);
  add_rod(model, "rocker", {1, 0, 0.5 - off}, -0.04, 1);
  // Joints by their points on the bodies as they are placed.
  VecX q, u;
  model.system().bodies.initial(q, u);
  const auto end = [&](const std::string& body, double along) {
    const Placement at = model.system().bodies.placement(model.body(body).value, q);
    return Vec3(at.apply(Vec3(0, 0, along)));
  };
  const auto hinge = [&](const std::string& a, const Vec3& on_a, const std::string& b, const Vec3& on_b) {
    model.add_joint({.kind = JointKind::Revolute,
                     .name = a + "-" + (b.empty() ? "ground" : b),
                     .body_a = a,
                     .body_b = b,
                     .position = on_a,
                     .second_position = on_b,
                     .axis = Vec3::UnitY()});
  };
  hinge("crank", end("crank", -0.5), "", {0, 0, 0});
  hinge("coupler", end("coupler", -0.5 * coupler), "crank", end("crank", 0.5));
  hinge("rocker", end("rocker", 0.5), "coupler", end("coupler", 0.5 * coupler));
  hinge("rocker", end("rocker", -0.5), "", {1, 0, 0});
  return model;
}

TEST(Assembly, start_that_does_not_fit_is_refused_with_the_worst_joint) {
  try {
    Simulation simulation(linkage(1, 0.03));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("m from where it needs them at the start"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("joint '"), std::string::npos) << error.what();
  }
}

TEST(Assembly, linkage_is_put_together_and_moves_on_without_error) {
  Model model = linkage(1.1, 0.03);
  model.run.assemble = true;
  Simulation simulation(model);
  const JointErrors start = measure_joints(simulation.model().system(), simulation.state().motion);
  EXPECT_LT(start.drift, 1e-12);
  EXPECT_LT(start.tilt, 1e-12);
  simulation.run(1);
  EXPECT_LT(simulation.summary().joint_drift, 1e-6);
  EXPECT_LT(std::abs(simulation.summary().numerical), 1e-9);
}

TEST(Assembly, what_fits_is_left_alone) {
  Model model;
  add_rod(model, "rod", {0, 0, -0.5}, 0, 1);
  model.add_joint({.kind = JointKind::Revolute, .body_a = "rod", .axis = Vec3::UnitY()});
  Motion motion = initial_motion(model.system());
  const VecX q = motion.q;
  const AssemblyReport report = assemble_start(model, motion);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.moved, 0);
  EXPECT_EQ((motion.q - q).norm(), 0);
}

TEST(Assembly, heavy_bodies_move_least) {
  // Two bodies of 1 and 9 kg whose points lie 1 m apart meet at their centre of mass.
  Model model;
  for (const auto& [name, x, mass] : {std::tuple{"light", 0.0, 1.0}, std::tuple{"heavy", 1.0, 9.0}})
    model.add_rigid({.name = name, .position = {x, 0, 0}, .mass = mass, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.body_a = "light", .body_b = "heavy", .position = {0, 0, 0}, .second_position = Vec3(1, 0, 0)});
  Motion motion = initial_motion(model.system());
  assemble_start(model, motion);
  EXPECT_NEAR(model.system().bodies.placement(0, motion.q).c.x(), 0.9, 1e-12);
  EXPECT_NEAR(model.system().bodies.placement(1, motion.q).c.x(), 0.9, 1e-12);
}

TEST(Assembly, velocities_are_made_to_fit) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "bob",
                   .position = {1, 0, 0},
                   .velocity = {1, 2, 0},
                   .mass = 1,
                   .inertia = Mat3(1e-3 * Mat3::Identity())});
  model.add_joint(
      {.kind = JointKind::Distance, .body_a = "bob", .position = {1, 0, 0}, .second_position = Vec3(0, 0, 0)});
  Motion motion = initial_motion(model.system());
  assemble_start(model, motion);
  EXPECT_LT((motion.u.head<3>() - Vec3(0, 2, 0)).norm(), 1e-12);
}

TEST(Assembly, rods_too_short_to_meet_are_named) {
  Model model = linkage(3.5, 0.01);  // crank and rocker of 1 m on pivots 1 m apart reach 3 m at most
  model.run.assemble = true;
  try {
    Simulation simulation(model);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("after assembling"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cairn
