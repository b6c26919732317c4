// SPDX-License-Identifier: Apache-2.0
// The longest step an explicit midpoint rule can take, from the tangents of the forces.
//
// The step q_M = q + h/2 u, M (u+ - u) = h f(q_M, u), q+ = q_M + h/2 u+ of an oscillator m x'' + c x' + k x = 0 has
// determinant 1 - h c/m and trace 2 - h^2 k/m - h c/m, so it is stable while h^2 k/m + 2 h c/m <= 4: h <= 2/omega
// without damping. Of a system, k/m and c/m are the largest eigenvalues of M^-1 K and M^-1 D. They are bounded element
// by element, where each element of a body has an equal share of its mass (Irons and Treharne 1971).
#pragma once
#include "cairn/constraints/system.h"

#include <limits>

namespace cairn {

struct ForceStep {
  double step = std::numeric_limits<double>::infinity();  ///< the longest stable one [s]; a safe bound
  int force = -1;                                         ///< the element that needs it; -1: none does
};
/// Forces explicit, at the given state. Elements that stiffen are taken as stiff as they are known to become
/// (ForceElement::stiffest): a buffer that is not yet met at any speed is not seen. `h` is the step intended, for
/// forces with a memory, which are as stiff as the step is long.
ForceStep explicit_force_step(const System& system, const Motion& motion, double h = 0);

/// The bound of one element with these tangents, where so many elements act on each body. Where a coarser bound, found
/// at once, already reaches `wanted`, that one.
double explicit_step(const Bodies& bodies, const VecX& q, const VecX& u, const ForceTangent& tangent,
                     std::span<const int> elements, double wanted = std::numeric_limits<double>::infinity());
/// How many forces act on each body.
std::vector<int> count_forces(const System& system);

}  // namespace cairn
