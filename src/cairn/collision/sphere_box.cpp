// SPDX-License-Identifier: Apache-2.0
// Sphere against a box: the nearest point of the box to the centre; from inside, out through the nearest face.
#include <cmath>

#include "cairn/base/error.h"
#include "cairn/collision/pairs.h"

namespace cairn {

void collide_pair(const Sphere& a, const Placement& pa, const Box& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out) {
  if (!is_rotation(pb.A))
    throw Error("sphere against a deformed box is not supported yet; the box must be on a rigid body");
  const Vec3 centre = pb.A.transpose() * (pa.c - pb.c);  // of the sphere, in the frame of the box
  const Vec3 nearest = centre.cwiseMax(-b.half_extents).cwiseMin(b.half_extents);
  const Vec3 outward = centre - nearest;
  const double distance = outward.norm();
  if (distance - a.radius > margin) return;

  if (distance > 0) {
    const double gap = distance - a.radius;
    const Vec3 normal = pb.A * (outward / distance);
    out.push_back({-1, -1, pa.c - (a.radius + gap / 2) * normal, normal, gap});
    return;
  }
  // The centre is in the box. Depth below each face; the shallowest decides, the first of equals.
  int axis;
  const double depth = (b.half_extents - centre.cwiseAbs()).minCoeff(&axis);
  const double gap = -depth - a.radius;
  const Vec3 normal = centre[axis] < 0 ? Vec3(-pb.A.col(axis)) : Vec3(pb.A.col(axis));
  out.push_back({-1, -1, pa.c - (a.radius + gap / 2) * normal, normal, gap});
}

}  // namespace cairn
