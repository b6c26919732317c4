// SPDX-License-Identifier: Apache-2.0
// A convex solid of a program's own, in closed form: what it must answer, and what follows from the answers.
//
// Contacts come from the support map h(d) = the farthest point along d, as for the library's own curved shapes: GJK and
// EPA for the first guess, Newton's method on the normal for the digits, with the curvature of h by differences.
#pragma once
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/ray_cast.h"

namespace cairn {

/// All in the frame of the shape. Answers must not change while the solid is in use, and are asked by several threads.
class ConvexSolid {
 public:
  virtual ~ConvexSolid() = default;
  /// A point where d.X is largest; d of any length > 0.
  virtual Vec3 support(const Vec3& d) const = 0;
  /// The nearest point of the surface, with the distance (negative inside) and the outward normal.
  virtual SurfacePoint closest_point(const Vec3& x) const = 0;
  /// Volume, centre and moments for unit density.
  virtual MassProperties mass() const = 0;
  /// Of a ball about the origin that holds the solid [m].
  virtual double radius() const = 0;
  /// Where the ray from `origin` along the unit vector `direction` first meets the surface. Unless a solid knows
  /// better, by steps of the distance to it.
  virtual std::optional<RayHit> cast_ray(const Vec3& origin, const Vec3& direction, double reach) const;
};

/// The shape of such a solid, checked: throws Error naming `owner` where an answer is not finite or contradicts
/// another.
UserSolid make_solid(std::shared_ptr<const ConvexSolid> solid, std::string_view owner);

}  // namespace cairn
