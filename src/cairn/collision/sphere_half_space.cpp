// SPDX-License-Identifier: Apache-2.0
// Sphere on a half-space: one point below the centre.
#include "cairn/collision/pairs.h"

namespace cairn {

void collide_pair(const Sphere& a, const Placement& pa, const HalfSpace& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out) {
  const WorldPlane plane = compute_world_plane(b, pb);
  const double gap = plane.normal.dot(pa.c) - plane.offset - a.radius;
  if (gap > margin) return;
  out.push_back({-1, -1, pa.c - (a.radius + gap / 2) * plane.normal, plane.normal, gap, 0, 0, 0});
}

}  // namespace cairn
