// SPDX-License-Identifier: Apache-2.0
// Solids of revolution about z, by their profile in the half plane (distance from the axis, z).
#pragma once
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/surface_mesh.h"

namespace cairn::answers {

struct ProfileSide {
  Vec2 from, to, normal;
};

/// The nearest point of a solid with a convex profile. `sides` run counter-clockwise around the profile seen with the
/// axis on the left; its border on the axis is none.
SurfacePoint closest_in_revolution(std::span<const ProfileSide> sides, const Vec3& x);

/// Surface of revolution. The profile runs from the lower pole to the upper one: (radius, z) of each ring; the poles
/// are points of radius 0.
SurfaceMesh revolve(const std::vector<Vec2>& profile, int sides);

}  // namespace cairn::answers
