// SPDX-License-Identifier: Apache-2.0
// The registry of shapes: names, help and the parameters a person gives, each described once.
#include <array>

#include "cairn/base/error.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/shape.h"

namespace cairn {
namespace {

std::span<double, 3> numbers(Vec3& x) { return std::span<double, 3>(x.data(), 3); }

Shape build_sphere(ParameterVisitor& v, const ShapeLoader&) {
  Sphere sphere;
  v.real("radius", sphere.radius, "m", positive, "of the ball", Presence::Required);
  return sphere;
}

Shape build_box(ParameterVisitor& v, const ShapeLoader&) {
  Vec3 size = 2 * Box{}.half_extents;
  v.vector("size", numbers(size), "m", positive, Presence::Required, "three edge lengths (in C++ half_extents)");
  return Box{size / 2};
}

Shape build_half_space(ParameterVisitor& v, const ShapeLoader&) {
  HalfSpace half;
  v.direction("normal", numbers(half.normal), "out of the solid");
  v.real("offset", half.offset, "m", any_number, "distance of the plane from the body's origin along the normal");
  return half;
}

Shape build_capsule(ParameterVisitor& v, const ShapeLoader&) {
  double radius = 0.5, length = 1;
  v.real("radius", radius, "m", positive, "of the caps and the side", Presence::Required);
  v.real("length", length, "m", non_negative, "between the centres of the caps, along z (in C++ half_length)",
         Presence::Required);
  return Capsule{radius, length / 2};
}

Shape build_cylinder(ParameterVisitor& v, const ShapeLoader&) {
  double radius = 0.5, length = 1;
  v.real("radius", radius, "m", positive, "of the round side", Presence::Required);
  v.real("length", length, "m", positive, "between the flat ends, along z (in C++ half_length)", Presence::Required);
  return Cylinder{radius, length / 2};
}

Shape build_cone(ParameterVisitor& v, const ShapeLoader&) {
  Cone cone;
  v.real("radius", cone.radius, "m", positive, "of the base, at z = -height/4", Presence::Required);
  v.real("height", cone.height, "m", positive, "from the base to the apex, along z", Presence::Required);
  return cone;
}

Shape build_ellipsoid(ParameterVisitor& v, const ShapeLoader&) {
  Ellipsoid e;
  v.vector("semi_axes", numbers(e.semi_axes), "m", positive, Presence::Required, "half of its size along x, y and z");
  return e;
}

// A shape from a file, or without data where no name is given (when parameters are only listed).
template <class Kind>
Shape build_from_file(ParameterVisitor& v, const ShapeLoader& load, std::string_view kind, std::string_view help) {
  ShapeFile source{kind, "", 1};
  v.text("file", source.file, help);
  v.real("scale", source.scale, "m", positive, "length of one unit of the file");
  if (source.file.empty()) return Kind{};
  if (!load) throw Error("{} '{}': no reader of files was given", kind, source.file);
  return load(source);
}

Shape build_convex(ParameterVisitor& v, const ShapeLoader& load) {
  std::vector<std::array<double, 3>> given;
  v.points("points", given, "m", "whose convex hull it is (instead of a file)");
  const Shape shape = build_from_file<ConvexPolyhedron>(v, load, "convex", "surface mesh whose convex hull it is");
  if (given.empty()) return shape;
  if (std::get<ConvexPolyhedron>(shape).data) throw Error("convex: has points and a file; give one of them");
  std::vector<Vec3> points;
  for (const auto& x : given) points.emplace_back(x[0], x[1], x[2]);
  return ConvexPolyhedron{std::make_shared<const Polyhedron>(make_hull(points, "convex"))};
}

Shape build_mesh(ParameterVisitor& v, const ShapeLoader& load) {
  return build_from_file<TriangleMesh>(v, load, "mesh", "surface mesh: .obj, .stl, .ply, .vtk, .vtu, .msh");
}

Shape build_height_field(ParameterVisitor& v, const ShapeLoader& load) {
  return build_from_file<HeightField>(v, load, "height-field", "heights on a grid: ESRI ASCII grid, .asc");
}

Shape build_cells(ParameterVisitor& v, const ShapeLoader& load) {
  return build_from_file<CellMesh>(v, load, "cells", "volume mesh: .msh, .vtk, .vtu");
}

Shape build_compound(ParameterVisitor& v, const ShapeLoader&) {
  v.special("parts", "list", "of {shape, position, orientation}; positions and orientations in the frame of the body");
  return Compound{};
}

// In the order of the alternatives of Shape.
constexpr std::array<ShapeInfo, std::variant_size_v<Shape>> kShapeKinds{{
    {"sphere", "ball about the origin of the body frame", build_sphere},
    {"box", "block about the origin of the body frame; a parallelepiped on an affine body", build_box},
    {"half-space", "everything below a plane: solid where normal.X <= offset; fixed bodies only, no mass",
     build_half_space},
    {"capsule", "all points within a radius of a segment of the z axis", build_capsule},
    {"cylinder", "round bar along z about the origin of the body frame", build_cylinder},
    {"cone", "apex up along z; the origin is the centre of volume", build_cone},
    {"ellipsoid", "with its axes along those of the body frame", build_ellipsoid},
    {"convex", "convex polyhedron: the hull of points", build_convex},
    {"mesh", "solid inside a closed triangle mesh, convex or not; an open mesh on fixed bodies only", build_mesh},
    {"height-field", "everything below heights on a grid, two triangles per cell; fixed bodies only, no mass",
     build_height_field},
    {"cells", "union of convex cells: tetrahedra, wedges, hexahedra", build_cells},
    {"compound", "several shapes that move together", build_compound},
}};

}  // namespace

std::string_view shape_name(const Shape& shape) { return kShapeKinds[shape.index()].name; }

std::span<const ShapeInfo> shape_kinds() { return kShapeKinds; }

}  // namespace cairn
