// SPDX-License-Identifier: Apache-2.0
// Augmented time-stepping: order between switches, switches where they are, memory that survives.
#include "cairn/steppers/study/augmented.h"

#include "cairn/sim/checkpoint.h"
#include "cairn/sim/simulation.h"

#include "support/table_contact.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace cairn {
namespace {

Model with_augmented(int order, double step_max, double step_min = 0) {
  Model model;
  model.run.stepper.name = "augmented";
  model.run.stepper.parameters = {{"order", fmt::format("{}", order)},
                                  {"step_max", fmt::format("{:.17g}", step_max)},
                                  {"step_min", fmt::format("{:.17g}", step_min)}};
  model.run.solver.parameters["tolerance"] = "1e-14";
  return model;
}

BodyId add_point(Model& model, const Vec3& position, const Vec3& velocity) {
  return model.add_rigid({.position = position, .velocity = velocity, .mass = 1, .inertia = Mat3(Mat3::Identity())});
}

TEST(Extrapolation, of_euler_on_a_cubic_is_exact_at_the_third_row) {
  // Studer 2009, 6.3.1: y' = 3 x^2, explicit Euler with 1, 3, 5 steps from 0 to 1.
  Extrapolation tableau;
  const double expected[] = {0, 5.0 / 6, 1};
  for (int row = 0; row < 3; ++row) {
    const int n = Extrapolation::substeps(row);
    double y = 0;
    for (int k = 0; k < n; ++k) y += 3.0 * k * k / (double(n) * n * n);
    tableau.add(VecX::Constant(1, y));
    EXPECT_NEAR(tableau.best()[0], expected[row], 1e-14);
  }
}

double pendulum_error(int order, double step) {
  // As in stepper_test.cpp: reduced length 1 m, position at 1 s by elliptic functions (S2).
  constexpr double inertia = 0.1;
  const double d = 0.5 * (1 + std::sqrt(1 - 4 * inertia));
  Model model = with_augmented(order, step);
  model.run.step = 1;
  model.run.stepper.parameters["cut"] = "true";
  const BodyId bob =
      model.add_rigid({.name = "bob", .position = {-d, 0, 0}, .mass = 1, .inertia = Mat3(inertia * Mat3::Identity())});
  model.add_joint({.body_a = "bob"});
  Simulation simulation(model);
  simulation.step();
  return (simulation.position(bob) / d - Vec3(0.986291751132, 0, -0.165010853126)).norm();
}

TEST(Augmented, has_its_order_on_a_pendulum_with_a_joint) {
  // The rule of the mean is symmetric: orders 1 and 2 are both second, and of order 4 only the third is seen here.
  const double expected[] = {2, 2, 3, 3, 5};
  for (int order = 1; order <= 5; ++order) {
    const double coarse = pendulum_error(order, 0.02), fine = pendulum_error(order, 0.01);
    EXPECT_GT(std::log2(coarse / fine), expected[order - 1] - 0.3) << order << ": " << coarse << " " << fine;
  }
  EXPECT_LT(pendulum_error(6, 0.02), 1e-9);
}

TEST(Augmented, has_its_order_on_a_free_body_with_three_inertias) {
  // S5, intermediate axis: omega at 10 s is known to 8 digits; here differences to a run of order 6.
  const auto rates = [](int order, double step) -> Vec3 {
    Model model = with_augmented(order, step);
    model.run.step = 1;
    model.run.stepper.parameters["cut"] = "true";
    model.set_gravity(Vec3::Zero());
    model.add_rigid({.angular_velocity = {0.5, 3, 0.2}, .mass = 1, .inertia = Mat3(Vec3(1, 2, 2.5).asDiagonal())});
    Simulation simulation(model);
    simulation.step();
    return simulation.state().motion.u.segment<3>(3);
  };
  const Vec3 exact = rates(6, 0.005);
  for (int order = 1; order <= 5; ++order) {
    const double coarse = (rates(order, 0.05) - exact).norm(), fine = (rates(order, 0.025) - exact).norm();
    EXPECT_GT(std::log2(coarse / fine), order - 0.35) << order << ": " << coarse << " " << fine;
  }
}

TEST(Augmented, has_one_order_less_on_curved_contacts_and_agrees_with_event_driven) {
  // A ball on a fixed ball: smooth, sliding, rolling (mu = 0, 0.05, 1) until shortly before it leaves.
  const auto place = [](const std::string& stepper, int order, double step, double mu) {
    Model model = with_augmented(order, step, 1e-9);
    model.run.stepper.parameters["cut"] = "true";
    model.run.step = 0.4;
    if (stepper != "augmented") {
      model.run.stepper = {stepper};
      model.run.step = 0.02;
    }
    model.set_contact({.friction = mu});
    model.add_fixed({.shape = Sphere{0.9}});
    const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {std::sin(0.3), 0, std::cos(0.3)}});
    Simulation simulation(model);
    simulation.run(0.4);
    return simulation.position(ball);
  };
  for (const double mu : {0.0, 0.05, 1.0}) {
    const Vec3 exact = place("event-driven", 0, 0, mu);
    EXPECT_NEAR(exact.norm(), 1, 1e-13) << mu;
    for (int order = 2; order <= 4; ++order) {
      const double coarse = (place("augmented", order, 0.02, mu) - exact).norm();
      const double fine = (place("augmented", order, 0.01, mu) - exact).norm();
      EXPECT_GT(std::log2(coarse / fine), order - 1.2) << order << " " << mu << ": " << coarse << " " << fine;
    }
    EXPECT_LT((place("augmented", 5, 0.02, mu) - exact).norm(), 5e-11) << mu;
  }
}

TEST(Augmented, bouncing_ball_meets_its_impacts_and_rests) {
  constexpr double e = 0.5, g = 9.81;
  Model model = with_augmented(2, 0.05, 1e-6);
  model.run.step = 0.1;
  const BodyId ball = add_point(model, {0, 0, 1}, Vec3::Zero());
  model.add_own_contact(
      std::make_shared<Table>(ball.value, ContactLaw{.restitution = e, .kind = LawKind::Frictionless}));
  Simulation simulation(model);
  std::vector<double> impacts;
  simulation.run(2, [&](const Simulation& s) {
    for (const ModeSwitch& x : s.switches())
      if (x.to == Mode::Closed) impacts.push_back(x.time);
    return true;
  });
  ASSERT_GT(impacts.size(), 10u);
  const double fall = std::sqrt(2 / g);
  EXPECT_NEAR(impacts[0], fall, 2e-6);
  EXPECT_NEAR(impacts[1], fall * 2, 4e-6);
  EXPECT_NEAR(impacts[2], fall * 2.5, 8e-6);
  EXPECT_NEAR(impacts.back(), fall * 3, 1e-4);
  EXPECT_NEAR(simulation.velocity(ball).z(), 0, 1e-12);
  EXPECT_NEAR(simulation.position(ball).z(), 0, 1e-5);
  EXPECT_EQ(simulation.certificate().parts, 2);  // the step has grown back to step_max
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-4);
}

TEST(Augmented, sliding_stops_where_the_formula_says_and_the_step_keeps_its_order) {
  constexpr double mu = 0.3, g = 9.81, v = 2;
  Model model = with_augmented(3, 0.02, 1e-8);
  model.run.step = 0.1;
  const BodyId point = add_point(model, Vec3::Zero(), {v, 0, 0});
  model.add_own_contact(std::make_shared<Table>(point.value, ContactLaw{.friction = mu}));
  Simulation simulation(model);
  std::vector<ModeSwitch> switches;
  simulation.run(1, [&](const Simulation& s) {
    switches.insert(switches.end(), s.switches().begin(), s.switches().end());
    return true;
  });
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_EQ(switches[0].to, Mode::Stick);
  EXPECT_EQ(switches[0].law.facet, LawFacet::Friction);
  EXPECT_NEAR(switches[0].time, v / (mu * g), 2e-8);
  EXPECT_NEAR(simulation.position(point).x(), 0.5 * v * v / (mu * g), 1e-7);
  EXPECT_NEAR(simulation.summary().work.friction, -0.5 * v * v, 1e-7);
}

TEST(Augmented, sliding_that_turns_back_without_a_stop_is_a_switch) {
  constexpr double mu = 0.2, g = 9.81, v = 1, force = 5;
  Model model = with_augmented(4, 0.05, 1e-9);
  model.run.step = 0.5;
  const BodyId point = add_point(model, Vec3::Zero(), {v, 0, 0});
  model.add_own_contact(std::make_shared<Table>(point.value, ContactLaw{.friction = mu}));
  model.add_load({.body = model.body_name(point.value), .force = [](double) { return Vec3(-force, 0, 0); }});
  Simulation simulation(model);
  simulation.run(0.5);
  ASSERT_GE(simulation.switches().size(), 1u);
  const double turn = v / (force + mu * g), t = 0.5 - turn;
  EXPECT_NEAR(simulation.switches()[0].time, turn, 1e-8);
  EXPECT_NEAR(simulation.velocity(point).x(), -(force - mu * g) * t, 1e-7);
}

/// All switches of a run.
std::vector<ModeSwitch> run(Simulation& simulation, double duration) {
  std::vector<ModeSwitch> all;
  simulation.run(duration, [&](const Simulation& s) {
    all.insert(all.end(), s.switches().begin(), s.switches().end());
    return true;
  });
  return all;
}

TEST(Augmented, ball_that_rolls_stops_where_rolling_friction_says) {
  constexpr double g = 9.81, R = 0.1, v = 0.5, mu_r = 2e-3;
  Model model = with_augmented(3, 0.01, 1e-8);
  model.run.step = 0.1;
  model.run.solver.parameters["tolerance"] = "1e-13";
  model.set_contact({.friction = 0.5, .kind = LawKind::Rolling, .rolling_friction = mu_r});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId ball = model.add_rigid(
      {.shape = Sphere{R}, .position = {0, 0, R}, .velocity = {v, 0, 0}, .angular_velocity = {0, v / R, 0}});
  Simulation simulation(model);
  const double stop = 1.4 * R * v / (mu_r * g);  // the moment mu_r m g slows m R (1 + 2/5) dv/dt
  const std::vector<ModeSwitch> switches = run(simulation, stop + 0.5);
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_EQ(switches[0].law.facet, LawFacet::Rolling);
  EXPECT_EQ(switches[0].to, Mode::Stick);
  EXPECT_NEAR(switches[0].time, stop, 1e-6);
  EXPECT_NEAR(simulation.position(ball).x(), 0.5 * v * stop, 1e-6);
}

TEST(Augmented, friction_limit_and_rope_of_joints_switch_at_their_times) {
  // A slide with friction F: stops at m v/F.
  constexpr double v = 1.5, F = 2, m = 1;
  const auto slide = [&] {
    Model model = with_augmented(2, 0.01, 1e-8);
    model.run.step = 0.1;
    model.set_gravity(Vec3::Zero());
    model.add_rigid({.name = "slide", .velocity = {v, 0, 0}, .mass = m, .inertia = Mat3(Mat3::Identity())});
    return model;
  };
  {
    Model model = slide();
    model.add_joint({.kind = JointKind::Prismatic, .name = "rail", .body_a = "slide", .axis = Vec3::UnitX()});
    model.add_coordinate_law({.kind = CoordinateLawKind::Friction, .terms = {{.joint = "rail"}}, .force = F});
    Simulation simulation(model);
    const std::vector<ModeSwitch> switches = run(simulation, 1);
    ASSERT_EQ(switches.size(), 1u);
    EXPECT_EQ(switches[0].law.owner, LawOwner::CoordinateLaw);
    EXPECT_EQ(switches[0].to, Mode::Stick);
    EXPECT_NEAR(switches[0].time, m * v / F, 1e-7);
    EXPECT_NEAR(simulation.summary().work.friction, -0.5 * m * v * v, 1e-9);
  }
  {
    Model model = slide();
    model.add_joint({.kind = JointKind::Prismatic, .name = "rail", .body_a = "slide", .axis = Vec3::UnitX()});
    model.add_coordinate_law(
        {.kind = CoordinateLawKind::Limit, .terms = {{.joint = "rail"}}, .upper = 0.333, .restitution = 0.5});
    Simulation simulation(model);
    const std::vector<ModeSwitch> switches = run(simulation, 0.5);
    ASSERT_EQ(switches.size(), 2u);  // closes and opens
    EXPECT_NEAR(switches[0].time, 0.333 / v, 1e-7);
    EXPECT_NEAR(simulation.velocity(BodyId{0}).x(), -0.5 * v, 1e-12);
  }
  {
    Model model = slide();
    model.add_joint({.kind = JointKind::Distance,
                     .name = "rope",
                     .body_a = "slide",
                     .second_position = Vec3(-0.05, 0, 0),
                     .length = 0.4,
                     .sense = JointSense::AtMost,
                     .restitution = 1});
    Simulation simulation(model);
    const std::vector<ModeSwitch> switches = run(simulation, 0.5);
    ASSERT_EQ(switches.size(), 2u);
    EXPECT_EQ(switches[0].law.owner, LawOwner::Joint);
    EXPECT_NEAR(switches[0].time, 0.35 / v, 1e-7);
    EXPECT_NEAR(simulation.velocity(BodyId{0}).x(), -v, 1e-12);
  }
}

TEST(Augmented, agrees_with_event_driven_on_a_point_that_is_lifted_and_falls_back) {
  // a = -1 + 3 sin(2 pi t): it slides, leaves, comes down, bounces and leaves again.
  const auto switches_of = [](const std::string& stepper, Vec3& end) {
    Model model = with_augmented(5, 0.01, 1e-9);
    if (stepper != "augmented") model.run.stepper = {stepper};
    model.run.step = 0.025;
    model.run.solver.parameters["tolerance"] = "1e-13";
    const BodyId point = add_point(model, Vec3::Zero(), {0.3, 0.1, 0});
    model.add_own_contact(std::make_shared<Table>(point.value, ContactLaw{.friction = 0.2, .restitution = 0.3}));
    model.add_load({.body = model.body_name(point.value),
                    .force = [](double t) { return Vec3(0, 0, 9.81 - 1 + 3 * std::sin(2 * M_PI * t)); }});
    Simulation simulation(model);
    const std::vector<ModeSwitch> all = run(simulation, 2.5);
    end = simulation.position(point);
    return all;
  };
  Vec3 end_a, end_b;
  const std::vector<ModeSwitch> a = switches_of("augmented", end_a), b = switches_of("event-driven", end_b);
  ASSERT_GE(b.size(), 3u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].to, b[i].to) << i;
    // A force that runs out is seen when the velocity has grown above the noise, 1e-10 of the fastest: with the jerk j
    // = 6 pi cos(asin(1/3)) that is sqrt(2 * 1e-10 * 0.316/j) = 1.9e-6 s late. The motion itself is not.
    EXPECT_NEAR(a[i].time, b[i].time, 2e-6) << i;
  }
  EXPECT_LT((end_a - end_b).norm(), 1e-7);
}

TEST(Augmented, joint_that_breaks_is_a_switch) {
  // A weld that holds 5 N under a load of 10 t N: breaks at 0.5 s, then moves by 10 (t^3 - t0^2 (3 t - 2 t0))/6.
  Model model = with_augmented(3, 0.02, 1e-7);
  model.run.step = 0.1;
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "body", .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.kind = JointKind::Weld, .body_a = "body", .break_force = 5});
  model.add_load({.body = "body", .force = [](double t) { return Vec3(10 * t, 0, 0); }});
  Simulation simulation(model);
  const std::vector<ModeSwitch> switches = run(simulation, 1);
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_EQ(switches[0].to, Mode::Broken);
  EXPECT_NEAR(switches[0].time, 0.5, 1e-6);
  const double t = 1, t0 = 0.5;
  EXPECT_NEAR(simulation.position(BodyId{0}).x(), 10 * (t * t * t - t0 * t0 * (3 * t - 2 * t0)) / 6, 1e-6);
}

TEST(Augmented, does_not_depend_on_how_often_it_is_looked_at) {
  const auto end = [](double h) {
    Model model = with_augmented(3, 0.01, 1e-8);
    model.run.step = h;
    model.set_contact({.friction = 0.3, .restitution = 0.6});
    model.add_fixed({.shape = HalfSpace{}});
    model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.5}, .velocity = {1, 0, 0}});
    Simulation simulation(model);
    simulation.run(0.6);
    return VecX(simulation.state().motion.q);
  };
  const VecX once = end(0.6);
  for (const double h : {0.2, 0.03, 0.0123}) {
    const VecX often = end(h);
    if (h == 0.0123) continue;  // does not end at 0.6: only has to run
    EXPECT_LT((often - once).norm(), 1e-12) << h;
  }
}

TEST(Augmented, goes_on_from_a_checkpoint_bit_for_bit) {
  Model model = with_augmented(4, 0.01, 1e-7);
  model.run.step = 0.05;
  model.set_contact({.friction = 0.3, .restitution = 0.5});
  model.add_fixed({.shape = HalfSpace{}});
  model.add_rigid({.name = "box", .shape = Sphere{0.1}, .position = {0, 0, 0.3}, .velocity = {1, 0.2, 0}});
  Simulation whole(model), part(model);
  whole.run(0.6);
  part.run(0.3);
  const auto path = std::filesystem::temp_directory_path() / "cairn_augmented_test.ck";
  write_checkpoint(path, model, part.state());
  Simulation rest(model);
  rest.restore(read_checkpoint(path, model));
  rest.run(0.3);
  EXPECT_EQ(rest.state().motion.q, whole.state().motion.q);
  EXPECT_EQ(rest.state().motion.u, whole.state().motion.u);
  EXPECT_EQ(rest.state().motion.scheme, whole.state().motion.scheme);
  std::filesystem::remove(path);
}

TEST(Augmented, a_state_that_was_changed_is_a_new_start) {
  Model model = with_augmented(2, 0.01);
  model.run.step = 0.05;
  const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 10}});
  Simulation simulation(model);
  simulation.run(0.1);
  State state = simulation.state();
  state.motion.u[0] = 3;
  simulation.restore(state);
  simulation.run(0.1);
  EXPECT_NEAR(simulation.position(ball).x(), 0.3, 1e-12);
}

TEST(Augmented, refuses_what_makes_no_sense) {
  Model model = with_augmented(2, 0.01, 0.1);
  model.add_rigid({.shape = Sphere{0.1}});
  EXPECT_THROW(Simulation{model}, Error);
  model = with_augmented(1, 0.01);
  model.run.stepper.parameters["tolerance"] = "1e-6";
  model.add_rigid({.shape = Sphere{0.1}});
  EXPECT_THROW(Simulation{model}, Error);
  model = with_augmented(7, 0.01);
  EXPECT_THROW(Simulation{model}, Error);
}

TEST(Augmented, more_inner_steps_than_allowed_are_a_status_and_change_nothing) {
  Model model = with_augmented(2, 1e-3);
  model.run.step = 1;
  model.run.stepper.parameters["max_steps"] = "10";
  model.add_rigid({.shape = Sphere{0.1}});
  Simulation simulation(model);
  EXPECT_EQ(simulation.step().status, StepStatus::StepLimit);
  EXPECT_EQ(simulation.state().time(), 0);
}

TEST(LawModes, switches_are_found_by_law_and_way) {
  const LawId normal{LawOwner::Contact, LawFacet::Normal, 0, 1}, friction{LawOwner::Contact, LawFacet::Friction, 0, 1};
  const std::vector<LawMode> slides{{normal, Mode::Closed, Vec3::Zero()}, {friction, Mode::Slip, Vec3(0, 1, 0)}};
  std::vector<LawMode> other = slides;
  other[1].way = Vec3(0, 1, 5);
  EXPECT_TRUE(find_switches(slides, other).empty());
  other[1].way = Vec3(0, -1, 5);
  EXPECT_EQ(find_switches(slides, other).size(), 1u);  // turned back
  other[1].mode = Mode::Stick;
  ASSERT_EQ(find_switches(slides, other).size(), 1u);
  EXPECT_EQ(find_switches(slides, other)[0].to, Mode::Stick);
  ASSERT_EQ(find_switches(slides, {}).size(), 1u);  // opened: the friction goes with it
  EXPECT_EQ(find_switches(slides, {})[0].law.facet, LawFacet::Normal);
  EXPECT_EQ(find_switches({}, slides)[0].to, Mode::Closed);
  std::vector<LawMode> rolled = slides;
  for (LawMode& mode : rolled) mode.law.feature_a = 7;  // one point before and after
  EXPECT_TRUE(find_switches(slides, rolled).empty());
}

}  // namespace
}  // namespace cairn
