// SPDX-License-Identifier: Apache-2.0
// Natural coordinates with the augmented Lagrangian: equations held at all three levels, order, damping, redundant
// joints, drives, reactions, compliant contacts, what is refused.
#include "cairn/steppers/ali3.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <numbers>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

constexpr double g = 9.81;

Model with_stepper(const std::string& name, double h, const ParameterValues& parameters = {}) {
  Model model;
  model.run.stepper = {name, parameters};
  model.run.step = h;
  return model;
}

/// A thin rod in the plane y = 0 between two points.
void add_rod(Model& model, const std::string& name, const Vec3& from, const Vec3& to, double mass = 1) {
  const Vec3 d = to - from;
  const double length = d.norm(), J = mass * length * length / 12;
  model.add_rigid({.name = name,
                   .position = 0.5 * (from + to),
                   .orientation = Quat::FromTwoVectors(Vec3::UnitX(), d),
                   .mass = mass,
                   .inertia = Mat3(Vec3(1e-4, J, J).asDiagonal())});
}

void add_hinge(Model& model, const std::string& a, const std::string& b, const Vec3& at, const std::string& name = {}) {
  model.add_joint(
      {.kind = JointKind::Revolute, .name = name, .body_a = a, .body_b = b, .position = at, .axis = Vec3::UnitY()});
}

/// Slider-crank: crank of 1 m, rod of 2 m, block on the x axis (Vilela's test mechanism has the same form).
Model make_slider_crank(double h, const ParameterValues& parameters = {}) {
  Model model = with_stepper("ali3", h, parameters);
  const Vec3 pin(std::numbers::sqrt2 / 2, 0, std::numbers::sqrt2 / 2);
  const Vec3 end(pin.x() + std::sqrt(4 - pin.z() * pin.z()), 0, 0);
  add_rod(model, "crank", {0, 0, 0}, pin);
  add_rod(model, "rod", pin, end, 2);
  model.add_rigid({.name = "block", .position = end, .mass = 0.5, .inertia = Mat3(0.01 * Mat3::Identity())});
  add_hinge(model, "crank", "", {0, 0, 0}, "shaft");
  add_hinge(model, "rod", "crank", pin);
  add_hinge(model, "block", "rod", end);
  model.add_joint({.kind = JointKind::Prismatic, .body_a = "block", .position = end, .axis = Vec3::UnitX()});
  return model;
}

const NaturalStepper::Errors& errors(const Simulation& simulation) {
  return dynamic_cast<const NaturalStepper&>(simulation.stepper()).errors();
}

TEST(Ali3, mechanisms_meet_their_equations_at_all_three_levels) {
  Simulation simulation(make_slider_crank(1e-3));
  const double start = simulation.energy().total();
  double place = 0, rate = 0, acceleration = 0, drift = 0;
  simulation.run(2, [&](const Simulation& s) {
    place = std::max(place, errors(s).place);
    rate = std::max(rate, errors(s).rate);
    acceleration = std::max(acceleration, errors(s).acceleration);
    drift = std::max(drift, std::abs(s.energy().total() - start));
    return true;
  });
  EXPECT_EQ(simulation.summary().not_converged, 0);
  EXPECT_LT(place, 1e-10);
  EXPECT_LT(rate, 1e-10);
  EXPECT_LT(acceleration, 1e-10);
  EXPECT_LT(drift, 1e-5 * 3 * g);  // of what a turn exchanges
  EXPECT_LT(simulation.summary().joint_drift, 1e-10);
}

TEST(Ali3, multipliers_make_the_penalty_a_matter_of_speed_only) {
  std::vector<Vec3> places;
  for (const char* penalty : {"1e3", "1e5", "1e7"}) {
    Simulation simulation(make_slider_crank(1e-3, {{"penalty", penalty}, {"max_iterations", "50"}}));
    simulation.run(0.5);
    EXPECT_EQ(simulation.summary().not_converged, 0);
    places.push_back(simulation.position(simulation.model().body("rod")));
  }
  EXPECT_LT((places[1] - places[0]).norm(), 1e-8);
  EXPECT_LT((places[2] - places[1]).norm(), 1e-8);
}

TEST(Ali3, doubled_hinges_move_as_single_ones_and_share_the_load) {
  const auto run = [](int copies) {
    Model model = with_stepper("ali3", 1e-3);
    add_rod(model, "rod", {0, 0, 0}, {1, 0, 0});
    for (int i = 0; i < copies; ++i) add_hinge(model, "rod", "", {0, 0, 0});
    Simulation simulation(model);
    simulation.run(0.3);
    Vec3 force = Vec3::Zero();
    for (const JointImpulse& impulse : simulation.joint_impulses()) force += impulse.force;
    return std::pair(simulation.position(BodyId{0}), force);
  };
  const auto one = run(1), two = run(2);
  EXPECT_LT((one.first - two.first).norm(), 1e-10);
  EXPECT_LT((one.second - two.second).norm(), 1e-8 * one.second.norm());
}

TEST(Ali3, a_hanging_body_pulls_on_its_joint_with_its_weight) {
  for (const std::string name : {"ali3", "penalty"}) {
    Model model = with_stepper(name, 1e-3);
    model.add_rigid({.name = "bob", .position = {0, 0, -1}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
    model.add_joint({.kind = JointKind::Weld, .body_a = "bob", .position = {0.3, 0, 0}});
    Simulation simulation(model);
    simulation.run(0.05);
    const JointImpulse& impulse = simulation.joint_impulses()[0];
    EXPECT_NEAR(impulse.force.z() / 1e-3, 2 * g, 1e-5) << name;
    // About the joint's point the weight has the arm 0.3.
    EXPECT_NEAR(impulse.torque.y() / 1e-3, 0.3 * 2 * g, 1e-5) << name;
  }
}

TEST(Ali3, reactions_have_order_two) {
  // A rod let go from level, at the angle f below it: omega^2 = 3 g sin f, omega' = 3/2 g cos f, so the hinge carries
  // (5/2 m g sin f) along the rod and (m g cos f)/4 across.
  std::vector<double> error;
  for (const double h : {2e-3, 1e-3}) {
    Model model = with_stepper("ali3", h);
    add_rod(model, "rod", {0, 0, 0}, {1, 0, 0});
    add_hinge(model, "rod", "", {0, 0, 0});
    Simulation simulation(model);
    simulation.run(0.4);
    const Vec3 along = 2 * simulation.position(BodyId{0}), across(-along.z(), 0, along.x());
    const Vec3 expected = g * (-2.5 * -along.z() * along + 0.25 * along.x() * across);
    error.push_back((simulation.joint_impulses()[0].force / h - expected).norm());
  }
  EXPECT_LT(error[1], 1e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2) << error[0] << ' ' << error[1];
}

TEST(Ali3, the_trapezoidal_rule_keeps_an_oscillators_energy_and_makes_its_period_longer) {
  // Vilela spec, U12: period longer by (omega h)^2/12.
  const double omega = 10, h = 5e-3, turn = 2 * std::numbers::pi / omega;
  Model model = with_stepper("ali3", h);
  model.set_gravity(Vec3::Zero());
  model.add_rigid({.name = "mass", .position = {1.5, 0, 0}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
  model.add_spring({.body_a = "", .body_b = "mass", .stiffness = 2 * omega * omega, .rest_length = 1.0});
  Simulation simulation(model);
  const double start = simulation.energy().total();
  double last = 0.5, first_pass = 0, pass = 0, worst = 0;
  int passes = 0;
  simulation.run(20.2 * turn, [&](const Simulation& s) {
    const double x = s.position(BodyId{0}).x() - 1;
    if (last < 0 && x >= 0) {
      pass = s.state().time() - h * x / (x - last);
      if (passes++ == 0) first_pass = pass;
    }
    last = x;
    worst = std::max(worst, std::abs(s.energy().total() / start - 1));
    return true;
  });
  EXPECT_LT(worst, 1e-9);
  const double period = (pass - first_pass) / (passes - 1);
  EXPECT_NEAR(period / turn - 1, omega * omega * h * h / 12, 3e-6);
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-8);
}

TEST(AlphaFamily, rho_is_what_a_step_leaves_of_the_fastest_motions) {
  // Amplification of (q, h q', h^2 a, h^2 q'') by a step for q'' = -omega^2 q, omega h = 1e4.
  for (const AlphaKind kind : {AlphaKind::Newmark, AlphaKind::Hht, AlphaKind::GeneralisedAlpha})
    for (const double rho : {0.5, 0.8, 1.0}) {
      const AlphaFamily f = make_family(kind, rho);
      const double w2 = 1e8;
      Eigen::Matrix4d left, right;  // left x_+ = right x
      left << 1, 0, -f.beta, 0, 0, 1, -f.gamma, 0, 0, 0, 1 - f.alpha_m, -(1 - f.alpha_f), w2, 0, 0, 1;
      right << 1, 1, 0.5 - f.beta, 0, 0, 1, 1 - f.gamma, 0, 0, 0, -f.alpha_m, f.alpha_f, 0, 0, 0, 0;
      const Eigen::EigenSolver<Eigen::Matrix4d> eigen(left.inverse() * right);
      EXPECT_NEAR(eigen.eigenvalues().cwiseAbs().maxCoeff(), kind == AlphaKind::Newmark ? 1 : rho, 2e-3)
          << static_cast<int>(kind) << ' ' << rho;
      EXPECT_NEAR(f.gamma, 0.5 + f.alpha_f - f.alpha_m, 1e-15);  // order 2
    }
}

TEST(Ali3, an_oscillator_is_damped_as_its_family_says) {
  // The step against the same recurrence of numbers, at omega h = 3.
  for (const char* integrator : {"newmark", "hht", "generalised-alpha"}) {
    const double h = 1e-2, omega = 300;
    Model model = with_stepper("ali3", h, {{"integrator", integrator}, {"rho", "0.6"}});
    model.set_gravity(Vec3::Zero());
    model.add_rigid({.name = "mass", .position = {1.01, 0, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
    model.add_spring({.body_a = "", .body_b = "mass", .stiffness = omega * omega, .rest_length = 1.0});
    Simulation simulation(model);
    const AlphaKind kind = integrator == std::string("newmark") ? AlphaKind::Newmark
                           : integrator == std::string("hht")   ? AlphaKind::Hht
                                                                : AlphaKind::GeneralisedAlpha;
    const AlphaFamily f = make_family(kind, 0.6);
    double q = 0.01, v = 0, c = -omega * omega * q, a = c;  // c: true acceleration
    simulation.run(0.3, [&](const Simulation& s) {
      // q+ = q_p + beta h^2 a+, (1 - alpha_m) a+ = (1 - alpha_f)(-omega^2 q+) + alpha_f c - alpha_m a.
      const double q_p = q + h * v + h * h * (0.5 - f.beta) * a;
      const double next = (-(1 - f.alpha_f) * omega * omega * q_p + f.alpha_f * c - f.alpha_m * a) /
                          (1 - f.alpha_m + (1 - f.alpha_f) * omega * omega * f.beta * h * h);
      q = q_p + f.beta * h * h * next;
      v += h * ((1 - f.gamma) * a + f.gamma * next);
      c = -omega * omega * q;
      a = next;
      EXPECT_NEAR(s.position(BodyId{0}).x() - 1, q, 1e-11) << integrator;
      EXPECT_NEAR(s.velocity(BodyId{0}).x(), v, 1e-9) << integrator;
      return true;
    });
  }
}

TEST(Ali3, every_integrator_has_order_two_with_joints) {
  for (const char* integrator : {"newmark", "hht", "generalised-alpha"}) {
    std::vector<Vec3> places;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      Simulation simulation(make_slider_crank(h, {{"integrator", integrator}, {"rho", "0.8"}}));
      simulation.run(0.6);
      places.push_back(simulation.position(simulation.model().body("rod")));
    }
    const double order = std::log2((places[0] - places[1]).norm() / (places[1] - places[2]).norm());
    EXPECT_NEAR(order, 2, 0.2) << integrator;
  }
}

TEST(Ali3, bricards_overconstrained_mechanism_moves_as_published) {
  // Validation problem J2: five rods on six hinges, 30 equations of joints for 30 freedoms, and yet it moves.
  Model model = with_stepper("ali3", 2e-3);
  model.set_gravity({0, -g, 0});
  const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const auto name = [](int rod) { return rod < 0 || rod > 4 ? std::string() : "rod " + std::to_string(rod); };
  for (int i = 0; i < 5; ++i)
    model.add_rigid({.name = name(i),
                     .position = 0.5 * (points[i] + points[i + 1]),
                     .orientation = Quat::FromTwoVectors(Vec3::UnitX(), points[i + 1] - points[i]),
                     .mass = 1.0,
                     .inertia = Mat3(Vec3(0.02, 1.01, 1.01).asDiagonal()) / 12});
  for (int i = 0; i < 6; ++i)
    model.add_joint({.kind = JointKind::Revolute,
                     .body_a = name(i < 5 ? i : 4),
                     .body_b = i < 5 ? name(i - 1) : "",
                     .position = points[i],
                     .axis = Vec3::Unit((i + 1) % 3)});
  Simulation simulation(model);
  simulation.run(1);
  const BodyId rod = simulation.model().body("rod 2");
  const Vec3 end = simulation.position(rod) + simulation.orientation(rod) * Vec3(0.5, 0, 0);
  EXPECT_LT((end - Vec3(0.51050146, -1.64916760, 0.14012311)).norm(), 1e-5);
  EXPECT_EQ(simulation.summary().not_converged, 0);
  EXPECT_LT(errors(simulation).acceleration, 1e-10);
}

TEST(Ali3, every_joint_moves_a_body_as_it_does_under_moreau) {
  // The difference of two schemes of order 2.
  for (const JointInfo& info : joint_infos()) {
    const auto place = [&](const std::string& stepper, double h) {
      Model model = with_stepper(stepper, h);
      model.add_rigid({.name = "base", .position = {0.1, 0.2, 0.3}, .mass = 3, .inertia = Mat3(Mat3::Identity())});
      model.add_joint({.kind = JointKind::Ball, .body_a = "base"});
      model.add_rigid({.name = "body",
                       .position = {0.5, 0.3, -0.4},
                       .mass = 1,
                       .inertia = Mat3(Vec3(0.1, 0.2, 0.15).asDiagonal())});
      const bool cross = info.kind == JointKind::Universal;
      model.add_joint(
          {.kind = info.kind,
           .body_a = "body",
           .body_b = "base",
           .position = {0.2, 0.1, 0.1},
           .second_position = info.kind == JointKind::Distance ? std::optional(Vec3(0, 0.1, 0.5)) : std::nullopt,
           .axis = Vec3::UnitX(),
           .second_axis = cross ? std::optional(Vec3(Vec3::UnitY())) : std::nullopt,
           .pitch = info.kind == JointKind::Screw ? 0.2 : 0});
      Simulation simulation(model);
      simulation.run(0.3);
      return simulation.position(simulation.model().body("body"));
    };
    const double coarse = (place("ali3", 2e-3) - place("moreau", 2e-3)).norm();
    const double fine = (place("ali3", 1e-3) - place("moreau", 1e-3)).norm();
    EXPECT_LT(fine, 2e-5) << info.name;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << info.name << ' ' << coarse << ' ' << fine;
  }
}

TEST(Ali3, a_body_on_a_driven_one_goes_with_it_and_the_drive_pays) {
  Model model = with_stepper("ali3", 1e-3);
  model.set_gravity(Vec3::Zero());
  PrescribedMotion turning;
  turning.angular_velocity = [](double t) { return Vec3(0, 0, 2 * t); };
  model.add_fixed({.name = "table", .motion = turning});
  model.add_rigid({.name = "body", .position = {1, 0, 0}, .mass = 2, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.kind = JointKind::Weld, .body_a = "body", .body_b = "table", .position = {1, 0, 0}});
  Simulation simulation(model);
  simulation.run(1);
  const BodyId body = simulation.model().body("body");
  EXPECT_LT((simulation.position(body) - Vec3(std::cos(1), std::sin(1), 0)).norm(), 1e-6);
  EXPECT_NEAR(simulation.velocity(body).norm(), 2, 1e-6);
  // (m r^2 + J) omega^2/2 = (2 + 1) 4/2.
  EXPECT_NEAR(simulation.summary().work.drive, 6, 1e-5);
  EXPECT_NEAR(simulation.summary().numerical, 0, 1e-5);
}

TEST(Ali3, gears_couple_their_shafts_and_soft_joints_give) {
  Model model = with_stepper("ali3", 1e-3);
  model.set_gravity(Vec3::Zero());
  for (const std::string name : {"a", "b"}) {
    model.add_rigid({.name = name, .mass = 1, .inertia = Mat3(Mat3::Identity())});
    model.add_joint({.kind = JointKind::Revolute, .name = "shaft " + name, .body_a = name});
  }
  model.add_coordinate_law({.kind = CoordinateLawKind::Coupling, .terms = {{"shaft a", "", 1}, {"shaft b", "", 2}}});
  model.add_load({.body = "a", .torque = [](double) { return Vec3(0, 0, 5); }});
  // A spring of a joint: 100 N/m carries 2 N at 0.02 m.
  model.add_rigid({.name = "c", .position = {3, 0, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
  model.add_joint({.kind = JointKind::Weld, .body_a = "c", .position = {3, 0, 0}, .stiffness = 100.0, .damping = 20.0});
  model.add_load({.body = "c", .force = [](double) { return Vec3(2, 0, 0); }});
  Simulation simulation(model);
  simulation.run(2);
  // phi_a = -2 phi_b, so a feels J (1 + 1/4): phi_a'' = 4.
  EXPECT_NEAR(simulation.state().motion.s[0], 0.5 * 4 * 4, 1e-4);
  EXPECT_NEAR(simulation.state().motion.s[1], -0.5 * 0.5 * 4 * 4, 1e-4);
  EXPECT_NEAR(simulation.state().motion.s[0] + 2 * simulation.state().motion.s[1], 0, 1e-11);
  EXPECT_NEAR(simulation.position(simulation.model().body("c")).x(), 3.02, 1e-6);
  EXPECT_NEAR(simulation.joint_impulses()[2].force.x() / 1e-3, -2, 1e-4);
}

TEST(Ali3, a_driven_crank_moves_the_block_as_geometry_says) {
  for (const bool servo : {false, true}) {
    Model model = make_slider_crank(1e-3);
    constexpr double speed = 6;
    model.add_coordinate_law({.kind = servo ? CoordinateLawKind::Servo : CoordinateLawKind::Motor,
                              .terms = {{"shaft"}},
                              .target = [&, servo](double t) { return servo ? speed * t : speed; }});
    // It starts at that speed: the mechanism is put in motion by its own drive, so at rest the start would not fit.
    Simulation simulation(model);
    simulation.run(1.0);
    // Angle about +y turns x towards -z.
    const double angle = std::numbers::pi / 4 - speed * 1.0;
    const double x = std::cos(angle) + std::sqrt(4 - std::pow(std::sin(angle), 2));
    EXPECT_NEAR(simulation.position(simulation.model().body("block")).x(), x, 1e-9) << servo;
    EXPECT_LT(errors(simulation).acceleration, 1e-9);
  }
}

TEST(Ali3, the_penalty_form_holds_joints_to_within_what_its_oscillators_give) {
  Model model = with_stepper("penalty", 1e-3);
  add_rod(model, "rod", {0, 0, 0}, {1, 0, 0});
  add_hinge(model, "rod", "", {0, 0, 0});
  Simulation simulation(model);
  simulation.run(1);
  EXPECT_EQ(simulation.summary().not_converged, 0);
  // Errors swing back no faster than omega: what a step leaves behind stays for a while.
  EXPECT_LT(simulation.summary().joint_drift, 1e-5);
  EXPECT_GT(simulation.summary().joint_drift, 1e-9);
}

TEST(Ali3, a_state_taken_in_the_middle_goes_on_bit_for_bit) {
  Simulation first(make_slider_crank(1e-3, {{"integrator", "generalised-alpha"}}));
  first.run(0.1);
  const State middle = first.state();
  EXPECT_GT(middle.motion.scheme.numbers.size(), 0);
  first.run(0.1);
  Simulation second(make_slider_crank(1e-3, {{"integrator", "generalised-alpha"}}));
  second.restore(middle);
  second.run(0.1);
  EXPECT_EQ(first.state().motion.q, second.state().motion.q);
  EXPECT_EQ(first.state().motion.u, second.state().motion.u);
  EXPECT_EQ(first.state().motion.scheme, second.state().motion.scheme);
}

TEST(Ali3, a_ball_bounces_with_its_restitution_and_rests_where_its_weight_is_carried) {
  for (const double e : {0.5, 1.0}) {
    Model model = with_stepper("ali3", 2e-5, {{"contact_stiffness", "1e6"}});
    model.set_gravity(Vec3::Zero());
    model.set_contact({.friction = 0, .restitution = e});
    model.add_fixed({.shape = HalfSpace{}});
    const BodyId ball =
        model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.101}, .velocity = {0, 0, -1}, .mass = 1.0});
    Simulation simulation(model);
    simulation.run(0.03);
    EXPECT_NEAR(simulation.velocity(ball).z(), e, 2e-3);
    EXPECT_NEAR(simulation.summary().work.contact, 0.5 * (e * e - 1), 2e-3);
    EXPECT_NEAR(simulation.summary().numerical, 0, 1e-6);
  }
  const double depth = std::pow(g / 1e6, 1 / 1.5);
  Model model = with_stepper("ali3", 1e-3, {{"contact_stiffness", "1e6"}, {"impact_speed", "0.01"}});
  model.add_fixed({.shape = HalfSpace{}});
  const BodyId ball = model.add_rigid({.shape = Sphere{0.1}, .position = {0, 0, 0.1}, .mass = 1.0});
  Simulation simulation(model);
  simulation.run(2);
  EXPECT_NEAR(simulation.position(ball).z(), 0.1 - depth, 1e-3 * depth);
  EXPECT_NEAR(simulation.contacts()[0].impulse.z() / 1e-3, -g, 1e-3 * g);  // on the plane
}

TEST(Ali3, a_block_slides_on_an_incline_as_coulomb_says_and_creeps_below_his_angle) {
  for (const double mu : {0.3, 0.8}) {
    Model model = with_stepper("ali3", 1e-3, {{"contact_exponent", "1"}, {"impact_speed", "0.01"}});
    const double tilt = std::numbers::pi / 6;
    model.set_gravity(g * Vec3(std::sin(tilt), 0, -std::cos(tilt)));
    model.set_contact({.friction = mu});
    model.add_fixed({.shape = HalfSpace{}});
    const BodyId block = model.add_rigid({.shape = Box{}, .position = {0, 0, 0.5}, .mass = 1.0});
    Simulation simulation(model);
    simulation.run(0.5);
    // Below the angle it creeps at v_0 atanh(tan/mu).
    const double a = std::max(0.0, g * (std::sin(tilt) - mu * std::cos(tilt)));
    const double creep = a > 0 ? 0 : 1e-3 * std::atanh(std::tan(tilt) / mu);
    EXPECT_NEAR(simulation.velocity(block).x(), 0.5 * a + creep, a > 0 ? 2e-3 : 1e-5) << mu;
    EXPECT_EQ(simulation.summary().not_converged, 0);
  }
}

TEST(Ali3, boxes_fall_on_each_other_and_no_step_fails) {
  // Friction that turns round and corners that lift off: Newton's method without halved corrections fails here in nine
  // of ten steps.
  Model model = with_stepper("ali3", 1e-3, {{"contact_stiffness", "1e5"}, {"impact_speed", "0.1"}});
  model.set_contact({.friction = 0.5, .restitution = 0.2});
  model.add_fixed({.shape = HalfSpace{}});
  for (int i = 0; i < 3; ++i)
    model.add_rigid({.shape = Box{Vec3(0.2, 0.2, 0.2)},
                     .position = {0.01 * i, 0.005 * i, 0.25 + 0.45 * i},
                     .orientation = Quat(Eigen::AngleAxisd(0.05 * i, Vec3(1, 0.3, 0.2).normalized())),
                     .mass = 1.0});
  Simulation simulation(model);
  const double start = simulation.energy().total();
  double highest = start;
  simulation.run(1, [&](const Simulation& s) {
    highest = std::max(highest, s.energy().total());
    return true;
  });
  EXPECT_EQ(simulation.summary().not_converged, 0);
  EXPECT_LT(highest, start + 1e-9);
  EXPECT_LT(simulation.summary().residual, 1e-6);
  for (int body = 1; body <= 3; ++body) EXPECT_LT(simulation.velocity(BodyId{body}).norm(), 0.05) << body;
}

TEST(Ali3, what_it_cannot_serve_is_refused_by_name) {
  const auto refused = [](const Model& model, const std::string& words) {
    try {
      const Simulation simulation(model);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  Model soft = with_stepper("ali3", 1e-3);
  soft.add_affine({.name = "soft"});
  refused(soft, "body 0 is affine; natural coordinates are of rigid bodies (moreau");
  Model rope = with_stepper("ali3", 1e-3);
  rope.add_rigid({.name = "bob", .position = {0, 0, -1}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
  rope.add_joint({.kind = JointKind::Distance,
                  .body_a = "bob",
                  .position = {0, 0, -1},
                  .second_position = Vec3(0, 0, 0),
                  .sense = JointSense::AtMost});
  refused(rope, "joint 0 is a rope, which is unilateral");
  Model limited = make_slider_crank(1e-3);
  limited.add_coordinate_law({.kind = CoordinateLawKind::Limit, .terms = {{"shaft"}}, .lower = -1.0, .upper = 1.0});
  refused(limited, "law 0 on joint 0 is a limit");
  Model sticky = with_stepper("penalty", 1e-3);
  sticky.set_contact({.adhesion = 1});
  sticky.add_rigid({.shape = Sphere{0.1}});
  refused(sticky, "stepper 'penalty': contacts of 'default' with 'default' have cohesion or adhesion");
  Model damped = with_stepper("ali3", 1e-3, {{"integrator", "hht"}, {"rho", "0.3"}});
  refused(damped, "rho is 0.3; hht has at least 0.5");
}

}  // namespace
}  // namespace cairn
