// SPDX-License-Identifier: Apache-2.0
// Geometric stiffness against the closed forms of Hewlett's thesis and against differences, for laws on coordinates and
// bars too. Joints of all kinds: joint_test.cpp.
#include "cairn/constraints/geometric_stiffness.h"

#include "cairn/constraints/bar_length.h"
#include "support/random_motion.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace cairn {
namespace {

MatX dense(const Bodies& bodies, const StiffnessEntries& entries) {
  MatX K = MatX::Zero(bodies.nu(), bodies.nu());
  for (const auto& e : entries) K(e.row(), e.col()) += e.value();
  return K;
}

/// Two rigid bodies in random places and a joint of the kind whose frames are in random places on them.
struct Pair {
  Bodies bodies;
  Joint joint;
  VecX q, u;

  Pair(JointKind kind, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
    for (int k = 0; k < 2; ++k) {
      RigidSpec spec;
      spec.position = vector();
      spec.orientation = Quat(random_rotation(random));
      spec.velocity = vector();
      spec.angular_velocity = vector();
      bodies.add_rigid(spec);
    }
    joint.kind = kind;
    joint.body_a = 0, joint.body_b = 1;
    joint.frame_a = {vector(), random_rotation(random)};
    joint.frame_b = {vector(), random_rotation(random)};
    joint.length = 0.5;
    joint.pitch = 0.2;
    bodies.initial(q, u);
  }
};

TEST(GeometricStiffness, of_a_revolute_joint_is_the_published_form) {
  // In world axes (Hewlett 2020, chapter 3): rows of the torques of A and B
  //   [lambda~ s_A~ + gamma, -gamma'; -gamma, -lambda~ s_B~ + gamma'],  gamma = (l_1 c~ + l_2 d~) n~
  // with n = a_3, c = b_1, d = b_2. In axes of the bodies R'(K u + tau x omega) replaces it.
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Pair c(JointKind::Revolute, seed);
    RowVector lambda = RowVector::Zero();
    lambda.head<5>() << 2, -1, 3, 0.7, -1.9;
    StiffnessEntries entries;
    add_geometric_stiffness(c.bodies, c.q, c.joint, lambda, entries);
    const MatX K = dense(c.bodies, entries);

    const PlacedJoint at = place(c.joint, c.bodies, c.q);
    const Vec3 force = lambda.head<3>(), n = at.a.col(2);
    const Vec3 s[2] = {at.point_a - c.bodies.placement(0, c.q).c, at.point_b - c.bodies.placement(1, c.q).c};
    const Mat3 gamma = (lambda[3] * hat(at.b.col(0)) + lambda[4] * hat(at.b.col(1))) * hat(n);
    Eigen::Matrix<double, 6, 6> world;
    world << hat(force) * hat(s[0]) + gamma, -gamma.transpose(), -gamma, -hat(force) * hat(s[1]) + gamma.transpose();
    const Vec3 moment = n.cross(at.b.col(0)) * lambda[3] + n.cross(at.b.col(1)) * lambda[4];
    const Vec3 torque[2] = {s[0].cross(force) + moment, -s[1].cross(force) - moment};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const Mat3 R_i = c.bodies.rotation({.body = i}, c.q), R_j = c.bodies.rotation({.body = j}, c.q);
        Mat3 expected = world.block<3, 3>(3 * i, 3 * j);
        if (i == j) expected += hat(torque[i]);
        expected = R_i.transpose() * expected * R_j;
        EXPECT_LT((K.block<3, 3>(6 * i + 3, 6 * j + 3) - expected).norm(), 1e-13);
        // Places do not matter where the force keeps its direction.
        EXPECT_EQ(K.block(6 * i, 6 * j, 6, 3).norm() + K.block(6 * i, 6 * j, 3, 6).norm(), 0);
      }
  }
}

TEST(GeometricStiffness, of_the_planar_double_pendulum_is_the_published_form) {
  // Hewlett 2020, 3.37 with the sign of its second term mended: angles from the downward vertical, half lengths l.
  constexpr double l1 = 0.5, l2 = 0.4, t1 = 0.7, t2 = -0.4;
  Bodies bodies;
  const Vec3 first(std::sin(t1), 0, -std::cos(t1)), second(std::sin(t2), 0, -std::cos(t2));
  // Turning by theta about -y takes the downward rod to (sin, 0, -cos).
  const auto turned = [](double t) { return Quat(Eigen::AngleAxisd(-t, Vec3::UnitY())); };
  bodies.add_rigid({.position = l1 * first, .orientation = turned(t1)});
  bodies.add_rigid({.position = 2 * l1 * first + l2 * second, .orientation = turned(t2)});
  VecX q, u;
  bodies.initial(q, u);
  Joint top, middle;
  top.body_a = 0, top.frame_a.point = {0, 0, l1};
  middle.body_a = 0, middle.body_b = 1, middle.frame_a.point = {0, 0, -l1}, middle.frame_b.point = {0, 0, l2};
  EXPECT_LT(place(top, bodies, q).gap().norm() + place(middle, bodies, q).gap().norm(), 1e-15);
  RowVector a = RowVector::Zero(), b = RowVector::Zero();
  const double lambda[4] = {1.1, -2.3, 0.6, 4.2};
  a[0] = lambda[0], a[2] = lambda[1], b[0] = lambda[2], b[2] = lambda[3];
  StiffnessEntries entries;
  add_geometric_stiffness(bodies, q, top, a, entries);
  add_geometric_stiffness(bodies, q, middle, b, entries);
  const MatX K = dense(bodies, entries);
  const double K33 = l1 * std::sin(t1) * (lambda[0] - lambda[2]) + l1 * std::cos(t1) * (lambda[3] - lambda[1]);
  const double K66 = l2 * (lambda[3] * std::cos(t2) - lambda[2] * std::sin(t2));
  EXPECT_NEAR(K(4, 4), K33, 1e-14);
  EXPECT_NEAR(K(10, 10), K66, 1e-14);
  EXPECT_EQ(K(4, 10), 0);
}

TEST(GeometricStiffness, of_laws_on_coordinates_is_the_change_of_their_force) {
  for (const JointKind kind :
       {JointKind::Revolute, JointKind::Cylindrical, JointKind::Planar, JointKind::Distance, JointKind::Screw})
    for (int coordinate = 0; coordinate < static_cast<int>(joint_info(kind).coordinates.size()); ++coordinate) {
      const Pair c(kind, 7);
      CoordinateLaw law;
      law.kind = CoordinateLawKind::Coupling;
      law.terms = {{0, coordinate, 1.7}};
      StiffnessEntries exact, differences;
      add_geometric_stiffness(c.bodies, c.q, law, std::span(&c.joint, 1), -0.8, exact);
      RowVector lambda = RowVector::Zero();
      lambda[0] = -0.8;
      const auto rows = [&](const VecX& q, RowBlock& block) {
        const PlacedJoint at = place(c.joint, c.bodies, q);
        fill_row(law, std::span(&c.joint, 1), std::span(&at, 1), 1, block);
      };
      add_difference_stiffness(c.bodies, c.q, rows, lambda, differences);
      const MatX K = dense(c.bodies, exact), D = dense(c.bodies, differences);
      EXPECT_LT((K - D).norm(), 1e-7 * (1 + K.norm())) << joint_info(kind).name << ' ' << coordinate;
    }
}

TEST(GeometricStiffness, of_a_bar_is_the_change_of_its_force_and_damps_in_tension_only) {
  const auto chain = std::make_shared<BarChain>(BarChainSpec{.points = {{0, 0, 0}, {0.3, 0.2, -0.5}, {0.1, 0.9, -0.6}},
                                                             .held = {true, false, false},
                                                             .bars = {{0, 1, 2}, {1, 2, 1}}});
  Bodies bodies;
  const int body = bodies.add(chain).value;
  VecX q, u;
  bodies.initial(q, u);
  for (std::size_t bar = 0; bar < 2; ++bar) {
    const BarLength length(body, chain, bar);
    for (const double force : {-2.0, 3.0}) {
      RowVector lambda = RowVector::Zero();
      lambda[0] = force;
      StiffnessEntries exact, differences;
      add_geometric_stiffness(bodies, q, length, 0, lambda, exact);
      const auto rows = [&](const VecX& there, RowBlock& block) { length.fill_rows(bodies, there, 0, block); };
      add_difference_stiffness(bodies, q, rows, lambda, differences);
      const MatX K = dense(bodies, exact);
      EXPECT_LT((K - dense(bodies, differences)).norm(), 1e-8);
      const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(-K).eigenvalues();
      EXPECT_EQ(values.minCoeff() > -1e-12, force < 0);
    }
  }
}

}  // namespace
}  // namespace cairn
