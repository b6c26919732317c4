// SPDX-License-Identifier: Apache-2.0
// Every kind of joint on every pair of bodies: its rows are the time derivatives of its errors and coordinates, and
// what it does to one body it undoes to the other.
#include "cairn/bodies/affine.h"
#include "cairn/constraints/coordinate_law.h"
#include "cairn/constraints/geometric_stiffness.h"

#include <gtest/gtest.h>
#include <numbers>
#include <random>

namespace cairn {
namespace {

enum class Partner { World, Rigid, Affine };

/// Two bodies in random places, moving at random, and a joint of the kind between them that holds to within `error`.
struct Case {
  Bodies bodies;
  Joint joint;
  VecX q, u, s;

  Case(JointKind kind, Partner first, Partner second, unsigned seed, double error) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
    const auto rotation = [&] {
      return Quat(Eigen::Vector4d(number(random), number(random), number(random), number(random)).normalized());
    };
    const auto add = [&](Partner partner) {
      if (partner == Partner::World) return -1;
      if (partner == Partner::Rigid) {
        RigidSpec spec;
        spec.inertia = Vec3(1, 1.3, 1.7).asDiagonal();
        spec.position = vector();
        spec.orientation = rotation();
        spec.velocity = vector();
        spec.angular_velocity = vector();
        return bodies.add_rigid(spec).value;
      }
      AffineSpec spec;
      spec.position = vector();
      Mat3 stretch = Mat3::Identity();
      for (double& x : stretch.reshaped()) x += 0.2 * number(random);
      spec.deformation = rotation().toRotationMatrix() * stretch;
      spec.velocity = vector();
      for (double& x : spec.deformation_rate.reshaped()) x = number(random);
      return bodies.add(std::make_shared<AffineBody>(spec)).value;
    };
    joint.kind = kind;
    joint.body_a = add(first);
    joint.body_b = add(second);
    joint.length = 0.7;
    joint.pitch = 0.3;
    bodies.initial(q, u);
    // Frames that fit where the coordinates have random values.
    const Mat3 b = rotation().toRotationMatrix();
    const auto turn = [&](double angle, int axis) {
      return Eigen::AngleAxisd(angle, Vec3::Unit(axis)).toRotationMatrix();
    };
    Mat3 relative = Mat3::Identity();
    Vec3 offset = Vec3::Zero();
    const double angle = 0.8 + 0.5 * number(random), slide = number(random);
    switch (kind) {
      case JointKind::Ball: relative = rotation().toRotationMatrix(); break;
      case JointKind::Revolute: relative = turn(angle, 2); break;
      case JointKind::Weld: break;
      case JointKind::Prismatic: offset = slide * Vec3::UnitZ(); break;
      case JointKind::Cylindrical: relative = turn(angle, 2), offset = slide * Vec3::UnitZ(); break;
      case JointKind::Universal: relative = turn(angle, 0) * turn(0.4 * number(random), 1); break;
      case JointKind::ConstantVelocity:
        relative = Eigen::AngleAxisd(angle, Vec3(std::cos(slide), std::sin(slide), 0)).toRotationMatrix();
        break;
      case JointKind::Planar: relative = turn(angle, 2), offset = Vec3(slide, number(random), 0); break;
      case JointKind::PointOnLine: relative = rotation().toRotationMatrix(), offset = slide * Vec3::UnitZ(); break;
      case JointKind::PointOnPlane:
        relative = rotation().toRotationMatrix(), offset = Vec3(slide, number(random), 0);
        break;
      case JointKind::Distance: relative = rotation().toRotationMatrix(), offset = 0.7 * vector().normalized(); break;
      case JointKind::Screw:
        relative = turn(angle, 2), offset = 0.3 * angle / (2 * std::numbers::pi) * Vec3::UnitZ();
        break;
    }
    relative = Eigen::AngleAxisd(error, vector().normalized()).toRotationMatrix() * relative;
    offset += error * vector();
    const Vec3 point = vector();
    const auto frame = [&](int body, const Vec3& x, const Mat3& axes) -> JointFrame {
      if (body < 0) return {x, axes};
      const Placement place = bodies.placement(body, q);
      return {place.A.inverse() * (x - place.c), bodies.rotation({.body = body}, q).transpose() * axes};
    };
    joint.frame_b = frame(joint.body_b, point, b);
    joint.frame_a = frame(joint.body_a, point + b * offset, b * relative);
    s.setZero(static_cast<Eigen::Index>(joint_info(kind).coordinates.size()));
    follow_coordinates(std::span(&joint, 1), bodies, q, s);
  }

  /// Configuration and coordinates moved on by u.
  void moved(double h, VecX& q_out, VecX& s_out) const {
    q_out.resize(bodies.nq());
    bodies.advance(q, u, h, q_out, {});
    s_out = s;
    follow_coordinates(std::span(&joint, 1), bodies, q_out, s_out);
  }
};

template <class Check>
void for_every_joint(double error, Check&& check) {
  constexpr Partner pairs[][2] = {{Partner::Rigid, Partner::World},  {Partner::World, Partner::Rigid},
                                  {Partner::Rigid, Partner::Rigid},  {Partner::Affine, Partner::Rigid},
                                  {Partner::Rigid, Partner::Affine}, {Partner::Affine, Partner::Affine},
                                  {Partner::World, Partner::Affine}};
  unsigned seed = 1;
  for (const JointInfo& info : joint_infos())
    for (const auto& pair : pairs)
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Case c(info.kind, pair[0], pair[1], ++seed, error);
        SCOPED_TRACE(::testing::Message() << info.name << " pair " << static_cast<int>(pair[0]) << ' '
                                          << static_cast<int>(pair[1]) << " seed " << seed);
        check(c, info);
      }
}

TEST(EveryJoint, errors_vanish_where_it_holds) {
  for_every_joint(0, [](const Case& c, const JointInfo&) {
    EXPECT_LT(joint_error(c.joint, place(c.joint, c.bodies, c.q), c.s).norm(), 1e-14);
  });
}

TEST(EveryJoint, force_of_constant_multipliers_turns_by_the_geometric_stiffness) {
  for_every_joint(0.05, [](const Case& c, const JointInfo& info) {
    RowVector lambda = RowVector::Zero();
    for (std::size_t l = 0; l < info.rows.size(); ++l)
      lambda[static_cast<Eigen::Index>(l)] = 1.3 - 0.7 * static_cast<double>(l);
    const auto force = [&](double h) -> VecX {
      VecX q, s;
      c.moved(h, q, s);
      RowBlock block;
      fill_rows(c.joint, place(c.joint, c.bodies, q), block);
      return row_force(c.bodies, q, block, lambda);
    };
    constexpr double h = 1e-5;
    const VecX difference = (force(h) - force(-h)) / (2 * h);
    StiffnessEntries entries;
    add_geometric_stiffness(c.bodies, c.q, c.joint, lambda, entries);
    Eigen::SparseMatrix<double> K(c.bodies.nu(), c.bodies.nu());
    K.setFromTriplets(entries.begin(), entries.end());
    EXPECT_LT((K * c.u - difference).norm(), 1e-8 * (1 + difference.norm()));
  });
}

TEST(EveryJoint, rows_are_the_rates_of_the_errors) {
  for_every_joint(0.05, [](const Case& c, const JointInfo& info) {
    RowBlock block;
    fill_rows(c.joint, place(c.joint, c.bodies, c.q), block);
    ASSERT_EQ(block.rows, static_cast<int>(info.rows.size()));
    constexpr double h = 1e-5;
    VecX q_before, q_after, s_before, s_after;
    c.moved(h, q_after, s_after);
    c.moved(-h, q_before, s_before);
    const RowVector difference = (joint_error(c.joint, place(c.joint, c.bodies, q_after), s_after) -
                                  joint_error(c.joint, place(c.joint, c.bodies, q_before), s_before)) /
                                 (2 * h);
    EXPECT_LT((row_velocity(c.bodies, c.q, c.u, block) - difference).norm(), 1e-8 * (1 + difference.norm()));
  });
}

TEST(EveryJoint, rates_of_rows_are_the_second_differences_of_the_errors) {
  // With u held, d/dt (H u) = d2 g/dt2: what the curved rule takes from two configurations, (H_M - H_B) u_B.
  for_every_joint(0.05, [](const Case& c, const JointInfo&) {
    constexpr double h = 1e-3;
    const auto at = [&](double t, RowVector& g) -> RowVector {
      VecX q, s;
      c.moved(t, q, s);
      const PlacedJoint placed = place(c.joint, c.bodies, q);
      g = joint_error(c.joint, placed, s);
      RowBlock block;
      fill_rows(c.joint, placed, block);
      return row_velocity(c.bodies, q, c.u, block);
    };
    RowVector g_before, g_now, g_after;
    const RowVector before = at(-h, g_before), after = at(h, g_after);
    at(0, g_now);
    const RowVector second = (g_after - 2 * g_now + g_before) / (h * h);
    EXPECT_LT(((after - before) / (2 * h) - second).norm(), 1e-4 * (1 + second.norm()));
  });
}

TEST(EveryJoint, coordinate_rows_are_the_rates_of_the_coordinates) {
  for_every_joint(0, [](const Case& c, const JointInfo& info) {
    constexpr double h = 1e-5;
    VecX q, s_before, s_after;
    c.moved(h, q, s_after);
    c.moved(-h, q, s_before);
    for (int k = 0; k < static_cast<int>(info.coordinates.size()); ++k) {
      RowBlock block;
      block.rows = 1;
      add_coordinate_row(c.joint, place(c.joint, c.bodies, c.q), k, 1, block, 0);
      EXPECT_NEAR(row_velocity(c.bodies, c.q, c.u, block)[0], (s_after[k] - s_before[k]) / (2 * h), 1e-8) << k;
    }
  });
}

TEST(EveryJoint, spin_is_the_rate_of_the_rotation) {
  for_every_joint(0, [](const Case& c, const JointInfo&) {
    constexpr double h = 1e-5;
    VecX before(c.bodies.nq()), after(c.bodies.nq());
    c.bodies.advance(c.q, c.u, h, after, {});
    c.bodies.advance(c.q, c.u, -h, before, {});
    for (int body = 0; body < c.bodies.size(); ++body) {
      const Mat3 R = c.bodies.rotation({.body = body}, c.q);
      const Mat3 rate =
          (c.bodies.rotation({.body = body}, after) - c.bodies.rotation({.body = body}, before)) / (2 * h);
      EXPECT_LT((rate - hat(c.bodies.spin({.body = body}, c.q, c.u)) * R).norm(), 1e-8);
    }
  });
}

TEST(EveryJoint, impulses_on_the_two_bodies_cancel) {
  // Any rigid motion of both together leaves every row at rest, so impulses exchange momentum exactly.
  for_every_joint(0.05, [](const Case& c, const JointInfo&) {
    RowBlock block;
    const PlacedJoint at = place(c.joint, c.bodies, c.q);
    fill_rows(c.joint, at, block);
    if (block.side_count < 2) return;
    const RowMatrix force = block.sides[0].linear + block.sides[1].linear;
    EXPECT_LT(force.norm(), 1e-14);
    for (int row = 0; row < block.rows; ++row) {
      Vec3 moment = Vec3::Zero();
      for (int k = 0; k < 2; ++k) {
        const RowSide& side = block.sides[static_cast<std::size_t>(k)];
        moment += side.angular.row(row).transpose() + side.x.cross(Vec3(side.linear.row(row)));
      }
      // Rows of points in world axes pull along the gap's sides: their moment is that of the gap, which drift keeps
      // small.
      EXPECT_LT(moment.norm(), 1e-14 + at.gap().norm() * block.sides[0].linear.row(row).norm());
    }
  });
}

TEST(JointCoordinate, counts_turns) {
  Bodies bodies;
  RigidSpec spec;
  spec.angular_velocity = {0, 0, 5};
  bodies.add_rigid(spec);
  Joint joint;
  joint.kind = JointKind::Revolute;
  joint.body_a = 0;
  VecX q, u, s = VecX::Zero(1);
  bodies.initial(q, u);
  for (int i = 0; i < 1000; ++i) {
    VecX next(q.size());
    bodies.advance(q, u, 0.1, next, {});
    q = next;
    follow_coordinates(std::span(&joint, 1), bodies, q, s);
  }
  EXPECT_NEAR(s[0], 500, 1e-9);
}

}  // namespace
}  // namespace cairn
