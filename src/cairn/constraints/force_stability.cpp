// SPDX-License-Identifier: Apache-2.0
// Longest explicit step and matrices of the forces.
#include "cairn/constraints/force_stability.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Largest eigenvalue of M^-1 A, A symmetrised; 0 when there is none above.
double largest_eigenvalue(const MatX& A, const MatX& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> solver(0.5 * (A + A.transpose()), M, Eigen::EigenvaluesOnly);
  return std::max(0.0, solver.eigenvalues().maxCoeff());
}

/// The step of h^2 k + 2 h c = 4.
double step_of(double k, double c) { return 4 / (c + std::sqrt(c * c + 4 * k)); }

/// A bound without eigenvalues: Frobenius' norm of the tangents scaled by the least masses. 0 where a body is not
/// rigid.
double coarse_step(const Bodies& bodies, const ForceTangent& tangent, std::span<const int> elements) {
  VecX scale = VecX::Zero(tangent.K.rows());
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < 2; row += tangent.size[k++]) {
    const int body = tangent.body[k];
    if (!bodies.can_move(body)) continue;
    if (!bodies.slot(body).rigid) return 0;
    Eigen::SelfAdjointEigenSolver<Mat3> inertia;
    inertia.computeDirect(bodies.inertia(body), Eigen::EigenvaluesOnly);
    const double share = elements[static_cast<std::size_t>(body)];
    scale.segment<3>(row).setConstant(std::sqrt(share / bodies.mass(body)));
    scale.segment<3>(row + 3).setConstant(std::sqrt(share / inertia.eigenvalues()[0]));
  }
  const auto norm = [&](const MatX& A) { return (scale.asDiagonal() * A * scale.asDiagonal()).norm(); };
  const double k = norm(tangent.K), c = norm(tangent.D);
  return k + c > 0 ? step_of(k, c) : std::numeric_limits<double>::infinity();
}

}  // namespace

double explicit_step(const Bodies& bodies, const VecX& q, const VecX& u, const ForceTangent& tangent,
                     std::span<const int> elements, double wanted) {
  constexpr double any = std::numeric_limits<double>::infinity();
  if (tangent.K.isZero(0) && tangent.D.isZero(0)) return any;
  if (wanted < any) {
    const double coarse = coarse_step(bodies, tangent, elements);
    if (coarse >= wanted) return coarse;
  }
  // Of the bodies that can move: their shares of mass, and their part of the tangents.
  std::vector<int> kept;
  MatX mass = MatX::Zero(tangent.K.rows(), tangent.K.rows());
  for (std::size_t k = 0, row = 0; k < 2; row += static_cast<std::size_t>(tangent.size[k++])) {
    const int body = tangent.body[k], n = tangent.size[k];
    if (!bodies.can_move(body)) continue;
    const auto first = static_cast<Eigen::Index>(row);
    mass.block(first, first, n, n) = bodies.mass_matrix(body, q, u) / elements[static_cast<std::size_t>(body)];
    for (int j = 0; j < n; ++j) kept.push_back(static_cast<int>(row) + j);
  }
  if (kept.empty() || !tangent.K.allFinite() || !tangent.D.allFinite()) return any;
  const MatX M = mass(kept, kept);
  const double k = largest_eigenvalue(tangent.K(kept, kept), M), c = largest_eigenvalue(tangent.D(kept, kept), M);
  return k == 0 && c == 0 ? any : step_of(k, c);
}

std::vector<int> count_forces(const System& system) {
  std::vector<int> elements(static_cast<std::size_t>(system.bodies.size()), 0);
  for (const auto& force : system.forces)
    for (const int body : force->acts_on())
      if (body >= 0) ++elements[static_cast<std::size_t>(body)];
  return elements;
}

ForceStep explicit_force_step(const System& system, const Motion& motion, double h) {
  const Bodies& bodies = system.bodies;
  const std::vector<int> elements = count_forces(system);
  ForceStep result;
  for_each_force(system, motion, [&](const ForceElement& force, std::size_t i, std::span<const double> memory) {
    const ForceTangent tangent = force.stiffest({bodies, motion.q, motion.u, motion.time, memory, h});
    const double step = explicit_step(bodies, motion.q, motion.u, tangent, elements);
    if (step < result.step) result = {step, static_cast<int>(i)};
  });
  return result;
}

}  // namespace cairn
