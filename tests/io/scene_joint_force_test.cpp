// SPDX-License-Identifier: Apache-2.0
// Springs, drives and clutches along joint coordinates, LuGre friction and contacts that yield, as scenes give them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cairn/io/recording.h"
#include "cairn/io/scene.h"
#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

/// A slider of 2 kg on a guide along x, with these further things, and a constant load along x.
Model slider(const std::string& things, const std::string& load = "0", const std::string& more = "") {
  return parse_scene(
             "cairn: 1\ngravity: [0, 0, 0]\nbodies: [{name: slider, mass: 2, inertia: [1, 1, 1]}]\njoints:\n"
             "  - {type: prismatic, name: guide, between: [slider, world], position: [0, 0, 0], axis: [1, 0, 0]}\n" +
                 things + "forces:\n  - {type: load, body: slider, force: [\"" + load + "\", 0, 0]}\n" + more,
             "slider.yaml")
      .model;
}

/// Force along x on the slider in the first step.
double first_force(const Model& model) {
  Model quick = model;
  quick.run.step = 1e-5;
  Simulation s(quick);
  s.step();
  return 2 * s.velocity(BodyId{0}).x() / 1e-5;
}

TEST(SceneJointForces, springs_pull_back_as_their_curves_say) {
  EXPECT_NEAR(first_force(slider("  - {type: joint_spring, joint: guide, stiffness: 30, preload: 2, rest: -0.2}\n")),
              -(30 * 0.2 + 2), 1e-5);
  EXPECT_NEAR(
      first_force(slider("  - {type: joint_power_spring, joint: guide, stiffness: 30, exponent: 2, rest: 0.2}\n")),
      30 * 0.04, 1e-5);
  EXPECT_NEAR(
      first_force(slider("  - {type: joint_table_spring, joint: guide, table: [[0, 0], [0.3, 12]], rest: -0.3}\n")),
      -12, 1e-5);
  EXPECT_NEAR(first_force(slider(
                  "  - {type: joint_polynomial_spring, joint: guide, coefficients: [10, 0, 100], rest: -0.3}\n")),
              -(10 * 0.3 + 100 * 0.027), 1e-5);
}

TEST(SceneJointForces, given_forces_and_targets_come_from_formulas_and_tables) {
  EXPECT_NEAR(first_force(slider("  - {type: joint_force, joint: guide, force: \"3 + 0*t\"}\n")), 3, 1e-9);
  EXPECT_NEAR(first_force(slider("  - {type: joint_force, joint: guide, force: {table: [[0, 5], [1, 5]]}}\n")), 5,
              1e-9);
  // A servo along a table: straight between its rows.
  Model model = slider("  - {type: servo, joint: guide, target: {table: [[0, 0], [1, 0], [2, 0.4]]}}\n");
  Simulation s(model);
  s.run(1.5);
  EXPECT_NEAR(s.state().motion.s[0], 0.2, 1e-3);
}

TEST(SceneJointForces, prestressed_spring_stays_at_rest_up_to_its_preload) {
  // Studer 2009, 3.6: at rest any pull within the preload; beyond it x = (F - preload)/k.
  const std::string spring = "  - {type: prestressed_spring, joint: guide, preload: 10, stiffness: 200, damping: 40}\n";
  Simulation held(slider(spring, "9"));
  held.run(2);
  EXPECT_NEAR(held.position(BodyId{0}).x(), 0, 1e-12);
  Simulation pulled(slider(spring, "-16"));
  pulled.run(4);
  EXPECT_NEAR(pulled.position(BodyId{0}).x(), -6.0 / 200, 1e-9);
}

TEST(SceneJointForces, one_way_clutch_runs_the_way_it_is_told) {
  for (const auto& [free, load, speed] :
       {std::tuple{"forward", "4", 2.0}, {"forward", "-4", 0.0}, {"backward", "-4", -2.0}}) {
    Simulation s(slider(fmt::format("  - {{type: one_way_clutch, joint: guide, free: {}}}\n", free), load));
    s.run(1);
    EXPECT_NEAR(s.velocity(BodyId{0}).x(), speed, 1e-9) << free;
  }
}

TEST(SceneJointForces, lugre_and_its_memory_are_recorded) {
  Model model = slider("", "4",
                       "  - {type: lugre, name: pad, between: [world, slider], normal_force: 10, static_friction: 0.5, "
                       "kinetic_friction: 0.5, bristle_stiffness: 1e4, bristle_damping: 200}\n");
  const auto path = std::filesystem::path(testing::TempDir()) / "bristles.h5";
  Simulation s(model);
  {
    Recorder recorder(path, s, {.interval = 0});
    for (int i = 0; i < 5; ++i) {
      s.step();
      recorder.record_step(s);
    }
  }
  const Recording recording(path);
  ASSERT_EQ(recording.memory_forces(), std::vector<std::string>(2, "pad"));
  const Frame last = recording.frame(recording.frame_count() - 1);
  ASSERT_EQ(last.memory.size(), 2u);
  EXPECT_GT(std::hypot(last.memory[0], last.memory[1]), 0);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(last.memory[i], s.state().motion.memory[static_cast<Eigen::Index>(i)]);
}

TEST(SceneJointForces, contacts_yield_by_their_stiffness) {
  const Model model = parse_scene(
                          "cairn: 1\ncontacts: {default: {friction: 0.3, stiffness: 1e4, damping: 200}}\nbodies:\n"
                          "  - {name: floor, fixed: true, shape: {half-space: {}}}\n"
                          "  - {name: ball, mass: 2, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}\n",
                          "soft.yaml")
                          .model;
  Simulation s(model);
  s.run(1);
  EXPECT_NEAR(s.position(BodyId{1}).z(), 0.1 - 2 * 9.81 / 1e4, 1e-8);
}

}  // namespace
}  // namespace cairn
