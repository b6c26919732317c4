// SPDX-License-Identifier: Apache-2.0
// Two spheres: one point on the line of centres.
#include <cmath>
#include <limits>

#include "cairn/collision/pairs.h"

namespace cairn {

void collide_pair(const Sphere& a, const Placement& pa, const Sphere& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out) {
  const Vec3 d = pa.c - pb.c;
  const double sum = a.radius + b.radius, reach = sum + margin, d2 = d.squaredNorm();
  // A few units of round-off wide, so that the exact comparison below decides.
  if (d2 > reach * reach * (1 + 8 * std::numeric_limits<double>::epsilon())) return;
  const double distance = std::sqrt(d2), gap = distance - sum;
  if (gap > margin) return;
  // Concentric spheres have no normal; up is as good as any and the same on every run.
  const Vec3 normal = distance > 0 ? Vec3(d / distance) : Vec3::UnitZ();
  out.push_back({-1, -1, pb.c + (b.radius + gap / 2) * normal, normal, gap, 0, 0, 0});
}

}  // namespace cairn
