// SPDX-License-Identifier: Apache-2.0
// Geometric stiffness of joints: how the force H' lambda of an equation turns with the bodies while lambda stays,
//   d/dt (H' lambda) = K u     (Hewlett 2020, chapter 3, for any space of velocities)
//
// Rigid bodies, by natural coordinates z = (c, a_1, a_2, a_3) of both (natural_row.h): with dz/dt = B(z) u, and G and N
// the gradient and the Hessian of lambda . g in z, the force is B'G and
//   K = B'N B + sum over axes j of hat(e_j) hat(R' G_j)   in the rows and columns of Omega,
// the second part because torques are written in axes that turn with the body. So it is exact for every joint and every
// law on coordinates, and in general not symmetric. Other bodies: central differences of H' lambda.
#pragma once
#include "cairn/constraints/joint_equation.h"
#include "cairn/constraints/natural_row.h"

#include <Eigen/SparseCore>

#include <algorithm>

namespace cairn {

using StiffnessEntries = std::vector<Eigen::Triplet<double>>;  ///< over all velocities; entries at one place add up

/// A joint of the user's own that knows its geometric stiffness; of others differences of its rows are taken.
class StiffOwnJoint : public OwnJoint {
 public:
  virtual void add_stiffness(const Bodies& bodies, const VecX& q, double time, const RowVector& lambda,
                             StiffnessEntries& K) const = 0;
};

/// Adds K of `lambda` times the sum of terms. All bodies must be rigid (are_rigid_terms).
void add_geometric_stiffness(const Bodies& bodies, const VecX& q, std::span<const NaturalTerm> terms, double lambda,
                             StiffnessEntries& K);
/// Whether both bodies of all terms are rigid or the world.
bool are_rigid_terms(const Bodies& bodies, std::span<const NaturalTerm> terms);

/// Of a joint; lambda: one per equation, as in joint_error().
void add_geometric_stiffness(const Bodies& bodies, const VecX& q, const Joint& joint, const RowVector& lambda,
                             StiffnessEntries& K);
/// Of sigma of a law on coordinates.
void add_geometric_stiffness(const Bodies& bodies, const VecX& q, const CoordinateLaw& law,
                             std::span<const Joint> joints, double lambda, StiffnessEntries& K);
/// Of a joint of the user's own.
void add_geometric_stiffness(const Bodies& bodies, const VecX& q, const OwnJoint& joint, double time,
                             const RowVector& lambda, StiffnessEntries& K);

/// Of any equation on positions.
void add_geometric_stiffness(const System& system, const VecX& q, const JointEquation& equation, double time,
                             const RowVector& lambda, StiffnessEntries& K);

/// Generalised force H' lambda of the rows of a block at q.
VecX row_force(const Bodies& bodies, const VecX& q, const RowBlock& block, const RowVector& lambda);

/// K by central differences of H' lambda, `rows` filling a block at a configuration; over the velocities of its bodies.
template <class Rows>
void add_difference_stiffness(const Bodies& bodies, const VecX& q, Rows&& rows, const RowVector& lambda,
                              StiffnessEntries& K, double step = 1e-6) {
  RowBlock block;
  rows(q, block);
  VecX way = VecX::Zero(bodies.nu()), there(bodies.nq());
  const auto force_at = [&](double d) -> VecX {
    bodies.advance(q, way, d, there, {});
    RowBlock moved;
    rows(there, moved);
    return row_force(bodies, there, moved, lambda);
  };
  std::vector<int> seen;
  for (int k = 0; k < block.side_count; ++k) {
    const int body = block.sides[static_cast<std::size_t>(k)].body;
    if (!bodies.can_move(body) || std::find(seen.begin(), seen.end(), body) != seen.end()) continue;
    seen.push_back(body);
    const Bodies::Slot& s = bodies.slot(body);
    for (int j = s.u; j < s.u + s.nu; ++j) {
      way[j] = 1;
      const VecX change = (force_at(step) - force_at(-step)) / (2 * step);
      way[j] = 0;
      for (int i = 0; i < change.size(); ++i)
        if (change[i] != 0) K.emplace_back(i, j, change[i]);
    }
  }
}

}  // namespace cairn
