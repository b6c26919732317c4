// SPDX-License-Identifier: Apache-2.0
// Contact points of two placed shapes: chooses the routine for the pair of kinds.
#pragma once
#include <string_view>
#include <vector>

#include "cairn/collision/contact_point.h"
#include "cairn/geometry/shape.h"

namespace cairn {

/// Appends every contact point with gap <= margin (m), a = b = -1. The gap is exact at touching, no margin is hidden,
/// tolerances are relative to the shapes' sizes; exchange of the shapes gives the same points with opposite normals.
/// The points are the whole manifold: the vertices of the contact polygon, both ends of a line, points of a rim
/// (supporting_feature.h); feature ids and weights as in contact_point.h.
void collide(const Shape& sa, const Placement& pa, const Shape& sb, const Placement& pb, double margin,
             std::vector<ContactPoint>& out);

/// How collide() finds the contacts of shapes i and j of shape_kinds(): "analytic", "sat + clipping",
/// "gjk/epa + clipping", ...; "none" for pairs that never touch.
std::string_view pair_method(std::size_t i, std::size_t j);

}  // namespace cairn
