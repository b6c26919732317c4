// SPDX-License-Identifier: Apache-2.0
// The equations of motion in natural coordinates: their tangent against differences, their balance against Newton's
// laws.
#include "cairn/assembly/natural_system.h"

#include <gtest/gtest.h>

#include "cairn/sim/simulation.h"

namespace cairn {
namespace {

/// Three bodies with joints, drives, springs, a soft joint, damping, and two spheres pressed into each other.
Model make_crowd(bool curved_rows) {
  Model model;
  model.set_contact({.friction = 0.4, .restitution = 0.6});
  const auto add = [&](const std::string& name, const Vec3& x, const Vec3& axis) {
    model.add_rigid({.name = name,
                     .shape = Sphere{0.52},
                     .position = x,
                     .orientation = Quat(Eigen::AngleAxisd(0.7, axis.normalized())),
                     .velocity = Vec3(0.3, -0.2, 0.4) + 0.1 * x,
                     .angular_velocity = Vec3(1, -0.5, 0.8),
                     .mass = 1.3,
                     .inertia = Mat3(Vec3(0.3, 0.5, 0.4).asDiagonal()),
                     .linear_damping = 0.3,
                     .angular_damping = 0.2});
  };
  add("a", {0, 0, 0}, {1, 2, 3});
  add("b", {1, 0.1, 0.05}, {-1, 1, 0.5});
  add("c", {3, 1, -1}, {0.3, -1, 1});
  model.add_joint({.kind = JointKind::Cylindrical, .name = "rod", .body_a = "b", .body_b = "c", .axis = Vec3::UnitX()});
  model.add_joint({.kind = JointKind::Universal,
                   .body_a = "a",
                   .position = {0.2, 0.1, 0.3},
                   .axis = Vec3::UnitX(),
                   .second_axis = Vec3(Vec3::UnitY())});
  model.add_joint({.kind = JointKind::Prismatic,
                   .body_a = "c",
                   .body_b = "a",
                   .position = {1, 1, 1},
                   .axis = Vec3(1, 1, 0).normalized(),
                   .stiffness = 40.0,
                   .damping = 3.0});
  if (curved_rows) {
    model.add_joint({.kind = JointKind::Distance,
                     .body_a = "a",
                     .body_b = "c",
                     .position = {0.3, 0, 0},
                     .second_position = Vec3(2, 1, 0)});
    model.add_coordinate_law(
        {.kind = CoordinateLawKind::Servo, .terms = {{"rod", "angle"}}, .target = [](double t) { return 0.3 * t; }});
  }
  model.add_spring(
      {.body_a = "a", .body_b = "c", .anchor_a = {0.1, 0.2, 0.3}, .anchor_b = {0, 0.1, 0.2}, .stiffness = 60});
  model.add_bushing({.body_a = "b",
                     .body_b = "c",
                     .anchor_a = {0.5, 0, 0},
                     .anchor_b = {-1.5, -0.9, 1.05},
                     .stiffness = {20, 30, 40},
                     .damping = {1, 2, 3},
                     .torsional_stiffness = {5, 6, 7},
                     .torsional_damping = {0.5, 0.6, 0.7}});
  model.add_load({.body = "b",
                  .force = [](double) { return Vec3(1, 2, 3); },
                  .torque = [](double) { return Vec3(0.4, -0.3, 0.2); }});
  return model;
}

struct Evaluated {
  Model model;
  Motion motion;
  NaturalSystem system;
  VecX z, rate, acceleration;
  std::vector<RowPull> pulls;

  explicit Evaluated(const Model& m) : model(m), motion(initial_motion(model.system())) {
    std::srand(3);
    system.begin(model.system(), motion, 1e-3);
    system.read(z, rate);
    acceleration = VecX::Random(z.size());
    system.evaluate(z, rate, acceleration);
    system.find_contacts({.stiffness = 3e3}, {});
    for (std::size_t i = 0; i < system.rows().size(); ++i) {
      const VecX r = VecX::Random(4);
      pulls.push_back({10 * r[0], r[1], 3 * r[2], 50 * r[3]});
    }
  }
  VecX residual(const VecX& at, const VecX& rate_at, const VecX& acceleration_at) {
    system.evaluate(at, rate_at, acceleration_at);
    return system.mass_product(acceleration_at) +
           system.narrow(system.transposed(system.pull(pulls)) - system.forces().sum());
  }
};

TEST(NaturalSystem, tangent_matches_differences_of_the_equations_of_motion) {
  for (const bool curved : {false, true}) {
    Evaluated e(make_crowd(curved));
    ASSERT_EQ(e.system.contacts().size(), 1u);
    if (curved)
      for (RowPull& pull : e.pulls) pull.a = 0;  // third derivatives are left out
    for (const TangentWeights weights : {TangentWeights{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0.3, 0.2}}) {
      NaturalMatrix T;
      e.system.evaluate(e.z, e.rate, e.acceleration);
      e.system.tangent(e.pulls, weights, T);
      const MatX dense = T.dense();
      const double d = 1e-6;
      for (Eigen::Index i = 0; i < e.z.size(); ++i) {
        const VecX x = d * VecX::Unit(e.z.size(), i);
        const VecX up =
            e.residual(e.z + weights.stiffness * x, e.rate + weights.damping * x, e.acceleration + weights.mass * x);
        const VecX down =
            e.residual(e.z - weights.stiffness * x, e.rate - weights.damping * x, e.acceleration - weights.mass * x);
        const double scale = 1 + dense.col(i).norm();
        EXPECT_LT(((up - down) / (2 * d) - dense.col(i)).norm(), 2e-7 * scale)
            << i << (curved ? " curved " : " ") << weights.mass << weights.damping << weights.stiffness;
      }
    }
  }
}

TEST(NaturalSystem, factors_solve_the_tangent) {
  Evaluated e(make_crowd(true));
  NaturalMatrix T;
  for (RowPull& pull : e.pulls) pull = {1, 0, 0, 1e3};
  e.system.tangent(e.pulls, {1, 5e-4, 2.5e-7}, T);
  const VecX b = VecX::Random(e.z.size());
  VecX x = b;
  ASSERT_TRUE(T.factor());
  T.solve(x);
  EXPECT_LT((T.dense() * x - b).norm(), 1e-10);
}

TEST(NaturalSystem, a_free_body_needs_no_gyroscopic_terms) {
  // Euler's equations come out of constant mass and the six equations: J dOmega/dt = -Omega x J Omega.
  Model model;
  model.set_gravity(Vec3::Zero());
  const Vec3 J(1, 1.5, 2), omega(0.4, -0.7, 1.1);
  model.add_rigid({.name = "body", .angular_velocity = omega, .mass = 1, .inertia = Mat3(J.asDiagonal())});
  const Motion motion = initial_motion(model.system());
  NaturalSystem system;
  system.begin(model.system(), motion, 1e-3);
  VecX z, rate;
  system.read(z, rate);
  const Vec3 change = (-omega.cross(Vec3(J.cwiseProduct(omega)))).cwiseQuotient(J);
  Vec6 u, du;
  u << 0, 0, 0, omega;
  du << 0, 0, 0, change;
  const Frame acceleration = natural_acceleration(world_frame(), u, du);
  system.evaluate(z, rate, Eigen::Map<const VecX>(acceleration.data(), 12));
  EXPECT_LT(system.accelerations().norm(), 1e-14);
  // What is left of M z'' lies in the space of the reactions: it does no work on turning.
  const VecX inertia = system.mass_product(Eigen::Map<const VecX>(acceleration.data(), 12));
  EXPECT_LT((rigid_rate(world_frame()) * inertia).tail<3>().norm(), 1e-14);
}

}  // namespace
}  // namespace cairn
