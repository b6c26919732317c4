// SPDX-License-Identifier: Apache-2.0
// Face clipping (Sutherland & Hodgman 1974, with a band of round-off about each plane) and the crossing of two edges.
#include "cairn/collision/box_manifold.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cairn/math/four.h"

namespace cairn {
namespace {

// A vertex of the clipped incident face.
struct Vertex {
  Four q;  // x, y in the plane of the reference face along the normals of its sides; s, t in half edges of the incident
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
template <int axis>
void clip(Polygon*& polygon, Polygon*& spare, double side, double limit, double on, const Side& name,
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
      const Four q = v.q + d[k] / (d[k] - d[next]) * (w.q - v.q);
      out.add({q, v.cut ? face : v.edge, v.cut ? name.corner[q[1 - axis] > 0] : name.edge, leaves ? name.edge : v.edge,
               leaves || v.cut});
    }
  }
  std::swap(polygon, spare);
}

double square(double x) { return x * x; }

// Removes doubles, then vertices that lie on the segment between their neighbours both in place and in gap: two nearly
// aligned faces have four corners, and a fifth point would carry no information, only a singular contact problem.
// `place` gives the place of a vertex in space, `gap` its gap.
template <class Place, class Gap>
void simplify(Polygon& polygon, const BoxTolerances& tolerances, Place&& place, Gap&& gap) {
  for (int k = 0; k < polygon.n && polygon.n > 1;) {
    const int next = k + 1 < polygon.n ? k + 1 : 0;
    if (place(polygon.v[k].q - polygon.v[next].q).squaredNorm() <= square(tolerances.same))
      polygon.remove(next);
    else
      ++k;
  }
  for (int k = 0; k < polygon.n && polygon.n > 2;) {
    const Vertex &before = polygon.v[k > 0 ? k - 1 : polygon.n - 1], &here = polygon.v[k],
                 &after = polygon.v[k + 1 < polygon.n ? k + 1 : 0];
    const Four chord = after.q - before.q, from = here.q - before.q;
    const double length = square(chord[0]) + square(chord[1]);
    bool between = square(chord[0] * from[1] - chord[1] * from[0]) <= square(tolerances.collinear) * length;
    if (between) {
      const double t = std::clamp((chord[0] * from[0] + chord[1] * from[1]) / length, 0.0, 1.0);
      const Four off = from - t * chord;
      between =
          square(off[0]) + square(off[1]) <= square(tolerances.collinear) && std::abs(gap(off)) <= tolerances.same;
    }
    if (between)
      polygon.remove(k);
    else
      ++k;
  }
}

double sign_of(double x) { return x < 0 ? -1.0 : 1.0; }

}  // namespace

bool append_face_contacts(const Parallelepiped& reference, int i, double side, const Parallelepiped& incident,
                          double margin, double highest, const BoxTolerances& tolerances, const Vec3& origin,
                          bool reference_is_a, std::vector<ContactPoint>& out) {
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
  const Four middle_q{q0[0], q0[1], 0, 0}, along_g{edges(0, g), edges(1, g), 1, 0},
      along_h{edges(0, h), edges(1, h), 0, 1};
  Polygon first, second, *polygon = &first, *spare = &second;
  constexpr double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (const auto& [s, t] : corner) {
    const std::uint32_t bits = sign_bit(f, low[f]) | sign_bit(g, s) | sign_bit(h, t);
    polygon->add({middle_q + s * along_g + t * along_h, box_vertex(bits), reference_face,
                  box_edge(s == t ? g : h, bits), false});
  }

  // Sides of the reference face, named. Its coordinates x, y grow along E_j, E_k or against them.
  const double grow_x = frame.row(0).dot(reference.E.col(j)), grow_y = frame.row(1).dot(reference.E.col(k));
  const auto bits_at = [&](double sx, double sy) {
    return sign_bit(i, side) | sign_bit(j, sx * grow_x) | sign_bit(k, sy * grow_y);
  };
  for (const double s : {1.0, -1.0}) {
    clip<0>(polygon, spare, s, wx, tolerances.on,
            {box_edge(k, bits_at(s, 1)), {box_vertex(bits_at(s, -1)), box_vertex(bits_at(s, 1))}}, incident_face);
    clip<1>(polygon, spare, s, wy, tolerances.on,
            {box_edge(j, bits_at(1, s)), {box_vertex(bits_at(-1, s)), box_vertex(bits_at(1, s))}}, incident_face);
  }
  // Places and gaps are those of the middle of the incident face and so much along its edges.
  const Vec3 Eg = incident.E.col(g), Eh = incident.E.col(h);
  const auto place = [&](Four q) { return Vec3(q[2] * Eg + q[3] * Eh); };
  const auto gap_along = [&](Four q) { return q[2] * edges(2, g) + q[3] * edges(2, h); };
  simplify(*polygon, tolerances, place, gap_along);

  const int count = polygon->n;
  std::array<double, 16> gaps;
  Four middle{};
  double least_gap = std::numeric_limits<double>::infinity();
  for (int m = 0; m < count; ++m) {
    middle += polygon->v[m].q;
    least_gap = std::min(least_gap, gaps[m] = q0[2] + gap_along(polygon->v[m].q));
  }
  if (!(least_gap <= highest)) return false;

  // Each vertex has half of the two triangles it makes with its neighbours and the middle, seen along n: in s, t the
  // incident face has the area of its shadow as unit.
  middle /= make_four(count);
  const double shadow = count > 2 ? std::abs(n.dot(Eg.cross(Eh))) / 4 : 0;
  const Vec3 normal = reference_is_a ? Vec3(-n) : n;  // from b to a
  for (int m = 0; m < count; ++m) {
    if (gaps[m] > margin) continue;
    const Vertex& v = polygon->v[m];
    const Four here = v.q - middle,
               spread = polygon->v[m + 1 < count ? m + 1 : 0].q - polygon->v[m > 0 ? m - 1 : count - 1].q;
    const double weight = shadow * std::abs(here[2] * spread[3] - here[3] * spread[2]);
    out.push_back({-1, -1, origin + p0 + place(v.q) - gaps[m] / 2 * n, normal, gaps[m],
                   reference_is_a ? v.reference : v.incident, reference_is_a ? v.incident : v.reference, weight});
  }
  return true;
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
  // Off an end by x and apart by g the distance is sqrt(g^2 + x^2), which at a small gap differs from g by x.
  if ((std::abs(s) - 1) * std::sqrt(uu) > tolerances.on || (std::abs(t) - 1) * std::sqrt(vv) > tolerances.on)
    return std::nullopt;
  Vec3 sign_a, sign_b;
  for (int k = 0; k < 3; ++k) {
    sign_a[k] = sign_of(axis.dot(a.E.col(k)));
    sign_b[k] = -sign_of(axis.dot(b.E.col(k)));
  }
  return EdgePoints{p + s * u, q + t * v, box_edge(i, sign_a), box_edge(j, sign_b)};
}

}  // namespace cairn
