// SPDX-License-Identifier: Apache-2.0
// Every solution of a small bounded Mlcp by trying all 3^n combinations of lower, free and upper: the oracle of the
// tests.
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "cairn/problem/lcp.h"

namespace cairn {

/// A vector of unknown size of these numbers (GCC 12 warns of fixed sizes copied to it).
inline VecX vec(std::initializer_list<double> numbers) {
  VecX v(static_cast<Eigen::Index>(numbers.size()));
  Eigen::Index i = 0;
  for (const double x : numbers) v[i++] = x;
  return v;
}

inline std::vector<VecX> enumerate_solutions(const Mlcp& p) {
  const int n = p.size();
  std::vector<VecX> found;
  std::vector<int> state(static_cast<std::size_t>(n), 0);  // 0 lower, 1 free, 2 upper
  while (true) {
    bool possible = true;
    std::vector<int> F;
    VecX z = VecX::Zero(n);
    for (int i = 0; i < n; ++i) {
      const int s = state[static_cast<std::size_t>(i)];
      if (s == 1) F.push_back(i);
      if (s == 0) z[i] = p.lower[i];
      if (s == 2) z[i] = p.upper[i];
      possible = possible && std::isfinite(z[i]);
    }
    if (possible) {
      bool regular = true;
      if (!F.empty()) {
        const Eigen::FullPivLU<MatX> factor(p.M(F, F));
        regular = factor.isInvertible();
        if (regular) {
          const VecX known = p.slack(z);
          z(F) = -factor.solve(VecX(known(F)));
        }
      }
      const VecX w = p.slack(z);
      bool good = regular;
      for (int i = 0; i < n && good; ++i) {
        const int s = state[static_cast<std::size_t>(i)];
        good = z[i] >= p.lower[i] - 1e-9 && z[i] <= p.upper[i] + 1e-9;
        if (p.lower[i] < p.upper[i]) good = good && !(s == 0 && w[i] < -1e-9) && !(s == 2 && w[i] > 1e-9);
      }
      for (const VecX& other : found) good = good && (other - z).norm() > 1e-8;
      if (good) found.push_back(z);
    }
    int i = 0;
    while (i < n && ++state[static_cast<std::size_t>(i)] == 3) state[static_cast<std::size_t>(i++)] = 0;
    if (i == n) return found;
  }
}

/// Positive definite (not symmetric) with bounds of all kinds in turn: [0, inf), free, box, (-inf, 0.1], one value.
inline Mlcp random_mlcp(unsigned seed, int n, bool kinds = true) {
  std::mt19937 rng(seed);
  std::normal_distribution<double> d;
  const double inf = std::numeric_limits<double>::infinity();
  MatX A(n, n), S(n, n);
  Mlcp p;
  p.q.resize(n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) A(i, j) = d(rng), S(i, j) = d(rng);
    p.q[j] = 2 * d(rng);
  }
  p.M = A * A.transpose() / n + 0.1 * MatX::Identity(n, n) + 0.5 * (S - S.transpose());
  p.lower = VecX::Zero(n);
  p.upper = VecX::Constant(n, inf);
  for (int i = 0; kinds && i < n; ++i) {
    if (i % 5 == 1) p.lower[i] = -inf;
    if (i % 5 == 2) p.lower[i] = -0.3, p.upper[i] = 0.4;
    if (i % 5 == 3) p.lower[i] = -inf, p.upper[i] = 0.1;
    if (i % 5 == 4) p.lower[i] = p.upper[i] = 0.2;
  }
  return p;
}

/// A brick of mass 1 on four corners: half lengths (1, 1, 0.1), inertia of a uniform brick; 12 rows on 6 dof, so that W
/// has rank 6. `velocity` is the free velocity of its centre.
inline LocalProblem brick_on_corners(double mu, const Vec3& velocity) {
  LocalProblem problem;
  const double a = 1, c = 0.1;
  MatX H(12, 6);
  for (int k = 0; k < 4; ++k) {
    const Vec3 x(k & 1 ? a : -a, k & 2 ? a : -a, -c);
    const Vec3 axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int l = 0; l < 3; ++l) {
      H.block<1, 3>(3 * k + l, 0) = axes[l].transpose();
      H.block<1, 3>(3 * k + l, 3) = x.cross(axes[l]).transpose();
    }
    problem.law.push_back({LawKind::Coulomb, mu});
    problem.offset.push_back(3 * (k + 1));
  }
  VecX inverse_mass = VecX::Ones(6), v = VecX::Zero(6);
  inverse_mass[3] = inverse_mass[4] = 3 / (a * a + c * c);
  inverse_mass[5] = 3 / (2 * a * a);
  v.head<3>() = velocity;
  const MatX W = H * inverse_mass.asDiagonal() * H.transpose();
  BlockMatrixBuilder builder(problem.offset);
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = H * v;
  return problem;
}

/// One contact with W = w 1 (a particle): closed forms are simple.
inline LocalProblem particle_contact(double w, double mu, const VecX& b) {
  LocalProblem problem;
  const int rows = static_cast<int>(b.size());
  problem.law.push_back({LawKind::Coulomb, mu});
  problem.offset.push_back(rows);
  BlockMatrixBuilder builder(problem.offset);
  for (int i = 0; i < rows; ++i) builder.add(i, i, w);
  problem.W = builder.finish();
  problem.b = b;
  return problem;
}

/// One constraint with that W.
inline LocalProblem one_contact(const MatX& W, const ConstraintLaw& law, const VecX& b) {
  LocalProblem problem;
  const int rows = static_cast<int>(b.size());
  problem.law.push_back(law);
  problem.offset.push_back(rows);
  BlockMatrixBuilder builder(problem.offset);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) builder.add(i, j, W(i, j));
  problem.W = builder.finish();
  problem.b = b;
  return problem;
}

}  // namespace cairn
