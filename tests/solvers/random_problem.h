// SPDX-License-Identifier: Apache-2.0
// Random pair problems for solver tests: bodies in a chain and in a net, contacts and joints.
#pragma once
#include <random>

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

}  // namespace cairn
