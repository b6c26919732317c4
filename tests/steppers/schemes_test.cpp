// SPDX-License-Identifier: Apache-2.0
// The schemes of the literature against what their equations say of one body: laws of a blow step by step. How they
// hold joints is in the book (B4, B14).
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
