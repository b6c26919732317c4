// SPDX-License-Identifier: Apache-2.0
// What of a convex shape lies in its supporting plane: a point, a segment or a polygon, with names for its parts.
#pragma once
#include <span>
#include <vector>

#include "cairn/collision/contact_point.h"
#include "cairn/collision/convex.h"

namespace cairn {

/// A disc is described by this many points of its rim, fixed to the body (so they persist), and by the lowest one.
/// Eight carry any force and all but 1 - cos(22.5 deg) = 8 % of the tilting moment about an axis between two of them;
/// near tilting the lowest point, which is exact, carries it all.
inline constexpr int kRimPoints = 8;

struct FeatureVertex {
  Vec3 x;              ///< on the surface
  std::uint32_t id;    ///< of the vertex
  std::uint32_t edge;  ///< id of the edge from here to the next vertex
};

struct SupportingFeature {
  std::vector<FeatureVertex> vertices;  ///< 1, 2, or a polygon counter-clockwise seen from outside
  std::uint32_t id = 0;                 ///< of the whole
  Vec3 normal = Vec3::Zero();           ///< outward unit normal of a polygon
  bool is_disc = false;                 ///< a polygon inscribed in a rim
};

/// The face of a polyhedron whose outward normal is nearest to d.
int find_facing(const PlacedConvex& s, const Vec3& d);

/// The feature of s that looks along the unit vector d: a polygon or a segment that encloses an angle with the plane
/// across d whose sine is at most `tilt`; otherwise the supporting point. `hint`: id
/// of a vertex near the supporting one.
void find_feature(const PlacedConvex& s, const Vec3& d, double tilt, SupportingFeature& out, int hint = 0);

/// Adds to a disc of s the points of its rim towards those of `others` that lie within the rim but outside the polygon,
/// as seen along d: so no corner that rests on the disc is cut off.
void refine_disc(const PlacedConvex& s, const Vec3& d, std::span<const FeatureVertex> others, SupportingFeature& disc);

}  // namespace cairn
