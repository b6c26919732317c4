// SPDX-License-Identifier: Apache-2.0
// The questions asked of every shape, answered in the shape's own file. Who uses shapes asks through shape.h,
// support.h, closest_point.h, ray_cast.h, surface_mesh.h and place_shape.h, which say what the answers mean.
//
// A new shape is an alternative of Shape, a line below, its file, and make_convex() if it is convex
// (collision/convex.h) or its pairs.
#pragma once
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/ray_stretch.h"
#include "cairn/geometry/surface_mesh.h"

namespace cairn::answers {

#define CAIRN_SHAPE(Kind)                                                      \
  void check(const Kind& shape, std::string_view owner);                       \
  MassProperties mass(const Kind& shape);                                      \
  double radius(const Kind& shape);                                            \
  Aabb bounds(const Kind& shape, const Placement& p);                          \
  double thickness(const Kind& shape);                                         \
  SurfacePoint closest(const Kind& shape, const Vec3& x);                      \
  std::optional<RayHit> cast(const Kind& shape, const Ray& ray);               \
  SurfaceMesh surface(const Kind& shape, int refinement, double plane_extent); \
  Shape place(const Kind& shape, const Placement& at)

CAIRN_SHAPE(Sphere);
CAIRN_SHAPE(Box);
CAIRN_SHAPE(HalfSpace);
CAIRN_SHAPE(Capsule);
CAIRN_SHAPE(Cylinder);
CAIRN_SHAPE(Cone);
CAIRN_SHAPE(Ellipsoid);
CAIRN_SHAPE(ConvexPolyhedron);
CAIRN_SHAPE(TriangleMesh);
CAIRN_SHAPE(HeightField);
CAIRN_SHAPE(CellMesh);
CAIRN_SHAPE(Compound);
CAIRN_SHAPE(UserSolid);

#undef CAIRN_SHAPE

/// The rows of the registry, in the order of the alternatives.
extern const ShapeInfo sphere_row, box_row, half_space_row, capsule_row, cylinder_row, cone_row, ellipsoid_row,
    convex_polyhedron_row, triangle_mesh_row, height_field_row, cell_mesh_row, compound_row;

/// Of the mesh of a solid's surface.
double thickness(const MeshData& mesh);
/// Looks no farther than `within`.
SurfacePoint closest(const MeshData& mesh, const Vec3& x, double within);

}  // namespace cairn::answers
