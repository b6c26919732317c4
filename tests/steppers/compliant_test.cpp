// SPDX-License-Identifier: Apache-2.0
// Compliant constraints: both Schur forms are one scheme, joints yield by their compliance, geometric stiffness takes
// energy out and momentum nowhere.
#include "cairn/steppers/compliant.h"

#include "cairn/constraints/bar_length.h"
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

Model with(const ParameterValues& parameters, double step) {
  Model model;
  model.run.stepper = {"compliant", parameters};
  model.run.step = step;
  return model;
}

/// Rods of 1 m and 1 kg on hinges about y, level, from the world at 0; `free`: the first is not held.
void add_rods(Model& model, int count, bool free = false) {
  for (int i = 0; i < count; ++i) {
    model.add_rigid({.name = fmt::format("rod {}", i),
                     .position = {i + 0.5, 0, 0},
                     .mass = 1,
                     .inertia = Mat3(Vec3(0.02, 1.0 / 12, 1.0 / 12).asDiagonal())});
    if (i == 0 && free) continue;
    model.add_joint({.kind = JointKind::Revolute,
                     .name = fmt::format("hinge {}", i),
                     .body_a = fmt::format("rod {}", i),
                     .body_b = i > 0 ? fmt::format("rod {}", i - 1) : "",
                     .position = {double(i), 0, 0},
                     .axis = Vec3::UnitY()});
  }
}

double net_energy(const Simulation& s) { return s.energy().total(); }

TEST(Compliant, both_forms_give_the_same_velocities) {
  for (const std::string law : {"fixed", "tanh"})
    for (const bool ground : {false, true}) {
      VecX u[2];
      for (int k = 0; k < 2; ++k) {
        Model model = with({{"form", k == 0 ? "velocity" : "multiplier"},
                            {"compliance", "1e-6"},
                            {"stabilisation", law},
                            {"alpha", "1"}},
                           0.005);
        model.run.solver.parameters["tolerance"] = "1e-12";
        add_rods(model, 3);
        if (ground) {  // the last rod carries a ball that lands
          model.add_fixed({.shape = HalfSpace{}, .position = {0, 0, -0.3}});
          model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {3, 0, 0}, .mass = 1.0});
          model.add_joint({.body_a = "ball", .body_b = "rod 2", .position = {3, 0, 0}});
        }
        Simulation s(model);
        s.run(0.4);
        EXPECT_EQ(s.summary().status, StepStatus::Done);
        EXPECT_EQ(s.summary().not_converged, 0);
        if (ground) {
          EXPECT_GT(s.summary().contacts_max, 0);
        }
        u[k] = s.state().motion.u;
      }
      EXPECT_LT((u[0] - u[1]).norm(), 1e-6 * u[0].norm()) << law << ' ' << ground;
      EXPECT_GT(u[0].norm(), 0.1);
    }
}

TEST(Compliant, one_step_of_both_forms_agrees_to_rounding) {
  VecX u[2];
  for (int k = 0; k < 2; ++k) {
    Model model = with({{"form", k == 0 ? "velocity" : "multiplier"}, {"alpha", "1"}, {"compliance", "1e-7"}}, 0.01);
    add_rods(model, 4);
    Simulation s(model);
    s.step(), s.step();
    u[k] = s.state().motion.u;
  }
  EXPECT_LT((u[0] - u[1]).norm(), 1e-10 * u[0].norm());
}

TEST(Compliant, a_joint_yields_by_its_compliance_under_a_weight) {
  constexpr double c = 1e-4, m = 2;
  Model model = with({{"compliance", "1e-4"}}, 0.01);
  const BodyId body = model.add_rigid({.name = "weight", .mass = m, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.body_a = "weight"});
  Simulation s(model);
  s.run(5);  // implicit Euler on the spring c damps it
  EXPECT_NEAR(s.position(body).z(), -c * m * 9.81, 1e-9);
  EXPECT_NEAR(s.joint_impulses()[0].force.z() / 0.01, m * 9.81, 1e-5);
}

TEST(Compliant, damping_takes_errors_back_by_d_over_h_plus_d) {
  // With c = 0 the error of a joint is d/(h + d) of that before.
  constexpr double h = 0.01, d = 0.03;
  Model model = with({{"compliance", "0"}, {"damping", "0.03"}}, h);
  model.set_gravity(Vec3::Zero());
  model.run.assemble = false;
  const BodyId body = model.add_rigid({.name = "point", .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.body_a = "point"});
  Simulation s(model);
  State state = s.state();
  state.motion.q[0] = 0.008;
  s.restore(state);
  for (int k = 1; k <= 4; ++k) {
    s.step();
    EXPECT_NEAR(s.position(body).x(), 0.008 * std::pow(d / (h + d), k), 1e-15);
  }
}

TEST(Compliant, a_servo_without_limit_follows_its_target) {
  Model model = with({}, 1e-3);
  add_rods(model, 1);
  model.add_coordinate_law({.kind = CoordinateLawKind::Servo, .terms = {{"hinge 0"}}, .target = [](double t) {
                              return 0.5 * (1 - std::cos(3 * t));
                            }});
  Simulation s(model);
  s.run(1);
  EXPECT_NEAR(s.state().motion.s[0], 0.5 * (1 - std::cos(3.0)), 1e-5);
}

TEST(Compliant, geometric_stiffness_dissipates_and_without_it_energy_stays) {
  // Double pendulum; the swing exchanges about 20 J.
  double change[3];
  int k = 0;
  for (const std::string alpha : {"0", "1", "-0.05"}) {
    Model model = with({{"compliance", "1e-5"}, {"alpha", alpha}}, 0.01);
    add_rods(model, 2);
    Simulation s(model);
    s.run(5);
    change[k++] = net_energy(s);
  }
  EXPECT_LT(std::abs(change[0]), 1.5);
  EXPECT_LT(change[1], -5);
  EXPECT_GT(change[2], change[0]);
}

TEST(Compliant, momentum_of_a_free_chain_stays) {
  for (const std::string bias : {"implicit", "explicit"}) {
    Model model = with({{"alpha", bias == "implicit" ? "1" : "0.2"}, {"bias", bias}}, 0.005);
    model.set_gravity(Vec3::Zero());
    for (int i = 0; i < 4; ++i)
      model.add_rigid({.name = fmt::format("link {}", i),
                       .position = {double(i), 0, 0},
                       .velocity = {0.1 * i, i % 2 ? 1. : -0.7, 0.3},
                       .mass = 1 + 0.5 * i,
                       .inertia = Mat3(0.1 * Mat3::Identity())});
    constexpr JointKind kinds[] = {JointKind::Ball, JointKind::Revolute, JointKind::Prismatic};
    for (int i = 0; i < 3; ++i)
      model.add_joint({.kind = kinds[i],
                       .body_a = fmt::format("link {}", i),
                       .body_b = fmt::format("link {}", i + 1),
                       .position = {i + 0.5, 0, 0},
                       .axis = Vec3::UnitY()});
    Simulation s(model);
    const auto momentum = [&] {
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i < 4; ++i) sum += (1 + 0.5 * i) * s.velocity({i});
      return sum;
    };
    const Vec3 before = momentum();
    s.run(1);
    EXPECT_EQ(s.summary().status, StepStatus::Done);
    EXPECT_LT((momentum() - before).norm(), 1e-11) << bias;
  }
}

TEST(Compliant, laws_of_alpha_begin_at_zero_and_end_at_their_bounds) {
  for (const AlphaLaw law : {AlphaLaw::Linear, AlphaLaw::Tanh, AlphaLaw::Quartic}) {
    const EnergyFeedback f{.law = law, .alpha_min = -0.3, .alpha_max = 0.8};
    EXPECT_EQ(f.at(0), 0);
    EXPECT_NEAR(f.at(1e-9), 0, 1e-8);
    EXPECT_NEAR(f.at(-1e-9), 0, 1e-8);
    EXPECT_NEAR(f.at(30), 0.8, 1e-12);
    EXPECT_NEAR(f.at(-30), -0.3, 1e-12);
    EXPECT_GT(f.at(0.5), 0);
    EXPECT_LT(f.at(-0.5), 0);
  }
}

TEST(Compliant, target_energy_follows_the_work_of_dampers) {
  // E_0 is the energy at the start and the work of loads since.
  Model model =
      with({{"compliance", "1e-5"}, {"stabilisation", "linear"}, {"alpha_min", "-1"}, {"energy", "net"}}, 0.01);
  add_rods(model, 2);
  for (const char* joint : {"hinge 0", "hinge 1"})
    model.add_coordinate_force({.joint = joint, .law = LinearSpring{.stiffness = 0, .damping = 0.5}});
  Simulation s(model);
  s.run(3);
  const double target = s.state().motion.scheme.numbers[0];
  EXPECT_NEAR(target, s.summary().work.loads, 1e-9);
  EXPECT_LT(target, -5);
  EXPECT_NEAR(net_energy(s), target, 0.5);
}

TEST(Compliant, adaptive_run_goes_on_from_a_snapshot_bit_for_bit) {
  Model model = with({{"compliance", "1e-6"}, {"stabilisation", "quartic"}, {"alpha_min", "-0.1"}}, 0.01);
  add_rods(model, 3);
  Simulation whole(model), part(model);
  whole.run(0.5);
  part.restore(whole.state());
  whole.run(0.5);
  part.run(0.5);
  EXPECT_EQ(whole.state().motion.q, part.state().motion.q);
  EXPECT_EQ(whole.state().motion.u, part.state().motion.u);
}

TEST(Compliant, block_sinks_by_the_compliance_of_its_contacts_and_sticks) {
  Model model = with({{"contact_compliance", "1e-6"}}, 0.01);
  model.set_gravity(9.81 * Vec3(std::sin(0.3), 0, -std::cos(0.3)));
  model.set_contact({.friction = 0.5});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId block = model.add_rigid({.shape = Box{{0.2, 0.2, 0.1}}, .position = {0, 0, 0.1}, .mass = 10.0});
  Simulation s(model);
  s.run(1);
  EXPECT_NEAR(0.1 - s.position(block).z(), 1e-6 * 10 * 9.81 * std::cos(0.3) / 4, 2e-6);
  const double x = s.position(block).x();
  s.run(1);
  EXPECT_NEAR(s.position(block).x(), x, 1e-9);
  EXPECT_LT(s.velocity(block).norm(), 1e-9);
}

TEST(Compliant, bars_of_a_chain_yield_by_their_tension) {
  // Three bars hang below each other: tensions are the weights below, errors c times these.
  constexpr double c = 1e-5;
  Model model = with({{"compliance", "1e-5"}}, 0.01);
  const auto chain = std::make_shared<BarChain>(BarChainSpec{.points = {{0, 0, 0}, {0, 0, -1}, {0, 0, -2}, {0, 0, -3}},
                                                             .point_mass = {0, 0, 0, 5},
                                                             .held = {true, false, false, false},
                                                             .bars = {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}}});
  const BodyId body = model.add_body({.name = "chain", .body = chain});
  for (std::size_t i = 0; i < 3; ++i) model.add_own_joint(std::make_shared<BarLength>(body.value, chain, i));
  Simulation s(model);
  s.run(5);
  // A bar's weight hangs on its two points half and half.
  const double below[3] = {0.5 + 1 + 1 + 1.5 + 1.5 + 5, 1 + 1.5 + 1.5 + 5, 1.5 + 5};
  double z = 0;
  for (int i = 0; i < 3; ++i) {
    z -= 1 + c * 9.81 * below[i];
    EXPECT_NEAR(chain->position(s.state().motion.q, i + 1).z(), z, 1e-9) << i;
  }
}

TEST(Compliant, what_it_cannot_do_is_refused_by_name) {
  Model model = with({{"compliance", "0"}, {"form", "velocity"}}, 0.01);
  add_rods(model, 1);
  EXPECT_THROW(Simulation{model}, Error);
  model.run.stepper.parameters = {{"alpha", "2"}};
  EXPECT_THROW(Simulation{model}, Error);
  model.run.stepper.parameters = {{"stabilisation", "tanh"}};
  EXPECT_NO_THROW(Simulation{model});
  model.add_affine({.name = "block", .spec = {.shape = Box{}, .young = 1e6}});
  EXPECT_THROW(Simulation{model}, Error);  // no scale of energy by itself
}

}  // namespace
}  // namespace cairn
