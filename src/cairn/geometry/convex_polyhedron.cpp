// SPDX-License-Identifier: Apache-2.0
// A convex polyhedron: all that is asked of a shape, by its faces and vertices.
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>

namespace cairn::answers {
namespace {

SurfacePoint closest(const Polyhedron& p, const Vec3& x) {
  int deepest = 0;
  double best = -infinity;
  for (int f = 0; f < p.face_count(); ++f) {
    const double height = p.normals[f].dot(x) - p.offsets[f];
    if (height > best) best = height, deepest = f;
  }
  if (best <= 0) return {x - best * p.normals[deepest], p.normals[deepest], best};
  // Outside: the nearest point is on a face that x sees.
  double nearest = infinity;
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

}  // namespace

void check(const ConvexPolyhedron& c, std::string_view owner) { check_data(c, owner); }

MassProperties mass(const ConvexPolyhedron& c) { return compute_mass_properties(*c.data); }

double radius(const ConvexPolyhedron& c) { return c.data->radius; }

Aabb bounds(const ConvexPolyhedron& c, const Placement& p) {
  // Few vertices are seen in one pass rather than six.
  if (c.data->vertices.size() > 64) return supported_bounds(c, p);
  Aabb box;
  for (const Vec3& v : c.data->vertices) box.merge(p.apply(v));
  return box;
}

double thickness(const ConvexPolyhedron& c) {
  double least = infinity;
  for (int f = 0; f < c.data->face_count(); ++f) {
    const auto k = static_cast<std::size_t>(f);
    least = std::min(least, c.data->offsets[k] - c.data->normals[k].dot(c.data->inside));
  }
  return least;
}

SurfacePoint closest(const ConvexPolyhedron& c, const Vec3& x) { return closest(*c.data, x); }

std::optional<RayHit> cast(const ConvexPolyhedron& c, const Ray& ray) { return first_end(ray, stretch(*c.data, ray)); }

SurfaceMesh surface(const ConvexPolyhedron& c, int, double) {
  SurfaceMesh mesh{c.data->vertices, {}};
  for (int f = 0; f < c.data->face_count(); ++f) {
    const auto face = c.data->face(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k) mesh.triangles.push_back({face[0], face[k], face[k + 1]});
  }
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

Shape place(const ConvexPolyhedron& c, const Placement& at) {
  return ConvexPolyhedron{std::make_shared<const Polyhedron>(moved(*c.data, at))};
}

constinit const ShapeInfo convex_polyhedron_row{"convex", "convex polyhedron: the hull of points", build_convex};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const ConvexPolyhedron& c, const Vec3& d) {
  return c.data->vertices[find_support_vertex(*c.data, d)];
}

}  // namespace cairn
