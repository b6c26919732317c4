// SPDX-License-Identifier: Apache-2.0
// Cubes above each other of which the topmost slides: the smallest structure with impulses that are not unique.
#pragma once
#include "cairn/problem/global_problem.h"

namespace cairn::tower_problem {

inline constexpr double h = 0.01, g = 9.81, mu = 0.5, speed = 1;

/// Cubes of 1 kg and 1 m above each other, four contacts at the corners of each face; the topmost comes with `speed`.
inline GlobalProblem tower(int bodies) {
  GlobalProblem problem;
  std::vector<Eigen::Triplet<double>> M, H;
  problem.f = VecX::Zero(6 * bodies);
  int rows = 0;
  for (int b = 0; b < bodies; ++b) {
    for (int k = 0; k < 6; ++k) M.emplace_back(6 * b + k, 6 * b + k, k < 3 ? 1.0 : 1.0 / 6);
    problem.f[6 * b + 2] = -g * h;
    if (b == bodies - 1) problem.f[6 * b] = speed;
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {
        const Vec3 directions[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (const Vec3& direction : directions) {
          const auto add = [&](int body, const Vec3& arm, double sign) {
            const Vec3 turn = arm.cross(direction);
            for (int k = 0; k < 3; ++k) {
              if (direction[k] != 0) H.emplace_back(6 * body + k, rows, sign * direction[k]);
              if (turn[k] != 0) H.emplace_back(6 * body + 3 + k, rows, sign * turn[k]);
            }
          };
          add(b, {x, y, -0.5}, 1);
          if (b > 0) add(b - 1, {x, y, 0.5}, -1);
          ++rows;
        }
        problem.offset.push_back(rows);
        problem.law.push_back({LawKind::Coulomb, mu});
      }
    }
  }
  problem.w = VecX::Zero(rows);
  problem.M.resize(6 * bodies, 6 * bodies);
  problem.M.setFromTriplets(M.begin(), M.end());
  problem.H.resize(6 * bodies, rows);
  problem.H.setFromTriplets(H.begin(), H.end());
  return problem;
}

}  // namespace cairn::tower_problem
