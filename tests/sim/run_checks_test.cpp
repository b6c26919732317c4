// SPDX-License-Identifier: Apache-2.0
// What is said of a run that went wrong, and that nothing is said of one that did not.
#include "cairn/sim/run_checks.h"

#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

using Kind = RunWarning::Kind;

/// A chain of links of 1 m, released level, with a heavy one at its end.
Model make_chain(int links, double last_mass) {
  Model model;
  model.run.step = 1.0 / 240;
  for (int i = 0; i < links; ++i) {
    model.add_rigid({.name = "link " + std::to_string(i),
                     .shape = Box{Vec3(0.5, 0.05, 0.05)},
                     .group = "links",
                     .position = {i + 0.5, 0, 0},
                     .mass = i + 1 == links ? last_mass : 1});
    model.add_joint({.name = "joint " + std::to_string(i),
                     .body_a = "link " + std::to_string(i),
                     .body_b = i > 0 ? "link " + std::to_string(i - 1) : "",
                     .position = {double(i), 0, 0}});
  }
  model.exclude_groups("links", "links");
  return model;
}

TEST(RunChecks, energy_made_from_nothing_is_said_with_time_and_amount) {
  Simulation simulation(make_chain(20, 1000));
  simulation.run(10);
  const auto& warnings = simulation.summary().warnings;
  const auto found = std::find_if(warnings.begin(), warnings.end(), [](auto& x) { return x.kind == Kind::EnergyGain; });
  ASSERT_NE(found, warnings.end());
  const RunWarning& w = *found;
  EXPECT_GT(w.time, 0);
  EXPECT_LE(w.time, w.worst_time);
  EXPECT_GT(w.worst, w.limit);
  // 1000 kg and 19 kg in a box of 20 x 0.1 x 0.1 m, at rest.
  const double scale = 1019 * 9.81 * Vec3(20, 0.1, 0.1).norm();
  EXPECT_NEAR(w.scale, scale, 1e-9 * scale);
  EXPECT_NEAR(w.limit, 0.01 * scale, 1e-9 * scale);
  EXPECT_NE(describe(w).find("without a cause, from t = "), std::string::npos) << describe(w);
  EXPECT_GT(simulation.certificate().warnings & RunWarning::energy_flag, 0);
}

TEST(RunChecks, a_joint_that_opens_is_named) {
  Simulation simulation(make_chain(20, 1000));
  simulation.run(10);
  const auto& warnings = simulation.summary().warnings;
  const auto w = std::find_if(warnings.begin(), warnings.end(), [](auto& x) { return x.kind == Kind::OpenJoint; });
  ASSERT_NE(w, warnings.end());
  EXPECT_EQ(w->subject.substr(0, 6), "joint ");
  EXPECT_NEAR(w->scale, Vec3(1, 0.1, 0.1).norm(), 1e-12);
  double worst = 0;  // of all joints: that of one of them
  for (const RunWarning& warning : warnings)
    if (warning.kind == Kind::OpenJoint) worst = std::max(worst, warning.worst);
  EXPECT_EQ(worst, simulation.summary().joint_drift);
  EXPECT_GT(simulation.certificate().warnings & RunWarning::joint_flag, 0);
}

TEST(RunChecks, sound_runs_are_passed_in_silence) {
  Model pendulum = make_chain(1, 1);
  Model still;  // nothing moves and nothing could: the scale is zero
  still.set_gravity(Vec3::Zero());
  still.add_rigid({.shape = Sphere{0.1}});
  Model bounce;
  bounce.set_contact({.friction = 0.3, .restitution = 0.5});
  bounce.add_fixed({.shape = HalfSpace{}});
  bounce.add_rigid({.shape = Box{Vec3(0.2, 0.2, 0.2)}, .position = {0, 0, 0.5}, .angular_velocity = {1, 2, 0}});
  Model broken = make_chain(1, 1);
  broken.add_rigid({.name = "hung", .shape = Sphere{0.1}, .position = {0, 3, 0}});
  broken.add_joint({.name = "thread", .body_a = "hung", .position = {0, 3, 0}, .break_force = 1});
  for (const Model& model : {pendulum, still, bounce, broken}) {
    Simulation simulation(model);
    simulation.run(2);
    for (const RunWarning& w : simulation.summary().warnings) ADD_FAILURE() << describe(w);
    EXPECT_EQ(simulation.certificate().warnings, 0);
  }
}

TEST(RunChecks, what_drives_put_in_is_a_cause_also_through_a_spring) {
  // A hand at 1 m/s pulls a cart of 1 kg by a spring of 100 N/m for half a period: the cart gets 2 v, that is 2 J.
  for (const auto rule : {"explicit", "implicit"}) {
    Model model;
    model.set_gravity(Vec3::Zero());
    const PrescribedMotion motion{[](double) { return Vec3(1, 0, 0); }, {}};
    model.add_fixed({.name = "hand", .position = {-1, 0, 0}, .motion = motion});
    model.add_rigid({.name = "cart", .mass = 1, .inertia = Mat3::Identity()});
    model.add_spring({.body_a = "hand", .body_b = "cart", .stiffness = 100, .rest_length = 1});
    model.run.stepper.parameters["forces"] = rule;
    Simulation simulation(model);
    simulation.run(0.314159);
    EXPECT_NEAR(simulation.summary().work.drive, 2, 1e-3) << rule;
    EXPECT_NEAR(simulation.summary().numerical, 0, 1e-3) << rule;
    EXPECT_TRUE(simulation.summary().warnings.empty()) << rule;
  }
}

TEST(RunChecks, a_snapshot_taken_back_takes_its_warnings_back) {
  Simulation simulation(make_chain(20, 1000));
  const State start = simulation.state();
  simulation.run(10);
  ASSERT_FALSE(simulation.summary().warnings.empty());
  simulation.restore(start);
  EXPECT_TRUE(simulation.summary().warnings.empty());
  EXPECT_EQ(simulation.step().warnings, 0);
}

}  // namespace
}  // namespace cairn
