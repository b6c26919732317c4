// SPDX-License-Identifier: Apache-2.0
// Shapes moved within their own frame: bodies have their origin at the centre of mass, files have it anywhere.
#pragma once
#include "cairn/geometry/shape.h"

namespace cairn {

/// The same shape with every point X at X + d. Throws Error for a d that is not zero and a shape whose origin is fixed
/// by its definition (sphere, box, ...).
Shape translate_shape(const Shape& shape, const Vec3& d);

}  // namespace cairn
