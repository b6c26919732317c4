// SPDX-License-Identifier: Apache-2.0
// Asks the file of the shape; polygons.
#include "cairn/geometry/closest_point.h"
#include "cairn/base/error.h"
#include "cairn/geometry/shape_answers.h"

namespace cairn {

Vec3 find_nearest_on_polygon(std::span<const Vec3> corners, const Vec3& n, const Vec3& x) {
  // Beyond an edge the nearest point is on the border, not necessarily on that edge.
  bool inside = true;
  for (std::size_t k = 0; k < corners.size() && inside; ++k) {
    const Vec3 &p = corners[k], &q = corners[(k + 1) % corners.size()];
    inside = (q - p).cross(x - p).dot(n) >= 0;
  }
  if (inside) return x - n.dot(x - corners[0]) * n;
  double best = std::numeric_limits<double>::infinity();
  Vec3 foot = corners[0];
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3 &p = corners[k], along = corners[(k + 1) % corners.size()] - p;
    const Vec3 q = p + std::clamp(along.dot(x - p) / along.squaredNorm(), 0.0, 1.0) * along;
    const double d = (x - q).squaredNorm();
    if (d < best) best = d, foot = q;
  }
  return foot;
}

SurfacePoint find_closest_point(const Shape& shape, const Vec3& x) {
  if (!x.allFinite()) throw Error("closest point: of ({}, {}, {}); must be finite", x.x(), x.y(), x.z());
  return std::visit([&](const auto& s) { return answers::closest(s, x); }, shape);
}

SurfacePoint find_closest_point(const MeshData& mesh, const Vec3& x, double within) {
  return answers::closest(mesh, x, within);
}

}  // namespace cairn
