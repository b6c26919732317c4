// SPDX-License-Identifier: Apache-2.0
// How thin a shape is: how far a point may sink in before the other side is nearer.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/ray_cast.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Rays through a mesh; more triangles are sampled evenly.
constexpr std::size_t kRays = 1000;

double thickness_of(const Sphere& s) { return s.radius; }
double thickness_of(const Box& b) { return b.half_extents.minCoeff(); }
double thickness_of(const HalfSpace&) { return kInfinity; }
double thickness_of(const Capsule& c) { return c.radius; }
double thickness_of(const Cylinder& c) { return std::min(c.radius, c.half_length); }
// The inscribed sphere.
double thickness_of(const Cone& c) { return c.radius * c.height / (c.radius + std::hypot(c.radius, c.height)); }
double thickness_of(const Ellipsoid& e) { return e.semi_axes.minCoeff(); }
double thickness_of(const HeightField&) { return kInfinity; }

double thickness_of(const ConvexPolyhedron& c) {
  double least = kInfinity;
  for (int f = 0; f < c.data->face_count(); ++f) {
    const auto k = static_cast<std::size_t>(f);
    least = std::min(least, c.data->offsets[k] - c.data->normals[k].dot(c.data->inside));
  }
  return least;
}

// Half the way from the middle of a triangle straight through the body. Triangles at one corner with it do not count:
// in a wedge the way is as short as one likes.
double thickness_of(const MeshData& mesh) {
  if (!mesh.closed) return 0;
  double least = kInfinity;
  const std::size_t step = std::max<std::size_t>(1, mesh.triangles.size() / kRays);
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

double thickness_of(const TriangleMesh& m) { return thickness_of(*m.data); }
double thickness_of(const CellMesh& c) { return thickness_of(c.data->shell); }

double thickness_of(const Compound& c) {
  double least = kInfinity;
  for (const CompoundPart& part : c.data->parts) least = std::min(least, half_thickness(part.shape));
  return least;
}

}  // namespace

double half_thickness(const Shape& shape) {
  return std::visit([](const auto& s) { return thickness_of(s); }, shape);
}

}  // namespace cairn
