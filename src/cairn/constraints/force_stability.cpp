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

ForceStep explicit_force_step(const System& system, const Motion& motion) {
  const Bodies& bodies = system.bodies;
  std::vector<int> elements(static_cast<std::size_t>(bodies.size()), 0);  // that act on each body
  for (const auto& force : system.forces)
    for (const int body : force->acts_on())
      if (body >= 0) ++elements[static_cast<std::size_t>(body)];
  ForceStep result;
  for (std::size_t i = 0; i < system.forces.size(); ++i) {
    const ForceTangent tangent = system.forces[i]->stiffest(bodies, motion.q, motion.u, motion.time);
    if (tangent.K.isZero(0) && tangent.D.isZero(0)) continue;
    // Of the bodies that can move: their shares of mass, and their part of the tangents.
    std::vector<int> kept;
    MatX mass = MatX::Zero(tangent.K.rows(), tangent.K.rows());
    for (std::size_t k = 0, row = 0; k < 2; row += static_cast<std::size_t>(tangent.size[k++])) {
      const int body = tangent.body[k], n = tangent.size[k];
      if (!bodies.can_move(body)) continue;
      const auto first = static_cast<Eigen::Index>(row);
      mass.block(first, first, n, n) =
          mass_of(bodies, body, motion.q, motion.u) / elements[static_cast<std::size_t>(body)];
      for (int j = 0; j < n; ++j) kept.push_back(static_cast<int>(row) + j);
    }
    if (kept.empty() || !tangent.K.allFinite() || !tangent.D.allFinite()) continue;
    const MatX M = mass(kept, kept);
    const double k = largest_eigenvalue(tangent.K(kept, kept), M), c = largest_eigenvalue(tangent.D(kept, kept), M);
    if (k == 0 && c == 0) continue;
    const double step = 4 / (c + std::sqrt(c * c + 4 * k));  // of h^2 k + 2 h c = 4
    if (step < result.step) result = {step, static_cast<int>(i)};
  }
  return result;
}

ForceMatrices compute_force_matrices(const System& system, const VecX& q, const VecX& u, double t) {
  const Bodies& bodies = system.bodies;
  std::vector<Eigen::Triplet<double>> K, D;
  for (const auto& force : system.forces) {
    const ForceTangent tangent = force->tangent(bodies, q, u, t);
    std::vector<int> places;  // in u; -1: cannot move
    for (std::size_t k = 0; k < 2; ++k)
      for (int j = 0; j < tangent.size[k]; ++j)
        places.push_back(bodies.can_move(tangent.body[k]) ? bodies.slot(tangent.body[k]).u + j : -1);
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < places.size(); ++j) {
        if (places[i] < 0 || places[j] < 0) continue;
        const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
        if (tangent.K(row, column) != 0) K.emplace_back(places[i], places[j], tangent.K(row, column));
        if (tangent.D(row, column) != 0) D.emplace_back(places[i], places[j], tangent.D(row, column));
      }
  }
  ForceMatrices result;
  for (auto [matrix, entries] : {std::pair{&result.K, &K}, std::pair{&result.D, &D}}) {
    matrix->resize(bodies.nu(), bodies.nu());
    matrix->setFromTriplets(entries->begin(), entries->end());
  }
  return result;
}

Eigen::SparseMatrix<double> implicit_force_mass(const ForceMatrices& matrices, double h) {
  const Eigen::SparseMatrix<double> sum = h / 2 * matrices.D + h * h / 4 * matrices.K;
  const Eigen::SparseMatrix<double> transposed = sum.transpose();
  return 0.5 * (sum + transposed);
}

}  // namespace cairn
