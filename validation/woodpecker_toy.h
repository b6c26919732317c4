// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy in minimal coordinates (Glocker 1995; Glocker and Studer 2005): y of the sleeve, its angle phi_M,
// the angle of the bird phi_S; three contacts of its own: beak with pole, sleeve with pole below and above.
#pragma once
#include "cairn/sim/model.h"

namespace cairn::validation {

constexpr int woodpecker_coordinates = 3;
/// Start of the published run.
inline const Vec3 woodpecker_q0(0, -0.1036, -0.2788), woodpecker_u0(-0.3411, 0, -7.4583);

/// Contacts 0, 1, 2 are those called 1 (beak), 2 and 3 in the book.
Model make_woodpecker(const Vec3& q0 = woodpecker_q0, const Vec3& u0 = woodpecker_u0);

}  // namespace cairn::validation
