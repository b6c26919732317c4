// SPDX-License-Identifier: Apache-2.0
// Contact points of meshes, cell meshes, height fields and compounds with every shape.
#pragma once
#include <concepts>
#include <vector>

#include "cairn/collision/contact_point.h"
#include "cairn/geometry/shape.h"

namespace cairn {

/// Shapes that others touch on a triangulated surface.
template <class S>
concept SurfaceShape = std::same_as<S, TriangleMesh> || std::same_as<S, CellMesh> || std::same_as<S, HeightField>;

/// Appends the points with gap <= margin between a surface (b) and any shape but a compound (a), normals from b to a.
/// Overlaps deeper than a tenth of the smaller of the two are not looked for.
void collide_with_surface(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double margin,
                          std::vector<ContactPoint>& out);

/// All parts of a compound (a) with any shape (b). The part is in the upper bits of the feature id.
void collide_parts(const Compound& a, const Placement& pa, const Shape& b, const Placement& pb, double margin,
                   std::vector<ContactPoint>& out);

/// True for shapes that need not be convex: surfaces and compounds.
bool has_surface(const Shape& shape);

}  // namespace cairn
