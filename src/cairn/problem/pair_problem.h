// SPDX-License-Identifier: Apache-2.0
// The contact problem in global form for blocks of six velocities: the hot path of many rigid bodies.
//
// Unknown z = M^^(1/2) (u - u_free), so that the rows H~ = H M^^(-1/2) serve both directions:
//   z = H~' r,    U = H~ z + b,    (U, r) obeys the law of each constraint,    W = H~ H~'.
// Every constraint has three rows and couples one or two mobile blocks:
//   U = D (z1_lin + beta z2_lin) + G1 z1_ang + G2 z2_ang + b.
#pragma once
#include "cairn/laws/constraint_law.h"

#include <span>
#include <vector>

namespace cairn {

/// Three rows of H~ and of the right-hand side.
struct PairBlock {
  Mat3 D, G1, G2;
  double beta = 0;
  int first = -1, second = -1;  ///< blocks; second = -1 when the partner cannot move
  LawKind law = LawKind::Coulomb;
  double mu = 0;
  Vec3 b = Vec3::Zero();
};

/// One block of z.
struct PairVelocity {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

struct PairProblem {
  int block_count = 0;
  std::vector<PairBlock> blocks;
  std::size_t size() const { return blocks.size(); }
};

[[gnu::always_inline]] inline Vec3 local_velocity(const PairBlock& c, std::span<const PairVelocity> z) {
  const PairVelocity& z1 = z[static_cast<std::size_t>(c.first)];
  if (c.second < 0) return c.D * z1.linear + c.G1 * z1.angular + c.b;
  const PairVelocity& z2 = z[static_cast<std::size_t>(c.second)];
  return c.D * (z1.linear + c.beta * z2.linear) + c.G1 * z1.angular + c.G2 * z2.angular + c.b;
}

/// z += H~' dr for one constraint.
[[gnu::always_inline]] inline void apply_impulse(const PairBlock& c, const Vec3& dr, std::span<PairVelocity> z) {
  PairVelocity& z1 = z[static_cast<std::size_t>(c.first)];
  const Vec3 p = c.D.transpose() * dr;
  z1.linear += p;
  z1.angular += c.G1.transpose() * dr;
  if (c.second < 0) return;
  PairVelocity& z2 = z[static_cast<std::size_t>(c.second)];
  z2.linear += c.beta * p;
  z2.angular += c.G2.transpose() * dr;
}

/// Diagonal block of W.
inline Mat3 diagonal_block(const PairBlock& c) {
  Mat3 W = (1 + c.beta * c.beta) * (c.D * c.D.transpose()) + c.G1 * c.G1.transpose();
  if (c.second >= 0) W += c.G2 * c.G2.transpose();
  return W;
}

}  // namespace cairn
