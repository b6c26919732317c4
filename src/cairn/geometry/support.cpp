// SPDX-License-Identifier: Apache-2.0
// Asks the file of the shape.
#include "cairn/geometry/support.h"
#include "cairn/base/error.h"

namespace cairn {

Vec3 compute_support(const Shape& shape, const Vec3& d) {
  return std::visit(
      [&]<class S>(const S& s) -> Vec3 {
        if constexpr (std::is_same_v<S, HalfSpace> || std::is_same_v<S, HeightField>) {
          throw Error("{}: has no bounds, so no support point", shape_name(shape));
        } else {
          return compute_support(s, d);
        }
      },
      shape);
}

}  // namespace cairn
