// SPDX-License-Identifier: Apache-2.0
// Balls and boxes around shapes, exact for every matrix of the placement.
//
// Along axis i the placed shape reaches from c_i - h(-m) to c_i + h(m), where m is row i of A and h(m) the largest m.X
// over the shape (its support function).
#include <cmath>
#include <limits>

#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/support.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double radius_of(const Sphere& s) { return s.radius; }
double radius_of(const Box& b) { return b.half_extents.norm(); }
double radius_of(const HalfSpace&) { return kInfinity; }
double radius_of(const Capsule& c) { return c.half_length + c.radius; }
double radius_of(const Cylinder& c) { return std::hypot(c.radius, c.half_length); }
double radius_of(const Cone& c) { return std::max(std::hypot(c.radius, c.height / 4), 3 * c.height / 4); }
double radius_of(const Ellipsoid& e) { return e.semi_axes.maxCoeff(); }
double radius_of(const ConvexPolyhedron& c) { return c.data->radius; }
double radius_of(const TriangleMesh& m) { return m.data->radius; }
double radius_of(const HeightField&) { return kInfinity; }
double radius_of(const CellMesh& c) { return c.data->radius; }

double radius_of(const Compound& c) {
  double radius = 0;
  for (const CompoundPart& part : c.data->parts)
    radius = std::max(radius, part.at.c.norm() + bounding_radius(part.shape));
  return radius;
}

Aabb symmetric(const Placement& p, const Vec3& reach) { return {p.c - reach, p.c + reach}; }

// The image of the unit ball under r A reaches r |row_i A| along axis i.
Aabb bounds(const Sphere& s, const Placement& p) { return symmetric(p, s.radius * p.A.rowwise().norm()); }

Aabb bounds(const Box& b, const Placement& p) { return symmetric(p, p.A.cwiseAbs() * b.half_extents); }

// The plane n.X = o becomes m.x = o + m.c with m = A^-T n. Only an exactly axis-aligned m bounds anything.
Aabb bounds(const HalfSpace& h, const Placement& p) {
  Aabb box{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  Mat3 cofactors;  // A^-T = cofactors / det A, and det A > 0 does not turn the normal round
  cofactors << p.A.col(1).cross(p.A.col(2)), p.A.col(2).cross(p.A.col(0)), p.A.col(0).cross(p.A.col(1));
  const Vec3 m = cofactors * h.normal;
  const double det = p.A.col(0).dot(cofactors.col(0));
  for (int i = 0; i < 3; ++i) {
    if (m[(i + 1) % 3] != 0 || m[(i + 2) % 3] != 0 || m[i] == 0) continue;
    const double position = p.c[i] + h.offset * det / m[i];
    if (m[i] > 0)
      box.hi[i] = position;
    else
      box.lo[i] = position;
  }
  return box;
}

Aabb bounds(const Capsule& c, const Placement& p) {
  return symmetric(p, c.radius * p.A.rowwise().norm() + c.half_length * p.A.col(2).cwiseAbs());
}

Aabb bounds(const Cylinder& c, const Placement& p) {
  return symmetric(p, c.radius * p.A.leftCols<2>().rowwise().norm() + c.half_length * p.A.col(2).cwiseAbs());
}

// The base disc and the apex.
Aabb bounds(const Cone& c, const Placement& p) {
  const Vec3 reach = c.radius * p.A.leftCols<2>().rowwise().norm(), base = p.c - c.height / 4 * p.A.col(2);
  Aabb box{base - reach, base + reach};
  box.merge(Vec3(p.c + 3 * c.height / 4 * p.A.col(2)));
  return box;
}

Aabb bounds(const Ellipsoid& e, const Placement& p) {
  return symmetric(p, (p.A * e.semi_axes.asDiagonal()).rowwise().norm());
}

// By support points of the six directions.
template <class S>
Aabb supported_bounds(const S& s, const Placement& p) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Vec3 m = p.A.row(i);
    box.lo[i] = p.c[i] + m.dot(compute_support(s, -m));
    box.hi[i] = p.c[i] + m.dot(compute_support(s, m));
  }
  return box;
}

Aabb bounds(const ConvexPolyhedron& c, const Placement& p) {
  // Few vertices are seen in one pass rather than six.
  if (c.data->vertices.size() > 64) return supported_bounds(c, p);
  Aabb box;
  for (const Vec3& v : c.data->vertices) box.merge(p.apply(v));
  return box;
}

// One pass over the vertices beats six walks down the tree until there are very many. Vertices of no face do not count.
Aabb bounds(const TriangleMesh& m, const Placement& p) {
  const MeshData& mesh = *m.data;
  if (mesh.vertices.size() > 50'000) return supported_bounds(m, p);
  Aabb box;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertex_start[v] != mesh.vertex_start[v + 1]) box.merge(p.apply(mesh.vertices[v]));
  return box;
}
Aabb bounds(const CellMesh& c, const Placement& p) { return supported_bounds(c, p); }

// The surface, and all that is below it: an axis with a part along Z has one infinite side. Along an axis without one
// only the corners of the grid matter, along Z itself only the highest point; upright terrain costs nothing.
Aabb bounds(const HeightField& h, const Placement& p) {
  const HeightGrid& g = *h.data;
  Aabb box;
  for (int a = 0; a < 3; ++a) {
    const Vec3 m = p.A.row(a);
    double low = kInfinity, high = -kInfinity;
    const auto merge = [&](const Vec3& x) {
      low = std::min(low, m.dot(x));
      high = std::max(high, m.dot(x));
    };
    if (m.z() == 0) {
      for (const int i : {0, g.nx - 1})
        for (const int j : {0, g.ny - 1}) merge(g.point(i, j));
    } else if (m.x() == 0 && m.y() == 0) {
      merge({0, 0, g.highest});
    } else {
      for (int j = 0; j < g.ny; ++j)
        for (int i = 0; i < g.nx; ++i) merge(g.point(i, j));
    }
    box.lo[a] = m.z() > 0 ? -kInfinity : p.c[a] + low;
    box.hi[a] = m.z() < 0 ? kInfinity : p.c[a] + high;
  }
  return box;
}

Aabb bounds(const Compound& c, const Placement& p) {
  Aabb box;
  for (const CompoundPart& part : c.data->parts)
    box.merge(compute_aabb(part.shape, {p.A * part.at.A, p.apply(part.at.c)}));
  return box;
}

}  // namespace

bool is_bounded(const Shape& shape) { return std::isfinite(bounding_radius(shape)); }

double bounding_radius(const Shape& shape) {
  return std::visit([](const auto& s) { return radius_of(s); }, shape);
}

Aabb compute_aabb(const Shape& shape, const Placement& placement) {
  return std::visit([&](const auto& s) { return bounds(s, placement); }, shape);
}

}  // namespace cairn
