// SPDX-License-Identifier: Apache-2.0
// Forces in motion: order two of springs, dampers and drag under every force rule, with and without joints; stiff ones
// at any step; friction with a memory; springs, drives and clutches along joint coordinates. All against formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/base/error.h"
#include "cairn/sim/checkpoint.h"
#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

constexpr double g = 9.81;
const std::vector<std::string> kRules{"explicit", "implicit", "auto"};

Choice moreau(const std::string& forces) { return {"moreau", {{"forces", forces}}}; }

RigidBody mass_at(const std::string& name, double mass, const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  return {.name = name, .position = position, .velocity = velocity, .mass = mass, .inertia = Mat3::Identity()};
}

/// Mass on a spring and damper along x, stretched by 0.1 m at the start. The spring is long: a stiff one in long steps
/// swings far, and must not turn over.
constexpr double kLength = 1000;
Simulation oscillator(const std::string& rule, double m, double k, double c, double h) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid(mass_at("mass", m, {kLength + 0.1, 0, 0}));
  model.add_spring({.body_b = "mass", .stiffness = k, .damping = c, .rest_length = kLength});
  model.run.step = h;
  model.run.stepper = moreau(rule);
  return Simulation(model);
}

/// x of m x'' + c x' + k x = 0 from x = a at rest.
double damped(double m, double k, double c, double a, double t) {
  const double d = c / (2 * m), w = std::sqrt(k / m - d * d);
  return a * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
}

/// Errors at a time for three steps, each half of the one before: their ratios are about 2^order.
template <class Error>
void expect_order_two(double h, Error&& error, const std::string& what) {
  const double first = error(h), second = error(h / 2), third = error(h / 4);
  EXPECT_NEAR(first / second, 4, 0.4) << what << ": " << first << " " << second << " " << third;
  EXPECT_NEAR(second / third, 4, 0.2) << what << ": " << first << " " << second << " " << third;
}

TEST(ForceMotion, spring_and_damper_are_of_second_order_under_every_rule) {
  for (const std::string& rule : kRules)
    expect_order_two(
        0.02,
        [&](double h) {
          Simulation s = oscillator(rule, 2, 50, 3, h);
          s.run(1);
          return std::abs(s.position(BodyId{0}).x() - kLength - damped(2, 50, 3, 0.1, 1));
        },
        rule);
}

TEST(ForceMotion, drag_in_a_fall_is_of_second_order_under_every_rule) {
  // v' = g - v^2/L, v = V tanh(g t/V) with V^2 = g L, L = 2 m/(rho Cd A).
  const double m = 2, rho = 1.2, Cd = 0.5, A = 1, V = std::sqrt(2 * m * g / (rho * Cd * A));
  for (const std::string& rule : kRules)
    expect_order_two(
        0.1,
        [&](double h) {
          Model model;
          model.add_rigid(mass_at("ball", m, {0, 0, 0}));
          model.add_drag({.body = "ball", .quadratic = {rho, Cd, A}});
          model.run.step = h;
          model.run.stepper = moreau(rule);
          Simulation s(model);
          s.run(1);
          return std::abs(s.velocity(BodyId{0}).z() + V * std::tanh(g / V));
        },
        rule);
}

TEST(ForceMotion, implicit_rule_is_the_implicit_midpoint_rule_at_any_stiffness) {
  // (m + h c/2 + h^2 k/4) (u+ - u) = -h (k (x + h/2 u) + c u), x+ = x + h/2 (u + u+).
  for (const double k : {10.0, 1e4, 1e9}) {
    const double m = 2, c = 0.01 * std::sqrt(k), h = 0.01;
    Simulation s = oscillator("implicit", m, k, c, h);
    double x = 0.1, u = 0;
    for (int i = 0; i < 100; ++i) {
      const double next = u - h * (k * (x + h / 2 * u) + c * u) / (m + h * c / 2 + h * h * k / 4);
      x += h / 2 * (u + next);
      u = next;
      s.step();
      ASSERT_NEAR(s.position(BodyId{0}).x() - kLength, x, 1e-8) << k << " " << i;
      ASSERT_NEAR(s.velocity(BodyId{0}).x(), u, 1e-6 * (1 + std::abs(u))) << k << " " << i;
    }
  }
}

TEST(ForceMotion, stiff_springs_keep_their_energy_far_beyond_the_explicit_step) {
  // omega h = 100. Energy of the implicit midpoint rule is exact for linear forces; the certificate agrees.
  for (const std::string rule : {"implicit", "auto"}) {
    Simulation s = oscillator(rule, 1, 1e8, 0, 0.01);
    const double before = s.energy().total();
    s.run(5);
    EXPECT_NEAR(s.energy().total(), before, 1e-8 * before);
    EXPECT_NEAR(s.summary().numerical, 0, 1e-8 * before);
  }
  Simulation s = oscillator("explicit", 1, 1e8, 0, 0.01);
  s.run(1);
  EXPECT_FALSE(s.energy().total() < 1e6 * 0.5 * 1e8 * 0.01);
}

TEST(ForceMotion, damping_of_implicit_forces_is_accounted_for) {
  Simulation s = oscillator("implicit", 1, 1e6, 500, 0.01);
  const double before = s.energy().total();
  s.run(2);
  EXPECT_LT(s.energy().total(), 0.1 * before);
  EXPECT_NEAR(s.summary().work.loads, s.energy().total() - before, 1e-9 * before);
}

TEST(ForceMotion, auto_is_explicit_bit_for_bit_while_the_step_is_short) {
  const auto run = [](const std::string& rule) {
    Model model;
    model.add_fixed({.name = "floor", .shape = HalfSpace{}});
    model.add_rigid(
        {.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}, .mass = 1.0});
    model.add_spring({.body_b = "ball", .anchor_a = {0, 0, 2}, .stiffness = 20, .damping = 0.1});
    model.run.stepper = moreau(rule);
    Simulation s(model);
    s.run(0.2);
    return s.state().motion.q;
  };
  EXPECT_EQ(run("auto"), run("explicit"));
}

TEST(ForceMotion, stiff_lattice_on_the_floor_presses_with_its_weight) {
  // Four balls in a tetrahedron of springs with omega h = 60, on a floor: the contact problem is that of coupled
  // masses. Each of the three lower balls carries a third.
  Model model;
  model.add_fixed({.name = "floor", .shape = HalfSpace{}});
  const double y = std::sqrt(3) / 2, z = std::sqrt(2.0 / 3);
  const std::vector<Vec3> corners{{0, 0, 0.1}, {1, 0, 0.1}, {0.5, y, 0.1}, {0.5, y / 3, 0.1 + z}};
  for (std::size_t i = 0; i < 4; ++i)
    model.add_rigid({.name = fmt::format("ball {}", i),
                     .shape = Sphere{0.1},
                     .position = corners[i],
                     .mass = 3.0,
                     .angular_damping = 1});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j)
      model.add_spring(
          {.body_a = fmt::format("ball {}", i), .body_b = fmt::format("ball {}", j), .stiffness = 1e8, .damping = 1e4});
  model.run.step = 0.01;
  Simulation s(model);
  s.run(10);
  EXPECT_LT(s.summary().residual, 1e-7);
  EXPECT_EQ(s.summary().not_converged, 0);
  double sum = 0;
  for (const ContactResult& contact : s.contacts()) {
    const double force = std::abs(contact.impulse.z()) / 0.01;
    EXPECT_NEAR(force, 4 * g, 1e-6 * g);
    sum += force;
  }
  EXPECT_NEAR(sum, 12 * g, 1e-7 * g);
  EXPECT_LT(s.energy().kinetic, 1e-12);
}

TEST(ForceMotion, implicit_forces_between_turning_bodies_keep_linear_momentum_and_nearly_all_of_the_angular) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "a",
                   .velocity = {1, 2, 3},
                   .angular_velocity = {3, 1, 2},
                   .mass = 2.0,
                   .inertia = Mat3(Vec3(0.2, 0.3, 0.4).asDiagonal())});
  model.add_rigid({.name = "b",
                   .position = {1, 0.2, 0},
                   .velocity = {-1, 0, 1},
                   .angular_velocity = {0, 2, -1},
                   .mass = 3.0,
                   .inertia = Mat3(Vec3(0.4, 0.3, 0.5).asDiagonal())});
  model.add_bushing({.body_a = "a",
                     .body_b = "b",
                     .anchor_a = {0.5, 0.1, 0},
                     .anchor_b = {-0.5, -0.1, 0},
                     .stiffness = {1e6, 2e6, 3e6},
                     .damping = {100, 200, 300},
                     .torsional_stiffness = {1e5, 2e5, 1e5},
                     .torsional_damping = {20, 30, 40}});
  const auto momentum = [](const Simulation& s) {
    const Bodies& bodies = s.model().system().bodies;
    Vec3 P = Vec3::Zero(), L = Vec3::Zero();
    for (int b = 0; b < 2; ++b) {
      const Vec3 p = bodies.mass(b) * s.velocity(BodyId{b});
      const Mat3 R = s.orientation(BodyId{b}).toRotationMatrix();
      P += p;
      L += s.position(BodyId{b}).cross(p) + R * bodies.inertia(b) * R.transpose() * s.angular_velocity(BodyId{b});
    }
    return std::pair(P, L);
  };
  const auto drift = [&](double h) {
    model.run.step = h;
    model.run.stepper = moreau("implicit");
    Simulation s(model);
    const auto before = momentum(s);
    s.run(0.5);
    EXPECT_LT((momentum(s).first - before.first).norm(), 1e-9);
    EXPECT_TRUE(s.state().motion.q.allFinite());
    return (momentum(s).second - before.second).norm() / before.second.norm();
  };
  const double coarse = drift(1e-3), fine = drift(2.5e-4);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, coarse / 4);
}

TEST(ForceMotion, stiff_buffer_met_within_a_step_never_throws_back_faster) {
  // omega h = 300: hit anywhere within the step, with every law of buffers.
  for (const StopLaw& law : {StopLaw(KelvinVoigt{1e9, 0}), StopLaw(KelvinVoigt{1e9, 1e4}), StopLaw(Hertz{1e11, 0.02}),
                             StopLaw(HuntCrossley{1e9, 1.5, 0.1})})
    for (int i = 0; i < 10; ++i) {
      Model model;
      model.set_gravity(Vec3::Zero());
      model.add_rigid(mass_at("ball", 1, {0, 0, 0.05 + 1e-3 * i}, {0, 0, -1}));
      model.add_stop({.body_b = "ball", .law = law});
      model.run.step = 0.01;
      Simulation s(model);
      s.run(0.5);
      EXPECT_LE(s.velocity(BodyId{0}).z(), 1 + 1e-9) << i;
      EXPECT_GE(s.velocity(BodyId{0}).z(), 0) << i;
      EXPECT_GT(s.position(BodyId{0}).z(), -1e-3) << i;
    }
}

// --- along joint coordinates

/// A rod of mass m and length l on a hinge at its end about y, hanging, with a joint spring.
Model hinged_rod(double m, double l) {
  Model model;
  model.add_rigid({.name = "rod",
                   .position = {0, 0, -l / 2},
                   .mass = m,
                   .inertia = Mat3(Vec3(m * l * l / 12, m * l * l / 12, 1e-3 * m).asDiagonal())});
  model.add_joint({.kind = JointKind::Revolute, .name = "hinge", .body_a = "rod", .axis = Vec3::UnitY()});
  return model;
}

TEST(ForceMotion, damped_pendulum_on_a_hinge_is_of_second_order_under_every_rule) {
  const double m = 2, l = 0.8, J = m * l * l / 3, k = 3, c = 0.5, rest = 0.4;
  // theta'' = -(m g l/2 sin(theta) + k (theta - rest) + c theta')/J by classical Runge-Kutta in 20000 steps.
  double theta = 0, omega = 0;
  const double dt = 1.0 / 20000;
  const auto rate = [&](double a, double w) {
    return std::pair(w, -(m * g * l / 2 * std::sin(a) + k * (a - rest) + c * w) / J);
  };
  for (int i = 0; i < 20000; ++i) {
    const auto [a1, w1] = rate(theta, omega);
    const auto [a2, w2] = rate(theta + dt / 2 * a1, omega + dt / 2 * w1);
    const auto [a3, w3] = rate(theta + dt / 2 * a2, omega + dt / 2 * w2);
    const auto [a4, w4] = rate(theta + dt * a3, omega + dt * w3);
    theta += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    omega += dt / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  for (const std::string& rule : kRules)
    expect_order_two(
        0.02,
        [&](double h) {
          Model model = hinged_rod(m, l);
          model.add_coordinate_force({.joint = "hinge", .rest = rest, .law = LinearSpring{k, c, 0}});
          model.run.step = h;
          model.run.stepper = moreau(rule);
          Simulation s(model);
          s.run(1);
          return std::abs(s.state().motion.s[0] - theta);
        },
        rule);
}

TEST(ForceMotion, torsion_spring_counts_turns) {
  // J theta'' = -k (theta - rest) from rest 5 turns away: theta = rest (1 - cos(omega t)).
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "wheel", .mass = 1.0, .inertia = Mat3(2 * Mat3::Identity())});
  model.add_joint({.kind = JointKind::Revolute, .name = "axle", .body_a = "wheel"});
  const double rest = 10 * std::numbers::pi, k = 8, omega = 2;
  model.add_coordinate_force({.joint = "axle", .rest = rest, .law = LinearSpring{k, 0, 0}});
  Simulation s(model);
  EXPECT_NEAR(s.energy().elastic, k * rest * rest / 2, 1e-9);
  s.run(1.2);
  EXPECT_NEAR(s.state().motion.s[0], rest * (1 - std::cos(omega * 1.2)), 1e-4);
  EXPECT_NEAR(s.summary().energy_end, s.summary().energy_begin, 1e-5 * s.summary().energy_begin);
}

TEST(ForceMotion, curves_of_joint_springs_are_those_of_springs) {
  // In a prismatic joint along x the pull is the law's own.
  const std::vector<std::array<double, 2>> points{{-1, -4}, {0, 0}, {1, 5}};
  for (const auto& [law, pull] : {std::pair<SpringLaw, double>{LinearSpring{7, 0, 2}, 7 * 0.3 + 2},
                                  {PowerSpring{5, 2, 0}, 5 * 0.09},
                                  {PolynomialSpring{{1, 2, 3}, 0, 0}, 0.3 + 2 * 0.09 + 3 * 0.027},
                                  {TableSpring(points), -1}}) {
    Model model;
    model.set_gravity(Vec3::Zero());
    model.add_rigid(mass_at("slider", 4, {0, 0, 0}));
    model.add_joint({.kind = JointKind::Prismatic, .name = "guide", .body_a = "slider", .axis = Vec3::UnitX()});
    model.add_coordinate_force({.joint = "guide", .rest = -0.3, .law = law});
    model.run.step = 1e-4;
    Simulation s(model);
    s.step();
    const double expected = pull > 0 ? pull : TableSpring(points).evaluate(0.3).value;
    EXPECT_NEAR(s.velocity(BodyId{0}).x(), -1e-4 * expected / 4, 1e-12);
  }
}

TEST(ForceMotion, torque_motor_turns_a_wheel_by_its_torque) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "wheel", .mass = 1.0, .inertia = Mat3(2 * Mat3::Identity())});
  model.add_joint({.kind = JointKind::Revolute, .name = "axle", .body_a = "wheel"});
  model.add_coordinate_force({.joint = "axle", .given = [](double t) { return 3 * t; }});
  Simulation s(model);
  s.run(1);
  // J omega = 3 t^2/2; the midpoint rule integrates a linear torque exactly. Work is what the wheel has.
  EXPECT_NEAR(s.angular_velocity(BodyId{0}).z(), 0.75, 1e-12);
  EXPECT_NEAR(s.summary().work.loads, s.energy().kinetic, 1e-12);
}

TEST(ForceMotion, springs_of_a_joint_end_with_it) {
  Model model = hinged_rod(2, 0.8);
  model.run.step = 1e-3;
  model.add_joint(
      {.kind = JointKind::Prismatic, .name = "weak", .body_a = "rod", .axis = Vec3::UnitX(), .break_force = 1});
  Model with = model;
  with.add_coordinate_force({.joint = "weak", .law = LinearSpring{1000, 0, 500}});
  Simulation s(with);
  s.run(0.01);
  ASSERT_EQ(s.state().motion.broken[1], 1);
  EXPECT_EQ(s.energy().elastic, 0);
}

TEST(ForceMotion, one_way_clutch_lets_a_wheel_run_forward_and_holds_it_backward) {
  for (const double direction : {1.0, -1.0})
    for (const bool limited : {false, true}) {
      Model model;
      model.set_gravity(Vec3::Zero());
      model.add_rigid({.name = "wheel", .mass = 1.0, .inertia = Mat3(2 * Mat3::Identity())});
      model.add_joint({.kind = JointKind::Revolute, .name = "axle", .body_a = "wheel"});
      // Torque 3 N m ahead for 1 s, then 3 N m back.
      model.add_coordinate_force(
          {.joint = "axle", .given = [=](double t) { return t < 1 ? 3 * direction : -3 * direction; }});
      CoordinateLawSpec clutch{.kind = CoordinateLawKind::Clutch, .name = "clutch", .terms = {{"axle"}}};
      clutch.sense = direction > 0 ? JointSense::AtLeast : JointSense::AtMost;
      if (limited) clutch.force = 2;
      model.add_coordinate_law(clutch);
      Simulation s(model);
      s.run(1);
      EXPECT_NEAR(s.angular_velocity(BodyId{0}).z(), direction * 1.5, 1e-9);
      EXPECT_EQ(s.coordinate_impulses()[0], 0);
      s.run(2);  // slows down for 1 s, then is held for 1 s
      const double back = limited ? -(3 - 2) / 2.0 : 0;
      EXPECT_NEAR(s.angular_velocity(BodyId{0}).z(), direction * back, 1e-9);
      EXPECT_NEAR(s.coordinate_impulses()[0] / 1e-3, direction * (limited ? 2 : 3), 1e-9);
    }
}

// --- friction with a memory

/// A block on a guide along x, pressed by 10 N, under a load that grows to its full value in half a second.
Model bristles(double load, const LuGre& law) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.add_rigid(mass_at("block", 2, {0, 0, 0}));
  model.add_joint({.kind = JointKind::Prismatic, .name = "guide", .body_a = "block", .axis = Vec3::UnitX()});
  model.add_lugre({.name = "pad", .body_b = "block", .normal_force = [](double) { return 10.0; }, .law = law});
  model.add_load({.body = "block", .force = [load](double t) { return Vec3(load * std::min(1.0, 2 * t), 0, 0); }});
  return model;
}
const LuGre kStiff{{0.5, 0.3, 0.01, 2}, 1e4, 200, 0};

TEST(ForceMotion, lugre_holds_below_its_limit_by_its_bristles) {
  for (const std::string& rule : kRules) {
    Model model = bristles(4, kStiff);  // of 5 N
    model.run.step = 1e-4;
    model.run.stepper = moreau(rule);
    Simulation s(model);
    s.run(1);
    // N s0 z = 4 N. At no speed dz/dx = 1 - z/Z with Z = mu_s/s0, so the block has come x = -Z ln(1 - z/Z) = Z ln 5.
    const double z = 4 / (10 * 1e4), Z = 0.5 / 1e4;
    EXPECT_NEAR(s.state().motion.memory.norm(), z, 1e-4 * z) << rule;
    EXPECT_NEAR(s.position(BodyId{0}).x(), Z * std::log(5), 2e-3 * Z) << rule;
    EXPECT_LT(std::abs(s.velocity(BodyId{0}).x()), 1e-8) << rule;
  }
}

TEST(ForceMotion, lugre_at_long_steps_is_implicit_and_slides_with_its_kinetic_force) {
  // omega h = 22 of the bristles; beyond its limit the block accelerates at (F - N mu_k)/m once it is fast.
  Model model = bristles(8, kStiff);
  model.run.step = 0.1;
  Simulation s(model);
  s.run(2);
  const double before = s.velocity(BodyId{0}).x();
  s.run(1);
  EXPECT_NEAR(s.velocity(BodyId{0}).x() - before, (8 - 3) / 2.0, 1e-6);
}

TEST(ForceMotion, lugre_is_of_second_order_where_the_step_resolves_its_bristles) {
  const auto end = [](double h, const std::string& rule) {
    Model model = bristles(8, {{0.4, 0.4, 0.01, 2}, 30, 0.5, 0.02});
    model.run.step = h;
    model.run.stepper = moreau(rule);
    Simulation s(model);
    s.run(0.8);
    return s.position(BodyId{0}).x();
  };
  for (const std::string& rule : kRules) {
    const double exact = end(1.0 / 64000, rule);
    expect_order_two(
        0.004, [&](double h) { return std::abs(end(h, rule) - exact); }, rule);
  }
}

TEST(ForceMotion, what_forces_remember_goes_through_a_checkpoint_bit_for_bit) {
  Model model = bristles(8, kStiff);
  model.add_coordinate_force({.joint = "guide", .law = LinearSpring{40, 1, 0}});
  Simulation s(model);
  s.run(0.1);
  const auto path = std::filesystem::path(testing::TempDir()) / "memory.ck";
  write_checkpoint(path, model, s.state());
  Simulation other(model);
  other.restore(read_checkpoint(path, model));
  s.run(0.1);
  other.run(0.1);
  EXPECT_EQ(s.state().motion.q, other.state().motion.q);
  EXPECT_EQ(s.state().motion.memory, other.state().motion.memory);
  EXPECT_EQ(s.state().motion.memory.size(), 3);
}

TEST(ForceMotion, mistakes_name_the_force) {
  const auto message = [](auto&& add) {
    Model model = hinged_rod(2, 0.8);
    try {
      add(model);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](Model& m) {
              m.add_coordinate_force({.name = "s", .joint = "hinge", .coordinate = "slide", .law = LinearSpring{}});
            }),
            "force 's': coordinate 'slide' is none of joint 'hinge'; a revolute joint has angle");
  EXPECT_EQ(message([](Model& m) { m.add_coordinate_force({.name = "s", .joint = "hinge"}); }),
            "force 's': it has neither a spring nor a force");
  EXPECT_EQ(message([](Model& m) { m.add_lugre({.name = "p", .body_b = "rod"}); }),
            "lugre 'p': normal_force is missing; bristles hold by it");
}

}  // namespace
}  // namespace cairn
