// SPDX-License-Identifier: Apache-2.0
// The point of an ellipsoid nearest to a given point, to rounding, wherever that is.
#pragma once
#include "cairn/math/types.h"

namespace cairn {

/// Semi-axes > 0; x may be inside, on an axis or at the centre.
Vec3 find_nearest_on_ellipsoid(const Vec3& semi_axes, const Vec3& x);

}  // namespace cairn
