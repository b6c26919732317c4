// SPDX-License-Identifier: Apache-2.0
// Sphere against a box: the nearest point of the box to the centre; from inside, out through the nearest face.
#include <cmath>

#include "cairn/collision/pairs.h"
#include "cairn/collision/parallelepiped.h"

namespace cairn {

void collide_pair(const Sphere& a, const Placement& pa, const Box& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out) {
  const Vec3 centre = pb.A.transpose() * (pa.c - pb.c);  // of the sphere, in the frame of the box
  const Vec3 nearest = centre.cwiseMax(-b.half_extents).cwiseMin(b.half_extents);
  const Vec3 outward = centre - nearest;
  const double distance = outward.norm();
  if (distance - a.radius > margin) return;

  if (distance > 0) {
    const double gap = distance - a.radius;
    const Vec3 normal = pb.A * (outward / distance);
    // Outside in one direction: a face; in two: an edge; in three: a vertex.
    const Vec3 sign = outward.unaryExpr([](double x) { return x > 0 ? 1.0 : -1.0; });
    int free = 0, along = 0, across = 0;
    for (int i = 0; i < 3; ++i) outward[i] == 0 ? (++free, along = i) : across = i;
    const std::uint32_t feature = free == 2   ? box_face(across, sign[across])
                                  : free == 1 ? box_edge(along, sign)
                                              : box_vertex(sign);
    out.push_back({-1, -1, pa.c - (a.radius + gap / 2) * normal, normal, gap, 0, feature, 0});
    return;
  }
  // The centre is in the box. Depth below each face; the shallowest decides, the first of equals.
  int axis;
  const double depth = (b.half_extents - centre.cwiseAbs()).minCoeff(&axis);
  const double gap = -depth - a.radius;
  const Vec3 normal = centre[axis] < 0 ? Vec3(-pb.A.col(axis)) : Vec3(pb.A.col(axis));
  out.push_back({-1, -1, pa.c - (a.radius + gap / 2) * normal, normal, gap, 0, box_face(axis, centre[axis]), 0});
}

}  // namespace cairn
