// SPDX-License-Identifier: Apache-2.0
// The list of all equations of a system: every row is the rate of its error, drift is what time alone does, and each
// thing of the system is there once, with an index of its own for what it keeps.
#include "cairn/constraints/joint_equation.h"
#include "cairn/constraints/kept_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn {
namespace {

/// A point of a body follows a place that moves: 3 equations.
class Follower final : public OwnJoint {
 public:
  int rows() const override { return 3; }
  RowVector error(const Bodies& bodies, const VecX& q, double time) const override {
    RowVector g = RowVector::Zero();
    g.head<3>() = bodies.centre(1, q).x - Vec3(std::sin(2 * time), 0, time * time);
    return g;
  }
  void fill_rows(const Bodies& bodies, const VecX& q, double, RowBlock& block) const override {
    block.rows = 3;
    block.add_side(bodies.centre(1, q))->linear.topRows<3>().setIdentity();
  }
};

class Floor final : public OwnContact {
 public:
  const ContactLaw& law() const override { return law_; }
  int rows() const override { return 3; }
  double gap(const Bodies& bodies, const VecX& q, double time) const override {
    return bodies.centre(0, q).x.z() - time;
  }
  void fill_rows(const Bodies& bodies, const VecX& q, double, RowBlock& block) const override {
    block.rows = 3;
    block.add_side(bodies.centre(0, q))->linear(0, 2) = 1;
  }

 private:
  ContactLaw law_{.friction = 0.3, .restitution = 0.25};
};

/// Two turning bodies with every kind of joint between them and every law on the coordinates.
System make_system() {
  System system;
  for (int i = 0; i < 2; ++i)
    system.bodies.add_rigid({.mass = 1,
                             .inertia = Mat3(Mat3::Identity()),
                             .position = {0.3 + i, -0.2 * i, 0.1},
                             .orientation = Quat(0.9, 0.2 * i, -0.3, 0.1).normalized(),
                             .velocity = {0.4, -0.7, 0.2 + i},
                             .angular_velocity = {0.5, 1.0 - i, -0.3}});
  int coordinates = 0;
  for (const JointInfo& info : joint_infos()) {
    Joint joint;
    joint.kind = info.kind, joint.body_a = 1, joint.body_b = 0;
    joint.frame_a.point = {-0.4, 0.1, 0.2};
    joint.frame_b.point = {0.3, -0.1, 0.1};
    joint.length = 0.7, joint.pitch = 0.2;
    joint.first_coordinate = coordinates;
    coordinates += static_cast<int>(info.coordinates.size());
    system.joints.push_back(joint);
  }
  for (const JointSense sense : {JointSense::AtMost, JointSense::AtLeast, JointSense::Free}) {
    Joint rope = system.joints[static_cast<std::size_t>(JointKind::Distance)];
    rope.sense = sense;
    rope.restitution = 0.5;
    rope.first_coordinate = coordinates++;
    system.joints.push_back(rope);
  }
  const CoordinateTerm angle{static_cast<int>(JointKind::Revolute), 0, 1},
      slide{static_cast<int>(JointKind::Prismatic), 0, -2};
  const auto add = [&](CoordinateLawKind kind, std::vector<CoordinateTerm> terms) -> CoordinateLaw& {
    CoordinateLaw& law = system.coordinate_laws.emplace_back();
    law.kind = kind;
    law.terms = std::move(terms);
    law.target = [](double t) { return std::cos(3 * t); };
    law.force = kind == CoordinateLawKind::Servo ? law.force : 2;
    law.lower = -1, law.upper = 2, law.value = 0.3;
    return law;
  };
  add(CoordinateLawKind::Limit, {angle}).restitution = 0.4;
  add(CoordinateLawKind::Motor, {angle});
  add(CoordinateLawKind::Servo, {slide});
  add(CoordinateLawKind::Friction, {angle});
  add(CoordinateLawKind::Coupling, {angle, slide});
  add(CoordinateLawKind::Coupling, {angle, slide}).sense = JointSense::AtMost;
  add(CoordinateLawKind::Clutch, {angle}).sense = JointSense::AtMost;
  system.own_joints.push_back(std::make_shared<Follower>());
  system.own_contacts.push_back(std::make_shared<Floor>());
  return system;
}

TEST(JointEquations, rows_are_rates_of_errors_and_drift_is_what_time_does) {
  const System system = make_system();
  const Motion motion = initial_motion(system);
  std::vector<JointEquation> list;
  list_equations(system, list);
  const double t = 0.4, d = 1e-6;
  VecX ahead(motion.q.size()), behind(motion.q.size());
  system.bodies.advance(motion.q, motion.u, d, ahead, {});
  system.bodies.advance(motion.q, motion.u, -d, behind, {});
  JointPlaces now, later, before;
  now.set(system, motion.q, motion.s, t);
  later.set(system, ahead, motion.s, t + d);
  before.set(system, behind, motion.s, t - d);
  for (const JointEquation& equation : list) {
    const auto where = fmt::format("kind {}, index {}, part {}", static_cast<int>(equation.owner.kind),
                                   equation.owner.index, equation.owner.part);
    RowBlock block;
    fill_rows(equation, now, block);
    EXPECT_EQ(block.owner.index, equation.owner.index) << where;
    if (equation.sense == EquationSense::Motor || equation.sense == EquationSense::Clutch) continue;
    const RowVector rate = (equation_error(equation, later) - equation_error(equation, before)) / (2 * d);
    const RowVector drift = equation_drift(equation, now, t - d, t + d) / (2 * d);
    const RowVector expected = row_velocity(system.bodies, motion.q, motion.u, block) + drift;
    const bool contact = equation.owner.kind == RowOwner::Kind::OwnContact;  // its error is the gap alone
    for (int l = 0; l < (contact ? 1 : block.rows); ++l)
      EXPECT_NEAR(rate[l], expected[l], 1e-7) << where << " row " << l;
    if (equation.work == RowWork::Drive) {
      EXPECT_NEAR(drift[0], 3 * std::sin(3 * t), 1e-7) << where;
    }
  }
}

TEST(JointEquations, say_what_they_are_and_end_with_their_joints) {
  const System system = make_system();
  Motion motion = initial_motion(system);
  std::vector<JointEquation> list;
  list_equations(system, list);
  const auto count = [&](EquationSense sense) {
    return std::count_if(list.begin(), list.end(), [&](const JointEquation& e) { return e.sense == sense; });
  };
  EXPECT_EQ(count(EquationSense::Equal), 12 + 1 + 1 + 1);   // joints, servo, coupling, own joint
  EXPECT_EQ(count(EquationSense::AtLeast), 2 + 2 + 1 + 1);  // rope and strut, two stops, coupling, own contact
  EXPECT_EQ(count(EquationSense::Motor), 1);
  EXPECT_EQ(count(EquationSense::Friction), 1);
  EXPECT_EQ(count(EquationSense::Clutch), 1);
  motion.broken[static_cast<std::size_t>(JointKind::Prismatic)] = 1;
  EXPECT_EQ(
      std::count_if(list.begin(), list.end(), [&](const JointEquation& e) { return has_ended(e, system, motion); }),
      1 + 3);  // itself, the servo and both couplings
}

TEST(KeptRows, every_row_has_a_place_of_its_own) {
  const System system = make_system();
  std::vector<JointEquation> list;
  list_equations(system, list);
  KeptRows kept;
  kept.set(system);
  JointPlaces at;
  const Motion motion = initial_motion(system);
  at.set(system, motion.q, motion.s, 0);
  std::set<int> seen;
  for (const JointEquation& equation : list) {
    RowBlock block;
    fill_rows(equation, at, block);
    for (int l = 0; l < block.rows; ++l) {
      const int row = kept.first(equation.owner) + l;
      EXPECT_TRUE(row >= 0 && row < kept.size());
      EXPECT_TRUE(seen.insert(row).second) << row;
    }
  }
}

}  // namespace
}  // namespace cairn
