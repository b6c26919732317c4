// SPDX-License-Identifier: Apache-2.0
// Kaufman's variational schemes and their comparators: what each keeps, its order, and what it refuses.
#include "cairn/steppers/implicit_step.h"

#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

Model with_stepper(const std::string& name, double step, const ParameterValues& parameters = {}) {
  Model model;
  model.run.stepper = {name, parameters};
  model.run.step = step;
  return model;
}

/// A ball that falls from a height of q above the ground.
Model make_particle(const std::string& stepper, double h, double q, const ParameterValues& parameters = {}) {
  Model model = with_stepper(stepper, h, parameters);
  model.set_contact({.friction = 0, .restitution = 1});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "ball", .shape = Sphere{0.5}, .position = {0, 0, 0.5 + q}, .mass = 1});
  return model;
}

TEST(Variational, particle_bounces_without_loss_at_any_step) {
  // Kaufman A1: m = 1, q0 = 1, 10 s; 9, 11 and 11 bounces.
  const std::pair<double, int> runs[] = {{1e-1, 9}, {1e-2, 11}, {1e-3, 11}};
  for (const auto& [h, bounces] : runs) {
    Simulation simulation(make_particle("variational", h, 1));
    const double start = simulation.energy().total();
    double worst = 0, last = 0;
    int count = 0;
    simulation.run(10, [&](const Simulation& s) {
      const double v = s.velocity({1}).z();
      if (last < 0 && v > 0) ++count;
      last = v;
      worst = std::max(worst, std::abs(s.energy().total() / start - 1));
      return true;
    });
    EXPECT_LT(worst, 1e-13) << h;
    EXPECT_EQ(count, bounces) << h;
    EXPECT_NEAR(simulation.summary().work.contact, 0, 1e-11) << h;
  }
}

TEST(PositionContacts, restitution_depends_on_where_in_the_step_the_impact_falls) {
  // Kaufman A1: at h = 0.01 the first bounces from 1, 1.001 and 1.002 m have 0.695, 0.649 and 0.604.
  for (const std::string stepper : {"implicit-midpoint", "newmark"}) {
    const std::pair<double, double> starts[] = {{1, 0.695}, {1.001, 0.649}, {1.002, 0.604}};
    for (const auto& [q, expected] : starts) {
      Simulation simulation(make_particle(stepper, 1e-2, q, {{"contacts", "position"}}));
      double before = 0, ratio = 0;
      simulation.run(1, [&](const Simulation& s) {
        const double v = s.velocity({1}).z();
        if (before < 0 && v > before + 1) ratio = std::abs(v / before);
        before = v;
        return ratio == 0;
      });
      EXPECT_NEAR(ratio, expected, 6e-4) << stepper << " " << q;
    }
  }
}

TEST(Variational, friction_changes_the_energy_by_its_work_over_the_mean_velocity_and_nothing_else_does) {
  // A brick that slides, turns and hits the ground under a soft spring of zero length: potentials are quadratic in the
  // translations, so the identity of spec 2.4.3 holds to rounding also with turning.
  Model model = with_stepper("variational", 5e-3);
  model.set_contact({.friction = 0.4, .restitution = 1});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "brick",
                   .shape = Box{{0.3, 0.2, 0.1}},
                   .position = {0, 0, 0.6},
                   .velocity = {2, 1, 0},
                   .angular_velocity = {1, 3, -2}});
  model.add_spring({.name = "spring", .body_b = "brick", .anchor_a = {0, 0, 1}, .stiffness = 200, .rest_length = 0});
  model.run.solver = {"gauss-seidel", {{"tolerance", "1e-13"}}};
  Simulation simulation(model);
  simulation.run(2);
  EXPECT_LT(simulation.summary().work.friction, -0.1);
  EXPECT_NEAR(simulation.summary().work.contact, 0, 1e-8);
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-8 * simulation.summary().energy_scale);
}

TEST(Variational, free_rotation_keeps_its_energy_exactly_and_converges_with_second_order) {
  // Koziara's R1: J Omega at t = 100 by a Runge-Kutta method at 1e-4.
  const Vec3 J(0.9144, 1.098, 1.66), exact(0.661568603852, 0.634130709040, 0.400024770879);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Model model = with_stepper("variational", 0.0625 / (1 << k), {{"newton_tolerance", "1e-14"}});
    model.set_gravity(Vec3::Zero());
    model.add_rigid({.angular_velocity = {0.45549, 0.82623, 0.03476}, .mass = 1, .inertia = Mat3(J.asDiagonal())});
    Simulation simulation(model);
    simulation.run(100);
    const Vec3 omega = simulation.state().motion.u.tail<3>();
    error[k] = (J.cwiseProduct(omega) - exact).norm();
    EXPECT_NEAR(simulation.energy().kinetic, 0.470636810144, 1e-9);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
}

TEST(ImplicitSchemes, oscillator_converges_with_second_order_and_keeps_its_energy) {
  for (const std::string stepper : {"variational", "implicit-midpoint", "newmark"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Model model = with_stepper(stepper, 0.01 / (1 << k));
      model.set_gravity(Vec3::Zero());
      model.add_rigid({.name = "mass", .velocity = {1, 0, 0}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
      model.add_bushing({.name = "spring", .body_b = "mass", .stiffness = {50, 0, 0}});
      Simulation simulation(model);
      simulation.run(2);
      error[k] = std::abs(simulation.position({0}).x() - std::sin(10.0) / 5);
      EXPECT_NEAR(simulation.energy().total(), 1, 1e-11) << stepper;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.05) << stepper;
  }
}

TEST(ImplicitSchemes, pendulum_on_a_stiff_spring_is_stable_at_steps_far_beyond_the_explicit_limit) {
  // omega h = 100 for the spring, 0.03 for the swing.
  for (const std::string stepper : {"variational", "implicit-midpoint", "newmark", "two-step"}) {
    Model model = with_stepper(stepper, 0.01);
    model.add_rigid({.name = "bob", .position = {1, 0, 0}, .mass = 1, .inertia = Mat3(0.01 * Mat3::Identity())});
    model.add_spring({.name = "rod", .body_b = "bob", .stiffness = 1e8});
    Simulation simulation(model);
    const RunSummary& summary = simulation.run(5);
    EXPECT_EQ(summary.status, StepStatus::Done) << stepper;
    EXPECT_EQ(summary.not_converged, 0) << stepper;
    EXPECT_NEAR(simulation.position({0}).norm(), 1, 2e-3) << stepper;
  }
}

TEST(ImplicitSchemes, spring_with_a_curve_needs_newton_and_converges_with_second_order) {
  // A hardening spring m x'' = -k x^3 from x = 1 at rest: the period is 4 K(1/2) sqrt(2) / sqrt(k/m) over sqrt(2), that
  // is 7.41629870920549 sqrt(m/k) (lemniscate constant 2 * 2.62205755 * sqrt(2)).
  const double period = 7.41629870920549;
  for (const std::string stepper : {"variational", "implicit-midpoint", "newmark"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Model model = with_stepper(stepper, period / (500 << k), {{"newton_tolerance", "1e-13"}});
      model.set_gravity(Vec3::Zero());
      model.add_rigid({.name = "mass", .position = {1, 0, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
      class Cubic final : public ForceElement {
       public:
        std::string_view kind() const override { return "cubic"; }
        void add_forces(const ForceView& at, VecX& f, VecX&) const override { f[0] -= at.q[0] * at.q[0] * at.q[0]; }
        double energy(const ForceView& at) const override { return std::pow(at.q[0], 4) / 4; }
        std::array<int, 2> acts_on() const override { return {0, -1}; }
      };
      model.add_force({"cubic", std::make_shared<Cubic>()});
      Simulation simulation(model);
      simulation.run(period);
      error[k] = std::hypot(simulation.position({0}).x() - 1, simulation.velocity({0}).x());
      EXPECT_EQ(simulation.summary().not_converged, 0) << stepper;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.05) << stepper;
  }
}

TEST(ImplicitSchemes, elastic_body_oscillates_with_its_energy_bounded) {
  for (const std::string stepper : {"variational", "implicit-midpoint", "newmark", "two-step"}) {
    Model model =
        with_stepper(stepper, 2e-3, stepper == "two-step" ? ParameterValues{{"position", "mean"}} : ParameterValues{});
    model.set_gravity(Vec3::Zero());
    Affine jelly{.name = "jelly"};
    jelly.spec.shape = Box{{0.2, 0.2, 0.2}};
    jelly.spec.young = 1e6;
    jelly.spec.deformation = Vec3(1.05, 1, 1).asDiagonal();
    model.add_affine(jelly);
    Simulation simulation(model);
    const double start = simulation.energy().total();
    double least = start, most = start;
    simulation.run(2, [&](const Simulation& s) {
      least = std::min(least, s.energy().total());
      most = std::max(most, s.energy().total());
      return true;
    });
    EXPECT_EQ(simulation.summary().status, StepStatus::Done) << stepper;
    EXPECT_GT(least, 0.95 * start) << stepper;
    EXPECT_LT(most, 1.05 * start) << stepper;
  }
}

TEST(Newmark, explicit_form_is_central_differences_and_refuses_longer_steps_than_it_can_stand) {
  // x'' = -omega^2 x by central differences: x_n = h v sin(n theta)/sin(theta), sin(theta/2) = omega h/2.
  const double h = 0.05, omega = 5, theta = 2 * std::asin(omega * h / 2);
  Model model = with_stepper("newmark", h, {{"beta", "0"}});
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "mass", .velocity = {1, 0, 0}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
  model.add_bushing({.name = "spring", .body_b = "mass", .stiffness = {50, 0, 0}});
  Simulation simulation(model);
  simulation.run(40 * h);
  EXPECT_NEAR(simulation.position({0}).x(), h * std::sin(40 * theta) / std::sin(theta), 1e-10);
  Affine jelly{.name = "jelly"};
  jelly.spec.young = 1e9;
  model.add_affine(jelly);
  EXPECT_THROW(Simulation{model}, Error);
}

TEST(Newmark, gamma_above_one_half_takes_energy_out) {
  for (const double gamma : {0.5, 0.6}) {
    Model model = with_stepper("newmark", 0.05, {{"gamma", std::to_string(gamma)}, {"beta", "0.3025"}});
    model.set_gravity(Vec3::Zero());
    model.add_rigid({.name = "mass", .velocity = {1, 0, 0}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
    model.add_bushing({.name = "spring", .body_b = "mass", .stiffness = {50, 0, 0}});
    Simulation simulation(model);
    simulation.run(20);
    if (gamma > 0.5) {
      EXPECT_LT(simulation.energy().total(), 0.3);
    } else {
      EXPECT_NEAR(simulation.energy().total(), 1, 0.05);
    }
  }
}

TEST(TwoStep, end_position_keeps_an_inelastic_ball_out_of_the_ground_and_the_mean_lets_it_sink_half_a_step) {
  for (const std::string position : {"end", "mean"}) {
    Model model = with_stepper("two-step", 1e-2, {{"position", position}, {"activation", "closed"}});
    model.set_gravity(Vec3::Zero());
    model.set_contact({.friction = 0});
    model.add_fixed({.shape = HalfSpace{}});
    model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 0.1}, .velocity = {0, 0, -3}});
    Simulation simulation(model);
    simulation.run(0.1);
    EXPECT_NEAR(simulation.position({1}).z(), position == "end" ? 0.1 : 0.1 - 0.5 * 3 * 1e-2, 1e-12) << position;
  }
}

TEST(TwoStep, mean_position_has_second_order_with_linearised_forces_and_first_order_without) {
  for (const std::string linearised : {"true", "false"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Model model = with_stepper("two-step", 0.01 / (1 << k), {{"position", "mean"}, {"implicit_forces", linearised}});
      model.set_gravity(Vec3::Zero());
      model.add_rigid({.name = "mass", .velocity = {1, 0, 0}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
      model.add_bushing({.name = "spring", .body_b = "mass", .stiffness = {50, 0, 0}});
      Simulation simulation(model);
      simulation.run(2);
      error[k] = std::abs(simulation.position({0}).x() - std::sin(10.0) / 5);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), linearised == "true" ? 2 : 1, 0.15) << linearised;
  }
}

TEST(ImplicitSchemes, stack_at_rest_stays_and_every_step_converges) {
  for (const std::string stepper : {"variational", "two-step", "implicit-midpoint", "newmark"}) {
    Model model = with_stepper(stepper, 1e-3);
    model.add_fixed({.shape = HalfSpace{}});
    for (int i = 0; i < 4; ++i) model.add_rigid({.shape = Box{}, .position = {0, 0, 0.5 + i}});
    Simulation simulation(model);
    simulation.run(0.2);
    EXPECT_EQ(simulation.summary().not_converged, 0) << stepper;
    EXPECT_LT((simulation.position({4}) - Vec3(0, 0, 3.5)).norm(), 1e-9) << stepper;
  }
}

TEST(TwoStep, joints_do_not_drift) {
  // A pendulum from horizontal: what one step leaves is (omega h)^2/2 of the arm, omega^2 = 2 g at the bottom.
  Model model = with_stepper("two-step", 1e-2);
  model.add_rigid({.name = "bob", .position = {1, 0, 0}, .mass = 1, .inertia = Mat3(1e-4 * Mat3::Identity())});
  model.add_joint({.body_a = "bob"});
  Simulation simulation(model);
  simulation.run(20);
  EXPECT_LT(simulation.summary().joint_drift, 0.5 * 2 * 9.81 * 1e-4 * 1.1);
}

TEST(ImplicitSchemes, momentum_of_two_bodies_that_collide_is_kept) {
  // Linear momentum to rounding. Angular momentum too, but for the rotation's share, which is of second order.
  for (const std::string stepper : {"variational", "implicit-midpoint", "newmark", "two-step"}) {
    Model model = with_stepper(stepper, 1e-3);
    model.set_gravity(Vec3::Zero());
    model.set_contact({.friction = 0.5, .restitution = 0.5});
    model.add_rigid({.name = "a", .shape = Box{{0.3, 0.2, 0.1}}, .velocity = {1, 0, 0}, .angular_velocity = {0, 1, 2}});
    model.add_rigid({.name = "b", .shape = Sphere{0.2}, .position = {0.6, 0.05, 0.02}, .velocity = {-1, 0.3, 0}});
    Simulation simulation(model);
    const auto momentum = [&](const Simulation& s) {
      const Bodies& bodies = s.model().system().bodies;
      Eigen::Matrix<double, 6, 1> p = Eigen::Matrix<double, 6, 1>::Zero();
      for (int i = 0; i < 2; ++i) {
        const Vec3 v = s.velocity({i});
        const Mat3 R = s.orientation({i}).toRotationMatrix();
        p.head<3>() += bodies.mass(i) * v;
        p.tail<3>() += bodies.mass(i) * s.position({i}).cross(v) +
                       R * (bodies.inertia(i) * (R.transpose() * s.angular_velocity({i})));
      }
      return p;
    };
    const auto start = momentum(simulation);
    simulation.run(0.3);
    EXPECT_LT(simulation.summary().work.contact, -1) << stepper;
    EXPECT_LT((momentum(simulation) - start).head<3>().norm(), 1e-10 * start.head<3>().norm() + 1e-10) << stepper;
    EXPECT_LT((momentum(simulation) - start).tail<3>().norm(), 2e-3 * start.tail<3>().norm()) << stepper;
  }
}

TEST(ImplicitSchemes, contact_problem_of_a_step_can_be_kept_and_solved_again) {
  Model model = with_stepper("two-step", 1e-2);
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "brick", .shape = Box{}, .position = {0, 0, 0.5}, .velocity = {1, 0, 0}});
  Simulation simulation(model);
  simulation.keep_problem(true);
  simulation.step();
  const std::optional<StepProblem> kept = simulation.last_problem();
  ASSERT_TRUE(kept);
  const GlobalProblem& problem = std::get<GlobalProblem>(kept->problem);
  VecX r = VecX::Zero(problem.offset.back());
  EXPECT_EQ(solvers().make("gauss-seidel")->solve(problem, r).status, SolveStatus::Converged);
  // Solutions may differ among the four corners; velocities may not.
  const MassFactor mass(problem.M);
  EXPECT_LT((global_velocity(problem, mass, r) - global_velocity(problem, mass, kept->r)).norm(), 1e-6);
}

// A ceiling with three boxes under it: glue that holds 120 N on four corners carries 39 N and not 628 N; tape of 4 N
// carries 2 N.
Model make_ceiling(const std::string& stepper) {
  Model model = with_stepper(stepper, 1.0 / 400);
  for (const char* material : {"steel", "glue", "tape"}) model.add_material({.name = material});
  model.set_contact("steel", "glue", {.friction = 0.4, .cohesion = 30});
  model.set_contact("steel", "tape", {.friction = 0.4, .adhesion = 1});
  model.add_fixed({.shape = Box{{2, 0.5, 0.05}}, .material = "steel"});
  model.add_rigid({.name = "light", .shape = Box{{0.1, 0.1, 0.05}}, .material = "glue", .position = {0, 0, -0.1}});
  model.add_rigid({.name = "heavy", .shape = Box{{0.2, 0.2, 0.2}}, .material = "glue", .position = {1, 0, -0.25}});
  model.add_rigid({.name = "taped",
                   .shape = Box{{0.05, 0.05, 0.05}},
                   .material = "tape",
                   .position = {-1, 0, -0.1},
                   .density = 200});
  return model;
}

TEST(ImplicitSchemes, cohesion_holds_until_it_breaks_and_adhesion_for_ever) {
  for (const std::string stepper : {"moreau", "variational", "two-step", "implicit-midpoint", "newmark", "quasi-static",
                                    "compliant", "variational-penalty"}) {
    const Model model = make_ceiling(stepper);
    Simulation simulation(model);
    for (int k = 0; k < 40; ++k) ASSERT_EQ(simulation.step().status, StepStatus::Done) << stepper;
    EXPECT_NEAR(simulation.position(model.body("light")).z(), -0.1, 1e-6) << stepper;
    EXPECT_NEAR(simulation.position(model.body("taped")).z(), -0.1, 1e-6) << stepper;
    EXPECT_LT(simulation.position(model.body("heavy")).z(), -0.28) << stepper;  // 0.05 m in 0.1 s
  }
}

TEST(ImplicitSchemes, impacts_act_through_bodies_in_touch) {
  // Studer's example B30, as for moreau: the first ball stops and the last goes on with its speed.
  for (const std::string stepper : {"variational", "two-step", "implicit-midpoint", "newmark"}) {
    Model model = with_stepper(stepper, 1e-3);
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
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(simulation.velocity({i}).x(), i == 2 ? 2 : 0, 1e-6) << stepper << i;
  }
}

TEST(ImplicitSchemes, impacts_that_act_on_each_other_are_refused_where_there_is_no_restitution) {
  for (const std::string stepper : {"quasi-static", "compliant", "variational-penalty"}) {
    Model model = with_stepper(stepper, 1e-2);
    for (const char* name : {"a", "b", "c"}) model.add_rigid({.name = name, .shape = Sphere{0.1}});
    model.add_remote_action({.pairs = {{"a", "b"}, {"b", "c"}}, .restitution = MatX::Identity(2, 2)});
    try {
      Simulation simulation(model);
      ADD_FAILURE() << stepper;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(stepper), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("moreau"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace cairn
