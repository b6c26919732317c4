// SPDX-License-Identifier: Apache-2.0
// Moves the data of polyhedra, meshes, cells and compounds.
#include "cairn/geometry/translate.h"

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"

#include <algorithm>

namespace cairn {
namespace {

double move(std::vector<Vec3>& points, const Vec3& d) {
  double radius = 0;
  for (Vec3& x : points) radius = std::max(radius, (x += d).norm());
  return radius;
}

// Rounding is monotone: what was inside a box stays inside.
void move(BoxTree& tree, const Vec3& d) {
  for (BoxTree::Node& node : tree.nodes) {
    node.box.lo += d;
    node.box.hi += d;
  }
}

void move(Polyhedron& p, const Vec3& d) {
  p.radius = move(p.vertices, d);
  for (std::size_t f = 0; f < p.normals.size(); ++f) p.offsets[f] += p.normals[f].dot(d);
  p.inside += d;
}

void move(MeshData& m, const Vec3& d) {
  m.radius = move(m.vertices, d);
  move(m.tree, d);
}

void move(CellData& c, const Vec3& d) {
  c.radius = move(c.vertices, d);
  for (Polyhedron& cell : c.cells) move(cell, d);
  move(c.tree, d);
  move(c.surface.vertices, d);
  move(c.shell, d);
}

void move(CompoundData& c, const Vec3& d) {
  for (CompoundPart& part : c.parts) part.at.c += d;
}

template <class S>
concept MovableShape = std::same_as<S, ConvexPolyhedron> || std::same_as<S, TriangleMesh> ||
                       std::same_as<S, CellMesh> || std::same_as<S, Compound>;

}  // namespace

Shape translate_shape(const Shape& shape, const Vec3& d) {
  if (d.isZero(0)) return shape;
  return std::visit(
      [&]<class S>(const S& s) -> Shape {
        if constexpr (MovableShape<S>) {
          auto data = std::make_shared<std::remove_const_t<typename decltype(s.data)::element_type>>(*s.data);
          move(*data, d);
          return S{std::move(data)};
        } else {
          throw Error("a {} has its origin by definition and cannot be moved within its frame", shape_name(shape));
        }
      },
      shape);
}

}  // namespace cairn
