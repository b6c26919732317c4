// SPDX-License-Identifier: Apache-2.0
// Support points: the farthest point of a shape in a direction.
#pragma once
#include "cairn/geometry/shape.h"

namespace cairn {

/// A point of the shape (its own frame) where d.X is largest; any of them where there are several, for d = 0 as well.
/// Throws Error for shapes without bounds (half-space, height field).
Vec3 compute_support(const Shape& shape, const Vec3& d);

Vec3 compute_support(const Sphere& s, const Vec3& d);
Vec3 compute_support(const Box& b, const Vec3& d);
Vec3 compute_support(const Capsule& c, const Vec3& d);
Vec3 compute_support(const Cylinder& c, const Vec3& d);
Vec3 compute_support(const Cone& c, const Vec3& d);
Vec3 compute_support(const Ellipsoid& e, const Vec3& d);
Vec3 compute_support(const ConvexPolyhedron& c, const Vec3& d);
Vec3 compute_support(const TriangleMesh& m, const Vec3& d);
Vec3 compute_support(const CellMesh& c, const Vec3& d);
Vec3 compute_support(const Compound& c, const Vec3& d);
Vec3 compute_support(const UserSolid& s, const Vec3& d);

}  // namespace cairn
