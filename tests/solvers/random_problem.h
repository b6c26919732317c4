// SPDX-License-Identifier: Apache-2.0
// Random pair problems for solver tests: bodies in a chain and in a net, contacts and joints.
#pragma once
#include <random>

#include "cairn/constraints/constraint.h"
#include "cairn/problem/pair_problem.h"

namespace cairn {

/// `contacts` constraints between `bodies` blocks (or block and ground), of which the first `joints` are bilateral.
inline PairProblem random_problem(unsigned seed, int bodies, int contacts, int joints, double mu) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  const auto vector = [&] { return Vec3(d(rng), d(rng), d(rng)); };
  PairProblem problem;
  problem.block_count = bodies;
  for (int i = 0; i < contacts; ++i) {
    PairBlock c;
    c.first = static_cast<int>(rng() % static_cast<unsigned>(bodies));
    c.second = static_cast<int>(rng() % static_cast<unsigned>(bodies + 1)) - 1;
    if (c.second == c.first) c.second = -1;
    const Mat3 frame = contact_frame(vector().normalized());
    c.D = frame;
    c.beta = c.second >= 0 ? -0.8 : 0;
    for (int k = 0; k < 3; ++k) c.G1.row(k) = vector().cross(Vec3(frame.row(k)));
    c.G2.setZero();
    if (c.second >= 0)
      for (int k = 0; k < 3; ++k) c.G2.row(k) = vector().cross(Vec3(frame.row(k)));
    c.law = i < joints ? LawKind::Bilateral : LawKind::Coulomb;
    c.mu = i < joints ? 0 : mu;
    c.b = vector();
    problem.blocks.push_back(c);
  }
  return problem;
}

/// One block of unit mass on four points in a square, pressed down by 0.1 and pushed sideways inside the cone: W has
/// rank 6 of 12, so its impulses are not unique (validation problem N4).
inline PairProblem four_legged_table() {
  PairProblem table;
  table.block_count = 1;
  for (int i = 0; i < 4; ++i) {
    PairBlock c;
    c.first = 0;
    const Vec3 arm(i & 1 ? 1 : -1, i & 2 ? 1 : -1, -0.5);
    c.D = contact_frame(Vec3::UnitZ());
    for (int k = 0; k < 3; ++k) c.G1.row(k) = arm.cross(Vec3(c.D.row(k)));
    c.G2.setZero();
    c.mu = 0.6;
    c.b = c.D * Vec3(0.05, 0, -0.1);
    table.blocks.push_back(c);
  }
  return table;
}

}  // namespace cairn
