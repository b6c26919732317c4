// SPDX-License-Identifier: Apache-2.0
// Face clipping (Sutherland & Hodgman 1974, with a band of round-off about each plane) and the crossing of two edges.
#include "cairn/collision/box_manifold.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn {
namespace {

// A vertex of the incident face in the frame of the reference face: x, y in its plane along the normals of its sides,
// z the gap.
struct Vertex {
  Vec3 q;
  Vec3 p;                             // world
  std::uint32_t incident, reference;  // features of the two boxes
  std::uint32_t edge;                 // to the next vertex,
  bool cut;                           // made by clipping: a side of the reference face
};

struct Polygon {
  std::array<Vertex, 16> v;
  int n = 0;
  void add(const Vertex& x) { v[n++] = x; }
  void remove(int k) {
    for (int m = k; m + 1 < n; ++m) v[m] = v[m + 1];
    --n;
  }
};

// Keeps side * q[axis] <= limit; `spare` is scratch. A vertex within `on` of the plane counts as inside and makes no
// new vertex, so that faces with common sides give the same polygon whatever the last digits say.
// `edge` and `corner` name that side of the reference face and where it meets the side clipped before, `face` the
// incident face.
struct Side {
  std::uint32_t edge, corner[2];
};
void clip(Polygon*& polygon, Polygon*& spare, int axis, double side, double limit, double on, const Side& name,
          std::uint32_t face) {
  const Polygon& in = *polygon;
  std::array<double, 16> d;  // distances outside the plane
  double farthest = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < in.n; ++k) farthest = std::max(farthest, d[k] = side * in.v[k].q[axis] - limit);
  if (farthest <= on) return;  // nothing to cut
  Polygon& out = *spare;
  out.n = 0;
  for (int k = 0; k < in.n; ++k) {
    const int next = k + 1 < in.n ? k + 1 : 0;
    const Vertex &v = in.v[k], &w = in.v[next];
    const bool leaves = d[next] > on;  // what follows is the cut itself
    if (d[k] <= on) {
      out.add(v);
      if (leaves && d[k] >= -on) out.v[out.n - 1].edge = name.edge, out.v[out.n - 1].cut = true;
    }
    if ((d[k] > on && d[next] < -on) || (d[k] < -on && d[next] > on)) {
      const double t = d[k] / (d[k] - d[next]);
      const Vec3 q = v.q + t * (w.q - v.q);
      out.add({q, v.p + t * (w.p - v.p), v.cut ? face : v.edge, v.cut ? name.corner[q[1 - axis] > 0] : name.edge,
               leaves ? name.edge : v.edge, leaves || v.cut});
    }
  }
  std::swap(polygon, spare);
}

// Removes doubles, then vertices that lie on the segment between their neighbours both in place and in gap: two nearly
// aligned faces have four corners, and a fifth point would carry no information, only a singular contact problem.
void simplify(Polygon& polygon, const BoxTolerances& tolerances) {
  for (int k = 0; k < polygon.n && polygon.n > 1;) {
    const Vertex& next = polygon.v[(k + 1) % polygon.n];
    if ((polygon.v[k].p - next.p).squaredNorm() <= tolerances.same * tolerances.same)
      polygon.remove((k + 1) % polygon.n);
    else
      ++k;
  }
  for (int k = 0; k < polygon.n && polygon.n > 2;) {
    const Vertex &before = polygon.v[(k + polygon.n - 1) % polygon.n], &here = polygon.v[k],
                 &after = polygon.v[(k + 1) % polygon.n];
    const Vec3 chord = after.q - before.q, from = here.q - before.q;
    const double t = std::clamp(chord.head<2>().dot(from.head<2>()) / chord.head<2>().squaredNorm(), 0.0, 1.0);
    const Vec3 off = from - t * chord;
    if (off.head<2>().squaredNorm() <= tolerances.collinear * tolerances.collinear &&
        std::abs(off.z()) <= tolerances.same)
      polygon.remove(k);
    else
      ++k;
  }
}

double sign_of(double x) { return x < 0 ? -1.0 : 1.0; }

}  // namespace

BoxManifold clip_faces(const Parallelepiped& reference, int i, double side, const Parallelepiped& incident,
                       double margin, const BoxTolerances& tolerances) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const Vec3 n = side * reference.N.col(i);
  const Vec3 face = reference.c + side * reference.E.col(i);
  // Frame of the reference face: normals of its sides within its plane (for a block, the normals of its other faces),
  // and half its widths along them.
  Mat3 frame;
  double wx = reference.reach[j], wy = reference.reach[k];
  if (reference.is_block) {
    frame << reference.N.col(j).transpose(), reference.N.col(k).transpose(), n.transpose();
  } else {
    const Vec3 x = reference.E.col(k).cross(n).normalized(), y = reference.E.col(j).cross(n).normalized();
    frame << x.transpose(), y.transpose(), n.transpose();
    wx = std::abs(x.dot(reference.E.col(j)));
    wy = std::abs(y.dot(reference.E.col(k)));
  }

  // The incident face: of the three that meet at the lowest vertex, the one most nearly parallel to the reference.
  const Mat3 edges = frame * incident.E;
  Vec3 low;
  int f = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int m = 0; m < 3; ++m) {
    low[m] = -sign_of(edges(2, m));
    const double facing = low[m] * incident.N.col(m).dot(n);
    if (facing < best) best = facing, f = m;
  }
  const int g = (f + 1) % 3, h = (f + 2) % 3;
  const std::uint32_t incident_face = box_face(f, low[f]), reference_face = box_face(i, side);
  const Vec3 p0 = incident.c + low[f] * incident.E.col(f);
  const Vec3 q0 = frame * (incident.c - face) + low[f] * edges.col(f);
  Polygon first, second, *polygon = &first, *spare = &second;
  constexpr double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (const auto& [s, t] : corner) {
    Vec3 sign;
    sign[f] = low[f];
    sign[g] = s;
    sign[h] = t;
    polygon->add({q0 + s * edges.col(g) + t * edges.col(h), p0 + s * incident.E.col(g) + t * incident.E.col(h),
                  box_vertex(sign), reference_face, box_edge(s == t ? g : h, sign), false});
  }

  // Sides of the reference face, named. Its coordinates x, y grow along E_j, E_k or against them.
  const double grow_x = sign_of(frame.row(0).dot(reference.E.col(j))),
               grow_y = sign_of(frame.row(1).dot(reference.E.col(k)));
  const auto sign_at = [&](double sx, double sy) {
    Vec3 sign;
    sign[i] = side;
    sign[j] = sx * grow_x;
    sign[k] = sy * grow_y;
    return sign;
  };
  for (const double s : {1.0, -1.0}) {
    clip(polygon, spare, 0, s, wx, tolerances.on,
         {box_edge(k, sign_at(s, 1)), {box_vertex(sign_at(s, -1)), box_vertex(sign_at(s, 1))}}, incident_face);
    clip(polygon, spare, 1, s, wy, tolerances.on,
         {box_edge(j, sign_at(1, s)), {box_vertex(sign_at(-1, s)), box_vertex(sign_at(1, s))}}, incident_face);
  }
  simplify(*polygon, tolerances);

  // Each vertex has half of the two triangles it makes with its neighbours and the middle, seen along n.
  BoxManifold manifold;
  const int count = polygon->n;
  Vec3 middle = Vec3::Zero();
  manifold.least = std::numeric_limits<double>::infinity();
  for (int m = 0; m < count; ++m) {
    middle += polygon->v[m].p / count;
    manifold.least = std::min(manifold.least, polygon->v[m].q.z());
  }
  for (int m = 0; m < count; ++m) {
    const Vertex& v = polygon->v[m];
    if (v.q.z() > margin) continue;
    const Vec3 here = v.p - middle,
               spread = polygon->v[m + 1 < count ? m + 1 : 0].p - polygon->v[m > 0 ? m - 1 : count - 1].p;
    const double weight = count > 2 ? std::abs(n.dot(here.cross(spread))) / 4 : 0;
    manifold.points[manifold.count++] = {v.p - v.q.z() / 2 * n, v.q.z(), v.incident, v.reference, weight};
  }
  return manifold;
}

std::optional<EdgePoints> find_crossing(const Parallelepiped& a, int i, const Parallelepiped& b, int j,
                                        const Vec3& axis, const BoxTolerances& tolerances) {
  Vec3 p = a.c, q = b.c;
  for (int k = 0; k < 3; ++k) {
    if (k != i) p += sign_of(axis.dot(a.E.col(k))) * a.E.col(k);
    if (k != j) q -= sign_of(axis.dot(b.E.col(k))) * b.E.col(k);
  }
  const Vec3 u = a.E.col(i), v = b.E.col(j), w = q - p;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double det = uu * vv - uv * uv;
  if (!(det > 0)) return std::nullopt;
  const double s = (uw * vv - uv * vw) / det, t = (uv * uw - uu * vw) / det;
  if ((std::abs(s) - 1) * std::sqrt(uu) > tolerances.same || (std::abs(t) - 1) * std::sqrt(vv) > tolerances.same)
    return std::nullopt;
  Vec3 sign_a, sign_b;
  for (int k = 0; k < 3; ++k) {
    sign_a[k] = sign_of(axis.dot(a.E.col(k)));
    sign_b[k] = -sign_of(axis.dot(b.E.col(k)));
  }
  return EdgePoints{p + s * u, q + t * v, box_edge(i, sign_a), box_edge(j, sign_b)};
}

}  // namespace cairn
