// SPDX-License-Identifier: Apache-2.0
// Contact points of two parallelepipeds once the kind of contact is known: face or edge pair.
#pragma once
#include <array>
#include <optional>

#include "cairn/collision/parallelepiped.h"

namespace cairn {

/// Lengths below which differences are round-off, from the sizes of the two boxes (m).
struct BoxTolerances {
  double on;         ///< a vertex this near a clipping plane lies on it
  double same;       ///< points this near each other are one point; separations this near are equal
  double collinear;  ///< a vertex this near the segment of its neighbours adds nothing to the polygon
};

/// A point of the manifold: on the incident surface, `gap` above the reference surface along the axis.
struct BoxContact {
  Vec3 point;
  double gap;
  std::uint32_t incident, reference;  ///< features of the two boxes
  double weight;                      ///< share of the area (m^2)
};

struct BoxManifold {
  std::array<BoxContact, 16> points;
  int count = 0;
  double
      least;  ///< least gap in the polygon, also beyond the margin; more than that of the faces when they do not meet
};

/// Face `side * N_i` of `reference` against the face of `incident` that looks at it: all vertices of the polygon in
/// which they overlap when projected along the reference normal, midway between the surfaces, those with gap <= margin.
BoxManifold clip_faces(const Parallelepiped& reference, int i, double side, const Parallelepiped& incident,
                       double margin, const BoxTolerances& tolerances);

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
