// SPDX-License-Identifier: Apache-2.0
// What may be turned while a model runs: each change acts from the next step on, and the balance of each step stays
// closed.
#include "cairn/sim/live_parameters.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cairn {
namespace {

Model make_slope() {
  Model model;
  model.add_material({"ice", 900});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "block", .shape = Box{{0.1, 0.1, 0.1}}, .material = "ice", .position = {0, 0, 0.1}});
  model.set_contact("ice", "default", {.friction = 0.5});
  model.run.step = 1e-3;
  return model;
}

TEST(LiveParameters, those_of_a_model_are_listed) {
  const Simulation simulation(make_slope());
  std::vector<std::string> names;
  for (const LiveParameter& p : live_parameters(simulation)) {
    names.push_back(p.name);
    EXPECT_LE(p.min, p.value);
    EXPECT_GE(p.max, p.value);
  }
  // One block of ice cannot meet another, and one ground no other ground.
  EXPECT_EQ(names, (std::vector<std::string>{"gravity.x", "gravity.y", "gravity.z", "friction.default.ice"}));
}

TEST(LiveParameters, gravity_turned_gives_that_acceleration) {
  Simulation simulation(make_slope());
  simulation.run(0.1);
  set_live_parameter(simulation, "gravity.z", 3.0);  // upwards: it lifts off
  simulation.run(0.5);
  EXPECT_NEAR(simulation.velocity(BodyId{1}).z(), 1.5, 1e-9);
  // Potential m g z is exact in each step of constant acceleration.
  EXPECT_LT(std::abs(simulation.summary().numerical), 1e-9 * simulation.summary().energy_scale);
}

TEST(LiveParameters, friction_turned_lets_slide) {
  Simulation simulation(make_slope());
  set_live_parameter(simulation, "gravity.x", 4.0);  // below mu g = 4.905
  simulation.run(0.2);
  EXPECT_LT(simulation.velocity(BodyId{1}).norm(), 1e-9);
  set_live_parameter(simulation, "friction.default.ice", 0.1);
  simulation.run(0.5);
  EXPECT_NEAR(simulation.velocity(BodyId{1}).x(), 0.5 * (4 - 0.1 * 9.81), 1e-6);
}

TEST(LiveParameters, wrong_names_and_values_are_refused) {
  Simulation simulation(make_slope());
  EXPECT_THROW(set_live_parameter(simulation, "gravity.q", 1), Error);
  EXPECT_THROW(set_live_parameter(simulation, "friction.default.ice", -0.1), Error);
  EXPECT_THROW(set_live_parameter(simulation, "gravity.z", NAN), Error);
  EXPECT_THROW(simulation.set_target(CoordinateLawId{0}, 1), std::exception);
}

TEST(LiveParameters, a_hand_that_came_and_went_leaves_no_trace_in_the_rules) {
  Simulation pulled(make_slope()), alone(make_slope());
  const State start = pulled.state();
  pulled.set_pull(make_pull(pulled.model().system(), pulled.state().motion, 1e-3, {.body = 1}, {1, 0, 1}));
  pulled.run(0.3);
  EXPECT_GT(pulled.position(BodyId{1}).z(), 0.2);
  EXPECT_GT(pulled.summary().work.loads, 0);
  EXPECT_LT(std::abs(pulled.summary().numerical), 0.01 * pulled.summary().energy_scale);
  pulled.set_pull({});
  EXPECT_EQ(pulled.pull(), nullptr);
  EXPECT_TRUE(pulled.model().system().forces.empty());
  pulled.restore(start);
  pulled.run(0.2);
  alone.run(0.2);
  EXPECT_EQ(std::memcmp(pulled.state().motion.q.data(), alone.state().motion.q.data(),
                        8 * static_cast<std::size_t>(alone.state().motion.q.size())),
            0);
}

}  // namespace
}  // namespace cairn
