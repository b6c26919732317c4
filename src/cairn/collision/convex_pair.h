// SPDX-License-Identifier: Apache-2.0
// Contact points of any two convex shapes, and of a convex shape on a plane.
#pragma once
#include <concepts>
#include <vector>

#include "cairn/collision/contact_point.h"
#include "cairn/collision/convex.h"

namespace cairn {

/// The shapes with a make_convex().
template <class S>
concept ConvexShape = requires(const S& s, const Placement& p, const Vec3& x) {
  { make_convex(s, p, x) } -> std::same_as<PlacedConvex>;
};

/// The origin for a pair: the place of one of the two, which keeps the digits of small shapes far from the world's
/// origin; the same one when they are exchanged.
const Vec3& find_pair_origin(const Placement& pa, const Placement& pb);

/// Appends the contact points with gap <= margin, normals from b to a; positions in a and b are relative to `origin`.
///
/// Cores apart: distance by GJK. Cores that overlap: direction of least penetration by the expanding polytope, which is
/// the global one. The normal is then made exact (faces and edges of polyhedra: from their own directions; curved
/// surfaces: Newton's method), the gap is the distance of the supporting planes across it, and the points are the
/// overlap of the supporting features, seen along the normal.
/// Where several ways out of a deep overlap are equally short, one of them is taken; for curved shapes "equally" means
/// to 1e-4 of their size (of shapes with edges or rims: to 5e-5 of the depth where that is less), and the depth
/// along the way taken is exact.
void collide_convex(const PlacedConvex& a, const PlacedConvex& b, const Vec3& origin, double margin,
                    std::vector<ContactPoint>& out);

/// Contact points of a on the plane normal.x = offset (relative to `origin`), whose normal is unit: every vertex of a
/// polyhedron within the margin; of curved shapes the feature that looks at the plane: both ends of a generator, points
/// of a rim (supporting_feature.h), the lowest point.
void collide_with_plane(const PlacedConvex& a, const Vec3& normal, double offset, const Vec3& origin, double margin,
                        std::vector<ContactPoint>& out);

}  // namespace cairn
