// SPDX-License-Identifier: Apache-2.0
// Contacts that yield: depth at rest, time and restitution of impacts against closed forms, friction, the rigid limit.
#include "cairn/assembly/contact_compliance.h"

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/base/error.h"
#include "cairn/laws/compliant_kelvin_voigt.h"
#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

constexpr double g = 9.81;

Model ball_on_floor(double k, double c, double mass, double height, double speed) {
  Model model;
  model.set_contact({.friction = 0.3, .stiffness = k, .damping = c});
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  model.add_rigid({.name = "ball",
                   .shape = Sphere{0.1},
                   .position = {0, 0, 0.1 + height},
                   .velocity = {0, 0, -speed},
                   .mass = mass});
  return model;
}

TEST(ContactCompliance, row_is_the_force_it_stands_for) {
  // U_E + shift + compliance r = 0 solved for r, against the two forms in the header.
  for (const double h : {1e-4, 1e-2}) {
    const double k = 2000, c = 30, w = 0.5, gap = -3e-3, U_B = -0.4, U_E = 0.2;
    const CompliantRow row = make_compliant_row(k, c, w, gap, U_B, h);
    const double r = -(U_E + row.shift) / row.compliance;
    const double resolved = -h * (k * (gap + h / 4 * (U_E - U_B)) + c * (U_B + U_E) / 2);
    const double stiff = -h * (k * (gap + h * U_E) + c * U_E);
    EXPECT_NEAR(r, k * h * h * w < 1 ? resolved : stiff, 1e-12);
  }
}

TEST(ContactCompliance, weight_presses_in_by_its_force_over_the_stiffness) {
  for (const double h : {1e-4, 1e-3, 1e-2}) {  // resolved to stiff: k h^2/m from 5e-5 to 0.5 and 5
    for (const double k : {1e4, 1e5}) {
      Model model = ball_on_floor(k, 200, 2, 0, 0);
      model.run.step = h;
      Simulation s(model);
      s.run(1.5);
      EXPECT_NEAR(0.1 - s.position(BodyId{1}).z(), 2 * g / k, 1e-9) << h << " " << k;
      EXPECT_NEAR(std::abs(s.contacts()[0].impulse.z()) / h, 2 * g, 1e-6);
      // Its overlap is its law and no error.
      EXPECT_EQ(s.summary().penetration, 0);
      EXPECT_GT(s.summary().compression, 0.9 * 2 * g / k);
      EXPECT_LT(s.summary().residual, 1e-7);
    }
  }
}

TEST(ContactCompliance, impact_lasts_half_a_period_and_returns_the_speed) {
  // Without gravity and damping: contact for pi sqrt(m/k), speed back in full; both of second order in the step but for
  // the two steps in which it closes and opens.
  const double m = 2, k = 8e4, v = 0.5, time = std::numbers::pi * std::sqrt(m / k);
  double last = 1;
  for (const double h : {time / 20, time / 80, time / 320}) {
    Model model = ball_on_floor(k, 0, m, 1e-3, v);
    model.set_gravity(Vec3::Zero());
    model.run.step = h;
    Simulation s(model);
    int touching = 0;
    double force = 0;
    s.run(2 * time + 1e-2, [&](const Simulation& now) {
      for (const ContactResult& contact : now.contacts())
        if (const double push = contact.impulse.norm() / h; push > 0) ++touching, force = std::max(force, push);
      return true;
    });
    EXPECT_NEAR(touching * h, time, 2 * h);
    const double error = std::abs(s.velocity(BodyId{1}).z() - v) / v;
    EXPECT_LT(error, last / 4);
    EXPECT_NEAR(force, v * std::sqrt(k * m), 0.02 * v * std::sqrt(k * m));
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

TEST(ContactCompliance, damping_gives_the_restitution_of_kelvin_and_voigt) {
  const double m = 2, k = 8e4, v = 0.5;
  for (const double e : {0.9, 0.5, 0.2}) {
    Model model = ball_on_floor(k, kelvin_voigt_damping(e, k, m), m, 1e-4, v);
    model.set_gravity(Vec3::Zero());
    model.run.step = 1e-5;
    Simulation s(model);
    s.run(0.05);
    EXPECT_NEAR(s.velocity(BodyId{1}).z(), e * v, 2e-3 * v) << e;
    EXPECT_LT(s.summary().work.contact, 0);
  }
}

TEST(ContactCompliance, grows_into_the_rigid_law) {
  // At k h^2/m = 1e9 a ball that falls on the floor stops at once and rests.
  Model model = ball_on_floor(2e15, 0, 2, 5e-3, 1);
  model.run.step = 1e-3;
  Simulation s(model);
  s.run(0.5);
  EXPECT_LT(std::abs(s.velocity(BodyId{1}).z()), 1e-9);
  EXPECT_NEAR(s.position(BodyId{1}).z(), 0.1, 1e-9);
}

TEST(ContactCompliance, friction_is_coulombs_with_the_force_of_the_spring) {
  // A block pressed by its weight slides at mu g; residual of the law with compliance.
  Model model;
  model.set_contact({.friction = 0.3, .stiffness = 1e5, .damping = 300});
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  const double depth = 2 * g / 4 / 1e5;  // four points
  model.add_rigid({.name = "block",
                   .shape = Box{{0.2, 0.2, 0.05}},
                   .position = {0, 0, 0.05 - depth},
                   .velocity = {3, 0, 0},
                   .mass = 2.0});
  model.run.step = 1e-3;
  Simulation s(model);
  s.run(0.5);
  EXPECT_NEAR(s.velocity(BodyId{1}).x(), 3 - 0.3 * g * 0.5, 1e-3);
  EXPECT_LT(s.summary().residual, 1e-7);
  EXPECT_EQ(s.summary().penetration, 0);
}

TEST(ContactCompliance, what_does_not_go_with_it_is_refused) {
  const auto message = [](ContactLaw law) {
    try {
      check_contact_law("contacts", law);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({.damping = 3}),
            "contacts: damping is 3 N s/m without stiffness; must be given with it, a rigid contact does not yield");
  EXPECT_EQ(message({.restitution = 0.5, .stiffness = 10}),
            "contacts: restitution is 0.5 beside a stiffness; must be 0, a contact that yields bounces by itself");
  EXPECT_EQ(message({.cohesion = 2, .stiffness = 10}),
            "contacts: cohesion is 2 beside a stiffness; must be 0, only rigid contacts are held together");
}

}  // namespace
}  // namespace cairn
