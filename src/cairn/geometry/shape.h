// SPDX-License-Identifier: Apache-2.0
// The shapes a collider can have, in the body frame, with their mass properties and bounds.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
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

/// All points within `radius` of the segment |Z| <= half_length of the z axis.
struct Capsule {
  double radius = 0.5;
  double half_length = 0.5;  ///< of the segment, >= 0; the whole capsule is longer by the radius at each end
};

/// X^2 + Y^2 <= radius^2, |Z| <= half_length.
struct Cylinder {
  double radius = 0.5;
  double half_length = 0.5;
};

/// Base disc at Z = -height/4, apex at Z = 3 height/4: the origin is the centre of volume.
struct Cone {
  double radius = 0.5;
  double height = 1;
};

/// Sum of (X_i / semi_axes_i)^2 <= 1.
struct Ellipsoid {
  Vec3 semi_axes{0.5, 0.5, 0.5};
};

struct Polyhedron;    // geometry/polyhedron.h
struct MeshData;      // geometry/mesh.h
struct HeightGrid;    // geometry/height_field.h
struct CellData;      // geometry/cell_mesh.h
struct CompoundData;  // geometry/compound.h
class ConvexSolid;    // geometry/user_solid.h

/// A bounded convex polyhedron: make_hull(), make_polyhedron().
struct ConvexPolyhedron {
  std::shared_ptr<const Polyhedron> data;
};

/// The solid inside a closed triangulated surface, or an open surface that others touch from its outer side (fixed
/// bodies only): make_mesh().
struct TriangleMesh {
  std::shared_ptr<const MeshData> data;
};

/// Everything below the surface z = f(x, y) of a grid; fixed bodies only: make_height_grid().
struct HeightField {
  std::shared_ptr<const HeightGrid> data;
};

/// A union of convex cells (tetrahedra, wedges, hexahedra) that share faces: make_cells().
struct CellMesh {
  std::shared_ptr<const CellData> data;
};

/// Several shapes that move together: make_compound().
struct Compound {
  std::shared_ptr<const CompoundData> data;
};

/// A convex solid of a program's own: make_solid(). Recorded and drawn as the mesh of its surface.
struct UserSolid {
  std::shared_ptr<const ConvexSolid> data;
};

/// A new shape is one more alternative here, a line in shape_answers.h, its own file (the linker says what is missing)
/// and, in collision/, make_convex() or its pairs.
using Shape = std::variant<Sphere, Box, HalfSpace, Capsule, Cylinder, Cone, Ellipsoid, ConvexPolyhedron, TriangleMesh,
                           HeightField, CellMesh, Compound, UserSolid>;

/// Where a shape is: x = A X + c. A is a rotation for rigid bodies, any matrix with det A > 0 for affine ones.
struct Placement {
  Mat3 A = Mat3::Identity();
  Vec3 c = Vec3::Zero();

  Vec3 apply(const Vec3& X) const { return A * X + c; }
};

/// True when |A'A - 1| <= tolerance entry by entry and det A > 0.
bool is_rotation(const Mat3& A, double tolerance = 1e-9);

/// Throws Error naming `owner` unless sizes are finite and > 0, a normal is unit to 1e-9 and big data are there (what
/// they hold was checked when they were made).
void check_shape(const Shape& shape, std::string_view owner);

/// Integrals over the undeformed shape for unit density (multiply by kg/m^3).
struct MassProperties {
  double volume = 0;            ///< m^3
  Vec3 centre = Vec3::Zero();   ///< centre of volume, body frame
  Mat3 inertia = Mat3::Zero();  ///< int (|X|^2 1 - X X') dV about the centre, m^5
  Mat3 euler = Mat3::Zero();    ///< int X X' dV about the centre, m^5; inertia = tr(euler) 1 - euler
};

/// Closed forms; exact integrals over polyhedra. Parts of a compound are summed as if they did not overlap. Throws
/// Error for what has no finite volume: half-space, height field, open mesh.
MassProperties compute_mass_properties(const Shape& shape);

bool is_bounded(const Shape& shape);

/// Radius of the smallest ball about the body-frame origin that holds the shape (for a compound: the balls of its
/// parts); infinite for a half-space and a height field.
double bounding_radius(const Shape& shape);

/// How far a point may sink in before the other side is nearer, about [m]: the least half extent, the radius of the
/// inscribed sphere, half the shortest way through a mesh. 0 for open surfaces, infinite for half-spaces and fields.
double half_thickness(const Shape& shape);

/// The smallest axis-aligned box. Exact for every matrix A (a sphere becomes an ellipsoid). A half-space is unbounded,
/// cut on the one side where its placed normal is a coordinate axis; a height field is unbounded downwards.
Aabb compute_aabb(const Shape& shape, const Placement& placement);

/// "sphere", "box", ...: the name in scenes; of a user's solid "mesh".
std::string_view shape_name(const Shape& shape);

/// A shape that lives in a file.
struct ShapeFile {
  std::string_view kind;  ///< a name of shape_kinds()
  std::string file;
  double scale = 1;  ///< metres per unit of the file
};
/// Reads such a file; room io knows how (io/mesh_file.h).
using ShapeLoader = std::function<Shape(const ShapeFile&)>;

/// One row of the registry of shapes.
struct ShapeInfo {
  std::string_view name;
  std::string_view help;
  Shape (*build)(ParameterVisitor& v, const ShapeLoader& load);

  /// A shape with the values the visitor gives. A shape of a file needs a loader; without a file name it has no data.
  Shape make(ParameterVisitor& v, const ShapeLoader& load = {}) const { return build(v, load); }
};

/// Those that scenes can name, in the order of the alternatives of Shape.
std::span<const ShapeInfo> shape_kinds();

}  // namespace cairn
