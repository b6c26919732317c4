// SPDX-License-Identifier: Apache-2.0
// What moves a system apart from constraints, for schemes that iterate on it: M(q) u' = f(q, u, t) of all bodies, and
// the tangents of f.
//
// Rigid: gravity, -Omega x J Omega, own damping; other bodies: their terms (Body::evaluate); then all force elements.
// Rows of bodies that cannot move: M = 1, f = 0.
#pragma once
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/system.h"
#include "cairn/problem/global_problem.h"

namespace cairn {

/// What a body's event means for the step.
inline StepStatus to_step_status(BodyStatus status) {
  return status == BodyStatus::Ok         ? StepStatus::Done
         : status == BodyStatus::Inverted ? StepStatus::BodyInverted
                                          : StepStatus::IndefiniteStiffness;
}

/// q moved by a way in the space of u.
VecX moved(const Bodies& bodies, const VecX& q, const VecX& way, Threads threads = {});

/// What forces remember where a step of length h begins, and which of them have ended with their joint; without a
/// motion no force may remember (require_plain).
struct ForceMemory {
  const Motion* motion = nullptr;
  double h = 0;
};

struct SmoothForces {
  VecX all;      ///< f
  VecX loads;    ///< the part of force elements that derives from no energy
  VecX damping;  ///< of bodies by themselves
  BodyStatus status = BodyStatus::Ok;
};
void compute_smooth_forces(const System& system, const VecX& q, const VecX& u, double t, SmoothForces& f,
                           ForceMemory memory = {});

/// Momentum (M + d D) u + h f(q, u, t) of a step that begins with u, and f. The gyroscopic moment is that of the
/// velocity it leads to after half a step: at that of the begin, spinning bodies gain energy.
VecX predict_momentum(const System& system, const VecX& q, const VecX& u, double t, double h, double d, SmoothForces& f,
                      ForceMemory memory = {});

SparseMatrix compute_mass(const System& system, const VecX& q, const VecX& u, double t);
/// M + d D + k K with D = -df/du, K = -df/dq: what a Newton step on u needs. Symmetric part; the gyroscopic moment,
/// which does no work, is left to the iteration. `definite`: without what softens (negative eigenvalues of an element
/// or body).
SparseMatrix compute_step_mass(const System& system, const VecX& q, const VecX& u, double t, double d, double k,
                               bool definite = false, ForceMemory memory = {});

}  // namespace cairn
