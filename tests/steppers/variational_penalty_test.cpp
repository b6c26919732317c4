// SPDX-License-Identifier: Apache-2.0
// Variational penalties: order 1, momentum, energy that stays, joints the tighter the stiffer.
#include "cairn/steppers/study/variational_penalty.h"

#include "cairn/constraints/bar_length.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

Model pendulum(const ParameterValues& parameters, double h, int links) {
  Model model;
  model.run.stepper = {"variational-penalty", parameters};
  model.run.step = h;
  for (int i = 0; i < links; ++i) {
    model.add_rigid({.name = fmt::format("rod {}", i),
                     .position = {i + 0.5, 0, 0},
                     .mass = 1,
                     .inertia = Mat3(0.1 * Mat3::Identity())});
    model.add_joint({.kind = JointKind::Revolute,
                     .body_a = fmt::format("rod {}", i),
                     .body_b = i > 0 ? fmt::format("rod {}", i - 1) : "",
                     .position = {double(i), 0, 0},
                     .axis = Vec3::UnitY()});
  }
  return model;
}

TEST(VariationalPenalty, energy_of_a_double_pendulum_stays_within_bounds_that_shrink_with_the_step) {
  double spread[2];
  for (int k = 0; k < 2; ++k) {
    Simulation s(pendulum({}, 0.01 / (1 << k), 2));
    double low = 0, high = 0;
    s.run(20, [&](const Simulation& now) {
      low = std::min(low, now.energy().total());
      high = std::max(high, now.energy().total());
      return true;
    });
    EXPECT_EQ(s.summary().not_converged, 0);
    spread[k] = high - low;
  }
  EXPECT_LT(spread[0], 2.0);  // of about 30 J that swing
  EXPECT_LT(spread[1], 0.7 * spread[0]);
}

TEST(VariationalPenalty, joints_are_tighter_with_more_turns) {
  double drift[3];
  const char* turns[] = {"10", "100", "1000"};
  for (int k = 0; k < 3; ++k) {
    Simulation s(pendulum({{"turns", turns[k]}}, 0.01, 2));
    s.run(5);
    EXPECT_EQ(s.summary().status, StepStatus::Done);
    drift[k] = s.summary().joint_drift;
  }
  EXPECT_LT(drift[1], 0.5 * drift[0]);
  EXPECT_LT(drift[2], 0.5 * drift[1]);
}

TEST(VariationalPenalty, momentum_of_a_free_chain_of_bars_stays) {
  const auto chain = std::make_shared<BarChain>(BarChainSpec{.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                                                             .velocities = {{0, 0, 1}, {0.2, 0, -1}, {0.2, 0.5, 1}},
                                                             .point_mass = {1, 2, 3},
                                                             .bars = {{0, 1, 0.5}, {1, 2, 0.5}}});
  Model model;
  model.run.stepper.name = "variational-penalty";
  model.run.step = 0.01;
  model.set_gravity(Vec3::Zero());
  const BodyId body = model.add_body({.name = "chain", .body = chain});
  for (std::size_t i = 0; i < 2; ++i) model.add_own_joint(std::make_shared<BarLength>(body.value, chain, i));
  Simulation s(model);
  // Generalised momentum M u of flat coordinates: linear and angular.
  const MatX M = model.system().bodies.mass_matrix(0, s.state().motion.q, s.state().motion.u);
  const auto momenta = [&](double back) {
    const VecX p = M * s.state().motion.u;
    // The discrete momentum p belongs to the place where its step began.
    const VecX q = s.state().motion.q - back * s.state().motion.u;
    Vec6 sum = Vec6::Zero();
    for (int i = 0; i < 3; ++i) {
      sum.head<3>() += p.segment<3>(3 * i);
      sum.tail<3>() += Vec3(q.segment<3>(3 * i)).cross(Vec3(p.segment<3>(3 * i)));
    }
    return sum;
  };
  s.step();
  const Vec6 before = momenta(0.01);
  s.run(3);
  EXPECT_EQ(s.summary().not_converged, 0);
  EXPECT_LT((momenta(0.01) - before).norm(), 1e-9 * before.norm());
}

TEST(VariationalPenalty, spatial_motion_converges_to_that_of_moreau) {
  // A heavy body on a ball joint that spins: order 1.
  const auto run = [](const std::string& stepper, double h) {
    Model model;
    model.run.stepper.name = stepper;
    model.run.step = h;
    const BodyId body = model.add_rigid({.name = "top",
                                         .position = {0.6, 0, 0},
                                         .angular_velocity = {8, 0, 1},
                                         .mass = 1,
                                         .inertia = Mat3(Vec3(0.02, 0.05, 0.06).asDiagonal())});
    model.add_joint({.body_a = "top"});
    Simulation s(model);
    s.run(0.5);
    return s.position(body);
  };
  const Vec3 exact = run("moreau", 1e-4);
  const double coarse = (run("variational-penalty", 2e-3) - exact).norm();
  const double fine = (run("variational-penalty", 1e-3) - exact).norm();
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.25);
}

TEST(VariationalPenalty, a_stiffness_with_negative_delta_is_refused_with_one_that_serves) {
  // omega h = 100 sqrt(10) ... : sin(omega h) < 0 for k = 1e6 N/m on 0.01 kg at 0.01 s (phase 100 rad).
  try {
    Simulation s(pendulum({{"stiffness", "1e6"}}, 0.01, 1));
    FAIL() << "was not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("Delta = -"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(Simulation(pendulum({{"stiffness", "1e6"}, {"negative_delta", "true"}}, 0.01, 1)));
  EXPECT_THROW(Simulation(pendulum({{"stiffness", "1e12"}, {"halvings", "2"}}, 0.01, 1)), Error);
}

TEST(VariationalPenalty, a_chain_lands_on_a_floor) {
  Model model = pendulum({}, 0.005, 2);
  model.add_fixed({.shape = HalfSpace{}, .position = {0, 0, -0.4}});
  model.set_contact({.friction = 0.3});
  const BodyId ball = model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {2, 0, 0}, .mass = 1.0});
  model.add_joint({.body_a = "ball", .body_b = "rod 1", .position = {2, 0, 0}});
  Simulation s(model);
  s.run(2);
  EXPECT_EQ(s.summary().status, StepStatus::Done);
  EXPECT_EQ(s.summary().not_converged, 0);
  EXPECT_LT(s.summary().penetration, 1e-3);
  EXPECT_LT(s.summary().joint_drift, 1e-3);
  EXPECT_GT(s.position(ball).z(), -0.301);
}

}  // namespace
}  // namespace cairn
