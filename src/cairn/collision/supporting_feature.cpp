// SPDX-License-Identifier: Apache-2.0
// Supporting features of the placed convex shapes.
#include "cairn/collision/supporting_feature.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "cairn/collision/parallelepiped.h"

namespace cairn {
namespace {

// Ids of points that move along a rim or a generator, above those of the fixed ones.
constexpr std::uint32_t kMoving = 256;

// The sine of the angle within which an edge counts as level (as in convex_pair.cpp).
constexpr double kLevel = 0.02;

double sine(const Vec3& n, const Vec3& d) { return n.cross(d).norm(); }

void set_point(const Vec3& x, std::uint32_t id, SupportingFeature& out) {
  out.vertices.push_back({x, id, id});
  out.id = id;
}

void set_segment(const Vec3& x, std::uint32_t idx, const Vec3& y, std::uint32_t idy, std::uint32_t id,
                 SupportingFeature& out) {
  out.vertices.push_back({x, idx, id});
  out.vertices.push_back({y, idy, id});
  out.id = id;
}

// The rim point at angle t of the disc with centre m.
Vec3 rim_point(const PlacedConvex& s, const Vec3& m, double t) {
  return m + std::cos(t) * s.E.col(0) + std::sin(t) * s.E.col(1);
}

// The disc with centre m and outward normal `side` N_z as a polygon, with its lowest point along d if it is tilted.
void set_disc(const PlacedConvex& s, const Vec3& m, double side, const Vec3& d, SupportingFeature& out) {
  const std::uint32_t base = side > 0 ? 0 : 2 * kRimPoints;
  out.normal = side * s.N.col(2);
  out.is_disc = true;
  out.id = make_feature(FeatureKind::Face, side > 0 ? 1 : 0);
  const Vec2 w(s.E.col(0).dot(d), s.E.col(1).dot(d));
  const double r = w.norm();
  // Within round-off of flat there is no lowest point.
  const bool tilted = r > 1e-11 * std::sqrt(s.E.col(0).squaredNorm() + s.E.col(1).squaredNorm());
  double lowest = std::atan2(w.y(), w.x());
  if (lowest < 0) lowest += 2 * std::numbers::pi;
  constexpr double step = 2 * std::numbers::pi / kRimPoints;
  for (int k = 0; k < kRimPoints; ++k) {
    const int i = side > 0 ? k : kRimPoints - 1 - k;  // counter-clockwise from outside
    const std::uint32_t id = make_feature(FeatureKind::Rim, base + static_cast<std::uint32_t>(i));
    const auto arc = make_feature(FeatureKind::Rim, base + kRimPoints + static_cast<std::uint32_t>(i));
    out.vertices.push_back({rim_point(s, m, i * step), id, arc});
    if (!tilted) continue;
    // The lowest point lies on the arc to the next one, unless it is one of the two.
    const double from = side > 0 ? i * step : (i - 1) * step;
    double t = lowest - from;
    if (t >= 2 * std::numbers::pi) t -= 2 * std::numbers::pi;
    if (t < 0) t += 2 * std::numbers::pi;
    if (t > 1e-7 && t < step - 1e-7) {
      const std::uint32_t moving = make_feature(FeatureKind::Rim, kMoving + (side > 0 ? 1u : 0u));
      out.vertices.push_back({rim_point(s, m, lowest), moving, arc});
    }
  }
}

void set_box(const PlacedConvex& s, const Vec3& d, double tilt, SupportingFeature& out) {
  const Vec3 u = s.E.transpose() * d;
  Vec3 t(sign_or_one(u.x()), sign_or_one(u.y()), sign_or_one(u.z()));
  // The face that looks most nearly along d.
  int face = 0;
  double facing = -1;
  for (int i = 0; i < 3; ++i) {
    const double f = std::abs(s.N.col(i).dot(d));
    if (f > facing) facing = f, face = i;
  }
  const double side = sign_or_one(s.N.col(face).dot(d));
  if (sine(s.N.col(face), d) <= tilt) {
    out.normal = side * s.N.col(face);
    out.id = box_face(face, side);
    const int j = side > 0 ? (face + 1) % 3 : (face + 2) % 3, k = side > 0 ? (face + 2) % 3 : (face + 1) % 3;
    constexpr double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int m = 0; m < 4; ++m) {
      Vec3 v;
      v[face] = side;
      v[j] = corner[m][0];
      v[k] = corner[m][1];
      out.vertices.push_back({s.c + s.E * v, box_vertex(v), box_edge(m % 2 == 0 ? j : k, v)});
    }
    return;
  }
  int along = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double rise = std::abs(u[i]) / s.E.col(i).norm();
    if (rise < least) least = rise, along = i;
  }
  if (least <= tilt) {
    Vec3 p = t, q = t;
    p[along] = -1;
    q[along] = 1;
    set_segment(s.c + s.E * p, box_vertex(p), s.c + s.E * q, box_vertex(q), box_edge(along, t), out);
    return;
  }
  set_point(s.c + s.E * t, box_vertex(t), out);
}

std::uint32_t polygon_edge_id(int i, int j) {
  // Named by its ends: the table of edges would have to be searched. Unique for up to 16384 vertices.
  const auto lo = static_cast<std::uint32_t>(std::min(i, j)), hi = static_cast<std::uint32_t>(std::max(i, j));
  return make_feature(FeatureKind::Edge, (lo << 14) ^ hi);
}

void set_polyhedron(const PlacedConvex& s, const Vec3& d, double tilt, int hint, SupportingFeature& out) {
  const Polyhedron& poly = *s.poly;
  const auto place = [&](int v) -> Vec3 { return s.c + s.E * poly.vertices[v]; };
  const auto vertex_id = [](int v) { return make_feature(FeatureKind::Vertex, static_cast<std::uint32_t>(v)); };
  // Of the edges at the supporting vertex the most level one, and of the faces there the one that looks most nearly
  // along d. Where an edge is level it must be one of its two faces.
  const int v = find_support(s, d, hint).id;
  const Vec3 x = place(v);
  int edge = -1, face = -1, edge_face = -1;
  double level = std::min(tilt, kLevel), facing = -1, edge_facing = -1;
  for (const int k : poly.edges_at(v)) {
    const Polyhedron::Edge& e = poly.edges[static_cast<std::size_t>(k)];
    const double f0 = face_normal(s, e.f0).dot(d), f1 = face_normal(s, e.f1).dot(d);
    const int better = f0 >= f1 ? e.f0 : e.f1;
    const Vec3 along = place(e.v0 == v ? e.v1 : e.v0) - x;
    const double rise = std::abs(along.dot(d)) / along.norm();
    if (rise <= level) level = rise, edge = k, edge_face = better, edge_facing = std::max(f0, f1);
    if (std::max(f0, f1) > facing) facing = std::max(f0, f1), face = better;
  }
  if (edge >= 0) face = edge_face, facing = edge_facing;
  if (facing > 0 && sine(face_normal(s, face), d) <= tilt) {
    const std::span<const int> corners = poly.face(face);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const int here = corners[k], next = corners[k + 1 < corners.size() ? k + 1 : 0];
      out.vertices.push_back({place(here), vertex_id(here), polygon_edge_id(here, next)});
    }
    out.normal = face_normal(s, face);
    out.id = make_feature(FeatureKind::Face, static_cast<std::uint32_t>(face));
    return;
  }
  if (edge < 0) return set_point(x, vertex_id(v), out);
  // Lower index first, whichever end the climb arrived at.
  const Polyhedron::Edge& e = poly.edges[static_cast<std::size_t>(edge)];
  const int p = std::min(e.v0, e.v1), q = std::max(e.v0, e.v1);
  set_segment(place(p), vertex_id(p), place(q), vertex_id(q), polygon_edge_id(p, q), out);
}

// The ends of segment `axis` about x, or the one end that supports.
void set_generator(const Vec3& x, const Vec3& axis, const Vec3& d, double tilt, SupportingFeature& out) {
  const double rise = axis.dot(d);
  const auto low = make_feature(FeatureKind::Vertex, 0), high = make_feature(FeatureKind::Vertex, 1);
  if (std::abs(rise) <= tilt * axis.norm())
    set_segment(x - axis, low, x + axis, high, make_feature(FeatureKind::Line), out);
  else if (rise < 0)
    set_point(x - axis, low, out);
  else
    set_point(x + axis, high, out);
}

}  // namespace

int find_facing(const PlacedConvex& s, const Vec3& d) {
  const std::vector<Vec3>& normals = s.poly->normals;
  const Vec3 u = s.N.transpose() * d;
  if (s.rigid) return s.poly->normal_blocks.find_farthest(u);
  int best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < normals.size(); ++f) {
    const double facing = u.dot(normals[f]) / (s.N * normals[f]).norm();
    if (facing > most) most = facing, best = static_cast<int>(f);
  }
  return best;
}

void find_feature(const PlacedConvex& s, const Vec3& d, double tilt, SupportingFeature& out, int hint) {
  out.vertices.clear();
  out.is_disc = false;
  switch (s.kind) {
    case CoreKind::Box: set_box(s, d, tilt, out); break;
    case CoreKind::Polyhedron: set_polyhedron(s, d, tilt, hint, out); break;
    case CoreKind::Segment: set_generator(s.c, s.E.col(2), d, tilt, out); break;
    case CoreKind::RoundSegment: {
      const Vec3 u = s.E.transpose() * d;
      set_generator(s.c + s.E * u.normalized(), s.axis, d, tilt, out);
      break;
    }
    case CoreKind::Cylinder: {
      const double side = sign_or_one(s.N.col(2).dot(d));
      // Cap or side, whichever is more level.
      const double cap = sine(s.N.col(2), d);
      if (cap <= tilt && cap * s.E.col(2).norm() <= std::abs(s.E.col(2).dot(d))) {
        set_disc(s, s.c + side * s.E.col(2), side, d, out);
        break;
      }
      const Vec2 w(s.E.col(0).dot(d), s.E.col(1).dot(d));
      const double r = w.norm();
      const Vec3 x = s.c + (w.x() / r) * s.E.col(0) + (w.y() / r) * s.E.col(1);
      set_generator(x, s.E.col(2), d, tilt, out);
      break;
    }
    case CoreKind::Cone: {
      const Vec3 m = s.c - 0.25 * s.E.col(2), apex = s.c + 0.75 * s.E.col(2);
      const auto apex_id = make_feature(FeatureKind::Vertex, 0), rim_id = make_feature(FeatureKind::Rim, kMoving);
      const Vec2 w(s.E.col(0).dot(d), s.E.col(1).dot(d));
      const double r = w.norm(), base = s.N.col(2).dot(d) < 0 ? sine(s.N.col(2), d) : 2;
      if (!(r > 0)) {
        if (base < 2)
          set_disc(s, m, -1, d, out);
        else
          set_point(apex, apex_id, out);
        break;
      }
      const Vec3 rim = m + (w.x() / r) * s.E.col(0) + (w.y() / r) * s.E.col(1), along = rim - apex;
      const double rise = along.dot(d), level = std::abs(rise) / along.norm();
      if (base <= tilt && base <= level)
        set_disc(s, m, -1, d, out);
      else if (level <= tilt)
        set_segment(apex, apex_id, rim, rim_id, make_feature(FeatureKind::Line), out);
      else if (rise > 0)
        set_point(rim, rim_id, out);
      else
        set_point(apex, apex_id, out);
      break;
    }
    case CoreKind::Point:
    case CoreKind::Solid:
    case CoreKind::Ellipsoid: set_point(find_support(s, d).x, make_feature(FeatureKind::Surface), out); break;
  }
  if (s.radius > 0)
    for (FeatureVertex& v : out.vertices) v.x += s.radius * d;
}

void refine_disc(const PlacedConvex& s, const Vec3& d, std::span<const FeatureVertex> others, SupportingFeature& disc) {
  const double side = disc.normal.dot(s.N.col(2)) > 0 ? 1 : -1;
  const Vec3 m = s.kind == CoreKind::Cone ? Vec3(s.c - 0.25 * s.E.col(2)) : Vec3(s.c + side * s.E.col(2));
  const double slope = disc.normal.dot(d);
  for (const FeatureVertex& v : others) {
    // Along d into the plane of the disc, then in coordinates of the unit disc.
    const Vec3 x = v.x - m, in_plane = x - (disc.normal.dot(x) / slope) * d;
    const Vec3 nx = s.E.col(1).cross(disc.normal), ny = s.E.col(0).cross(disc.normal);
    const double ux = nx.dot(in_plane) / nx.dot(s.E.col(0)), uy = ny.dot(in_plane) / ny.dot(s.E.col(1));
    const double rr = ux * ux + uy * uy, inner = std::cos(std::numbers::pi / kRimPoints);
    if (!(rr <= 1 + 1e-12 && rr > inner * inner)) continue;
    const double t = std::atan2(uy, ux);
    // Insert between its neighbours on the rim.
    const Vec3 p = rim_point(s, m, t);
    const std::size_t n = disc.vertices.size();
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 &q = disc.vertices[k].x, &r = disc.vertices[(k + 1) % n].x;
      const Vec3 out = (r - q).cross(disc.normal);
      const double beyond = out.dot(p - q), inside = (r - q).dot(p - q) / (r - q).squaredNorm();
      if (beyond > 1e-12 * out.norm() * s.size && inside > 0 && inside < 1) {
        const std::uint32_t arc = disc.vertices[k].edge;
        disc.vertices.insert(disc.vertices.begin() + static_cast<std::ptrdiff_t>(k) + 1, {p, arc, arc});
        break;
      }
    }
  }
}

}  // namespace cairn
