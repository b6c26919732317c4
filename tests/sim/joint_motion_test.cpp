// SPDX-License-Identifier: Apache-2.0
// Joints in motion and at rest: reactions against statics, momentum, and what limits, motors, servos, friction, ropes,
// breaking and soft joints do, against formulas.
#include "cairn/sim/simulation.h"

#include <gtest/gtest.h>

#include <numbers>

namespace cairn {
namespace {

constexpr double g = 9.81;
const Mat3 unit_inertia = Mat3::Identity();

/// A body of 2 kg that a joint of this kind holds at rest: where its centre is from the joint, and a torque that it
/// needs.
struct Hung {
  JointKind kind;
  Vec3 arm;
  Vec3 axis = Vec3::UnitZ();
  std::optional<Vec3> second_axis = {};
  Vec3 torque = Vec3::Zero();
  double pitch = 0;
};

std::vector<Hung> all_hung() {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), below(0, 0, -0.4), askew(0.3, 0.2, 0.1);
  constexpr double pitch = 0.05;
  // A screw about the vertical is held by the torque m g pitch/(2 pi).
  const Vec3 hold(0, 0, 2 * g * pitch / (2 * std::numbers::pi));
  return {{JointKind::Ball, below},
          {JointKind::Revolute, askew},
          {JointKind::Weld, askew, x, {}, {0.3, -0.2, 0.5}},
          {JointKind::Prismatic, askew, x, {}, {0.3, -0.2, 0.5}},
          {JointKind::Cylindrical, {0.3, 0, 0.1}, x, {}, {0, -0.2, 0.5}},
          {JointKind::Universal, below, x, y, {0, 0, 0.7}},
          {JointKind::ConstantVelocity, below, Vec3::UnitZ(), {}, {0, 0, 0.7}},
          {JointKind::Planar, askew, Vec3::UnitZ(), {}, {0.3, -0.2, 0}},
          {JointKind::PointOnLine, below, x},
          {JointKind::PointOnPlane, below},
          {JointKind::Distance, below},
          {JointKind::Screw, askew, Vec3::UnitZ(), {}, hold, pitch}};
}

TEST(JointMotion, table_of_hung_bodies_has_every_kind) {
  ASSERT_EQ(all_hung().size(), joint_infos().size());
  for (std::size_t i = 0; i < joint_infos().size(); ++i) EXPECT_EQ(all_hung()[i].kind, joint_infos()[i].kind);
}

TEST(JointMotion, reactions_are_those_of_statics) {
  const Vec3 at(0.1, -0.2, 0.3);
  for (const Hung& hung : all_hung()) {
    for (const bool world_first : {false, true}) {
      for (const char* stepper : {"moreau", "koziara"}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", joint_info(hung.kind).name, stepper, world_first));
        // A distance joint hangs from a point above.
        const Vec3 other = hung.kind == JointKind::Distance ? Vec3(at + Vec3(0, 0, 0.6)) : at;
        Model model;
        model.run.stepper = {stepper};
        model.run.solver.parameters["tolerance"] = "1e-13";
        const BodyId body =
            model.add_rigid({.name = "body", .position = at + hung.arm, .mass = 2.0, .inertia = unit_inertia});
        JointSpec joint{.kind = hung.kind,
                        .body_a = "body",
                        .position = at,
                        .second_position = other,
                        .axis = hung.axis,
                        .second_axis = hung.second_axis,
                        .pitch = hung.pitch};
        if (world_first) {
          std::swap(joint.body_a, joint.body_b);
          std::swap(joint.position, *joint.second_position);
          if (hung.second_axis) std::swap(joint.axis, *joint.second_axis);
        }
        model.add_joint(joint);
        model.add_load({.body = "body", .torque = [&](double) { return hung.torque; }});
        Simulation simulation(model);
        for (int i = 0; i < 3; ++i) ASSERT_EQ(simulation.step().status, StepStatus::Done);
        EXPECT_LT(simulation.velocity(body).norm() + simulation.angular_velocity(body).norm(), 1e-11);
        const Vec3 weight(0, 0, -2 * g);
        const double sign = world_first ? -1 : 1;
        const Vec3 force = sign * -weight, torque = sign * -(hung.arm.cross(weight) + hung.torque);
        const JointImpulse got = simulation.joint_impulses()[0];
        EXPECT_LT((got.force / model.run.step - force).norm(), 1e-8);
        EXPECT_LT((got.torque / model.run.step - torque).norm(), 1e-8);
      }
    }
  }
}

/// Two bodies under one joint, thrown without gravity: worst change of linear and of angular momentum.
std::pair<double, double> momentum_change(const Hung& hung, const char* stepper, double h) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  model.run.stepper = {stepper};
  model.run.solver.parameters["tolerance"] = "1e-14";
  const double mass[] = {2, 3};
  const Mat3 inertia[] = {Mat3(Vec3(0.4, 0.5, 0.6).asDiagonal()), Mat3(Vec3(0.9, 0.7, 0.5).asDiagonal())};
  // One rigid motion of both bodies fits every joint; it is not the one they keep.
  const Vec3 spin(0.3, -0.5, 0.8), drift(0.2, 0.1, -0.3), place[] = {{0.2, 0.1, 0.4}, {-0.3, 0.2, -0.5}};
  for (int i = 0; i < 2; ++i)
    model.add_rigid({.name = fmt::format("body {}", i),
                     .position = place[i],
                     .velocity = drift + spin.cross(place[i]),
                     .angular_velocity = spin,
                     .mass = mass[i],
                     .inertia = inertia[i]});
  model.add_joint({.kind = hung.kind,
                   .body_a = "body 0",
                   .body_b = "body 1",
                   .second_position = hung.kind == JointKind::Distance ? Vec3(0, 0, -0.6) : Vec3(0, 0, 0),
                   .axis = hung.axis,
                   .second_axis = hung.second_axis,
                   .pitch = hung.pitch});
  Simulation simulation(model);
  const auto momentum = [&] {
    Vec3 p = Vec3::Zero(), L = Vec3::Zero();
    for (int i = 0; i < 2; ++i) {
      const BodyId body{i};
      const Mat3 R = simulation.orientation(body).toRotationMatrix();
      const Vec3 v = mass[i] * simulation.velocity(body);
      p += v;
      L += simulation.position(body).cross(v) + R * (inertia[i] * (R.transpose() * simulation.angular_velocity(body)));
    }
    return std::pair(p, L);
  };
  const auto start = momentum();
  double linear = 0, angular = 0;
  simulation.run(1, [&](const Simulation&) {
    const auto now = momentum();
    linear = std::max(linear, (now.first - start.first).norm());
    angular = std::max(angular, (now.second - start.second).norm());
    return true;
  });
  return {linear, angular};
}

TEST(JointMotion, momentum_of_two_bodies_under_a_joint_stays) {
  for (const Hung& hung : all_hung()) {
    for (const char* stepper : {"moreau", "koziara"}) {
      SCOPED_TRACE(fmt::format("{}, {}", joint_info(hung.kind).name, stepper));
      const auto coarse = momentum_change(hung, stepper, 0.01), fine = momentum_change(hung, stepper, 0.005);
      EXPECT_LT(coarse.first, 1e-12);
      EXPECT_LT(fine.first, 1e-12);
      // The two points of a joint are a little apart at mid-step, where their forces act: second order at least.
      EXPECT_LT(fine.second, std::max(1e-11, 0.3 * coarse.second)) << coarse.second;
      EXPECT_LT(fine.second, 1e-4);
    }
  }
}

/// A body of `mass` that slides along an axis of the world, and a law on that.
struct Slide {
  Model model;
  BodyId body;
  Slide(double mass, const Vec3& axis, double h, const char* stepper = "moreau") {
    model.run.step = h;
    model.run.stepper = {stepper};
    model.run.solver.parameters["tolerance"] = "1e-13";
    body = model.add_rigid({.name = "slider", .mass = mass, .inertia = unit_inertia});
    model.add_joint({.kind = JointKind::Prismatic, .name = "guide", .body_a = "slider", .axis = axis});
  }
  void add(CoordinateLawSpec law) {
    law.terms = {{"guide"}};
    model.add_coordinate_law(law);
  }
};

TEST(JointMotion, limit_stops_and_carries_the_weight) {
  for (const char* stepper : {"moreau", "koziara"}) {
    Slide slide(2, Vec3::UnitZ(), 1e-3, stepper);
    slide.add({.kind = CoordinateLawKind::Limit, .lower = -0.1, .upper = 1.0});
    Simulation simulation(slide.model);
    simulation.run(0.5);
    // Koziara's rule takes a stop only once it is passed: within g h^2 and one step's way of it.
    const double reach = std::string(stepper) == "moreau" ? 1e-9 : std::sqrt(2 * g * 0.1) * 1e-3;
    EXPECT_NEAR(simulation.state().motion.s[0], -0.1, reach) << stepper;
    EXPECT_NEAR(simulation.coordinate_impulses()[0] / 1e-3, 2 * g, 1e-8) << stepper;
    EXPECT_LT(simulation.velocity(slide.body).norm(), 1e-9) << stepper;
  }
}

TEST(JointMotion, limit_sends_back_with_its_restitution) {
  for (const char* stepper : {"moreau", "koziara"}) {
    for (const double e : {0.5, 1.0}) {
      Slide slide(2, Vec3::UnitX(), 1e-3, stepper);
      slide.model.add_load({.body = "slider", .force = [](double t) { return Vec3(t < 0.1 ? 10 : 0, 0, 0); }});
      slide.add({.kind = CoordinateLawKind::Limit, .upper = 0.2, .restitution = e});
      Simulation simulation(slide.model);
      simulation.run(0.3);
      EXPECT_NEAR(simulation.velocity(slide.body).x(), 0.5, 1e-12);  // 10 N for 0.1 s on 2 kg
      simulation.run(0.3);
      EXPECT_NEAR(simulation.velocity(slide.body).x(), -0.5 * e, 1e-12) << stepper;
      EXPECT_LT(simulation.state().motion.s.maxCoeff(), 0.2 + 0.5e-3) << stepper;
    }
  }
}

TEST(JointMotion, motor_accelerates_with_its_force_until_it_has_its_speed) {
  for (const char* stepper : {"moreau", "koziara"}) {
    Slide slide(4, Vec3::UnitX(), 0.01, stepper);
    slide.add({.kind = CoordinateLawKind::Motor, .target = [](double) { return 1.0; }, .force = 2.0});
    Simulation simulation(slide.model);
    simulation.run(1);
    EXPECT_NEAR(simulation.velocity(slide.body).x(), 2.0 / 4, 1e-12);
    EXPECT_NEAR(simulation.state().motion.s[0], 0.5 * 2.0 / 4, 1e-12);
    EXPECT_NEAR(simulation.coordinate_impulses()[0] / 0.01, 2, 1e-10);
    simulation.run(2);
    EXPECT_NEAR(simulation.velocity(slide.body).x(), 1, 1e-12);
    EXPECT_NEAR(simulation.state().motion.s[0], 2, 1e-9);  // 1 m in the first 2 s, then 1 m/s
    EXPECT_NEAR(simulation.coordinate_impulses()[0], 0, 1e-12);
  }
}

double servo_error(const char* stepper, double h) {
  Slide slide(4, Vec3::UnitX(), h, stepper);
  const auto target = [](double t) { return 0.1 * std::sin(3 * t); };
  slide.add({.kind = CoordinateLawKind::Servo, .target = target});
  Simulation simulation(slide.model);
  double worst = 0;
  simulation.run(2, [&](const Simulation& s) {
    // A start from rest towards a target that moves is a jump; it is gone after some steps.
    if (s.state().time() > 1) worst = std::max(worst, std::abs(s.state().motion.s[0] - target(s.state().time())));
    return true;
  });
  return worst;
}

TEST(JointMotion, servo_follows_a_sine) {
  const double coarse = servo_error("moreau", 0.01), fine = servo_error("moreau", 0.005);
  EXPECT_LT(fine, 1e-6);
  EXPECT_LT(fine, 0.28 * coarse) << coarse;       // second order
  EXPECT_LT(servo_error("koziara", 0.01), 1e-9);  // the way of the step is the target's
}

TEST(JointMotion, friction_holds_up_to_its_limit_and_slides_beyond) {
  for (const char* stepper : {"moreau", "koziara"}) {
    for (const double force : {4.9, -4.9, 9.0, -9.0}) {
      Slide slide(2, Vec3::UnitX(), 0.01, stepper);
      slide.model.add_load({.body = "slider", .force = [=](double) { return Vec3(force, 0, 0); }});
      slide.add({.kind = CoordinateLawKind::Friction, .force = 5.0});
      Simulation simulation(slide.model);
      simulation.run(1);
      const double sliding = std::abs(force) > 5 ? std::copysign((std::abs(force) - 5) / 2, force) : 0;
      EXPECT_NEAR(simulation.velocity(slide.body).x(), sliding, 1e-12) << force;
      EXPECT_NEAR(simulation.coordinate_impulses()[0] / 0.01, -std::copysign(std::min(std::abs(force), 5.0), force),
                  1e-9)
          << force;
    }
  }
}

TEST(JointMotion, rope_is_slack_then_tight) {
  for (const double e : {0.0, 0.5}) {
    Model model;
    model.run.step = 1e-3;
    model.run.solver.parameters["tolerance"] = "1e-13";
    const BodyId body =
        model.add_rigid({.name = "body", .position = {0, 0, -0.5}, .mass = 2.0, .inertia = unit_inertia});
    model.add_joint({.kind = JointKind::Distance,
                     .body_a = "body",
                     .position = {0, 0, -0.5},
                     .second_position = Vec3(0, 0, 0),
                     .length = 1.0,
                     .sense = JointSense::AtMost,
                     .restitution = e});
    Simulation simulation(model);
    const double fall = std::sqrt(2 * 0.5 / g);
    double before = 0, after = 0, pulled = 0;
    simulation.run(0.5, [&](const Simulation& s) {
      const double v = s.velocity(body).z(), pull = s.joint_impulses()[0].force.z();
      EXPECT_GE(pull, 0);
      if (s.state().time() < fall - 2e-3) {
        EXPECT_EQ(pull, 0);
      }
      if (pull > 0 && pulled == 0) {
        pulled = s.state().time();
        after = v;
      }
      if (pulled == 0) before = v;
      return true;
    });
    EXPECT_NEAR(pulled, fall, 2e-3);
    if (e > 0) {
      EXPECT_NEAR(after, -e * before, 1e-9);
    } else {
      EXPECT_NEAR(simulation.position(body).z(), -1, 1e-9);
      EXPECT_NEAR(simulation.joint_impulses()[0].force.z() / 1e-3, 2 * g, 1e-8);
    }
  }
}

TEST(JointMotion, joint_breaks_at_its_load) {
  for (const bool by_torque : {false, true}) {
    Model model;
    model.set_gravity(Vec3::Zero());
    model.run.step = 1e-3;
    const BodyId body = model.add_rigid({.name = "body", .mass = 1.0, .inertia = unit_inertia});
    JointSpec weld{.kind = JointKind::Weld, .body_a = "body"};
    (by_torque ? weld.break_torque : weld.break_force) = 2.0;
    model.add_joint(weld);
    const auto ramp = [](double t) { return Vec3(6 * t, 0, 8 * t); };  // 10 t in size: 2 at 0.2 s
    LoadSpec load{.body = "body"};
    (by_torque ? load.torque : load.force) = ramp;
    model.add_load(load);
    Simulation simulation(model);
    double broken = 0;
    simulation.run(0.3, [&](const Simulation& s) {
      if (broken == 0 && s.state().motion.broken[0]) broken = s.state().time();
      return true;
    });
    EXPECT_NEAR(broken, 0.2, 1.6e-3) << by_torque;
    // Then it is free: 10 (t - 0.2)(t + 0.2)/2 at 0.3 s.
    const Vec3 speed = by_torque ? simulation.angular_velocity(body) : simulation.velocity(body);
    EXPECT_NEAR(speed.norm(), 5 * (0.3 * 0.3 - 0.2 * 0.2), 5e-3) << by_torque;
  }
}

TEST(JointMotion, soft_joint_yields_by_force_over_stiffness) {
  Model model;
  model.run.step = 1e-3;
  model.run.solver.parameters["tolerance"] = "1e-14";
  const BodyId body = model.add_rigid({.name = "body", .mass = 2.0, .inertia = 0.1 * unit_inertia});
  model.add_joint({.kind = JointKind::Weld, .body_a = "body", .stiffness = 1e4, .damping = 200});
  model.add_load({.body = "body", .torque = [](double) { return Vec3(0, 3, 0); }});
  Simulation simulation(model);
  simulation.run(1.5);
  EXPECT_NEAR(simulation.position(body).z(), -2 * g / 1e4, 1e-10);
  EXPECT_NEAR(simulation.joint_impulses()[0].force.z() / 1e-3, 2 * g, 1e-6);
  // The rows of a weld are sines: each torque row pulls with k sin(angle).
  const double angle = 2 * simulation.orientation(body).y();
  EXPECT_NEAR(angle, 3 / 1e4, 1e-9);
}

TEST(JointMotion, chain_of_ball_joints_is_solved_at_once) {
  Model model;
  constexpr int links = 40;
  for (int i = 0; i < links; ++i) {
    const std::string name = fmt::format("link {}", i);
    model.add_rigid({.name = name,
                     .position = {0.1 * i + 0.05, 0, 0},
                     .mass = 0.1,
                     .inertia = Mat3(Vec3(1e-6, 1e-4, 1e-4).asDiagonal())});
    model.add_joint(
        {.body_a = name, .body_b = i > 0 ? fmt::format("link {}", i - 1) : std::string(), .position = {0.1 * i, 0, 0}});
  }
  Simulation s(model);
  s.run(0.2);
  // Corrections of one factorisation, where sweeps would follow the chain link by link.
  EXPECT_LT(s.summary().iterations_max, 13);
  EXPECT_LT(s.summary().residual, 1e-11);
}

TEST(JointMotion, angle_counts_a_thousand_turns) {
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = 1e-2;
  const double speed = 2 * std::numbers::pi * 10 + 0.1;  // about a tenth of a turn per step
  const Vec3 axis = Vec3(1, 2, 2) / 3;
  model.add_rigid({.name = "wheel", .angular_velocity = speed * axis, .mass = 1.0, .inertia = unit_inertia});
  model.add_joint({.kind = JointKind::Revolute, .body_a = "wheel", .axis = axis});
  Simulation simulation(model);
  simulation.run(100);
  EXPECT_NEAR(simulation.state().motion.s[0], 100 * speed, 1e-8);
}

/// The origin of a body is carried along x = sin(2 t), y = z = 0.
class Carrier final : public OwnJoint {
 public:
  int rows() const override { return 3; }
  RowVector error(const Bodies& bodies, const VecX& q, double time) const override {
    RowVector off = RowVector::Zero();
    off.head<3>() = bodies.placement(0, q).c - Vec3(std::sin(2 * time), 0, 0);
    return off;
  }
  void fill_rows(const Bodies& bodies, const VecX& q, double, RowBlock& block) const override {
    block.rows = 3;
    block.add_side(bodies.centre(0, q))->linear.topRows<3>().setIdentity();
  }
};

TEST(OwnJoint, equations_that_move_in_time_are_followed_to_second_order) {
  for (const std::string rule : {"curved", "stabilised", "mean"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Model model;
      model.run.step = 0.01 / (1 << k);
      model.run.stepper.parameters["joints"] = rule;
      const BodyId body = model.add_rigid({.velocity = {2, 0, 0}, .mass = 1, .inertia = Mat3(Mat3::Identity())});
      model.add_own_joint(std::make_shared<Carrier>());
      Simulation s(model);
      s.run(1);
      error[k] = (s.position(body) - Vec3(std::sin(2.0), 0, 0)).norm();
      // A misfit is in the certificate.
      EXPECT_GE(s.summary().joint_drift, error[k] * (1 - 1e-9) - 1e-14) << rule;  // times are sums of steps
    }
    EXPECT_LT(error[0], 2e-4) << rule;
    EXPECT_LT(error[1], 0.3 * error[0] + 1e-12) << rule;
  }
}

}  // namespace
}  // namespace cairn
