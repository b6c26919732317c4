// SPDX-License-Identifier: Apache-2.0
// From rows over bodies to a contact problem, and from its impulses back to the velocities of the bodies.
#pragma once
#include "cairn/assembly/coupled_mass.h"
#include "cairn/bodies/bodies.h"
#include "cairn/constraints/constraint.h"
#include "cairn/constraints/row_block.h"
#include "cairn/problem/local_problem.h"

namespace cairn {

/// Local velocities at the start and without reactions (U_begin, U_free) of all constraints, whatever their bodies.
void compute_local_velocities(const Bodies& bodies, const VecX& q_mid, const VecX& u_begin, const FreeMotion& free,
                              std::span<Constraint> constraints, Threads threads);

/// Problem of rigid bodies only. Constraints between two immobile bodies must have been left out.
void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const Constraint> constraints,
              PairProblem& problem, Threads threads);

/// u_solved = u_free + M^^(-1/2) z and the generalised impulse `reaction` = H' r.
void recover(const Bodies& bodies, const FreeMotion& free, const PairProblem& problem, const VecX& r, VecX& u_solved,
             VecX& reaction, std::vector<PairVelocity>& z);

/// U_begin and U_free of blocks.
void compute_local_velocities(const Bodies& bodies, const VecX& q_mid, const VecX& u_begin, const FreeMotion& free,
                              std::span<RowBlock> blocks);

/// Local form of the constraints of any bodies: first the blocks, then the others. With coupled masses what pushes one
/// body of an island moves all of them.
void assemble(const Bodies& bodies, const VecX& q_mid, const FreeMotion& free, std::span<const RowBlock> blocks,
              std::span<const Constraint> constraints, LocalProblem& problem, LocalRows& rows,
              const CoupledMass* coupled = nullptr);
void recover(const Bodies& bodies, const FreeMotion& free, const LocalProblem& problem, const LocalRows& rows,
             const VecX& r, VecX& u_solved, VecX& reaction);

}  // namespace cairn
