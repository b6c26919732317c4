// SPDX-License-Identifier: Apache-2.0
// The accounts of a step: work by cause, from the velocities U of rows at both ends and the impulses r between them.
//
//   work of r = sum over rows of (U_B + U_E)/2 r
// which with all impulses together is the change of kinetic energy exactly. An impulse on a driven body comes from its
// drive: the moving bodies receive -(H'r).u of it on top of the relative work.
#pragma once
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/constraint.h"
#include "cairn/constraints/row_block.h"

namespace cairn {

/// Work of impulses on rows, to the account of their kind. Contact: the first row is the normal, the others friction.
void add_row_work(RowWork kind, int rows, const double* U_begin, const double* U_end, const double* r, Work& work);

/// What drives pay for the impulses r on the rows at q, when driven bodies move with u.
void add_drive_work(const Bodies& bodies, const VecX& q, const VecX& u, const Constraint& rows, const Vec3& r,
                    Work& work);
void add_drive_work(const Bodies& bodies, const VecX& q, const VecX& u, const RowBlock& rows, const RowVector& r,
                    Work& work);

/// Contacts as blocks at q whose rows begin at `first_row` of r and U (with shifts and compliance); their impulses.
/// `from_rest`: nothing moves where the step begins, and what moves goes the whole way with U_E.
void account_contacts(const Bodies& bodies, const VecX& q, const VecX& u_begin, std::span<const RowBlock> blocks,
                      int first_row, const VecX& r, const VecX& U, bool from_rest, Work& work,
                      std::vector<Vec3>& impulses);

/// Joints that carried more than they can over h.
void break_joints(const System& system, std::span<const JointImpulse> impulses, double h,
                  std::vector<std::uint8_t>& broken);

// What most schemes ask of a run, as errors: a length of steps above zero; steps short enough where elasticity of
// bodies is explicit; no non-local impacts where there is no restitution.
void check_step_length(double h);
void check_explicit_elasticity(const System& system, const Motion& motion, double h);
/// Forces without internal variables, contacts without compliance: not every scheme takes them.
void require_plain(const System& system, std::string_view stepper);
void check_local_impacts(std::string_view stepper, const System& system);

}  // namespace cairn
