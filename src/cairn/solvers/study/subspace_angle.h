// SPDX-License-Identifier: Apache-2.0
// How strongly contact and friction disturb each other: the least principal angle between the subspaces that normal
// impulses N and friction impulses D span in the kinetic metric (Kaufman, thesis 2009, section 6.5; angles by Bjorck
// and Golub 1973).
//
//   cos(angle) = max x' M^-1 y,  x in span N, y in span D, both of unit length in M^-1.
// Only W is needed: N'M^-1 N, N'M^-1 D and D'M^-1 D are its blocks. 90 degrees: contact and friction are decoupled and
// one staggered pass is exact. 0: some friction impulse equals a contact impulse (wedging). Small angles with large
// friction are where Staggered Projections is slow or fails: the "generalised Painleve condition".
#pragma once
#include "cairn/problem/local_problem.h"

namespace cairn {

struct SubspaceAngle {
  double angle = 0;   ///< [rad], in [0, pi/2]; pi/2 when one of the subspaces is empty
  double cosine = 0;  ///< contraction of Staggered Projections where contacts stick: cosine^2 per iteration
  int contact_rank = 0, friction_rank = 0;
  double largest_friction = 0;  ///< mu of the contacts that take part
};

/// Over the constraints that carry in r: r_N > 0; joints and interval rows count as contact rows. Dense algebra: for
/// diagnosis of up to a few thousand rows.
SubspaceAngle minimum_principal_angle(const LocalProblem& problem, const VecX& r);
/// Over all constraints.
SubspaceAngle minimum_principal_angle(const LocalProblem& problem);

/// Painleve's coefficient of one contact: min over sliding directions of W_NN / |W_NT|; infinite where W_NT = 0. Above
/// it sliding in some direction presses the contact harder than it can yield.
double critical_friction(const LocalProblem& problem, int contact);

}  // namespace cairn
