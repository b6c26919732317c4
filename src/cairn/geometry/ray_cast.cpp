// SPDX-License-Identifier: Apache-2.0
// Rays: a convex solid is an interval of the line, the intersection of simpler ones; meshes by their tree; terrain cell
// by cell (Amanatides & Woo 1987).
#include "cairn/geometry/ray_cast.h"

#include <algorithm>
#include <cmath>

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/triangle.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Ray {
  Vec3 x, d;  ///< d is unit
  double reach;
  Vec3 at(double t) const { return x + t * d; }
};

/// The stretch of a line inside a convex solid, with the outward normals at its ends.
struct Stretch {
  double t0 = -kInfinity, t1 = kInfinity;
  Vec3 n0 = Vec3::Zero(), n1 = Vec3::Zero();
  bool is_empty() const { return !(t0 <= t1); }
  void cut(const Stretch& o) {
    if (o.t0 > t0) t0 = o.t0, n0 = o.n0;
    if (o.t1 < t1) t1 = o.t1, n1 = o.n1;
  }
};
constexpr auto nothing = [] { return Stretch{kInfinity, -kInfinity, Vec3::Zero(), Vec3::Zero()}; };

std::optional<RayHit> first_end(const Ray& ray, const Stretch& s) {
  if (s.is_empty()) return {};
  const bool outside = s.t0 >= 0;
  const double t = outside ? s.t0 : s.t1;
  if (!(t >= 0) || !(t <= ray.reach) || std::isinf(t)) return {};
  return RayHit{t, ray.at(t), outside ? s.n0 : s.n1};
}

// n.X <= o.
Stretch behind_plane(const Ray& ray, const Vec3& n, double o) {
  const double speed = n.dot(ray.d), depth = o - n.dot(ray.x);
  if (speed == 0) return depth >= 0 ? Stretch{} : nothing();
  Stretch s;
  if (speed > 0)
    s.t1 = depth / speed, s.n1 = n;
  else
    s.t0 = depth / speed, s.n0 = n;
  return s;
}

// Roots of a t^2 + 2 b t + c with a > 0, without cancellation.
std::optional<std::pair<double, double>> find_roots(double a, double b, double c, double discriminant) {
  if (!(discriminant >= 0)) return {};
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double t0 = q / a, t1 = q == 0 ? t0 : c / q;
  if (t0 > t1) std::swap(t0, t1);
  return std::pair{t0, t1};
}

// |X - centre| <= r. The discriminant comes from the distance of the line, which keeps its digits from afar.
Stretch in_ball(const Ray& ray, const Vec3& centre, double r) {
  const Vec3 y = ray.x - centre;
  const double b = ray.d.dot(y);
  const Vec3 off = y - b * ray.d;
  const auto roots = find_roots(1, b, y.squaredNorm() - r * r, (r - off.norm()) * (r + off.norm()));
  if (!roots) return nothing();
  return {roots->first, roots->second, (y + roots->first * ray.d).normalized(),
          (y + roots->second * ray.d).normalized()};
}

// X^2 + Y^2 <= r^2.
Stretch in_tube(const Ray& ray, double r) {
  const Vec2 y = ray.x.head<2>(), d = ray.d.head<2>();
  const double a = d.squaredNorm();
  if (a == 0) return y.norm() <= r ? Stretch{} : nothing();
  const double b = d.dot(y), off = std::abs(y.x() * d.y() - y.y() * d.x()) / std::sqrt(a);
  const auto roots = find_roots(a, b, y.squaredNorm() - r * r, a * (r - off) * (r + off));
  if (!roots) return nothing();
  const auto normal = [&](double t) -> Vec3 {
    const Vec2 n = (y + t * d).normalized();
    return {n.x(), n.y(), 0};
  };
  return {roots->first, roots->second, normal(roots->first), normal(roots->second)};
}

// X^2 + Y^2 <= k^2 Z^2 with Z <= 0: a cone hanging from its apex at the origin.
Stretch below_apex(const Ray& ray, double k) {
  const auto form = [&](const Vec3& p, const Vec3& q) { return p.x() * q.x() + p.y() * q.y() - k * k * p.z() * q.z(); };
  const double a = form(ray.d, ray.d), b = form(ray.x, ray.d), c = form(ray.x, ray.x);
  const auto normal = [&](double t) -> Vec3 {
    const Vec3 p = ray.at(t);
    const double across = std::hypot(p.x(), p.y());
    return across > 0 ? Vec3(p.x() / across, p.y() / across, k).normalized() : Vec3(Vec3::UnitZ());
  };
  Stretch s;
  if (a > 0) {  // flat: between the roots, in one of the two cones
    const auto roots = find_roots(a, b, c, std::max(0.0, b * b - a * c));
    if (b * b - a * c < 0 || ray.x.z() + (roots->first + roots->second) / 2 * ray.d.z() > 0) return nothing();
    return {roots->first, roots->second, normal(roots->first), normal(roots->second)};
  }
  // Steep: outside of the roots, down where the ray goes down. The line meets the plane of the apex, where the form is
  // not negative, so there are roots.
  double low = 0, high = 0;
  if (a < 0) {
    const auto roots = find_roots(-a, -b, -c, std::max(0.0, b * b - a * c));
    low = roots->first, high = roots->second;
  } else {
    if (b == 0) return c <= 0 && ray.x.z() <= 0 ? s : nothing();
    low = high = -c / (2 * b);
  }
  if (ray.d.z() < 0)
    s.t0 = high, s.n0 = normal(high);
  else
    s.t1 = low, s.n1 = normal(low);
  return s;
}

Stretch stretch(const Sphere& s, const Ray& ray) { return in_ball(ray, Vec3::Zero(), s.radius); }

Stretch stretch(const Box& b, const Ray& ray) {
  Stretch s;
  for (int i = 0; i < 3; ++i) {
    s.cut(behind_plane(ray, Vec3::Unit(i), b.half_extents[i]));
    s.cut(behind_plane(ray, -Vec3::Unit(i), b.half_extents[i]));
  }
  return s;
}

Stretch stretch(const HalfSpace& h, const Ray& ray) { return behind_plane(ray, h.normal, h.offset); }

Stretch stretch(const Cylinder& c, const Ray& ray) {
  Stretch s = in_tube(ray, c.radius);
  s.cut(behind_plane(ray, Vec3::UnitZ(), c.half_length));
  s.cut(behind_plane(ray, -Vec3::UnitZ(), c.half_length));
  return s;
}

// A convex union of a bar and two balls: from the first entry to the last exit.
Stretch stretch(const Capsule& c, const Ray& ray) {
  Stretch all = nothing();
  for (const Stretch& s :
       {stretch(Cylinder{c.radius, c.half_length}, ray), in_ball(ray, {0, 0, c.half_length}, c.radius),
        in_ball(ray, {0, 0, -c.half_length}, c.radius)}) {
    if (s.is_empty()) continue;
    if (s.t0 < all.t0) all.t0 = s.t0, all.n0 = s.n0;
    if (s.t1 > all.t1) all.t1 = s.t1, all.n1 = s.n1;
  }
  return all;
}

Stretch stretch(const Cone& c, const Ray& ray) {
  const Vec3 apex(0, 0, 3 * c.height / 4);
  Stretch s = below_apex({ray.x - apex, ray.d, ray.reach}, c.radius / c.height);
  s.cut(behind_plane(ray, Vec3::UnitZ(), apex.z()));
  s.cut(behind_plane(ray, -Vec3::UnitZ(), c.height / 4));
  return s;
}

Stretch stretch(const Ellipsoid& e, const Ray& ray) {
  // In coordinates X_i / a_i it is the unit ball, and the line keeps its parameter up to a factor.
  const Vec3 d = ray.d.cwiseQuotient(e.semi_axes);
  const double length = d.norm();
  Stretch s = in_ball({ray.x.cwiseQuotient(e.semi_axes), d / length, 0}, Vec3::Zero(), 1);
  if (s.is_empty()) return s;
  s.t0 /= length;
  s.t1 /= length;
  s.n0 = s.n0.cwiseQuotient(e.semi_axes).normalized();
  s.n1 = s.n1.cwiseQuotient(e.semi_axes).normalized();
  return s;
}

Stretch stretch(const Polyhedron& p, const Ray& ray) {
  Stretch s;
  for (int f = 0; f < p.face_count() && !s.is_empty(); ++f) s.cut(behind_plane(ray, p.normals[f], p.offsets[f]));
  return s;
}

template <class Convex>
std::optional<RayHit> cast(const Convex& shape, const Ray& ray) {
  return first_end(ray, stretch(shape, ray));
}

std::optional<RayHit> cast(const ConvexPolyhedron& c, const Ray& ray) { return cast(*c.data, ray); }

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

std::optional<RayHit> cast(const HeightField& h, const Ray& ray) {
  const HeightGrid& g = *h.data;
  const Aabb box{{g.x0, g.y0, g.lowest}, {g.x0 + (g.nx - 1) * g.dx, g.y0 + (g.ny - 1) * g.dy, g.highest}};
  Aabb roomy = box;
  roomy.expand(1e-12 * (box.hi - box.lo).norm());
  const auto [enter, leave] = clip_ray(roomy, ray.x, ray.d.cwiseInverse(), ray.reach);
  if (!(enter <= leave)) return {};
  const Vec3 start = ray.at(enter);
  auto [i, j] = g.cell_at(start.x(), start.y());
  const int step_i = ray.d.x() > 0 ? 1 : -1, step_j = ray.d.y() > 0 ? 1 : -1;
  const TriangleRay line(ray.x, ray.d);
  double best = ray.reach;
  std::optional<RayHit> hit;
  while (i >= 0 && j >= 0 && i + 1 < g.nx && j + 1 < g.ny) {
    // A cell and its neighbours: a ray along a border of cells must not slip between two of them.
    for (int jj = std::max(0, j - 1); jj <= std::min(g.ny - 2, j + 1); ++jj)
      for (int ii = std::max(0, i - 1); ii <= std::min(g.nx - 2, i + 1); ++ii)
        for (const int which : {0, 1}) {
          const auto [a, b, c] = g.triangle(ii, jj, which);
          const double t = line.hit(a, b, c);
          if (t >= 0 && t <= ray.reach && (!hit || t < best)) {
            best = t;
            hit = RayHit{t, ray.at(t), (b - a).cross(c - a).normalized()};
          }
        }
    // The next border in x and in y.
    const double tx = ray.d.x() == 0 ? kInfinity : (g.x0 + (i + (step_i > 0)) * g.dx - ray.x.x()) / ray.d.x();
    const double ty = ray.d.y() == 0 ? kInfinity : (g.y0 + (j + (step_j > 0)) * g.dy - ray.x.y()) / ray.d.y();
    const double next = std::min(tx, ty);
    if (next > leave || (hit && best <= next)) break;
    if (tx <= ty)
      i += step_i;
    else
      j += step_j;
  }
  return hit;
}

// The union of cells: the ray leaves the solid where the stretches of cells that touch or overlap end.
std::optional<RayHit> cast(const CellMesh& c, const Ray& ray) {
  std::vector<Stretch> inside;
  for (const Polyhedron& cell : c.data->cells) {
    const Stretch s = stretch(cell, ray);
    if (!s.is_empty() && s.t1 >= 0) inside.push_back(s);
  }
  std::sort(inside.begin(), inside.end(), [](const Stretch& a, const Stretch& b) { return a.t0 < b.t0; });
  // Neighbours share a face; what parts them there is rounding.
  const double gap = 1e-12 * (c.data->radius + ray.x.norm());
  for (std::size_t k = 0; k < inside.size();) {
    Stretch whole = inside[k];
    for (++k; k < inside.size() && inside[k].t0 <= whole.t1 + gap; ++k)
      if (inside[k].t1 > whole.t1) whole.t1 = inside[k].t1, whole.n1 = inside[k].n1;
    if (const auto hit = first_end(ray, whole)) return hit;
  }
  return {};
}

std::optional<RayHit> cast(const Compound& c, const Ray& ray) {
  std::optional<RayHit> best;
  for (const CompoundPart& part : c.data->parts) {
    const Mat3& R = part.at.A;
    auto hit = cast_ray(part.shape, R.transpose() * (ray.x - part.at.c), R.transpose() * ray.d, ray.reach);
    if (!hit || (best && hit->distance >= best->distance)) continue;
    hit->point = ray.at(hit->distance);
    hit->normal = R * hit->normal;
    best = hit;
  }
  return best;
}

}  // namespace

std::optional<RayHit> cast_ray(const Shape& shape, const Vec3& origin, const Vec3& direction, double reach) {
  const double largest = direction.cwiseAbs().maxCoeff();
  if (!direction.allFinite() || !(largest > 0) || !origin.allFinite())
    throw Error("ray: from ({}, {}, {}) along ({}, {}, {}); must be finite, the direction not zero", origin.x(),
                origin.y(), origin.z(), direction.x(), direction.y(), direction.z());
  const Ray ray{origin, (direction / largest).normalized(), reach};
  return std::visit([&](const auto& s) { return cast(s, ray); }, shape);
}

}  // namespace cairn
