// SPDX-License-Identifier: Apache-2.0
// Drift rules of joints over long runs, projection of positions, and the rank of mechanisms.
#include "cairn/assembly/joint_projection.h"

#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

/// Two rods on hinges about y, let go from the side.
Model double_pendulum(const std::string& rule, double h) {
  Model model;
  for (int i = 0; i < 2; ++i) {
    model.add_rigid({.name = fmt::format("rod {}", i),
                     .position = {0.5 + i, 0, 0},
                     .mass = 1.0,
                     .inertia = Mat3(Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal())});
    model.add_joint({.kind = JointKind::Revolute,
                     .name = fmt::format("hinge {}", i),
                     .body_a = fmt::format("rod {}", i),
                     .body_b = i == 0 ? "" : "rod 0",
                     .position = {1.0 * i, 0, 0},
                     .axis = Vec3::UnitY()});
  }
  model.run.step = h;
  model.run.stepper = {"moreau", {{"joints", rule}}};
  return model;
}

struct LongRun {
  double drift, energy;  ///< worst joint error [m]; energy at the end less that at the start, of the swing's
};

LongRun run_long(const std::string& rule, double h, double seconds) {
  Simulation s(double_pendulum(rule, h));
  const double before = s.energy().total();
  s.run(seconds);
  EXPECT_EQ(s.summary().not_converged, 0) << rule;
  return {s.summary().joint_drift, (s.energy().total() - before) / (2 * 9.81)};
}

TEST(JointRules, projection_leaves_no_drift_at_all) {
  for (const std::string rule : {"ggl", "projected"}) {
    const LongRun run = run_long(rule, 2e-3, 5);
    EXPECT_LT(run.drift, 1e-12) << rule;
  }
}

TEST(JointRules, every_rule_keeps_its_promise_over_a_long_run) {
  // docs/joints.md has the table; these are its bounds.
  const double h = 2e-3, seconds = 20;
  EXPECT_LT(run_long("curved", h, seconds).drift, 1e-5);
  EXPECT_LT(run_long("stabilised", h, seconds).drift, 1e-3);
  EXPECT_LT(run_long("baumgarte", h, seconds).drift, 1e-3);
  EXPECT_GT(run_long("end", h, seconds).drift, 1e-2);  // what the others are there for
  EXPECT_LT(std::abs(run_long("projected", h, seconds).energy), 1e-2);
  EXPECT_LT(run_long("ggl", h, seconds).energy, 0);  // loses energy: velocities at the end of the step are cut
}

TEST(JointRules, projected_is_of_second_order) {
  const auto end = [](double h) {
    Simulation s(double_pendulum("projected", h));
    s.run(0.5);
    return s.state().motion.s;
  };
  const VecX exact = end(1.0 / 16000);
  const double first = (end(1.0 / 200) - exact).norm(), second = (end(1.0 / 400) - exact).norm(),
               third = (end(1.0 / 800) - exact).norm();
  EXPECT_NEAR(first / second, 4, 0.5);
  EXPECT_NEAR(second / third, 4, 0.3);
}

TEST(JointRules, projection_follows_prescribed_motion) {
  Model model = double_pendulum("projected", 1e-3);
  model.add_coordinate_law({.kind = CoordinateLawKind::Servo, .terms = {{"hinge 0"}}, .target = [](double t) {
                              return t * t * (1 + std::sin(3 * t));
                            }});
  Simulation s(model);
  s.run(1);
  EXPECT_NEAR(s.state().motion.s[0], 1 + std::sin(3.0), 1e-12);
  // ds/dt = 2 t (1 + sin 3t) + 3 t^2 cos 3t
  EXPECT_NEAR(s.angular_velocity(BodyId{0}).y(), 2 * (1 + std::sin(3.0)) + 3 * std::cos(3.0), 1e-6);
}

TEST(JointRules, baumgarte_takes_an_error_back_at_its_rate) {
  // A free body on a ball joint that starts off by d: g'' + 2 a g' + a^2 g = 0 gives g = d (1 + a t) exp(-a t).
  const double a = 20, h = 1e-4, d = 1e-9, t = 0.1;
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "body", .position = {1, 0, 0}, .mass = 1.0, .inertia = Mat3::Identity()});
  model.add_joint({.kind = JointKind::Ball, .body_a = "body", .second_position = Vec3(d, 0, 0)});
  model.run.step = h;
  model.run.stepper = {"moreau", {{"joints", "baumgarte"}, {"baumgarte", "20"}}};
  Simulation s(model);
  s.run(t);
  EXPECT_NEAR(s.certificate().joint_drift, d * (1 + a * t) * std::exp(-a * t), 1e-2 * d);
}

TEST(JointRules, baumgarte_too_fast_for_the_step_is_refused) {
  Model model = double_pendulum("baumgarte", 0.02);
  try {
    Simulation s(model);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "joints: baumgarte is 100 1/s; must be at most 1/step = 50 1/s");
  }
}

TEST(MechanismRank, of_a_planar_loop_in_space) {
  // Four-bar: three moving links and four parallel hinges: 18 - 20 + 3 redundant = 1 (Gruebler's count says -2).
  Model model;
  const std::vector<Vec3> corners{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i)
    model.add_rigid({.name = fmt::format("link {}", i),
                     .position = (corners[i] + corners[i + 1]) / 2,
                     .mass = 1.0,
                     .inertia = Mat3::Identity()});
  for (std::size_t i = 0; i < 4; ++i)
    model.add_joint({.kind = JointKind::Revolute,
                     .body_a = i < 3 ? fmt::format("link {}", i) : "",
                     .body_b = i > 0 ? fmt::format("link {}", i - 1) : "",
                     .position = corners[i],
                     .axis = Vec3::UnitY()});
  const MechanismRank rank = compute_rank(model.system(), initial_motion(model.system()));
  EXPECT_EQ(rank.freedoms, 18);
  EXPECT_EQ(rank.rows, 20);
  EXPECT_EQ(rank.mobility(), 1);
  EXPECT_EQ(rank.redundant(), 3);
}

}  // namespace
}  // namespace cairn
