// SPDX-License-Identifier: Apache-2.0
// Box or parallelepiped on a half-space: every vertex within the margin of the plane or below it.
#include <cmath>

#include "cairn/collision/contact_weights.h"
#include "cairn/collision/pairs.h"

namespace cairn {

void collide_pair(const Box& a, const Placement& pa, const HalfSpace& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out) {
  const WorldPlane plane = compute_world_plane(b, pb);
  const Mat3 E = pa.A * a.half_extents.asDiagonal();  // columns: half edges
  const Vec3 rise = E.transpose() * plane.normal;
  const double height = plane.normal.dot(pa.c) - plane.offset;
  if (height - rise.cwiseAbs().sum() > margin) return;

  const std::size_t first = out.size();
  // Vertex k has the sign of its bit i along half edge i.
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    const double gap = height + sign.dot(rise);
    if (gap > margin) continue;
    out.push_back({-1, -1, pa.c + E * sign - gap / 2 * plane.normal, plane.normal, gap,
                   make_feature(FeatureKind::Vertex, static_cast<std::uint32_t>(k)), 0, 0});
  }
  set_area_weights({out.data() + first, out.size() - first});
}

}  // namespace cairn
