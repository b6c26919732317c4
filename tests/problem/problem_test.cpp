// SPDX-License-Identifier: Apache-2.0
// The two forms of a problem are one problem.
#include <gtest/gtest.h>

#include "cairn/assembly/form_problem.h"
#include "cairn/constraints/system.h"
#include "cairn/problem/residual.h"
#include "solvers/random_problem.h"

namespace cairn {
namespace {

TEST(Problem, local_and_global_form_give_the_same_velocities_and_residuals) {
  std::mt19937 rng(7);
  std::normal_distribution<double> d;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const PairProblem problem = random_problem(seed, 4, 12, 2, 0.5);
    const LocalProblem local = to_local(problem);
    VecX r(local.b.size()), U;
    for (double& x : r) x = d(rng);
    std::vector<PairVelocity> z;
    const Residual a = compute_residual(problem, r, z, U), b = compute_residual(local, r);
    EXPECT_LT((local.velocity(r) - U).norm(), 1e-12 * U.norm());
    EXPECT_NEAR(a.scaled, b.scaled, 1e-12 * a.scaled);
    EXPECT_NEAR(a.relative, b.relative, 1e-12 * a.relative);
    EXPECT_GT(a.scaled, 0.1);
  }
}

TEST(Problem, w_is_symmetric_with_the_diagonal_blocks_of_the_pairs) {
  const PairProblem problem = random_problem(3, 3, 10, 0, 0.5);
  const LocalProblem local = to_local(problem);
  MatX W = MatX::Zero(30, 30);
  for (int j = 0; j < 30; ++j) W.col(j) = local.velocity(VecX::Unit(30, j)) - local.b;
  EXPECT_LT((W - W.transpose()).norm(), 1e-13 * W.norm());
  for (int i = 0; i < 10; ++i) {
    EXPECT_LT((W.block<3, 3>(3 * i, 3 * i) - diagonal_block(problem.blocks[static_cast<std::size_t>(i)])).norm(),
              1e-12);
  }
}

TEST(Problem, assembled_from_rigid_bodies_is_the_same_in_both_forms) {
  Bodies bodies;
  std::mt19937 rng(17);
  std::normal_distribution<double> d;
  const auto vector = [&] { return Vec3(d(rng), d(rng), d(rng)); };
  for (int i = 0; i < 3; ++i) {
    RigidSpec spec;
    spec.mass = 1 + i;
    spec.inertia = Vec3(1, 1.2, 1.5).asDiagonal();
    spec.position = vector();
    spec.orientation = Quat(d(rng), d(rng), d(rng), d(rng)).normalized();
    spec.velocity = vector();
    spec.angular_velocity = vector();
    bodies.add_rigid(spec);
  }
  bodies.add_fixed(Vec3::Zero(), Quat::Identity());
  VecX q, u, zero = VecX::Zero(bodies.nu());
  bodies.initial(q, u);
  FreeMotion free;
  bodies.free_motion(q, u, zero, {0, 0.01, {0, 0, -9.81}, false}, free, {});
  std::vector<Constraint> constraints;
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {3, 0}, {2, 3}, {0, 1}, {-1, 1}}) {
    Constraint c;
    c.body_a = a;
    c.body_b = b;
    c.point_a = vector();
    c.point_b = c.point_a + 0.1 * vector();
    c.frame = contact_frame(vector().normalized());
    c.friction = 0.4;
    c.shift = vector();
    constraints.push_back(c);
  }
  compute_local_velocities(bodies, q, u, free, constraints, {});
  PairProblem pair;
  LocalProblem local;
  LocalRows rows;
  assemble(bodies, q, free, constraints, pair, {});
  assemble(bodies, q, free, {}, constraints, local, rows);
  VecX r(local.b.size()), U;
  for (double& x : r) x = d(rng);
  std::vector<PairVelocity> z;
  compute_residual(pair, r, z, U);
  EXPECT_LT((local.velocity(r) - U).norm(), 1e-12 * U.norm());

  // Velocities and generalised impulses agree, and U is what the bodies' points do relative to each other.
  VecX u1, u2, p1, p2;
  recover(bodies, free, pair, r, u1, p1, z);
  recover(bodies, free, local, rows, r, u2, p2);
  EXPECT_LT((u1 - u2).norm(), 1e-12 * u1.norm());
  EXPECT_LT((p1 - p2).norm(), 1e-12 * p1.norm());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Constraint& c = constraints[i];
    const Vec3 va = c.body_a < 0 ? Vec3::Zero() : bodies.point_velocity(c.body_a, q, u1, c.point_a);
    const Vec3 vb = c.body_b < 0 ? Vec3::Zero() : bodies.point_velocity(c.body_b, q, u1, c.point_b);
    EXPECT_LT((c.frame * (va - vb) + c.shift - U.segment<3>(3 * static_cast<int>(i))).norm(), 1e-12);
  }
}

TEST(Residual, of_a_known_pair_is_what_the_formula_says) {
  // One contact, W = diag(2, 1, 1), b = (-1, 0, 0), r = 0: U = b, U~ = b, F = -P_K(-b) = -(1,0,0).
  PairProblem problem;
  problem.block_count = 1;
  PairBlock c;
  c.first = 0;
  c.D = Vec3(std::sqrt(2.0), 1, 1).asDiagonal();
  c.G1.setZero();
  c.G2.setZero();
  c.mu = 0.5;
  c.b = {-1, 0, 0};
  problem.blocks.push_back(c);
  std::vector<PairVelocity> z;
  VecX U, r = VecX::Zero(3);
  const Residual zero = compute_residual(problem, r, z, U);
  EXPECT_DOUBLE_EQ(zero.scaled, 1);
  EXPECT_DOUBLE_EQ(zero.relative, 1);
  r = Vec3(0.5, 0, 0);  // exact
  EXPECT_LT(compute_residual(problem, r, z, U).scaled, 1e-15);
  r = Vec3(0.5, 0.3, 0);  // outside the cone by 0.05 of 0.583
  EXPECT_NEAR(compute_residual(problem, r, z, U).cone, 0.05 / std::hypot(0.5, 0.3), 1e-15);
}

}  // namespace
}  // namespace cairn
