// SPDX-License-Identifier: Apache-2.0
// Where a ray first meets the surface of a shape.
#pragma once
#include <limits>
#include <optional>

#include "cairn/geometry/shape.h"

namespace cairn {

struct RayHit {
  double distance = 0;  ///< from the origin of the ray, m, >= 0
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< of the surface, outward, unit; against the ray from outside, along it from inside
};

/// The nearest point of the surface on the ray from `origin` along `direction` (any length) up to `reach` metres, in
/// the frame of the shape. From inside a solid it is the point where the ray leaves. A height field is a surface
/// without walls at its border. A compound shows the surfaces of all its parts, also where they are inside each other.
/// Throws Error for a direction that is zero or not finite.
std::optional<RayHit> cast_ray(const Shape& shape, const Vec3& origin, const Vec3& direction,
                               double reach = std::numeric_limits<double>::infinity());

}  // namespace cairn
