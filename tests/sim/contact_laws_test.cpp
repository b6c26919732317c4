// SPDX-License-Identifier: Apache-2.0
// Laws of contacts in motion, each against its closed form.
#include "cairn/laws/constraint_law.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

constexpr double g = 9.81;

/// A body on a plane under a law; `add` places it.
template <class Add>
Simulation on_plane(const ContactLaw& law, double step, Add&& add) {
  Model model;
  model.run.step = step;
  model.set_contact(law);
  model.add_fixed({.name = "plane", .shape = HalfSpace{}});
  add(model);
  return Simulation(model);
}

TEST(ContactLaws, rolling_friction_slows_a_sphere) {
  // Validation problem F9: (5/7) g b/R, b = 1 mm, R = 0.05 m.
  Simulation s = on_plane({.friction = 0.5, .kind = LawKind::Rolling, .rolling_friction = 1e-3}, 1e-3, [](Model& m) {
    m.add_rigid({.name = "ball",
                 .shape = Sphere{0.05},
                 .position = {0, 0, 0.05},
                 .velocity = {1, 0, 0},
                 .angular_velocity = {0, 20, 0}});
  });
  s.run(1);
  EXPECT_NEAR(s.velocity({1}).x(), 1 - 5. / 7 * g * 1e-3 / 0.05, 1e-6);
  EXPECT_LT(std::abs(s.summary().numerical), 1e-8 * s.summary().energy_scale);
  EXPECT_LT(s.summary().work.friction, 0);
}

TEST(ContactLaws, spinning_friction_slows_a_spin) {
  // Validation problem F10: omega' = -(5/2) s g/R^2.
  for (const LawKind kind :
       {LawKind::Spinning, LawKind::RollingSpinning, LawKind::Contensou, LawKind::RollingContensou}) {
    Simulation s = on_plane(
        {.friction = 0.5, .kind = kind, .rolling_friction = 1e-3, .spinning_friction = 1e-3}, 1e-3, [](Model& m) {
          m.add_rigid(
              {.name = "ball", .shape = Sphere{0.05}, .position = {0, 0, 0.05}, .angular_velocity = {0, 0, 20}});
        });
    s.run(1);
    EXPECT_NEAR(s.angular_velocity({1}).z(), 20 - 2.5 * 1e-3 * g / 0.0025, 1e-6) << law_name(kind);
  }
}

TEST(ContactLaws, sliding_and_spinning_share_contensous_ellipsoid) {
  // A ball that slides and spins: the friction force is mu N cos(a), with cos(a) = mu v/|(mu v, mu_s omega)|.
  const double mu = 0.2, mu_s = 0.005, v = 1, omega = 50, R = 0.025;
  const double h = 1e-5;
  Simulation s = on_plane({.friction = mu, .kind = LawKind::Contensou, .spinning_friction = mu_s}, h, [&](Model& m) {
    m.add_rigid({.name = "ball",
                 .shape = Sphere{R},
                 .position = {0, 0, R},
                 .velocity = {v, 0, 0},
                 .angular_velocity = {0, 0, omega}});
  });
  s.step();
  const double length = std::hypot(mu * v, mu_s * omega);
  EXPECT_NEAR((v - s.velocity({1}).x()) / h, g * mu * mu * v / length, 1e-3);
  EXPECT_NEAR((omega - s.angular_velocity({1}).z()) / h, g * mu_s * mu_s * omega / length / (0.4 * R * R), 0.5);
}

TEST(ContactLaws, tresca_friction_does_not_grow_with_the_load) {
  // Four corners of 2 N each brake a block of 2 kg or 4 kg by 8 N.
  for (const double mass : {2., 4.}) {
    Simulation s = on_plane({.kind = LawKind::Tresca, .limit = 2}, 1e-3, [&](Model& m) {
      m.add_rigid({.name = "block",
                   .shape = Box{Vec3(0.2, 0.2, 0.05)},
                   .position = {0, 0, 0.05},
                   .velocity = {3, 0, 0},
                   .mass = mass});
    });
    s.run(0.5);
    EXPECT_NEAR(s.velocity({1}).x(), 3 - 0.5 * 8 / mass, 1e-6) << mass;
  }
}

TEST(ContactLaws, orthotropic_friction_turns_the_way_across_the_grain) {
  // Sliding at 45 degrees to the grain: r_T = -r_N (mu_1^2 U_1, mu_2^2 U_2)/|(mu_1 U_1, mu_2 U_2)|.
  const double mu_1 = 0.2, mu_2 = 0.6, h = 1e-4;
  for (const bool turned : {false, true}) {
    Model model;
    model.run.step = h;
    model.add_material({"wood"});
    model.set_contact("wood", "default",
                      {.friction = mu_1, .kind = LawKind::Orthotropic, .friction_2 = mu_2, .direction = Vec3::UnitX()});
    // A floor turned by a right angle takes its grain with it.
    const Quat turn(Eigen::AngleAxisd(turned ? M_PI / 2 : 0, Vec3::UnitZ()));
    model.add_fixed({.name = "floor",
                     .shape = Box{Vec3(5, 5, 0.5)},
                     .material = "wood",
                     .position = {0, 0, -0.5},
                     .orientation = turn});
    const BodyId block = model.add_rigid(
        {.name = "block", .shape = Box{Vec3(0.2, 0.2, 0.01)}, .position = {0, 0, 0.01}, .velocity = {1, 1, 0}});
    Simulation s(model);
    s.step();
    const Vec3 change = (s.velocity(block) - Vec3(1, 1, 0)) / h;
    const double length = std::hypot(mu_1, mu_2);
    const Vec3 expected = -g / length * Vec3(mu_1 * mu_1, mu_2 * mu_2, 0);
    EXPECT_LT((change - (turned ? Vec3(expected.y(), expected.x(), 0) : expected)).norm(), 1e-2) << turned;
  }
}

TEST(ContactLaws, stick_and_slip_on_a_belt) {
  // Validation problem F5: m = 1, k = 100, belt 0.1 m/s, mu_s = 0.4, mu_k = 0.2. Largest stretch 0.041641453 m, period
  // 0.80083221712 s.
  Model model;
  model.run.step = 1e-4;
  model.set_contact({.friction = 0.4, .kinetic_ratio = 0.5, .slip_speed = 1e-6});
  model.add_fixed({.name = "belt",
                   .shape = Box{Vec3(5, 1, 0.5)},
                   .position = {0, 0, -0.5},
                   .motion = PrescribedMotion{[](double) { return Vec3(0.1, 0, 0); }, {}}});
  const BodyId block = model.add_rigid({.name = "block",
                                        .shape = Box{Vec3(0.1, 0.1, 0.1)},
                                        .position = {0, 0, 0.1},
                                        .velocity = {0.1, 0, 0},
                                        .mass = 1});
  model.add_spring({.body_a = "block", .body_b = "", .anchor_b = {-10, 0, 0.1}, .stiffness = 100, .rest_length = 10});
  Simulation s(model);
  std::vector<double> starts;  // of slips
  double largest = 0;
  bool sticking = true;
  s.run(3, [&](const Simulation& now) {
    const bool sticks = std::abs(now.velocity(block).x() - 0.1) < 1e-5;
    if (sticking && !sticks) starts.push_back(now.state().time());
    sticking = sticks;
    largest = std::max(largest, now.position(block).x());
    return true;
  });
  ASSERT_GE(starts.size(), 3u);
  EXPECT_NEAR(starts[2] - starts[1], 0.80083221712, 2e-3);
  EXPECT_NEAR(largest, 0.041641453, 1e-4);
}

TEST(ContactLaws, own_friction_is_asked_for_its_coefficient) {
  // mu = 0.1 (1 + v): v' = -0.1 g (1 + v), so 1 + v = (1 + v0) exp(-0.1 g t).
  ContactLaw law;
  law.own_friction = [](double speed) { return 0.1 * (1 + speed); };
  Simulation s = on_plane(law, 1e-4, [](Model& m) {
    m.add_rigid({.shape = Box{Vec3(0.2, 0.2, 0.02)}, .position = {0, 0, 0.02}, .velocity = {2, 0, 0}});
  });
  s.run(0.5);
  EXPECT_NEAR(s.velocity({1}).x(), 3 * std::exp(-0.05 * g) - 1, 1e-4);
}

TEST(ContactLaws, tangential_restitution_turns_spin_back) {
  // A ball that comes straight down with spin: with e_T = 1 and enough friction the speed of its lowest point is
  // reversed.
  const double R = 0.1, omega = 10;
  Simulation s = on_plane({.friction = 10, .restitution = 1, .tangential_restitution = 1}, 1e-6, [&](Model& m) {
    m.set_gravity(Vec3::Zero());
    m.add_rigid({.name = "ball",
                 .shape = Sphere{R},
                 .position = {0, 0, R + 1e-6},
                 .velocity = {0, 0, -2},
                 .angular_velocity = {0, omega, 0}});
  });
  const double before = s.energy().kinetic;
  s.run(1e-5);
  // Tangential speed of the contact point: -omega R before, so +omega R after: p = 2 omega R m (2/7).
  EXPECT_NEAR(s.velocity({1}).x() - R * s.angular_velocity({1}).y(), omega * R,
              1e-5);  // the contact lies in the middle of the overlap, 2 m/s h deep
  EXPECT_NEAR(s.velocity({1}).x(), 2 * omega * R * 2 / 7, 1e-5);
  EXPECT_NEAR(s.energy().kinetic, before, 1e-9 * before);
}

TEST(ContactLaws, cohesion_holds_until_it_breaks_for_ever) {
  // A box of 2 kg hangs under a ceiling on four points of 10 N each; a load of 25 N more pulls it off.
  Model model;
  model.run.step = 1e-3;
  model.set_contact({.friction = 0.5, .cohesion = 10});
  model.add_fixed({.name = "ceiling", .shape = Box{Vec3(1, 1, 0.1)}, .position = {0, 0, 0.1}});
  const BodyId box =
      model.add_rigid({.name = "box", .shape = Box{Vec3(0.2, 0.2, 0.1)}, .position = {0, 0, -0.1}, .mass = 2});
  model.add_load({.body = "box", .force = [](double t) {
                    return Vec3(0, 0, t < 1 ? 0 : t < 1.1 ? -25 : t < 1.5 ? 60 : 0);
                  }});
  Simulation s(model);
  s.run(1);
  EXPECT_LT((s.position(box) - Vec3(0, 0, -0.1)).norm(), 1e-9);
  s.run(0.1);
  EXPECT_NEAR(s.position(box).z(), -0.1 - 0.5 * (g + 12.5) * 0.01, 2e-3);
  s.run(0.4);  // thrown back to the ceiling
  s.run(0.4);
  EXPECT_LT(s.position(box).z(), -0.3);  // what broke does not hold again
}

TEST(ContactLaws, adhesion_heals) {
  Model model;
  model.run.step = 1e-3;
  model.set_contact({.friction = 0.5, .adhesion = 10});
  model.add_fixed({.name = "ceiling", .shape = Box{Vec3(1, 1, 0.1)}, .position = {0, 0, 0.1}});
  const BodyId box = model.add_rigid(
      {.name = "box", .shape = Box{Vec3(0.2, 0.2, 0.1)}, .position = {0, 0, -0.2}, .velocity = {0, 0, 3}, .mass = 2});
  Simulation s(model);
  s.run(1);
  EXPECT_NEAR(s.position(box).z(), -0.1, 1e-6);
}

TEST(ContactLaws, every_law_on_every_body_leaves_the_energy_balance_whole) {
  for (const LawType* type : law_kinds()) {
    const LawType& info = *type;
    if (info.form != LawForm::Contact) continue;
    ContactLaw law{.friction = 0.3, .restitution = 0.2, .kind = info.kind};
    law.friction_2 = 0.5;
    law.rolling_friction = law.spinning_friction = 2e-3;
    law.limit = 3;
    Simulation s = on_plane(law, 1e-3, [](Model& m) {
      m.add_rigid({.name = "ball",
                   .shape = Sphere{0.1},
                   .position = {0, 0, 0.2},
                   .velocity = {1, 0.5, 0},
                   .angular_velocity = {3, 1, 20}});
      m.add_rigid({.name = "box",
                   .shape = Box{Vec3(0.1, 0.2, 0.1)},
                   .position = {1, 0, 0.3},
                   .velocity = {0, 1, 0},
                   .angular_velocity = {0, 0, 5}});
    });
    s.run(1);
    EXPECT_LT(std::abs(s.summary().numerical), 1e-6 * s.summary().energy_scale) << info.name;
    EXPECT_LE(s.summary().work.friction, 0) << info.name;
    EXPECT_EQ(s.summary().not_converged, 0) << info.name;
    EXPECT_LT(s.summary().residual, 1e-8) << info.name;
  }
}

}  // namespace
}  // namespace cairn
