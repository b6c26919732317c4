// SPDX-License-Identifier: Apache-2.0
// The point of a shape's surface nearest to a given point, with the signed distance.
#pragma once
#include <limits>

#include "cairn/geometry/shape.h"

namespace cairn {

struct SurfacePoint {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< outward, unit: from `point` towards x outside, from x towards `point` inside
  double distance = 0;          ///< m; negative inside
};

/// In the frame of the shape; one of them where several are equally near. x = point + distance * normal, except for x
/// on the surface, where the normal is that of a face there. Open meshes have an outer and an inner side instead of an
/// inside; a height field has no walls at its border; for a compound the nearest surface of a part outside, the deepest
/// part inside (a bound where parts overlap).
SurfacePoint find_closest_point(const Shape& shape, const Vec3& x);

/// Looks no farther than `within`: a distance that the surface is known to come to, or infinity.
SurfacePoint find_closest_point(const MeshData& mesh, const Vec3& x,
                                double within = std::numeric_limits<double>::infinity());

/// The point of a convex polygon (corners in order, unit normal n) nearest to x.
Vec3 find_nearest_on_polygon(std::span<const Vec3> corners, const Vec3& n, const Vec3& x);

}  // namespace cairn
