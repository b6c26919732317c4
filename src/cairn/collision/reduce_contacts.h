// SPDX-License-Identifier: Apache-2.0
// Fewer contact points per pair, and how much of what they can transmit is lost.
//
// Points with one normal transmit forces whose line of action goes through their convex hull in the tangent plane: what
// lies inside the hull adds nothing to the wrenches that are possible, so dropping it is exact. Beyond that the corners
// whose loss takes least of the area go first; the deepest point stays.
#pragma once
#include <vector>

#include "cairn/collision/contact_point.h"

namespace cairn {

struct ContactReduction {
  int dropped = 0;
  double lever =
      0;           ///< farthest dropped point from the hull of those kept: arm of the torque that is lost per force [m]
  double gap = 0;  ///< by how much a dropped point was deeper than all kept of its face [m]
};

/// Keeps at most `keep` >= 3 points for each normal of each pair; `points` are sorted by pair. Weights of dropped
/// points go to the nearest kept one. The order of those kept does not change.
ContactReduction reduce_contacts(int keep, std::vector<ContactPoint>& points);

}  // namespace cairn
