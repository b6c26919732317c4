// SPDX-License-Identifier: Apache-2.0
// Contacts whose law needs more than three rows at a point: rolling and spinning moments, orthotropic and constant
// friction.
#pragma once
#include "cairn/constraints/constraint.h"
#include "cairn/constraints/row_block.h"

namespace cairn {

/// Whether a contact needs a block of its own.
bool needs_block(const Constraint& contact);

/// The set of a contact's law in a step h, with the friction mu of its present speed.
ConstraintLaw law_of_step(const ContactLaw& law, double mu, bool touches, double h);

/// Its rows (N, T1, T2, M1, M2, S), those its law has, and its set for a step h. U and shift of the first three are the
/// contact's, those of moments are to be computed and zero.
RowBlock make_block(const Constraint& contact, double h);

/// Frame of a contact whose first tangent lies along a direction as well as the surface allows.
Mat3 contact_frame_along(const Vec3& normal, const Vec3& direction);

}  // namespace cairn
