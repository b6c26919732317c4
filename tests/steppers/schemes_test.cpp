// SPDX-License-Identifier: Apache-2.0
// The schemes of the literature against what their equations say of one body: laws of a blow step by step, and the
// pendulum on which Studer 2009 (section 5.1) compares the treatment of joints.
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

Choice scheme(const std::string& name, ParameterValues parameters = {}) { return {name, std::move(parameters)}; }

/// A ball above the ground whose lowest point is at `height`.
Simulation drop(const Choice& stepper, double h, double height, double speed, double restitution,
                const Vec3& gravity = Vec3::Zero()) {
  Model model;
  model.set_gravity(gravity);
  model.set_contact({.friction = 0, .restitution = restitution});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.1 + height}, .velocity = {0, 0, -speed}, .mass = 1});
  model.run.step = h;
  model.run.stepper = stepper;
  return Simulation(model);
}
double height_of(const Simulation& s) { return s.position(BodyId{1}).z() - 0.1; }
double speed_of(const Simulation& s) { return s.velocity(BodyId{1}).z(); }

TEST(Schemes, paoli_schatzman_bounces_with_the_coefficient_two_steps_later) {
  // x+ = -e x- for the two steps that are in touch, hence (x+ - x)/h = -e (x - x-)/h.
  const double h = 0.01, e = 0.4;
  Simulation s = drop(scheme("paoli-schatzman"), h, 0.002, 1, e);
  s.step();
  EXPECT_NEAR(height_of(s), -e * 0.012, 1e-12);  // x- was 0.002 + h
  s.step();
  EXPECT_NEAR(height_of(s), -e * 0.002, 1e-12);
  EXPECT_NEAR(speed_of(s), e * 1, 1e-10);
  s.step();
  EXPECT_NEAR(speed_of(s), e * 1, 1e-10);
}

TEST(Schemes, positions_at_the_end_of_the_step_take_a_blow_in_two_steps) {
  // Studer 2009, 5.11: u = -x/h, x = 0; then u = 0. Linearised gaps do the same to a straight motion.
  for (const std::string name : {"index-3", "foerg", "stiegelmeyr", "stewart-trinkle", "anitescu-hart"}) {
    Simulation s = drop(scheme(name), 0.01, 0.004, 1, 0);
    s.step();
    EXPECT_NEAR(speed_of(s), -0.4, 1e-9) << name;
    EXPECT_NEAR(height_of(s), 0, 1e-11) << name;
    s.step();
    EXPECT_NEAR(speed_of(s), 0, 1e-9) << name;
    EXPECT_NEAR(height_of(s), 0, 1e-11) << name;
  }
}

TEST(Schemes, theta_gaps_close_at_the_place_of_evaluation) {
  // g_D/h + U_E = 0 with g_D = x + (1 - theta) h u; the next g_D is 0 and the one after stays there.
  for (const double theta : {0.5, 0.7, 1.0}) {
    const double h = 0.01, x = 0.008;
    Simulation s = drop(scheme("nscd", {{"theta", fmt::format("{}", theta)}}), h, x, 1, 0);
    s.step();
    const double g = x - (1 - theta) * h;
    EXPECT_NEAR(speed_of(s), -g / h, 1e-9) << theta;
    EXPECT_NEAR(height_of(s), x - (1 - theta) * h - theta * g, 1e-11) << theta;
    s.step();
    EXPECT_NEAR(speed_of(s), 0, 1e-9) << theta;
  }
}

TEST(Schemes, elastic_blows_keep_their_coefficient_where_the_scheme_has_one) {
  for (const std::string name :
       {"moreau", "koziara", "moreau-jean", "stiegelmeyr", "paoli-schatzman", "anitescu-potra-97", "potra", "gavrea"}) {
    Simulation s = drop(scheme(name), 0.01, 0.033, 1, 0.6);
    s.run(0.1);
    EXPECT_NEAR(speed_of(s), 0.6, 1e-9) << name;
  }
  // The others lose the blow.
  for (const std::string name : {"nscd", "funk", "foerg", "stewart-trinkle", "anitescu-hart", "index-3"}) {
    Simulation s = drop(scheme(name), 0.01, 0.033, 1, 0.6);
    s.run(0.1);
    EXPECT_NEAR(speed_of(s), 0, 1e-9) << name;
  }
}

/// Studer's pendulum (5.1): 1 kg on a rod of 1 m, pulled to (2, -2) by 10 N/m, no gravity, from (-1, 0) at rest.
struct Swing {
  double drift = 0;   ///< largest | |q| - 1 |
  double energy = 0;  ///< at the end; 65 J at the start
};
Swing swing(const Choice& stepper, double duration, double h = 0.05) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  model.run.stepper = stepper;
  model.run.solver.parameters["tolerance"] = "1e-12";
  const BodyId body =
      model.add_rigid({.name = "mass", .position = {-1, 0, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_joint(
      {.kind = JointKind::Distance, .body_a = "mass", .position = {-1, 0, 0}, .second_position = Vec3(0, 0, 0)});
  model.add_spring({.body_a = "mass", .anchor_b = {2, -2, 0}, .stiffness = 10, .rest_length = 0});
  Simulation s(model);
  Swing result;
  s.run(duration, [&](const Simulation& now) {
    result.drift = std::max(result.drift, std::abs(now.position(body).norm() - 1));
    return true;
  });
  result.energy = s.energy().total();
  return result;
}

TEST(Schemes, pendulum_drifts_and_loses_as_each_level_of_the_joint_says) {
  struct Row {
    const char* what;
    Choice stepper;
    // B4 to B10: the specification's recomputation. B11 there is (g_B + h/2 U_B)/h + U_E = 0; `stabilised` has the true
    // g_M, which gives these numbers (computed apart from this program).
    double drift_2, drift_5, energy_2, energy_5;
  };
  const Row rows[] = {
      {"B4", scheme("index-1"), 4.24, 12.1, -1, -1},
      {"B5", scheme("index-2", {{"reflection", "0"}}), 0.942, 1.599, 28.0, 16.9},
      {"B6", scheme("index-2", {{"reflection", "1"}}), 0.0302, 0.0303, 65.04, 65.28},
      {"B6b", scheme("index-2", {{"reflection", "0.9"}}), 0.102, 0.231, 59.7, 51.8},
      {"B7", scheme("ggl"), 0, 0, 27.5, 21.6},
      {"B8", scheme("index-3", {{"theta", "0.5"}}), 0, 0, 64.96, 66.61},
      {"B9", scheme("index-2", {{"reflection", "0"}, {"theta", "1"}}), 0.863, 1.246, 20.1, 7.9},
      {"B10", scheme("stewart-trinkle"), 0.100, 0.100, 45.1, 30.4},
      {"B11", scheme("nscd"), 0.0794, 0.0794, 61.67, 55.80},
  };
  for (const Row& row : rows) {
    const Swing two = swing(row.stepper, 2), five = swing(row.stepper, 5);
    // The last printed digit.
    const auto near = [&](double got, double printed, double digit, const char* of) {
      EXPECT_NEAR(got, printed, 0.6 * digit) << row.what << " " << of;
    };
    if (row.drift_2 > 0) {
      near(two.drift, row.drift_2, row.drift_2 < 0.09 ? 1e-4 : row.drift_2 > 2 ? 1e-2 : 1e-3, "drift 2 s");
      near(five.drift, row.drift_5, row.drift_5 < 0.09 ? 1e-4 : row.drift_5 > 2 ? 1e-1 : 1e-3, "drift 5 s");
    } else {
      EXPECT_LT(five.drift, 1e-10) << row.what;
    }
    if (row.energy_2 > 0) {
      near(two.energy, row.energy_2, row.energy_2 > 60 ? 1e-2 : 1e-1, "energy 2 s");
      near(five.energy, row.energy_5, row.energy_5 > 55 ? 1e-2 : 1e-1, "energy 5 s");
    }
  }
}

TEST(Schemes, ggl_hops_without_a_slack_and_rests_with_it) {
  // B12: 1 kg dropped from 20 mm, e = 0.2, h = 5 ms. Without slack it goes on between u = g h e/(1 + e) and -u/e.
  const double u = 9.81 * 0.005 * 0.2 / 1.2;
  for (const bool slack : {false, true}) {
    Simulation s = drop(scheme("ggl", slack ? ParameterValues{{"slack", "2.05e-5"}} : ParameterValues{}), 0.005, 0.02,
                        0, 0.2, {0, 0, -9.81});
    double highest = 0, lowest = 0, gained = 0, before = 0.02 * 9.81;
    s.run(3, [&](const Simulation& now) {
      const double energy = height_of(now) * 9.81 + 0.5 * speed_of(now) * speed_of(now);
      if (now.state().motion.time < 0.0651) gained = std::max(gained, energy - before);
      before = energy;
      if (now.state().motion.time > 2)
        highest = std::max(highest, speed_of(now)), lowest = std::min(lowest, speed_of(now));
      return true;
    });
    // The projection at the first blow, after free fall of 0.065 s; published with slack: 0.1962 to 0.2031 J.
    const double lift = 0.5 * 9.81 * 0.065 * 0.065 - 0.02 - (slack ? 2.05e-5 : 0);
    EXPECT_NEAR(gained, 9.81 * lift, 1e-12);
    if (slack) {
      EXPECT_NEAR(gained, 0.2031 - 0.1962, 1e-4);
      EXPECT_LT(highest, 1e-12);
      // It leaves the slack with the last blow's e u and is at rest at the end of that step. The published -1.1998e-5 m
      // belongs to a law that also sends back velocities that separate.
      EXPECT_NEAR(height_of(s), -2.05e-5 + 0.0025 * 0.0051012, 1e-9);
    } else {
      EXPECT_NEAR(highest, u, 1e-9);
      EXPECT_NEAR(lowest, -u / 0.2, 1e-9);
    }
  }
}

TEST(Schemes, rope_pendulum_slackens_and_tightens_in_two_steps) {
  // B14: 1 kg on a rope of 1 m, gravity along +x, from (-1, 0) with (0, 6.5) m/s.
  Model model;
  model.set_gravity({9.81, 0, 0});
  model.run.step = 0.005;
  model.run.stepper = scheme("index-3");
  const BodyId body = model.add_rigid(
      {.name = "mass", .position = {-1, 0, 0}, .velocity = {0, 6.5, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.kind = JointKind::Distance,
                   .body_a = "mass",
                   .position = {-1, 0, 0},
                   .second_position = Vec3(0, 0, 0),
                   .sense = JointSense::AtMost});
  Simulation s(model);
  std::vector<double> force;
  double longest = 0;
  s.run(5, [&](const Simulation& now) {
    force.push_back(now.joint_impulses()[0].force.norm() / 0.005);
    longest = std::max(longest, now.position(body).norm());
    return true;
  });
  EXPECT_LT(longest, 1 + 1e-9);
  EXPECT_NEAR(force[1], 32.44, 0.02);
  // First step without force, and the first with force again.
  const auto slack = std::find_if(force.begin(), force.end(), [](double f) { return f < 1e-9; });
  const auto tight = std::find_if(slack, force.end(), [](double f) { return f > 1e-9; });
  EXPECT_NEAR(0.005 * static_cast<double>(slack - force.begin()), 4.165, 0.0051);
  EXPECT_NEAR(0.005 * static_cast<double>(tight - force.begin()), 4.715, 0.0051);
  EXPECT_NEAR(tight[0], 199.7, 1);
  EXPECT_NEAR(tight[1], 227.7, 1);
  EXPECT_NEAR(tight[2], 18.7, 0.5);
}

TEST(Schemes, rules_that_do_not_fit_are_refused) {
  Model model;
  model.add_rigid({.name = "mass", .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.body_a = "mass"});
  model.run.stepper = scheme("foerg", {{"joints", "curved"}});
  try {
    Simulation s(model);
    FAIL() << "curved joints at theta = 1";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("theta is 1: use stabilised"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cairn
