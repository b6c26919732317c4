// SPDX-License-Identifier: Apache-2.0
// Properties of every stepper in the registry, and of what sets them apart.
#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

Model with_stepper(const std::string& name, double step) {
  Model model;
  model.run.stepper.name = name;
  model.run.step = step;
  return model;
}

StepperTraits traits_of(const std::string& name) { return steppers().make(name)->traits(); }

/// Steppers that move bodies through time: those for equilibria declare no order.
std::vector<Registry<Stepper>::Entry> dynamic_steppers() {
  std::vector<Registry<Stepper>::Entry> result;
  for (const auto& entry : steppers().entries())
    if (traits_of(entry.name).order > 0) result.push_back(entry);
  return result;
}

/// Bodies press into each other: the laws of rigid contacts and impacts hold in the limit of stiffness only
/// (ali3_test).
bool has_compliant_contacts(const std::string& name) { return name == "ali3" || name == "penalty"; }

TEST(EveryStepper, says_in_one_line_when_to_choose_it) {
  for (const auto& entry : steppers().entries()) {
    EXPECT_NE(entry.help.find(entry.name == "moreau" ? ", for " : "; for "), std::string::npos) << entry.name;
    EXPECT_LT(entry.help.size(), 130u) << entry.name;
  }
}

TEST(EveryStepper, free_fall_is_exact_or_off_by_the_first_order) {
  for (const auto& entry : dynamic_steppers()) {
    Model model = with_stepper(entry.name, 0.01);
    const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 10}, .velocity = {1, 2, 3}});
    Simulation simulation(model);
    simulation.run(1);
    // Moving with the velocity of one end of the step alone is off by g h t / 2; some of first order move with both.
    const double error = (simulation.position(ball) - Vec3(1, 2, 10 + 3 - 0.5 * 9.81)).norm();
    if (traits_of(entry.name).order >= 2) {
      EXPECT_LT(error, 1e-12) << entry.name;
      EXPECT_NEAR(simulation.summary().numerical, 0, 1e-9) << entry.name;
    } else {
      EXPECT_LT(error, 0.5 * 9.81 * 0.01 + 1e-9) << entry.name;
    }
  }
}

TEST(EveryStepper, block_on_an_incline_sticks_below_the_friction_angle_and_accelerates_above) {
  for (const auto& entry : dynamic_steppers())
    for (const double mu : {0.3, 0.8}) {
      if (has_compliant_contacts(entry.name)) continue;
      Model model = with_stepper(entry.name, 1e-3);
      if (entry.name == "ggl") model.run.stepper.parameters["slack"] = "1e-6";  // which it needs at rest
      const double tilt = M_PI / 6;
      model.set_gravity(9.81 * Vec3(std::sin(tilt), 0, -std::cos(tilt)));
      model.set_contact({.friction = mu});
      model.add_fixed({.shape = HalfSpace{}});
      const BodyId block = model.add_rigid({.shape = Box{}, .position = {0, 0, 0.5}});
      Simulation simulation(model);
      simulation.run(0.5);
      const double a = std::max(0.0, 9.81 * (std::sin(tilt) - mu * std::cos(tilt)));
      // Koziara's step sees contacts by overlap only: where rounding opens a corner for a step, friction is missing
      // there.
      const double tolerance = entry.name == "moreau" ? 1e-7 : traits_of(entry.name).rests ? 1e-5 : 2e-3;
      EXPECT_NEAR(simulation.velocity(block).x(), 0.5 * a, tolerance) << entry.name << " mu " << mu;
      EXPECT_NEAR(simulation.position(block).x(), 0.125 * a, 1e-3) << entry.name;
    }
}

TEST(EveryStepper, pendulum_converges_with_its_order) {
  // Pendulum of reduced length 1 m from horizontal; position at t = 1 s from Jacobi elliptic functions (validation
  // problem S2). A body of inertia J at distance d from the pivot has the reduced length d + J/(m d).
  constexpr double inertia = 1e-4;
  const double d = 0.5 * (1 + std::sqrt(1 - 4 * inertia));
  const Vec3 exact(0.986291751132, 0, -0.165010853126);
  for (const auto& entry : dynamic_steppers()) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Model model = with_stepper(entry.name, 0.0005 / (1 << k));
      if (entry.name == "penalty")
        model.run.stepper.parameters["penalty"] = "1e9";  // errors of joints below the step's
      const BodyId bob = model.add_rigid(
          {.name = "bob", .position = {-d, 0, 0}, .mass = 1, .inertia = Mat3(inertia * Mat3::Identity())});
      model.add_joint({.body_a = "bob"});
      Simulation simulation(model);
      simulation.run(1);
      error[k] = (simulation.position(bob) / d - exact).norm();
    }
    const int order = traits_of(entry.name).joint_order;
    EXPECT_LT(error[1], order >= 2 ? 6e-7 : 3e-3) << entry.name;
    // Schemes of high order are at the digits of the reference already.
    if (error[1] < 1e-10) continue;
    EXPECT_GT(std::log2(error[0] / error[1]), order - 0.2) << entry.name;
    EXPECT_LT(std::log2(error[0] / error[1]), order + (order == 2 ? 0.2 : 1.2)) << entry.name;
  }
}

TEST(EveryStepper, elastic_ball_keeps_its_energy_over_an_impact_and_newtons_law_holds) {
  for (const auto& entry : dynamic_steppers())
    for (const double e : {0.0, 0.5, 1.0}) {
      if (has_compliant_contacts(entry.name) || (e > 0 && !traits_of(entry.name).restitution)) continue;
      Model model = with_stepper(entry.name, 1e-3);
      model.set_gravity(Vec3::Zero());
      model.set_contact({.friction = 0.2, .restitution = e});
      model.add_fixed({.shape = HalfSpace{}});
      const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.2}, .velocity = {0, 0, -1}});
      Simulation simulation(model);
      simulation.run(0.2);
      EXPECT_NEAR(simulation.velocity(ball).z(), e, 1e-11) << entry.name;
      EXPECT_NEAR(simulation.summary().work.contact, 0.5 * (e * e - 1) * model.system().bodies.mass(ball.value), 1e-8);
      EXPECT_NEAR(simulation.summary().numerical, 0, 1e-10);
    }
}

TEST(EveryStepper, goes_on_from_a_snapshot_bit_for_bit) {
  for (const auto& entry : steppers().entries()) {
    Model model = with_stepper(entry.name, 1e-3);
    model.set_contact({.friction = 0.4});
    model.add_fixed({.shape = HalfSpace{}});
    model.add_rigid({.name = "brick", .shape = Box{{0.2, 0.1, 0.05}}, .position = {0, 0, 0.06}, .velocity = {1, 0, 0}});
    model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0.1, 0, 0.3}});
    Simulation whole(model), part(model);
    whole.run(0.05);
    part.restore(whole.state());
    whole.run(0.05);
    part.run(0.05);
    EXPECT_EQ(whole.state().motion.q, part.state().motion.q) << entry.name;
    EXPECT_EQ(whole.state().motion.u, part.state().motion.u) << entry.name;
  }
}

TEST(Moreau, predicted_contacts_stop_a_fast_ball_at_the_surface) {
  Model model = with_stepper("moreau", 1e-2);
  model.set_gravity(Vec3::Zero());
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.1 + 0.1234}, .velocity = {0, 0, -3}});
  Simulation simulation(model);
  simulation.run(0.1);
  EXPECT_NEAR(simulation.position(ball).z(), 0.1, 1e-10);
  EXPECT_LT(simulation.summary().penetration, 1e-12);
}

TEST(Moreau, three_balls_follow_the_chosen_impact_rule) {
  // Validation problem I4.
  for (const std::string rule : {"simultaneous", "sequential", "poisson"}) {
    Model model = with_stepper("moreau", 1e-3);
    model.run.stepper.parameters["impacts"] = rule;
    model.set_gravity(Vec3::Zero());
    model.set_contact({.friction = 0, .restitution = 1});
    std::vector<BodyId> balls;
    for (int i = 0; i < 3; ++i) {
      balls.push_back(
          model.add_rigid({.shape = Sphere{0.5}, .position = {double(i), 0, 0}, .velocity = {i == 0 ? 1. : 0., 0, 0}}));
    }
    Simulation simulation(model);
    simulation.run(0.01);
    const Vec3 v(simulation.velocity(balls[0]).x(), simulation.velocity(balls[1]).x(),
                 simulation.velocity(balls[2]).x());
    const Vec3 expected = rule == "sequential" ? Vec3(0, 0, 1) : Vec3(-1. / 3, 2. / 3, 2. / 3);
    EXPECT_LT((v - expected).norm(), 1e-7) << rule << ": " << v.transpose();
  }
}

TEST(Moreau, remote_action_passes_a_blow_on) {
  // Studer's example B30: with E = (0 1; 1 0) the first ball stops and the last goes on with its speed.
  Model model = with_stepper("moreau", 1e-3);
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0});
  for (int i = 0; i < 3; ++i)
    model.add_rigid({.name = "ball " + std::to_string(i),
                     .shape = Sphere{0.5},
                     .position = {double(i), 0, 0},
                     .velocity = {i == 0 ? 2. : 0., 0, 0}});
  MatX E(2, 2);
  E << 0, 1, 1, 0;
  model.add_remote_action({.pairs = {{"ball 0", "ball 1"}, {"ball 1", "ball 2"}}, .restitution = E});
  Simulation simulation(model);
  simulation.run(0.01);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(simulation.velocity({i}).x(), i == 2 ? 2 : 0, 1e-9) << i;
}

TEST(Moreau, balls_on_rods_pass_an_impact_on_through_their_joints) {
  // As before, but every ball hangs on a rod, which must not take part in a blow square to it.
  Model model = with_stepper("moreau", 1e-3);
  model.run.stepper.parameters["impacts"] = "sequential";
  model.set_gravity(Vec3::Zero());
  model.set_contact({.friction = 0, .restitution = 1});
  std::vector<BodyId> balls;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "ball " + std::to_string(i);
    balls.push_back(model.add_rigid(
        {.name = name, .shape = Sphere{0.5}, .position = {double(i), 0, 0}, .velocity = {i == 0 ? 1. : 0., 0, 0}}));
    model.add_joint({.kind = JointKind::Distance,
                     .body_a = name,
                     .position = {double(i), 0, 0},
                     .second_position = Vec3(i, 0, 100)});
  }
  Simulation simulation(model);
  simulation.run(0.01);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(simulation.velocity(balls[i]).x(), i == 2 ? 1 : 0, 1e-6) << i;
  EXPECT_NEAR(simulation.energy().kinetic, simulation.summary().energy_begin, 1e-9 * simulation.energy().kinetic);
}

TEST(Moreau, a_blow_on_a_jointed_body_obeys_newtons_law_at_the_contact) {
  // A rod on a hinge at its upper end is hit by a ball at a distance a from the hinge: with I the rod's inertia about
  // the hinge, p = (1 + e) v / (1/m + a^2/I). Sequential and Poisson's law agree on a single blow.
  for (const std::string rule : {"simultaneous", "sequential", "poisson"}) {
    Model model = with_stepper("moreau", 1e-4);
    model.run.stepper.parameters["impacts"] = rule;
    model.set_gravity(Vec3::Zero());
    model.set_contact({.friction = 0, .restitution = 0.6});
    const BodyId rod = model.add_rigid({.name = "rod",
                                        .shape = Box{Vec3(0.05, 0.05, 0.5)},
                                        .position = {0, 0, -0.5},
                                        .mass = 2,
                                        .inertia = Mat3(Vec3(0.17, 0.17, 0.01).asDiagonal())});
    model.add_joint({.kind = JointKind::Revolute, .body_a = "rod", .axis = Vec3::UnitY()});
    const BodyId ball = model.add_rigid(
        {.name = "ball", .shape = Sphere{0.1}, .position = {-0.1501, 0, -0.8}, .velocity = {3, 0, 0}, .mass = 1});
    Simulation simulation(model);
    simulation.run(0.01);
    const double a = 0.8, I = 0.17 + 2 * 0.25, p = 1.6 * 3 / (1 + a * a / I);
    EXPECT_NEAR(simulation.velocity(ball).x(), 3 - p, 1e-4) << rule;
    EXPECT_NEAR(simulation.angular_velocity(rod).y(), -p * a / I, 1e-3) << rule;
  }
}

TEST(Moreau, poissons_law_never_gains_energy_where_newtons_may) {
  // Kane's example: a slanted rod falls on a rough plane with a tangential velocity; with friction, Newton's law at e
  // near 1 can give energy back that was not there, Poisson's cannot.
  double newton_gain = 0;
  for (const std::string rule : {"simultaneous", "poisson"})
    for (int k = 0; k < 60; ++k) {
      const double angle = 0.3 + 0.9 * (k % 10) / 10, slide = -4 + 8. * (k / 10) / 5;
      Model model = with_stepper("moreau", 1e-4);
      model.run.stepper.parameters["impacts"] = rule;
      model.set_gravity(Vec3::Zero());
      model.set_contact({.friction = 0.6, .restitution = 0.9});
      model.add_fixed({.shape = HalfSpace{}});
      model.add_rigid({.shape = Capsule{0.02, 0.5},
                       .position = {0, 0, 0.5 * std::cos(angle) + 0.02 + 1e-5},
                       .orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())),
                       .velocity = {slide, 0, -1}});
      Simulation simulation(model);
      const double before = simulation.energy().kinetic;
      simulation.run(0.001);
      const double gain = simulation.energy().kinetic / before - 1;
      if (rule == "poisson") {
        EXPECT_LT(gain, 1e-9) << "angle " << angle << " slide " << slide;
      } else {
        newton_gain = std::max(newton_gain, gain);
      }
    }
  EXPECT_GT(newton_gain, 1e-3);
}

TEST(Moreau, wakes_nothing_that_rests_on_a_moving_belt_but_carries_it_along) {
  Model model = with_stepper("moreau", 1e-3);
  model.set_contact({.friction = 0.5});
  model.add_fixed({.name = "belt",
                   .shape = Box{Vec3(10, 1, 0.5)},
                   .position = {0, 0, -0.5},
                   .motion = PrescribedMotion{[](double) { return Vec3(0.2, 0, 0); }, {}}});
  const BodyId block = model.add_rigid({.shape = Box{Vec3(0.1, 0.1, 0.1)}, .position = {0, 0, 0.1}});
  Simulation simulation(model);
  simulation.run(1);
  // Slips until v = 0.2 at mu g: t = 0.2/(0.5 9.81), then is carried.
  const double slip = 0.2 / (0.5 * 9.81);
  EXPECT_NEAR(simulation.velocity(block).x(), 0.2, 1e-9);
  EXPECT_NEAR(simulation.position(block).x(), 0.2 * (1 - slip) + 0.1 * slip, 1e-4);
  EXPECT_GT(simulation.summary().work.drive, 0);
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-9);
}

TEST(Koziara, refuses_a_step_beyond_the_critical_one) {
  Model model = with_stepper("koziara", 1e-3);
  model.add_affine({.name = "block", .spec = {.shape = Box{}, .young = 1e10}});
  EXPECT_THROW(Simulation{model}, Error);
  model.run.stepper.name = "moreau";
  EXPECT_NO_THROW(Simulation{model});
}

TEST(Moreau, new3_keeps_the_energy_of_a_slender_rod_that_new2_blows_up) {
  const auto gain = [](const char* rotation) {
    Model model;
    model.set_gravity(Vec3::Zero());
    model.run.step = 1e-3;
    model.run.stepper.parameters["rotation"] = rotation;
    model.add_rigid({.shape = Box{{0.5, 0.002, 0.002}}, .angular_velocity = {1, 140, 3}});
    Simulation s(model);
    const double start = s.energy().kinetic;
    s.run(2);
    return s.energy().kinetic / start - 1;
  };
  EXPECT_LT(std::abs(gain("new3")), 1e-12);
  EXPECT_GT(gain("new2"), 1);  // what docs/steppers.md warns of
}

TEST(Moreau, stiff_affine_block_lands_and_rests) {
  Model model = with_stepper("moreau", 1e-3);
  model.set_contact({.friction = 0.4});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId block = model.add_affine(
      {.spec = {.shape = Box{}, .density = 2000, .young = 1e9, .poisson = 0.2, .position = {0, 0, 0.6}}});
  Simulation simulation(model);
  simulation.run(2);
  EXPECT_NEAR(simulation.position(block).z(), 0.5, 1e-4);
  EXPECT_LT(simulation.summary().penetration, 1e-4);
  // It goes on ringing (the scheme does not damp), but over time the floor carries the weight and the change of
  // momentum.
  const double before = simulation.velocity(block).z();
  double impulse = 0;
  simulation.run(0.5, [&](const Simulation& now) {
    for (const ContactResult& c : now.contacts()) impulse += std::abs(c.impulse.z());
    return true;
  });
  EXPECT_NEAR(impulse, 2000 * (9.81 * 0.5 + simulation.velocity(block).z() - before), 1e-6 * 2000 * 9.81);
}

}  // namespace
}  // namespace cairn
