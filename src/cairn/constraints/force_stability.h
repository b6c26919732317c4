// SPDX-License-Identifier: Apache-2.0
// What the tangents of all forces are for: the longest step an explicit midpoint rule can take, and the matrices an
// implicit one needs.
//
// The step q_M = q + h/2 u, M (u+ - u) = h f(q_M, u), q+ = q_M + h/2 u+ of an oscillator m x'' + c x' + k x = 0 has
// determinant 1 - h c/m and trace 2 - h^2 k/m - h c/m, so it is stable while h^2 k/m + 2 h c/m <= 4: h <= 2/omega
// without damping. Of a system, k/m and c/m are the largest eigenvalues of M^-1 K and M^-1 D. They are bounded element
// by element, where each element of a body has an equal share of its mass (Irons and Treharne 1971).
#pragma once
#include "cairn/constraints/system.h"

#include <Eigen/SparseCore>

namespace cairn {

struct ForceStep {
  double step = std::numeric_limits<double>::infinity();  ///< the longest stable one [s]; a safe bound
  int force = -1;                                         ///< the element that needs it; -1: none does
};
/// Forces explicit, at the given state. Elements that stiffen are taken as stiff as they are known to become
/// (ForceElement::stiffest): a buffer that is not yet met at any speed is not seen.
ForceStep explicit_force_step(const System& system, const Motion& motion);

/// K and D of all forces in the space of u; rows and columns of bodies that cannot move are empty.
struct ForceMatrices {
  Eigen::SparseMatrix<double> K, D;
};
ForceMatrices compute_force_matrices(const System& system, const VecX& q, const VecX& u, double t);

/// What forces add to the mass of a linearised implicit midpoint step: h/2 D + h^2/4 K, symmetric part (the rest of K
/// is of the order of the moments and keeps no body from moving). Then M^ (u+ - u) = h f(q_M, u) is stable for every h.
Eigen::SparseMatrix<double> implicit_force_mass(const ForceMatrices& matrices, double h);

}  // namespace cairn
