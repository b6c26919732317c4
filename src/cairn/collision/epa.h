// SPDX-License-Identifier: Apache-2.0
// Penetration of two convex cores by the expanding polytope algorithm (van den Bergen 2001, "Proximity queries and
// penetration depth computation on 3D game objects"), started so that it also answers for cores that just touch.
#pragma once
#include "cairn/collision/gjk.h"

namespace cairn {

struct Penetration {
  Vec3 normal = Vec3::UnitZ();  ///< unit, from b to a: moving a by -separation along it brings the cores to touching
  double separation = 0;        ///< along the normal, exact for that normal; < 0 overlap
  int dimension = 3;            ///< of the difference a - b: less than 3 when it is flat, e.g. of two segments
  std::array<MinkowskiPoint, 3> face;  ///< the face of the polytope nearest to the origin (dimension 3)
};

/// The direction of least penetration of the cores to `tolerance` (m): the global one, as the polytope bounds the
/// depth from below. `start`: a simplex of find_distance(), used when it is a tetrahedron that is not flat. `share`: of
/// the depth, if not 0; the direction is found to the smaller of the two, but not below 1e-9 of the size.
Penetration find_penetration(const PlacedConvex& a, const PlacedConvex& b, const Simplex& start, const Vec3& guess,
                             double tolerance, double share = 0);

}  // namespace cairn
