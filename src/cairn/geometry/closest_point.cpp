// SPDX-License-Identifier: Apache-2.0
// Nearest points in closed form; polyhedra by their faces; meshes by their tree, inside or outside told by
// angle-weighted normals (Baerentzen & Aanaes 2005).
#include "cairn/geometry/closest_point.h"

#include <cmath>
#include <limits>

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/closest_ellipsoid.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/triangle.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x is outside or inside of a surface whose nearest point is `point`; `face_normal` serves when x is that point.
SurfacePoint from_foot(const Vec3& x, const Vec3& point, bool inside, const Vec3& face_normal) {
  const Vec3 v = x - point;
  const double d = v.norm();
  if (!(d > 0)) return {point, face_normal, 0};
  return inside ? SurfacePoint{point, -v / d, -d} : SurfacePoint{point, v / d, d};
}

SurfacePoint closest(const Sphere& s, const Vec3& x) {
  const double d = x.norm();
  const Vec3 n = d > 0 ? Vec3(x / d) : Vec3(Vec3::UnitZ());
  return {s.radius * n, n, d - s.radius};
}

SurfacePoint closest(const Box& b, const Vec3& x) {
  const Vec3 p = x.cwiseMax(-b.half_extents).cwiseMin(b.half_extents);
  if (p != x) return from_foot(x, p, false, Vec3::UnitZ());
  int axis = 0;
  (x.cwiseAbs() - b.half_extents).maxCoeff(&axis);
  const double side = std::copysign(1.0, x[axis]);
  Vec3 foot = x;
  foot[axis] = side * b.half_extents[axis];
  return {foot, side * Vec3::Unit(axis), std::abs(x[axis]) - b.half_extents[axis]};
}

SurfacePoint closest(const HalfSpace& h, const Vec3& x) {
  const double d = h.normal.dot(x) - h.offset;
  return {x - d * h.normal, h.normal, d};
}

SurfacePoint closest(const Capsule& c, const Vec3& x) {
  const Vec3 axis(0, 0, std::clamp(x.z(), -c.half_length, c.half_length)), v = x - axis;
  const double d = v.norm();
  const Vec3 n = d > 0 ? Vec3(v / d) : Vec3(Vec3::UnitX());
  return {axis + c.radius * n, n, d - c.radius};
}

// --- solids of revolution: a convex polygon in the half plane (distance from the axis, z)

struct ProfilePoint {
  Vec2 point, normal;
  double distance;
};

// `sides` run counter-clockwise around the profile seen with the axis on the left; its border on the axis is none.
struct ProfileSide {
  Vec2 from, to, normal;
};

ProfilePoint closest_in_profile(std::span<const ProfileSide> sides, const Vec2& x) {
  ProfilePoint inner{x, Vec2::UnitY(), -kInfinity}, outer{x, Vec2::UnitY(), kInfinity};
  for (const ProfileSide& s : sides) {
    const double height = s.normal.dot(x - s.from);
    if (height > inner.distance) inner = {x - height * s.normal, s.normal, height};
    const Vec2 along = s.to - s.from;
    const Vec2 foot = s.from + std::clamp(along.dot(x - s.from) / along.squaredNorm(), 0.0, 1.0) * along;
    const double d = (x - foot).norm();
    if (d < outer.distance) outer = {foot, d > 0 ? Vec2((x - foot) / d) : s.normal, d};
  }
  return inner.distance <= 0 ? inner : outer;
}

SurfacePoint revolve(const ProfilePoint& p, const Vec3& x, double across) {
  const Vec2 u = across > 0 ? Vec2(x.x() / across, x.y() / across) : Vec2(Vec2::UnitX());
  return {{p.point.x() * u.x(), p.point.x() * u.y(), p.point.y()},
          {p.normal.x() * u.x(), p.normal.x() * u.y(), p.normal.y()},
          p.distance};
}

SurfacePoint closest(const Cylinder& c, const Vec3& x) {
  const double r = c.radius, h = c.half_length, across = std::hypot(x.x(), x.y());
  const std::array<ProfileSide, 3> sides{
      {{{0, -h}, {r, -h}, {0, -1}}, {{r, -h}, {r, h}, {1, 0}}, {{r, h}, {0, h}, {0, 1}}}};
  return revolve(closest_in_profile(sides, {across, x.z()}), x, across);
}

SurfacePoint closest(const Cone& c, const Vec3& x) {
  const double r = c.radius, h = c.height, across = std::hypot(x.x(), x.y());
  const std::array<ProfileSide, 2> sides{
      {{{0, -h / 4}, {r, -h / 4}, {0, -1}}, {{r, -h / 4}, {0, 3 * h / 4}, Vec2(h, r).normalized()}}};
  return revolve(closest_in_profile(sides, {across, x.z()}), x, across);
}

SurfacePoint closest(const Ellipsoid& e, const Vec3& x) {
  const Vec3 p = find_nearest_on_ellipsoid(e.semi_axes, x);
  // Next to the surface the direction of x - p is rounding; the gradient is not.
  const Vec3 n = p.cwiseQuotient(e.semi_axes).cwiseQuotient(e.semi_axes / e.semi_axes.maxCoeff()).normalized();
  return {p, n, n.dot(x - p)};
}

// --- polyhedra and meshes

SurfacePoint closest(const Polyhedron& p, const Vec3& x) {
  int deepest = 0;
  double best = -kInfinity;
  for (int f = 0; f < p.face_count(); ++f) {
    const double height = p.normals[f].dot(x) - p.offsets[f];
    if (height > best) best = height, deepest = f;
  }
  if (best <= 0) return {x - best * p.normals[deepest], p.normals[deepest], best};
  // Outside: the nearest point is on a face that x sees.
  double nearest = kInfinity;
  Vec3 foot = x;
  int face = deepest;
  std::vector<Vec3> corners;
  for (int f = 0; f < p.face_count(); ++f) {
    const double height = p.normals[f].dot(x) - p.offsets[f];
    if (!(height > 0) || height > nearest) continue;
    corners.clear();
    for (const int v : p.face(f)) corners.push_back(p.vertices[v]);
    const Vec3 q = find_nearest_on_polygon(corners, p.normals[f], x);
    const double d = (x - q).norm();
    if (d < nearest) nearest = d, foot = q, face = f;
  }
  return from_foot(x, foot, false, p.normals[face]);
}

SurfacePoint closest(const ConvexPolyhedron& c, const Vec3& x) { return closest(*c.data, x); }

SurfacePoint closest(const MeshData& mesh, const Vec3& x, double within = kInfinity) {
  double best = within * within;
  int found = 0;
  TrianglePoint foot{x, TriangleFeature::Face, 0};
  find_nearest(mesh.tree, x, best, [&](int t, double& squared) {
    const auto& [i, j, k] = mesh.triangles[t];
    const TrianglePoint p = find_nearest_on_triangle(x, mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    const double d = (x - p.point).squaredNorm();
    if (d < squared) squared = d, found = t, foot = p;
  });
  Vec3 side = mesh.normals[found];
  if (foot.feature == TriangleFeature::Edge) {
    const MeshData::Edge& e = mesh.edges[mesh.triangle_edges[found][foot.index]];
    if (e.f1 >= 0) side = mesh.normals[e.f0] + mesh.normals[e.f1];
  } else if (foot.feature == TriangleFeature::Vertex) {
    side = mesh.vertex_normals[mesh.triangles[found][foot.index]];
  }
  return from_foot(x, foot.point, side.dot(x - foot.point) < 0, mesh.normals[found]);
}

SurfacePoint closest(const TriangleMesh& m, const Vec3& x) { return closest(*m.data, x); }

SurfacePoint closest(const HeightField& h, const Vec3& x) {
  const HeightGrid& g = *h.data;
  const bool over_grid =
      x.x() >= g.x0 && x.x() <= g.x0 + (g.nx - 1) * g.dx && x.y() >= g.y0 && x.y() <= g.y0 + (g.ny - 1) * g.dy;
  const bool inside = over_grid && x.z() < g.height_at(x.x(), x.y());
  double best = kInfinity;
  Vec3 foot = x, normal = Vec3::UnitZ();
  const auto visit = [&](int i, int j) {
    for (const int which : {0, 1}) {
      const auto [a, b, c] = g.triangle(i, j, which);
      const Vec3 q = find_nearest_on_triangle(x, a, b, c).point;
      const double d = (x - q).norm();
      if (d < best) best = d, foot = q, normal = (b - a).cross(c - a).normalized();
    }
  };
  // The cell below bounds the distance; then all cells within it, which are few unless x is far away.
  const auto [i0, j0] = g.cell_at(x.x(), x.y());
  visit(i0, j0);
  const Vec3 reach = Vec3::Constant(best);
  const auto [i_low, j_low] = g.cell_at(x.x() - reach.x(), x.y() - reach.y());
  const auto [i_high, j_high] = g.cell_at(x.x() + reach.x(), x.y() + reach.y());
  for (int j = j_low; j <= j_high; ++j)
    for (int i = i_low; i <= i_high; ++i) visit(i, j);
  return from_foot(x, foot, inside, normal);
}

SurfacePoint closest(const CellMesh& c, const Vec3& x) {
  const CellData& data = *c.data;
  const auto holds = [&](const Polyhedron& cell) {
    for (int f = 0; f < cell.face_count(); ++f)
      if (cell.normals[f].dot(x) > cell.offsets[f]) return false;
    return true;
  };
  const bool inside = std::any_of(data.cells.begin(), data.cells.end(), holds);
  double best = kInfinity;
  Vec3 foot = x, normal = Vec3::UnitZ();
  std::vector<Vec3> corners;
  find_nearest(data.tree, x, best, [&](int item, double& squared) {
    const int k = data.surface_cells[item];
    const Polyhedron& cell = data.cells[k];
    for (int f = 0; f < cell.face_count(); ++f) {
      if (!data.on_surface[k][f]) continue;
      corners.clear();
      for (const int v : cell.face(f)) corners.push_back(cell.vertices[v]);
      const Vec3 q = find_nearest_on_polygon(corners, cell.normals[f], x);
      const double d = (x - q).squaredNorm();
      if (d < squared) squared = d, foot = q, normal = cell.normals[f];
    }
  });
  return from_foot(x, foot, inside, normal);
}

SurfacePoint closest(const Compound& c, const Vec3& x) {
  SurfacePoint best;
  best.distance = kInfinity;
  for (const CompoundPart& part : c.data->parts) {
    const Mat3& R = part.at.A;
    const SurfacePoint p = find_closest_point(part.shape, R.transpose() * (x - part.at.c));
    if (p.distance < best.distance) best = {part.at.apply(p.point), R * p.normal, p.distance};
  }
  return best;
}

}  // namespace

Vec3 find_nearest_on_polygon(std::span<const Vec3> corners, const Vec3& n, const Vec3& x) {
  // Beyond an edge the nearest point is on the border, not necessarily on that edge.
  bool inside = true;
  for (std::size_t k = 0; k < corners.size() && inside; ++k) {
    const Vec3 &p = corners[k], &q = corners[(k + 1) % corners.size()];
    inside = (q - p).cross(x - p).dot(n) >= 0;
  }
  if (inside) return x - n.dot(x - corners[0]) * n;
  double best = kInfinity;
  Vec3 foot = corners[0];
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3 &p = corners[k], along = corners[(k + 1) % corners.size()] - p;
    const Vec3 q = p + std::clamp(along.dot(x - p) / along.squaredNorm(), 0.0, 1.0) * along;
    const double d = (x - q).squaredNorm();
    if (d < best) best = d, foot = q;
  }
  return foot;
}

SurfacePoint find_closest_point(const Shape& shape, const Vec3& x) {
  if (!x.allFinite()) throw Error("closest point: of ({}, {}, {}); must be finite", x.x(), x.y(), x.z());
  return std::visit([&](const auto& s) { return closest(s, x); }, shape);
}

SurfacePoint find_closest_point(const MeshData& mesh, const Vec3& x, double within) { return closest(mesh, x, within); }

}  // namespace cairn
