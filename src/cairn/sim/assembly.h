// SPDX-License-Identifier: Apache-2.0
// Starts that do not fit the joints: refused with the worst error, or put together.
//
// Of all placements that fit, the one nearest to the given one in the metric of the masses: Gauss-Newton on
//   minimise 1/2 d'M d  subject to  g + H d = 0,     d = M^-1 H' l,   (H M^-1 H') l = -g
// repeated from where it leads; redundant joints take part with the multipliers of least norm. Then the velocities are
// changed as little as possible so that H u = 0 (Koziara 8.2.5-6).
#pragma once
#include "cairn/sim/model.h"

namespace cairn {

struct AssemblyReport {
  int iterations = 0;
  double drift = 0, tilt = 0;  ///< of the worst joint at the end [m], [rad]
  double moved = 0;            ///< largest way of a body's origin [m]
};

/// Throws Error naming the worst joint and its error unless the start fits all joints (to 1e-8 of the size of the
/// system).
void check_start(const Model& model, const Motion& motion);

/// Puts the bodies together. Throws Error naming the worst joint when they do not come together.
AssemblyReport assemble_start(const Model& model, Motion& motion);

}  // namespace cairn
