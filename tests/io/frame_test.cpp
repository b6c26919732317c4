// SPDX-License-Identifier: Apache-2.0
// A moment is the same live and recorded: forces, contact areas, joints that broke.
#include "cairn/sim/frame.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cairn/io/picture_scene.h"

namespace cairn {
namespace {

/// A box at rest on the ground, and a ball on a thread too thin for it.
Model make_model() {
  Model model;
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "box", .shape = Box{Vec3(0.5, 0.4, 0.3)}, .position = {0, 0, 0.3}, .mass = 10});
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {3, 0, 5}});
  model.add_rigid({.name = "lamp", .shape = Sphere{0.1}, .position = {4, 0, 5}});
  model.add_joint({.name = "thread", .body_a = "ball", .position = {3, 0, 5}, .break_force = 1});
  model.add_joint({.name = "chain", .body_a = "lamp", .position = {4, 0, 5}});
  return model;
}

TEST(Frame, forces_are_means_over_the_step_that_was_taken) {
  Simulation simulation(make_model());
  EXPECT_EQ(take_frame(simulation).h, 0);
  EXPECT_TRUE(take_frame(simulation).contacts.empty());
  for (const double h : {1e-3, 2e-4, 3e-3}) {
    simulation.step(h);
    simulation.step(h);
    const Frame frame = take_frame(simulation);
    EXPECT_EQ(frame.h, h);
    EXPECT_EQ(frame.certificate.time, frame.time);
    Vec3 force = Vec3::Zero();
    for (const FrameContact& c : frame.contacts) force += c.body_a == 1 ? c.force : Vec3(-c.force);
    EXPECT_NEAR(force.z(), 98.1, 0.01) << h;
    EXPECT_NEAR(frame.joint_force[1].z(), 9.81 * simulation.model().system().bodies.mass(3), 0.01) << h;
  }
  simulation.restore(simulation.state());
  EXPECT_EQ(take_frame(simulation).h, 0);
}

TEST(Frame, a_live_picture_is_that_of_the_recording) {
  const auto path = std::filesystem::temp_directory_path() / "cairn_frame_test.h5";
  Simulation simulation(make_model());
  {
    Recorder recorder(path, simulation, {.interval = 0});
    for (const double h : {1e-3, 5e-4, 2e-3}) simulation.step(h), recorder.record_step(simulation);
  }
  const Recording recording(path);
  ASSERT_EQ(recording.frame_count(), 4u);
  EXPECT_EQ(recording.frame(0).broken, (std::vector<std::uint8_t>{0, 0}));
  EXPECT_EQ(recording.frame(3).broken, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(make_picture_scene(recording, 0).joints.size(), 2u);
  const PictureScene live = make_picture_scene(simulation), recorded = make_picture_scene(recording, 3);
  ASSERT_EQ(live.joints.size(), 1u);
  ASSERT_EQ(recorded.joints.size(), 1u);
  EXPECT_EQ(live.joints[0].body_a, recorded.joints[0].body_a);
  ASSERT_EQ(live.contacts.size(), 4u);
  ASSERT_EQ(recorded.contacts.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(live.contacts[i].force, recorded.contacts[i].force);
    EXPECT_EQ(live.contacts[i].area, recorded.contacts[i].area);
    EXPECT_GT(live.contacts[i].area, 0);
  }
  for (std::size_t b = 0; b < live.bodies.size(); ++b) {
    EXPECT_EQ(live.bodies[b].place.c, recorded.bodies[b].place.c);
    EXPECT_EQ(live.bodies[b].velocity, recorded.bodies[b].velocity);
    EXPECT_EQ(live.bodies[b].start, recorded.bodies[b].start);
    EXPECT_EQ(live.bodies[b].moves, recorded.bodies[b].moves);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cairn
