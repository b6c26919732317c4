// SPDX-License-Identifier: Apache-2.0
// Asks the file of the shape.
#include "cairn/geometry/ray_cast.h"
#include "cairn/base/error.h"
#include "cairn/geometry/shape_answers.h"

namespace cairn {

std::optional<RayHit> cast_ray(const Shape& shape, const Vec3& origin, const Vec3& direction, double reach) {
  const double largest = direction.cwiseAbs().maxCoeff();
  if (!direction.allFinite() || !(largest > 0) || !origin.allFinite())
    throw Error("ray: from ({}, {}, {}) along ({}, {}, {}); must be finite, the direction not zero", origin.x(),
                origin.y(), origin.z(), direction.x(), direction.y(), direction.z());
  const answers::Ray ray{origin, (direction / largest).normalized(), reach};
  return std::visit([&](const auto& s) { return answers::cast(s, ray); }, shape);
}

}  // namespace cairn
