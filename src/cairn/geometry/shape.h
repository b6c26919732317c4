// SPDX-License-Identifier: Apache-2.0
// The shapes a collider can have, in the body frame, with their mass properties and bounds.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "cairn/base/parameters.h"
#include "cairn/geometry/aabb.h"
#include "cairn/math/types.h"

namespace cairn {

/// Ball about the origin of the body frame.
struct Sphere {
  double radius = 0.5;
};

/// Block |X_i| <= half_extents_i. On an affine body it becomes a parallelepiped.
struct Box {
  Vec3 half_extents{0.5, 0.5, 0.5};
};

/// Everything on one side of a plane: solid where normal.X <= offset in the body frame; the normal is unit.
struct HalfSpace {
  Vec3 normal{0, 0, 1};
  double offset = 0;
};

struct Capsule {
  double radius = 0.5;
  double half_length = 0.5;
};
struct Cylinder {
  double radius = 0.5;
  double half_length = 0.5;
};
struct Cone {
  double radius = 0.5;
  double height = 1;
};
struct Ellipsoid {
  Vec3 semi_axes{0.5, 0.5, 0.5};
};
struct Polyhedron;
struct ConvexPolyhedron {
  std::shared_ptr<const Polyhedron> data;
};

/// A new shape is one more alternative here, its overloads in shape.cpp and surface_mesh.cpp (the compiler lists
/// what is missing), one row in shape_kinds() and its pairs in collision/pairs.h.
using Shape = std::variant<Sphere, Box, HalfSpace>;

/// Where a shape is: x = A X + c. A is a rotation for rigid bodies, any matrix with det A > 0 for affine ones.
struct Placement {
  Mat3 A = Mat3::Identity();
  Vec3 c = Vec3::Zero();

  Vec3 apply(const Vec3& X) const { return A * X + c; }
};

/// True when |A'A - 1| <= tolerance entry by entry and det A > 0.
bool is_rotation(const Mat3& A, double tolerance = 1e-9);

/// Throws Error naming `owner` unless sizes are finite and > 0 and a normal is unit to 1e-9.
void check_shape(const Shape& shape, std::string_view owner);

/// Integrals over the undeformed shape for unit density (multiply by kg/m^3).
struct MassProperties {
  double volume = 0;            ///< m^3
  Vec3 centre = Vec3::Zero();   ///< centre of volume, body frame
  Mat3 inertia = Mat3::Zero();  ///< int (|X|^2 1 - X X') dV about the centre, m^5
  Mat3 euler = Mat3::Zero();    ///< int X X' dV about the centre, m^5; inertia = tr(euler) 1 - euler
};

/// Closed forms. Throws Error for a half-space, whose volume is infinite.
MassProperties compute_mass_properties(const Shape& shape);

bool is_bounded(const Shape& shape);

/// Radius of the smallest ball about the body-frame origin that holds the shape; infinite for a half-space.
double bounding_radius(const Shape& shape);

/// The smallest axis-aligned box. Exact for every matrix A (a sphere becomes an ellipsoid). A half-space is unbounded,
/// cut on the one side where its placed normal is a coordinate axis.
Aabb compute_aabb(const Shape& shape, const Placement& placement);

/// "sphere", "box" or "half-space".
std::string_view shape_name(const Shape& shape);

/// One row of the registry of shapes.
struct ShapeInfo {
  std::string_view name;
  std::string_view help;
  /// A shape with the values the visitor gives.
  Shape (*make)(ParameterVisitor& v);
};

/// In the order of the alternatives of Shape.
std::span<const ShapeInfo> shape_kinds();

}  // namespace cairn
