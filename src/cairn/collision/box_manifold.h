// SPDX-License-Identifier: Apache-2.0
// Contact points of two parallelepipeds once the kind of contact is known: face or edge pair.
#pragma once
#include <optional>
#include <vector>

#include "cairn/collision/parallelepiped.h"

namespace cairn {

/// Lengths below which differences are round-off, from the sizes of the two boxes (m).
struct BoxTolerances {
  double on;         ///< a vertex this near a clipping plane lies on it
  double same;       ///< points this near each other are one point; separations this near are equal
  double collinear;  ///< a vertex this near the segment of its neighbours adds nothing to the polygon
};

/// Face `side * N_i` of `reference` against the face of `incident` that looks at it: appends all vertices of the
/// polygon in which they overlap when projected along the reference normal, midway between the surfaces, those with gap
/// <= margin. False, and nothing appended, when the least gap of the polygon is more than `highest`: the faces do not
/// meet. Positions are relative to `origin`; `reference_is_a` says which of the two is called a.
bool append_face_contacts(const Parallelepiped& reference, int i, double side, const Parallelepiped& incident,
                          double margin, double highest, const BoxTolerances& tolerances, const Vec3& origin,
                          bool reference_is_a, std::vector<ContactPoint>& out);

/// Points of two edges nearest to each other.
struct EdgePoints {
  Vec3 on_a, on_b;
  std::uint32_t edge_a, edge_b;  ///< features
};

/// Edge i of a and edge j of b that support along `axis` (unit, from a to b); nothing when the nearest points of the
/// two lines lie off the edges.
std::optional<EdgePoints> find_crossing(const Parallelepiped& a, int i, const Parallelepiped& b, int j,
                                        const Vec3& axis, const BoxTolerances& tolerances);

}  // namespace cairn
