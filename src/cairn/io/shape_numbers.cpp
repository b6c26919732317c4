// SPDX-License-Identifier: Apache-2.0
// Shapes to numbers and back. The numbers may come from a damaged file: every count is checked against what is there.
#include "cairn/io/shape_numbers.h"

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/surface_mesh.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Numbers = std::vector<double>;

void append(Numbers& out, const Vec3& x) { out.insert(out.end(), {x.x(), x.y(), x.z()}); }

// Vertices, then faces: how many, and for each the number of its corners and the corners.
template <class Faces>
Numbers write_faces(const std::vector<Vec3>& vertices, const Faces& faces) {
  Numbers out{static_cast<double>(vertices.size())};
  for (const Vec3& v : vertices) append(out, v);
  out.push_back(static_cast<double>(faces.size()));
  for (const auto& face : faces) {
    out.push_back(static_cast<double>(face.size()));
    out.insert(out.end(), face.begin(), face.end());
  }
  return out;
}

Numbers numbers_of(const Sphere& s) { return {s.radius}; }
Numbers numbers_of(const Box& b) { return {b.half_extents.x(), b.half_extents.y(), b.half_extents.z()}; }
Numbers numbers_of(const HalfSpace& h) { return {h.normal.x(), h.normal.y(), h.normal.z(), h.offset}; }
Numbers numbers_of(const Capsule& c) { return {c.radius, c.half_length}; }
Numbers numbers_of(const Cylinder& c) { return {c.radius, c.half_length}; }
Numbers numbers_of(const Cone& c) { return {c.radius, c.height}; }
Numbers numbers_of(const Ellipsoid& e) { return {e.semi_axes.x(), e.semi_axes.y(), e.semi_axes.z()}; }

Numbers numbers_of(const ConvexPolyhedron& c) {
  std::vector<std::span<const int>> faces;
  for (int f = 0; f < c.data->face_count(); ++f) faces.push_back(c.data->face(f));
  return write_faces(c.data->vertices, faces);
}

Numbers numbers_of(const TriangleMesh& m) { return write_faces(m.data->vertices, m.data->triangles); }
Numbers numbers_of(const CellMesh& c) { return write_faces(c.data->vertices, c.data->cell_nodes); }

Numbers numbers_of(const UserSolid& s) {
  const SurfaceMesh mesh = make_surface_mesh(s, 3);
  return write_faces(mesh.vertices, mesh.triangles);
}

Numbers numbers_of(const HeightField& h) {
  const HeightGrid& g = *h.data;
  Numbers out{static_cast<double>(g.nx), static_cast<double>(g.ny), g.x0, g.y0, g.dx, g.dy};
  out.insert(out.end(), g.heights.begin(), g.heights.end());
  return out;
}

std::size_t kind_index(const Shape& shape) {
  const auto kinds = shape_kinds();
  const auto has_name = [&](const ShapeInfo& info) { return info.name == shape_name(shape); };
  return static_cast<std::size_t>(std::find_if(kinds.begin(), kinds.end(), has_name) - kinds.begin());
}

// For each part: kind, A by rows, c, how many numbers, the numbers.
Numbers numbers_of(const Compound& c) {
  Numbers out{static_cast<double>(c.data->parts.size())};
  for (const CompoundPart& part : c.data->parts) {
    out.push_back(static_cast<double>(kind_index(part.shape)));
    for (int i = 0; i < 3; ++i) append(out, part.at.A.row(i));
    append(out, part.at.c);
    const Numbers own = shape_numbers(part.shape);
    out.push_back(static_cast<double>(own.size()));
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

/// Numbers taken one after the other; throws Error at the end of them.
class Source {
 public:
  explicit Source(std::span<const double> x) : x_(x) {}
  std::size_t left() const { return x_.size() - next_; }
  double real() {
    if (left() == 0) throw Error("shape: too few numbers");
    return x_[next_++];
  }
  /// A count of things that take at least `each` numbers.
  std::size_t count(std::size_t each) {
    const double n = real();
    if (!(n >= 0) || n != std::floor(n) || n * static_cast<double>(each) > static_cast<double>(left()))
      throw Error("shape: wrong count");
    return static_cast<std::size_t>(n);
  }
  int index(double limit) {
    const double n = real();
    if (!(n >= 0) || n != std::floor(n) || n >= limit) throw Error("shape: wrong index");
    return static_cast<int>(n);
  }
  Vec3 vector() {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = real();
    return v;
  }
  std::span<const double> take(std::size_t n) {
    if (n > left()) throw Error("shape: too few numbers");
    next_ += n;
    return x_.subspan(next_ - n, n);
  }

 private:
  std::span<const double> x_;
  std::size_t next_ = 0;
};

struct FaceList {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
};

FaceList read_faces(Source& source) {
  FaceList list;
  const std::size_t n = source.count(3);
  for (std::size_t v = 0; v < n; ++v) list.vertices.push_back(source.vector());
  const std::size_t faces = source.count(1);
  for (std::size_t f = 0; f < faces; ++f) {
    std::vector<int> face(source.count(1));
    for (int& v : face) v = source.index(static_cast<double>(n));
    list.faces.push_back(std::move(face));
  }
  return list;
}

Shape read_mesh(Source& source) {
  FaceList list = read_faces(source);
  SurfaceMesh surface{std::move(list.vertices), {}};
  for (const auto& face : list.faces) {
    if (face.size() != 3) throw Error("shape: a face of a mesh has {} corners", face.size());
    surface.triangles.push_back({face[0], face[1], face[2]});
  }
  return TriangleMesh{std::make_shared<const MeshData>(make_mesh(surface, "shape"))};
}

Shape read_compound(Source& source) {
  std::vector<CompoundPart> parts(source.count(14));
  for (CompoundPart& part : parts) {
    const int kind = source.index(static_cast<double>(shape_kinds().size()));
    for (int i = 0; i < 3; ++i) part.at.A.row(i) = source.vector();
    part.at.c = source.vector();
    const std::size_t n = source.count(1);
    const auto own = source.take(n);
    const std::string_view name = shape_kinds()[static_cast<std::size_t>(kind)].name;
    const auto shape = name == "compound" ? std::nullopt : make_shape(name, own);
    if (!shape) throw Error("shape: a part is none");
    part.shape = *shape;
  }
  return make_compound(std::move(parts), "shape");
}

Shape read_shape(std::string_view name, Source& source) {
  if (name == "sphere") return Sphere{source.real()};
  if (name == "box") return Box{source.vector()};
  if (name == "half-space") {
    const Vec3 normal = source.vector();
    return HalfSpace{normal, source.real()};
  }
  if (name == "ellipsoid") return Ellipsoid{source.vector()};
  if (name == "capsule" || name == "cylinder" || name == "cone") {
    const double a = source.real(), b = source.real();
    if (name == "capsule") return Capsule{a, b};
    if (name == "cylinder") return Cylinder{a, b};
    return Cone{a, b};
  }
  if (name == "convex") {
    FaceList list = read_faces(source);
    return ConvexPolyhedron{
        std::make_shared<const Polyhedron>(make_polyhedron(std::move(list.vertices), list.faces, "shape"))};
  }
  if (name == "mesh") return read_mesh(source);
  if (name == "cells") {
    FaceList list = read_faces(source);
    return CellMesh{
        std::make_shared<const CellData>(make_cells({std::move(list.vertices), std::move(list.faces)}, "shape"))};
  }
  if (name == "height-field") {
    const int nx = source.index(1e9), ny = source.index(1e9);
    const double x0 = source.real(), y0 = source.real(), dx = source.real(), dy = source.real();
    const auto heights = source.take(source.left());
    return HeightField{std::make_shared<const HeightGrid>(
        make_height_grid(nx, ny, x0, y0, dx, dy, {heights.begin(), heights.end()}, "shape"))};
  }
  if (name == "compound") return read_compound(source);
  throw Error("shape: '{}' is no kind", name);
}

}  // namespace

std::vector<double> shape_numbers(const Shape& shape) {
  return std::visit([](const auto& s) { return numbers_of(s); }, shape);
}

std::optional<Shape> make_shape(std::string_view name, std::span<const double> numbers) {
  try {
    Source source(numbers);
    Shape shape = read_shape(name, source);
    if (source.left() > 0) return {};
    check_shape(shape, "shape");
    return shape;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace cairn
