// SPDX-License-Identifier: Apache-2.0
// The boundary of a half-space carried to the world by its placement.
#include "cairn/collision/pairs.h"

namespace cairn {

// x = A X + c takes the plane n.X = o to m.x = o + m.c with m = A^-T n, here made unit.
WorldPlane compute_world_plane(const HalfSpace& h, const Placement& p) {
  if (is_rotation(p.A, 1e-13)) {
    const Vec3 n = p.A * h.normal;
    return {n, h.offset + n.dot(p.c)};
  }
  const Vec3 m = p.A.inverse().transpose() * h.normal;
  const double length = m.norm();
  return {m / length, (h.offset + m.dot(p.c)) / length};
}

}  // namespace cairn
