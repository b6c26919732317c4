// SPDX-License-Identifier: Apache-2.0
// One overload per pair of shape kinds, one file each; narrow_phase.cpp finds them by their argument types.
#pragma once
#include <vector>

#include "cairn/collision/contact_point.h"
#include "cairn/geometry/shape.h"

namespace cairn {

/// Each appends the points with gap <= margin, normals from b to a. The mirrored pair needs no overload.
void collide_pair(const Sphere& a, const Placement& pa, const Sphere& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out);
void collide_pair(const Sphere& a, const Placement& pa, const Box& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out);
void collide_pair(const Sphere& a, const Placement& pa, const HalfSpace& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out);
void collide_pair(const Box& a, const Placement& pa, const HalfSpace& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out);
void collide_pair(const Box& a, const Placement& pa, const Box& b, const Placement& pb, double margin,
                  std::vector<ContactPoint>& out);

/// Two half-spaces are boundaries, not bodies: no contacts.
inline void collide_pair(const HalfSpace&, const Placement&, const HalfSpace&, const Placement&, double,
                         std::vector<ContactPoint>&) {}

/// The plane normal.x = offset of a half-space placed in the world.
struct WorldPlane {
  Vec3 normal;
  double offset;
};
WorldPlane compute_world_plane(const HalfSpace& h, const Placement& p);

}  // namespace cairn
