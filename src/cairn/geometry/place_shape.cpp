// SPDX-License-Identifier: Apache-2.0
// Coordinates carried along; topology stays.
#include "cairn/geometry/place_shape.h"

#include <algorithm>

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"

namespace cairn {
namespace {

double largest_norm(const std::vector<Vec3>& points) {
  double r = 0;
  for (const Vec3& x : points) r = std::max(r, x.norm());
  return r;
}

MeshData moved(MeshData mesh, const Placement& at) {
  for (Vec3& v : mesh.vertices) v = at.apply(v);
  for (Vec3& n : mesh.normals) n = at.A * n;
  for (Vec3& n : mesh.vertex_normals) n = at.A * n;
  update_tree(mesh);
  mesh.radius = largest_norm(mesh.vertices);
  return mesh;
}

Polyhedron moved(Polyhedron p, const Placement& at) {
  for (Vec3& v : p.vertices) v = at.apply(v);
  for (std::size_t f = 0; f < p.normals.size(); ++f) {
    p.normals[f] = at.A * p.normals[f];
    p.offsets[f] += p.normals[f].dot(at.c);
  }
  p.inside = at.apply(p.inside);
  p.radius = largest_norm(p.vertices);
  update_blocks(p);
  if (p.shell) p.shell = std::make_shared<const MeshData>(moved(*p.shell, at));
  return p;
}

template <class Primitive>
Shape place(const Primitive& shape, const Placement& at) {
  return make_compound({{shape, at}}, shape_name(shape));
}

Shape place(const Sphere& s, const Placement& at) {
  if (at.c.isZero(0)) return s;
  return make_compound({{s, at}}, "sphere");
}

Shape place(const HalfSpace& h, const Placement& at) {
  const Vec3 n = (at.A * h.normal).normalized();
  return HalfSpace{n, h.offset + n.dot(at.c)};
}

Shape place(const ConvexPolyhedron& c, const Placement& at) {
  return ConvexPolyhedron{std::make_shared<const Polyhedron>(moved(*c.data, at))};
}

Shape place(const TriangleMesh& m, const Placement& at) {
  return TriangleMesh{std::make_shared<const MeshData>(moved(*m.data, at))};
}

Shape place(const HeightField& h, const Placement& at) {
  if (!at.A.isIdentity(0)) throw Error("height-field: can be moved within its frame, not turned; turn its body");
  HeightGrid g = *h.data;
  g.x0 += at.c.x();
  g.y0 += at.c.y();
  for (double& z : g.heights) z += at.c.z();
  g.lowest += at.c.z();
  g.highest += at.c.z();
  return HeightField{std::make_shared<const HeightGrid>(std::move(g))};
}

Shape place(const CellMesh& c, const Placement& at) {
  CellData data = *c.data;
  for (Vec3& v : data.vertices) v = at.apply(v);
  for (Polyhedron& cell : data.cells) cell = moved(std::move(cell), at);
  for (Vec3& v : data.surface.vertices) v = at.apply(v);
  std::vector<Aabb> boxes;
  for (const int k : data.surface_cells) {
    boxes.emplace_back();
    for (const Vec3& v : data.cells[k].vertices) boxes.back().merge(v);
  }
  data.tree = make_box_tree(boxes);
  data.shell = moved(std::move(data.shell), at);
  data.radius = largest_norm(data.vertices);
  return CellMesh{std::make_shared<const CellData>(std::move(data))};
}

Shape place(const Compound& c, const Placement& at) {
  std::vector<CompoundPart> parts = c.data->parts;
  for (CompoundPart& part : parts) part.at = {at.A * part.at.A, at.apply(part.at.c)};
  return make_compound(std::move(parts), "compound");
}

}  // namespace

Shape place_shape(const Shape& shape, const Placement& at) {
  if (!is_rotation(at.A) || !at.c.allFinite())
    throw Error("{}: can be placed by a rotation and a finite shift only", shape_name(shape));
  if (at.A.isIdentity(0) && at.c.isZero(0)) return shape;
  return std::visit([&](const auto& s) { return place(s, at); }, shape);
}

}  // namespace cairn
