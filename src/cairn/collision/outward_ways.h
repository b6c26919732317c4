// SPDX-License-Identifier: Apache-2.0
// Ways out of an overlap that one feature of a surface allows: the directions along which a convex body is least deep
// below an edge or a vertex, among those that lead away from the surface.
//
// The shortest way off an edge or a vertex alone may lead into the body it belongs to. The depth along n of a body
// with lowest point x(n) is n.(y - x(n)), and its derivative with n is y - x: at a least depth that is not at the end
// of what a feature allows x lies right below a point of the feature. Beyond that end the next feature answers.
#pragma once
#include <vector>

#include "cairn/collision/convex.h"
#include "cairn/collision/placed_mesh.h"

namespace cairn {

struct OutwardWay {
  Vec3 normal;   ///< unit, the way of the convex body
  Vec3 x;        ///< its lowest point
  double gap;    ///< of x above the feature, along the normal
  double along;  ///< where on the edge: 0 at `from`, 1 at its other end; 0 for a vertex
};

/// Appends the ways between the normals of an edge along which a is least deep among those nearby. `level`: what counts
/// as no distance (m).
void find_ways_off_edge(const PlacedConvex& a, const PlacedEdge& edge, double level, std::vector<OutwardWay>& out);

/// Appends the ways along which a is least deep below the point y inside it, among those nearby: across each of its
/// faces and its curved sides.
void find_ways_off_point(const PlacedConvex& a, const Vec3& y, std::vector<OutwardWay>& out);

}  // namespace cairn
