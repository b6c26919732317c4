// SPDX-License-Identifier: Apache-2.0
// Longest explicit step and matrices of the forces.
#include "cairn/constraints/force_stability.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

MatX mass_of(const Bodies& bodies, int body, const VecX& q, const VecX& u) {
  const Bodies::Slot& s = bodies.slot(body);
  MatX M = MatX::Zero(s.nu, s.nu);
  if (s.rigid) {
    M.diagonal().head<3>().setConstant(bodies.mass(body));
    M.bottomRightCorner<3, 3>() = bodies.inertia(body);
  } else {
    VecX impulse(s.nu);
    bodies.general(s.index).free_motion(q.segment(s.q, s.nq), u.segment(s.u, s.nu), {}, M, impulse);
  }
  return M;
}

/// Largest eigenvalue of M^-1 A, A symmetrised; 0 when there is none above.
double largest_eigenvalue(const MatX& A, const MatX& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> solver(0.5 * (A + A.transpose()), M, Eigen::EigenvaluesOnly);
  return std::max(0.0, solver.eigenvalues().maxCoeff());
}

}  // namespace

double explicit_step(const Bodies& bodies, const VecX& q, const VecX& u, const ForceTangent& tangent,
                     std::span<const int> elements) {
  constexpr double any = std::numeric_limits<double>::infinity();
  if (tangent.K.isZero(0) && tangent.D.isZero(0)) return any;
  // Of the bodies that can move: their shares of mass, and their part of the tangents.
  std::vector<int> kept;
  MatX mass = MatX::Zero(tangent.K.rows(), tangent.K.rows());
  for (std::size_t k = 0, row = 0; k < 2; row += static_cast<std::size_t>(tangent.size[k++])) {
    const int body = tangent.body[k], n = tangent.size[k];
    if (!bodies.can_move(body)) continue;
    const auto first = static_cast<Eigen::Index>(row);
    mass.block(first, first, n, n) = mass_of(bodies, body, q, u) / elements[static_cast<std::size_t>(body)];
    for (int j = 0; j < n; ++j) kept.push_back(static_cast<int>(row) + j);
  }
  if (kept.empty() || !tangent.K.allFinite() || !tangent.D.allFinite()) return any;
  const MatX M = mass(kept, kept);
  const double k = largest_eigenvalue(tangent.K(kept, kept), M), c = largest_eigenvalue(tangent.D(kept, kept), M);
  return k == 0 && c == 0 ? any : 4 / (c + std::sqrt(c * c + 4 * k));  // of h^2 k + 2 h c = 4
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
