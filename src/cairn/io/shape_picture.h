// SPDX-License-Identifier: Apache-2.0
// The surface of a shape with what is needed to draw it: where it is round and where it has edges.
#pragma once
#include "cairn/geometry/shape.h"
#include "cairn/io/renderer.h"

namespace cairn {

/// In the shape's own frame. Spheres, ellipsoids and capsules are round; hulls and boxes keep their facets; what else
/// may be meant to be round is drawn so where its faces meet at small angles. Refinement and extent as for
/// make_surface_mesh().
RenderMesh make_render_mesh(const Shape& shape, int refinement, double half_space_extent = 10);

}  // namespace cairn
