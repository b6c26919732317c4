// SPDX-License-Identifier: Apache-2.0
// The natural-map residual of both forms of the problem.
#include "cairn/problem/residual.h"

#include <algorithm>
#include <cmath>

namespace cairn {

void ResidualSums::add(LawKind law, double mu, const Vec3& velocity, const Vec3& impulse, const Vec3& right, double D) {
  scaled += natural_map(law, mu, velocity, impulse, D).squaredNorm();
  plain += natural_map(law, mu, velocity, impulse, 1).squaredNorm();
  b += right.squaredNorm();
  r += impulse.squaredNorm();
  U += velocity.squaredNorm();
  if (law == LawKind::Bilateral) return;
  // sqrt, not hypot: this runs for every contact at every step, and impulses are far from overflow.
  largest = std::max(largest, impulse.norm());
  cone = std::max({cone, impulse.tail<2>().norm() - mu * impulse[0], -impulse[0]});
}

void ResidualSums::add(const ConstraintLaw& law, int rows, const double* Uc, const double* rc, const double* bc,
                       double D) {
  scaled += natural_map(law, rows, Uc, rc, D, nullptr);
  plain += natural_map(law, rows, Uc, rc, 1, nullptr);
  double square = 0, tangent = 0;
  for (int l = 0; l < rows; ++l) {
    b += bc[l] * bc[l];
    U += Uc[l] * Uc[l];
    square += rc[l] * rc[l];
    if (l > 0) tangent += rc[l] * rc[l];
  }
  r += square;
  if (law.kind == LawKind::Coulomb) {
    largest = std::max(largest, std::sqrt(square));
    cone = std::max({cone, std::sqrt(tangent) - law.mu * rc[0], -rc[0]});
    return;
  }
  LawPart parts[max_parts];
  const int count = law_parts(law, rows, parts);
  if (!law.has_normal() && count == 0) return;
  largest = std::max(largest, std::sqrt(square));
  if (law.has_normal()) cone = std::max(cone, -rc[0]);
  for (int p = 0; p < count; ++p) {
    double part[3];
    project_part(parts[p], rc[0], rc + parts[p].first, part);
    double distance = 0;
    for (int l = 0; l < parts[p].count; ++l) distance += std::pow(rc[parts[p].first + l] - part[l], 2);
    cone = std::max(cone, std::sqrt(distance));
  }
}

Residual ResidualSums::value() const {
  // With nothing to push against (b = 0) the only exact answer is r = 0, which has F = 0.
  const auto ratio = [](double x, double scale) { return x == 0 ? 0.0 : x / scale; };
  Residual result;
  result.scaled = ratio(std::sqrt(scaled), std::sqrt(b));
  result.relative = ratio(std::sqrt(plain), std::sqrt(std::max({b, r, U})));
  result.cone = ratio(cone, largest);
  return result;
}

Residual compute_residual(const LocalProblem& problem, const VecX& r) {
  VecX U(problem.b.size());
  return compute_residual(problem, problem.scales(), r, U);
}

Residual compute_residual(const LocalProblem& problem, const VecX& scales, const VecX& r, VecX& U) {
  problem.velocity(r, U);
  ResidualSums sums;
  for (int i = 0; i < problem.size(); ++i) {
    const int offset = problem.offset[static_cast<std::size_t>(i)];
    sums.add(problem.law[static_cast<std::size_t>(i)], problem.rows(i), U.data() + offset, r.data() + offset,
             problem.b.data() + offset, scales[i]);
  }
  return sums.value();
}

void compute_pair_velocities(const PairProblem& problem, const VecX& r, std::vector<PairVelocity>& z) {
  z.assign(static_cast<std::size_t>(problem.block_count), PairVelocity{});
  Eigen::Index row = 0;
  for (const PairBlock& c : problem.blocks) {
    apply_impulse(c, r.segment<3>(row), z);
    row += 3;
  }
}

void add_residual(const PairProblem& problem, const VecX& r, std::vector<PairVelocity>& z, VecX& U,
                  ResidualSums& sums) {
  compute_pair_velocities(problem, r, z);
  U.resize(r.size());
  Eigen::Index row = 0;
  for (const PairBlock& c : problem.blocks) {
    const Vec3 velocity = local_velocity(c, z);
    U.segment<3>(row) = velocity;
    const double D = ((1 + c.beta * c.beta) * c.D.squaredNorm() + c.G1.squaredNorm() + c.G2.squaredNorm()) / 3;
    sums.add(c.law, c.mu, velocity, r.segment<3>(row), c.b, D);
    row += 3;
  }
}

Residual compute_residual(const PairProblem& problem, const VecX& r, std::vector<PairVelocity>& z, VecX& U) {
  ResidualSums sums;
  add_residual(problem, r, z, U, sums);
  return sums.value();
}

}  // namespace cairn
