// SPDX-License-Identifier: Apache-2.0
// Overlap of two convex polyhedra: clipping of faces, polarity, and the contact made of it.
#include "cairn/collision/overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cairn/base/error.h"
#include "cairn/collision/epa.h"
#include "cairn/collision/gjk.h"

namespace cairn {
namespace {

struct Plane {
  Vec3 n;
  double d;  // n.x <= d inside
  int owner, face;
};

// The planes of a placed polyhedron, relative to `origin`.
void append_planes(const Polyhedron& p, const Placement& at, const Vec3& origin, int owner, std::vector<Plane>& out) {
  const Mat3 B = at.A.inverse().transpose();
  for (int f = 0; f < p.face_count(); ++f) {
    const auto k = static_cast<std::size_t>(f);
    const Vec3 m = B * p.normals[k];
    const double length = m.norm();
    out.push_back({m / length, (p.offsets[k] + m.dot(at.c - origin)) / length, owner, f});
  }
}

// Keeps n.x <= d of a polygon (Koziara A.2).
void clip(std::vector<Vec3>& polygon, std::vector<Vec3>& spare, const Plane& plane, double shift) {
  spare.clear();
  const std::size_t n = polygon.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 &v = polygon[k], &w = polygon[(k + 1) % n];
    const double dv = plane.n.dot(v) - plane.d - shift, dw = plane.n.dot(w) - plane.d - shift;
    if (dv <= 0) spare.push_back(v);
    if ((dv < 0 && dw > 0) || (dv > 0 && dw < 0)) spare.push_back(v + dv / (dv - dw) * (w - v));
  }
  if (spare.size() < 3) spare.clear();
  std::swap(polygon, spare);
}

// Area and centre of a polygon by a fan of triangles from its first corner.
OverlapFace integrate(const std::vector<Vec3>& polygon, const Plane& plane) {
  OverlapFace f{plane.owner, plane.face, plane.n, 0, Vec3::Zero()};
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    const double area = plane.n.dot((polygon[k] - polygon[0]).cross(polygon[k + 1] - polygon[0])) / 2;
    f.area += area;
    f.centre += area * (polygon[0] + polygon[k] + polygon[k + 1]) / 3;
  }
  if (f.area > 0) f.centre /= f.area;
  return f;
}

// Volume and its centre from the faces (cones from the origin), then everything back to the world.
void finish(Overlap& o, const Vec3& origin) {
  Vec3 moment = Vec3::Zero(), mean = Vec3::Zero();
  double area = 0;
  for (const OverlapFace& f : o.faces) {
    const double cone = f.area * f.normal.dot(f.centre) / 3;
    o.volume += cone;
    moment += 0.75 * cone * f.centre;
    mean += f.area * f.centre;
    area += f.area;
  }
  if (area > 0) o.centre = o.volume > 0 ? Vec3(moment / o.volume) : Vec3(mean / area);
  o.centre += origin;
  for (OverlapFace& f : o.faces) f.centre += origin;
}

double compute_size(const Polyhedron& p, const Placement& at) { return p.radius * at.A.norm(); }

PlacedConvex place(const Polyhedron& p, const Placement& at, const Vec3& origin) {
  // The owner keeps the data alive for the time of the call.
  return make_convex(ConvexPolyhedron{{std::shared_ptr<const Polyhedron>{}, &p}}, at, origin);
}

// Moves x to at least `wanted` inside every plane by over-relaxed projections (Agmon 1954, Motzkin & Schoenberg 1954),
// with ever more modest wishes where there is no room; false when no point inside is found.
bool move_inside(const std::vector<Plane>& planes, double wanted, Vec3& x) {
  for (int k = 1; k <= 2000; ++k) {
    double least = std::numeric_limits<double>::infinity();
    const Plane* nearest = nullptr;
    for (const Plane& plane : planes) {
      const double slack = plane.d - plane.n.dot(x);
      if (slack < least) least = slack, nearest = &plane;
    }
    if (least >= wanted) return true;
    x -= 1.5 * (wanted - least) * nearest->n;
    if (k % 50 == 0) wanted /= 2;
  }
  return false;
}

}  // namespace

Overlap clip_overlap(const Polyhedron& a, const Placement& pa, const Polyhedron& b, const Placement& pb,
                     double inflate) {
  Overlap o;
  const Vec3 origin = pa.c;
  std::vector<Plane> planes;
  append_planes(a, pa, origin, 0, planes);
  append_planes(b, pb, origin, 1, planes);
  // A face within round-off of a plane of the other lies on it: inside.
  const double shift = inflate + 1e-14 * (compute_size(a, pa) + compute_size(b, pb));
  std::vector<Vec3> polygon, spare;
  for (const Plane& plane : planes) {
    const Polyhedron& p = plane.owner == 0 ? a : b;
    const Placement& at = plane.owner == 0 ? pa : pb;
    polygon.clear();
    for (const int v : p.face(plane.face))
      polygon.push_back(at.apply(p.vertices[static_cast<std::size_t>(v)]) - origin);
    for (const Plane& other : planes) {
      if (other.owner != plane.owner && !polygon.empty()) clip(polygon, spare, other, shift);
    }
    if (polygon.empty()) continue;
    const OverlapFace f = integrate(polygon, plane);
    if (f.area > 0) o.faces.push_back(f);
  }
  finish(o, origin);
  return o;
}

Overlap polarise_overlap(const Polyhedron& a, const Placement& pa, const Polyhedron& b, const Placement& pb) {
  Overlap o;
  // A point of both, as deep as the least penetration allows: midway along it.
  const PlacedConvex ca = place(a, pa, pa.c), cb = place(b, pb, pa.c);
  const double size = ca.size + cb.size;
  const GjkResult g = find_distance(ca, cb, 0);
  if (g.status != GjkStatus::Overlap) return o;
  const Penetration p = find_penetration(ca, cb, g.simplex, g.normal, 1e-12 * size);
  if (p.dimension < 3 || p.separation > -1e-9 * size) return o;
  Vec3 inside = Vec3::Zero();
  for (int k = 0; k < g.simplex.count; ++k) inside += g.simplex.lambda[k] * g.simplex.point[k].a;
  std::vector<Plane> planes;
  append_planes(a, pa, pa.c, 0, planes);
  append_planes(b, pb, pa.c, 1, planes);
  if (!move_inside(planes, -p.separation / 8, inside)) return o;

  // Hull of the polar points; each of its faces polarises to a vertex, each of its vertices to a face.
  std::vector<Vec3> polar;
  for (const Plane& plane : planes) polar.push_back(plane.n / (plane.d - plane.n.dot(inside)));
  const Polyhedron hull = make_hull(polar, "polar of the overlap", false);
  std::vector<Vec3> corner;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) corner.push_back(inside + hull.normals[f] / hull.offsets[f]);

  // The faces round each vertex of the hull, in order: from face to face across the edges that leave the vertex.
  std::vector<std::vector<const Polyhedron::Edge*>> around(hull.vertices.size());
  for (const Polyhedron::Edge& e : hull.edges) {
    around[static_cast<std::size_t>(e.v0)].push_back(&e);
    around[static_cast<std::size_t>(e.v1)].push_back(&e);
  }
  std::vector<Vec3> polygon;
  for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
    const Vec3& y = hull.vertices[v];
    const auto same = std::min_element(polar.begin(), polar.end(), [&](const Vec3& p0, const Vec3& p1) {
      return (p0 - y).squaredNorm() < (p1 - y).squaredNorm();
    });
    const Plane& plane = planes[static_cast<std::size_t>(same - polar.begin())];
    // Seen from outside, the face left of an edge leaving v follows the one right of it, counter-clockwise.
    polygon.clear();
    const auto left_of = [&](const Polyhedron::Edge& e) { return e.v0 == static_cast<int>(v) ? e.f0 : e.f1; };
    const auto right_of = [&](const Polyhedron::Edge& e) { return e.v0 == static_cast<int>(v) ? e.f1 : e.f0; };
    int f = right_of(*around[v][0]);
    for (std::size_t k = 0; k < around[v].size(); ++k) {
      polygon.push_back(corner[static_cast<std::size_t>(f)]);
      for (const Polyhedron::Edge* e : around[v]) {
        if (right_of(*e) == f) {
          f = left_of(*e);
          break;
        }
      }
    }
    const OverlapFace face = integrate(polygon, plane);
    if (face.area > 0) o.faces.push_back(face);
  }
  finish(o, pa.c);
  return o;
}

OverlapContact compute_overlap_contact(const Overlap& overlap, std::span<const std::uint8_t> surface_a,
                                       std::span<const std::uint8_t> surface_b) {
  const std::array<std::span<const std::uint8_t>, 2> surface{surface_a, surface_b};
  struct Part {
    double area = 0, variation = 0;
    Vec3 normal = Vec3::Zero(), point = Vec3::Zero();
  };
  std::array<Part, 2> part;
  const auto counts = [&](const OverlapFace& f) {
    const auto& s = surface[static_cast<std::size_t>(f.owner)];
    return s.empty() || s[static_cast<std::size_t>(f.face)];
  };
  for (const OverlapFace& f : overlap.faces) {
    if (!counts(f)) continue;
    Part& p = part[static_cast<std::size_t>(f.owner)];
    p.area += f.area;
    p.normal += f.area * f.normal;
    p.point += f.area * f.centre;
  }
  for (Part& p : part) {
    if (p.area > 0) p.point /= p.area;
    const double length = p.normal.norm();
    if (length > 0) p.normal /= length;
  }
  // Variation of the normal about its mean direction, per area so that it has no unit.
  for (const OverlapFace& f : overlap.faces) {
    if (!counts(f)) continue;
    Part& p = part[static_cast<std::size_t>(f.owner)];
    p.variation += f.area / p.area * (f.normal - p.normal).squaredNorm();
  }
  if (!(part[0].area > 0) && !(part[1].area > 0))
    throw Error("an overlap without faces on a surface gives no contact; ask whether it is empty first");

  OverlapContact c;
  int rough = 1;
  if (!(part[0].area > 0) || !(part[1].area > 0))
    c.master = rough = part[0].area > 0 ? 0 : 1;
  else
    c.master = part[1].variation < part[0].variation - 1e-12 ? 1 : 0, rough = 1 - c.master;
  const Part& master = part[static_cast<std::size_t>(c.master)];
  c.normal = c.master == 0 ? Vec3(-master.normal) : master.normal;
  c.area = master.area;
  c.point = part[static_cast<std::size_t>(rough)].point;
  // Along the master's outward normal, from the point to the farthest place of its part.
  double reach = 0;
  for (const OverlapFace& f : overlap.faces)
    if (f.owner == c.master && counts(f)) reach = std::max(reach, master.normal.dot(f.centre - c.point));
  c.gap = -reach;
  return c;
}

}  // namespace cairn
