// SPDX-License-Identifier: Apache-2.0
// A body that is not convex, for measurements on meshes.
#pragma once
#include "cairn/geometry/shape.h"

namespace cairn {

/// A star-shaped lump with knobs, about 0.4 m, of 2 x 1000 triangles.
TriangleMesh make_lump();

}  // namespace cairn
