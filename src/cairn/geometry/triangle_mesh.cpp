// SPDX-License-Identifier: Apache-2.0
// The solid inside a triangle mesh: all that is asked of a shape, by its tree; inside or outside told by angle-weighted
// normals (Baerentzen & Aanaes 2005).
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"
#include "cairn/geometry/solid_integral.h"
#include "cairn/geometry/triangle.h"

#include <cmath>

namespace cairn::answers {
namespace {

/// Rays through a mesh; more triangles are sampled evenly.
constexpr std::size_t rays = 1000;

Shape build_mesh(ParameterVisitor& v, const ShapeLoader& load) {
  return build_from_file<TriangleMesh>(v, load, "mesh", "surface mesh: .obj, .stl, .ply, .vtk, .vtu, .msh");
}

}  // namespace

void check(const TriangleMesh& m, std::string_view owner) { check_data(m, owner); }

MassProperties mass(const TriangleMesh& m) {
  if (!m.data->closed)
    throw Error("mesh: its surface is open, so it has no volume and no mass properties; use it on a fixed body");
  SolidIntegral integral(m.data->vertices[0]);
  for (const auto& [i, j, k] : m.data->triangles)
    integral.add_triangle(m.data->vertices[i], m.data->vertices[j], m.data->vertices[k]);
  return integral.finish();
}

double radius(const TriangleMesh& m) { return m.data->radius; }

// One pass over the vertices beats six walks down the tree until there are very many. Vertices of no face do not count.
Aabb bounds(const TriangleMesh& m, const Placement& p) {
  const MeshData& mesh = *m.data;
  if (mesh.vertices.size() > 50'000) return supported_bounds(m, p);
  Aabb box;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertex_start[v] != mesh.vertex_start[v + 1]) box.merge(p.apply(mesh.vertices[v]));
  return box;
}

// Half the way from the middle of a triangle straight through the body. Triangles at one corner with it do not count:
// in a wedge the way is as short as one likes.
double thickness(const MeshData& mesh) {
  if (!mesh.closed) return 0;
  double least = infinity;
  const std::size_t step = std::max<std::size_t>(1, mesh.triangles.size() / rays);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += step) {
    const auto& [i, j, k] = mesh.triangles[t];
    const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
    const Vec3 middle = (at(i) + at(j) + at(k)) / 3, d = -mesh.normals[t];
    double reach = 2 * least;
    walk_ray(mesh.tree, middle, d, reach, [&](int other, double& nearest) {
      const auto& corners = mesh.triangles[static_cast<std::size_t>(other)];
      for (const int v : corners)
        if (v == i || v == j || v == k) return;
      const Vec3& n = mesh.normals[static_cast<std::size_t>(other)];
      const double along = n.dot(d);
      if (along <= 0) return;  // entered from outside
      const double s = n.dot(at(corners[0]) - middle) / along;
      if (s <= 0 || s >= nearest) return;
      const Vec3 x = middle + s * d;
      for (std::size_t m = 0; m < 3; ++m)
        if (n.dot((at(corners[(m + 1) % 3]) - at(corners[m])).cross(x - at(corners[m]))) < 0) return;
      nearest = s;
    });
    if (std::isfinite(reach)) least = std::min(least, reach / 2);
  }
  return std::min(least, mesh.radius);
}

double thickness(const TriangleMesh& m) { return thickness(*m.data); }

SurfacePoint closest(const MeshData& mesh, const Vec3& x, double within) {
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

SurfacePoint closest(const TriangleMesh& m, const Vec3& x) { return closest(*m.data, x, infinity); }

std::optional<RayHit> cast(const TriangleMesh& m, const Ray& ray) {
  const MeshData& mesh = *m.data;
  const TriangleRay line(ray.x, ray.d);
  double best = ray.reach;
  int found = -1;
  walk_ray(mesh.tree, ray.x, ray.d, best, [&](int triangle, double& t_max) {
    const auto& [i, j, k] = mesh.triangles[triangle];
    const double t = line.hit(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    if (t >= 0 && (t < t_max || (t == t_max && (found < 0 || triangle < found)))) t_max = t, found = triangle;
  });
  if (found < 0) return {};
  return RayHit{best, ray.at(best), mesh.normals[found]};
}

SurfaceMesh surface(const TriangleMesh& m, int, double) { return {m.data->vertices, m.data->triangles}; }

MeshData moved(MeshData mesh, const Placement& at) {
  for (Vec3& v : mesh.vertices) v = at.apply(v);
  for (Vec3& n : mesh.normals) n = at.A * n;
  for (Vec3& n : mesh.vertex_normals) n = at.A * n;
  update_tree(mesh);
  mesh.radius = largest_norm(mesh.vertices);
  return mesh;
}

Shape place(const TriangleMesh& m, const Placement& at) {
  return TriangleMesh{std::make_shared<const MeshData>(moved(*m.data, at))};
}

constinit const ShapeInfo triangle_mesh_row{
    "mesh", "solid inside a closed triangle mesh, convex or not; an open mesh on fixed bodies only", build_mesh};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const TriangleMesh& m, const Vec3& d) {
  return answers::farthest_in_tree(m.data->tree, d, [&](int t, auto&& offer) {
    for (const int v : m.data->triangles[t]) offer(m.data->vertices[v]);
  });
}

}  // namespace cairn
