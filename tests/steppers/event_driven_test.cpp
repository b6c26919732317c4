// SPDX-License-Identifier: Apache-2.0
// Event-driven integration is the yardstick: ten digits where there is a formula, a named status where it cannot go on.
#include "cairn/steppers/event_driven.h"

#include "cairn/sim/simulation.h"

#include "support/table_contact.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

Model with_events(double step) {
  Model model;
  model.run.stepper.name = "event-driven";
  model.run.step = step;
  model.run.solver.parameters["tolerance"] = "1e-13";
  return model;
}

std::vector<ModeSwitch> run(Simulation& simulation, double duration) {
  std::vector<ModeSwitch> all;
  simulation.run(duration, [&](const Simulation& s) {
    all.insert(all.end(), s.switches().begin(), s.switches().end());
    return true;
  });
  return all;
}

TEST(EventDriven, bouncing_ball_has_ten_digits_after_four_impacts) {
  constexpr double e = 0.5, g = 9.81;
  Model model = with_events(0.125);
  model.set_contact({.friction = 0.2, .restitution = e});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 1.1}});
  Simulation simulation(model);
  const std::vector<ModeSwitch> switches = run(simulation, 1.25);
  const double fall = std::sqrt(2 / g);
  std::vector<double> hits;
  for (const ModeSwitch& s : switches)
    if (s.to == Mode::Closed) hits.push_back(s.time);
  ASSERT_EQ(hits.size(), 4u);  // at 1, 2, 2.5 and 2.75 falls; the next at 2.875 is beyond 1.25 s
  EXPECT_NEAR(hits[0], fall, 1e-10);
  EXPECT_NEAR(hits[1], 2 * fall, 1e-10);
  EXPECT_NEAR(hits[2], 2.5 * fall, 1e-10);
  EXPECT_NEAR(hits[3], 2.75 * fall, 1e-10);
  const double t = simulation.state().time() - 2.75 * fall, v = g * fall * e * e * e * e;
  EXPECT_NEAR(simulation.position(ball).z(), 0.1 + v * t - 0.5 * g * t * t, 1e-10);
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-8);
}

TEST(EventDriven, accumulation_is_a_status_unless_slow_impacts_may_be_inelastic) {
  for (const bool rests : {false, true}) {
    Model model = with_events(2);
    model.set_contact({.friction = 0, .restitution = 0.5});
    model.add_fixed({.shape = HalfSpace{}});
    const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 1.1}});
    if (rests) model.run.stepper.parameters["rest_speed"] = "1e-4";
    Simulation simulation(model);
    EXPECT_EQ(simulation.step().status, rests ? StepStatus::Done : StepStatus::Accumulation);
    EXPECT_NEAR(simulation.position(ball).z(), rests ? 0.1 : 1.1, 1e-12);
  }
}

TEST(EventDriven, pendulum_with_a_joint_has_eleven_digits) {
  constexpr double inertia = 1e-4;  // as in stepper_test.cpp
  const double d = 0.5 * (1 + std::sqrt(1 - 4 * inertia));
  Model model = with_events(0.1);
  const BodyId bob =
      model.add_rigid({.name = "bob", .position = {-d, 0, 0}, .mass = 1, .inertia = Mat3(inertia * Mat3::Identity())});
  model.add_joint({.body_a = "bob"});
  Simulation simulation(model);
  simulation.run(1);
  EXPECT_LT((simulation.position(bob) / d - Vec3(0.986291751132, 0, -0.165010853126)).norm(), 1e-11);
  EXPECT_LT(simulation.summary().joint_drift, 1e-13);
}

TEST(EventDriven, driven_block_sticks_and_slips_at_the_published_times) {
  // F3 (Potra, Anitescu, Gavrea and Trinkle 2006): F = 8 cos t, mu = 0.8, m = 1.
  Model model = with_events(0.05);
  const BodyId block = model.add_rigid({.name = "block", .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_own_contact(std::make_shared<Table>(block.value, ContactLaw{.friction = 0.8}));
  model.add_load({.body = "block", .force = [](double t) { return Vec3(8 * std::cos(t), 0, 0); }});
  Simulation simulation(model);
  const std::vector<ModeSwitch> switches = run(simulation, 4);
  ASSERT_EQ(switches.size(), 3u);
  EXPECT_NEAR(switches[0].time, 0.338608184672, 1e-10);
  EXPECT_NEAR(switches[1].time, 2.94634679122, 1e-10);
  EXPECT_NEAR(switches[2].time, 3.53283460889, 1e-10);
  EXPECT_NEAR(simulation.position(block).x(), -0.00869716688497, 1e-10);
}

TEST(EventDriven, sphere_that_slides_begins_to_roll_at_five_sevenths) {
  constexpr double mu = 0.3, g = 9.81, v = 2;
  Model model = with_events(0.05);
  model.set_contact({.friction = mu});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.1}, .velocity = {v, 0, 0}});
  Simulation simulation(model);
  const std::vector<ModeSwitch> switches = run(simulation, 0.5);
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_EQ(switches[0].to, Mode::Stick);
  EXPECT_NEAR(switches[0].time, 2 * v / (7 * mu * g), 1e-10);
  EXPECT_NEAR(simulation.velocity(ball).x(), 5 * v / 7, 1e-10);
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-9);
}

TEST(EventDriven, ball_leaves_a_smooth_sphere_at_the_angle_of_two_thirds) {
  // A point on a smooth ball of radius R leaves at cos = 2/3 cos_0 (energy and N = 0).
  Model model = with_events(0.02);
  model.set_contact({.friction = 0});
  model.add_fixed({.name = "large", .shape = Sphere{0.9}});
  const double start = 0.1;
  const BodyId ball =
      model.add_rigid({.name = "small", .shape = Sphere{0.1}, .position = {std::sin(start), 0, std::cos(start)}});
  Simulation simulation(model);
  std::vector<ModeSwitch> switches;
  for (int i = 0; i < 100 && switches.empty(); ++i) {
    simulation.step();
    switches.assign(simulation.switches().begin(), simulation.switches().end());
  }
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_EQ(switches[0].to, Mode::Open);
  // Back from the end of the step by free flight.
  const double t = switches[0].time - simulation.state().time();
  const Vec3 x = simulation.position(ball), v = simulation.velocity(ball);
  const double height = x.z() + v.z() * t - 0.5 * 9.81 * t * t;
  EXPECT_NEAR(height, 2.0 / 3 * std::cos(start), 1e-9);
}

TEST(EventDriven, refuses_laws_it_does_not_know_by_name) {
  Model model = with_events(0.01);
  model.set_contact({.kind = LawKind::Rolling, .rolling_friction = 0.1});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 1}});
  try {
    Simulation simulation(model);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rolling"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("augmented"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cairn
