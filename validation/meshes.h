// SPDX-License-Identifier: Apache-2.0
// Meshes of the cases on concave shapes, internal edges and split faces: closed surfaces made from few numbers.
#pragma once
#include "cairn/geometry/mesh.h"

#include <array>
#include <string_view>

namespace cairn::validation {

TriangleMesh to_shape(const SurfaceMesh& surface, std::string_view owner);

/// The box |x_i| <= half_i with each face split into parts x parts squares of two triangles.
SurfaceMesh make_split_box(const Vec3& half, int parts);
/// A level slab, its upper side at z = 0 split into parts x parts cells whose inner corners are shifted at random
/// within the plane, its lower side one square.
SurfaceMesh make_slab(double half, double thickness, int parts, double shift);

/// A polygon in the x-z plane, counter-clockwise seen from -y (x to the right, z up), drawn out to |y| <= half_width.
/// `triangles` of corners fill the polygon.
SurfaceMesh make_prism(const std::vector<Eigen::Vector2d>& polygon, const std::vector<std::array<int, 3>>& triangles,
                       double half_width);
/// A closed profile (radius, z), counter-clockwise with the radius to the right, turned about z in `sides` steps;
/// corners with radius 0 lie on the axis. Ring k of corners lies at the angle 2 pi (k + 1/2)/sides.
SurfaceMesh make_turned(const std::vector<Eigen::Vector2d>& profile, int sides);
/// A bar of `sides` sides along a line of points in the x-z plane, closed to a ring or with flat ends. A corner of the
/// section lies in the plane on either side.
SurfaceMesh make_bar(const std::vector<Eigen::Vector2d>& line, double radius, int sides, bool ring);

/// A square thread that rises with the angle: in each pitch first the radius `root`, then over `land` the radius
/// `crest`. A bolt reaches inwards to the radius `bore`, a nut outwards to the radius `outer` (its crest is inside of
/// its root).
struct Thread {
  double root, crest, pitch;
  double land;  ///< axial width of the crest [m]
  int turns, sides;
};
SurfaceMesh make_bolt(const Thread& thread, double bore);
SurfaceMesh make_nut(const Thread& thread, double outer);

}  // namespace cairn::validation
