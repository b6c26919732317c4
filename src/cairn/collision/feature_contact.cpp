// SPDX-License-Identifier: Apache-2.0
// Overlap of two supporting features (Sutherland & Hodgman 1974 with a band of round-off about each clipping line).
//
// Coordinates: q in the plane across the normal n, z along it. The gap at a place is z_a - z_b.
#include "cairn/collision/feature_contact.h"

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

using Vertex = FeatureScratch::Vertex;

double cross(const Vec2& u, const Vec2& v) { return u.x() * v.y() - u.y() * v.x(); }

struct Frame {
  Vec3 x, y, n;
  Vec2 flat(const Vec3& p) const { return {x.dot(p), y.dot(p)}; }
  Vec3 space(const Vec2& q, double z) const { return q.x() * x + q.y() * y + z * n; }
};

Frame make_frame(const Vec3& n) {
  const Vec3 x = n.unitOrthogonal();
  return {x, n.cross(x), n};
}

// Height of the plane of a polygon above q.
struct Slope {
  Vec2 slope = Vec2::Zero();
  double base = 0;
  double at(const Vec2& q) const { return base + slope.dot(q); }
};

Slope make_slope(const SupportingFeature& f, const Frame& frame) {
  const double up = f.normal.dot(frame.n);
  const Vec2 slope = -frame.flat(f.normal) / up;
  // Through the vertices' mean height: the corners of a merged face may be off its plane by round-off.
  double base = 0;
  for (const FeatureVertex& v : f.vertices) base += frame.n.dot(v.x) - slope.dot(frame.flat(v.x));
  return {slope, base / static_cast<double>(f.vertices.size())};
}

struct Output {
  const Frame& frame;
  const Vec3& origin;
  double margin;
  std::vector<ContactPoint>& out;
  double least = std::numeric_limits<double>::infinity();

  void add(const Vec2& q, double za, double zb, std::uint32_t id_a, std::uint32_t id_b, double weight) {
    const double gap = za - zb;
    least = std::min(least, gap);
    if (gap > margin) return;
    out.push_back({-1, -1, origin + frame.space(q, (za + zb) / 2), frame.n, gap, id_a, id_b, weight});
  }
};

// A point of one against whatever the other is: the other's surface lies `separation` away by definition.
void touch_at_point(const FeatureScratch& s, const Frame& frame, double separation, Output& output) {
  const bool point_a = s.a.vertices.size() == 1;
  const FeatureVertex& v = point_a ? s.a.vertices[0] : s.b.vertices[0];
  const double z = frame.n.dot(v.x);
  output.add(frame.flat(v.x), point_a ? z : z + separation, point_a ? z - separation : z, s.a.id, s.b.id, 0);
}

// Two segments: the ends of their common part if they are parallel, else where they cross.
void touch_along_segments(const FeatureScratch& s, const Frame& frame, double size, Output& output) {
  const FeatureVertex &a0 = s.a.vertices[0], &a1 = s.a.vertices[1], &b0 = s.b.vertices[0], &b1 = s.b.vertices[1];
  const Vec2 p = frame.flat(a0.x), q = frame.flat(b0.x), u = frame.flat(a1.x) - p, v = frame.flat(b1.x) - q;
  const double za = frame.n.dot(a0.x), zb = frame.n.dot(b0.x);
  const double ra = frame.n.dot(a1.x) - za, rb = frame.n.dot(b1.x) - zb;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = cross(u, v);
  const auto add = [&](double t, double w, std::uint32_t ia, std::uint32_t ib) {
    output.add((p + t * u + q + w * v) / 2, za + t * ra, zb + w * rb, ia, ib, 0);
  };
  // Side by side over the common length to round-off, and in line.
  const double apart = std::abs(cross(u, q - p)) / std::sqrt(uu);
  if (std::abs(uv) <= 1e-9 * size * std::sqrt(std::max(uu, vv)) && apart <= 1e-9 * size) {
    const double s0 = u.dot(q - p) / uu, s1 = u.dot(q + v - p) / uu;
    const bool same = s0 < s1;
    const double lo = std::max(0.0, std::min(s0, s1)), hi = std::min(1.0, std::max(s0, s1));
    const auto on_b = [&](double t) { return std::clamp(v.dot(p + t * u - q) / vv, 0.0, 1.0); };
    const double length = std::sqrt(uu);
    if ((hi - lo) * length > 1e-9 * size) {
      add(lo, on_b(lo), lo > 0 ? s.a.id : a0.id, lo > 0 ? (same ? b0.id : b1.id) : s.b.id);
      add(hi, on_b(hi), hi < 1 ? s.a.id : a1.id, hi < 1 ? (same ? b1.id : b0.id) : s.b.id);
      return;
    }
    const double t = std::clamp((lo + hi) / 2, 0.0, 1.0);
    return add(t, on_b(t), s.a.id, s.b.id);
  }
  const double t = std::clamp(cross(q - p, v) / uv, 0.0, 1.0), w = std::clamp(cross(q - p, u) / uv, 0.0, 1.0);
  // Clamped to the ends they must still meet.
  if (((p + t * u) - (q + w * v)).norm() <= 1e-9 * size) add(t, w, s.a.id, s.b.id);
}

// A segment against a polygon: the part of the segment over it.
void touch_along_polygon(const SupportingFeature& segment, const SupportingFeature& polygon, bool segment_is_a,
                         const Frame& frame, double size, Output& output) {
  const FeatureVertex &e0 = segment.vertices[0], &e1 = segment.vertices[1];
  const Vec2 p = frame.flat(e0.x), u = frame.flat(e1.x) - p;
  const double z = frame.n.dot(e0.x), rise = frame.n.dot(e1.x) - z, length = u.norm();
  const Slope plane = make_slope(polygon, frame);
  const double turn = segment_is_a ? 1 : -1;  // the polygon of b runs counter-clockwise seen along -n
  double lo = 0, hi = 1;
  std::uint32_t at_lo = polygon.id, at_hi = polygon.id;
  const std::size_t n = polygon.vertices.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 q = frame.flat(polygon.vertices[k].x), e = turn * (frame.flat(polygon.vertices[(k + 1) % n].x) - q);
    const double scale = e.norm();
    if (!(scale > 0)) continue;
    const double inside = cross(e, p - q) / scale, growth = cross(e, u) / scale;
    if (std::abs(growth) <= 1e-12 * length) {
      if (inside < -1e-10 * size) return;
    } else if (const double t = -inside / growth; growth > 0) {
      if (t > lo) lo = t, at_lo = polygon.vertices[k].edge;
    } else if (t < hi) {
      hi = t, at_hi = polygon.vertices[k].edge;
    }
  }
  const auto add = [&](double t, std::uint32_t id, std::uint32_t other) {
    const Vec2 x = p + t * u;
    const double on = z + t * rise, under = plane.at(x);
    if (segment_is_a)
      output.add(x, on, under, id, other, 0);
    else
      output.add(x, under, on, other, id, 0);
  };
  if ((lo - hi) * length > 1e-10 * size) return;
  if ((hi - lo) * length <= 1e-9 * size) return add(std::clamp((lo + hi) / 2, 0.0, 1.0), segment.id, polygon.id);
  add(lo, lo > 0 ? segment.id : e0.id, at_lo);
  add(hi, hi < 1 ? segment.id : e1.id, at_hi);
}

// Clips the polygon of a by side k of the polygon of b.
void clip(FeatureScratch& s, std::size_t k, double on) {
  const std::size_t m = s.qb.size(), next = (k + 1) % m;
  const Vec2 q = s.qb[k], side = s.qb[next] - q;
  const double length = side.norm();
  if (!(length > 0)) return;
  const Vec2 out(side.y() / length, -side.x() / length);
  const auto& in = s.polygon;
  const std::size_t n = in.size();
  const auto outside = [&](const Vertex& v) { return out.dot(v.q - q); };
  bool cut = false;
  for (const Vertex& v : in) cut = cut || outside(v) > on;
  if (!cut) return;
  s.spare.clear();
  const std::uint32_t edge_b = s.b.vertices[k].edge;
  double d0 = outside(in[0]);
  for (std::size_t i = 0; i < n; ++i) {
    const Vertex &v = in[i], &w = in[i + 1 < n ? i + 1 : 0];
    const double d1 = outside(w);
    if (d0 <= on) {
      s.spare.push_back(v);
      // The rest of this edge is cut off at v itself.
      if (d1 > on && d0 >= -on) s.spare.back().edge = edge_b, s.spare.back().edge_of_b = true;
    }
    if ((d0 > on && d1 < -on) || (d0 < -on && d1 > on)) {
      const double t = d0 / (d0 - d1);
      Vertex x{v.q + t * (w.q - v.q), v.za + t * (w.za - v.za), 0, v.edge, edge_b, v.edge, v.edge_of_b};
      if (v.edge_of_b) {
        // Two sides of b meet: a vertex of b, the one at the beginning or at the end of this side.
        const bool begins = (x.q - q).squaredNorm() < (x.q - s.qb[next]).squaredNorm();
        x.id_a = s.a.id;
        x.id_b = s.b.vertices[begins ? k : next].id;
      }
      if (d1 > on) x.edge = edge_b, x.edge_of_b = true;
      s.spare.push_back(x);
    }
    d0 = d1;
  }
  std::swap(s.polygon, s.spare);
}

// Removes doubles and vertices that lie on the segment of their neighbours, in place and in both heights.
void simplify(std::vector<Vertex>& p, double same, double collinear) {
  for (std::size_t k = 0; k < p.size() && p.size() > 1;) {
    const std::size_t next = (k + 1) % p.size();
    if ((p[k].q - p[next].q).squaredNorm() <= same * same) {
      if (p[next].za - p[next].zb < p[k].za - p[k].zb) p[k] = p[next];  // the deeper one stays
      p.erase(p.begin() + static_cast<std::ptrdiff_t>(next));
    } else {
      ++k;
    }
  }
  for (std::size_t k = 0; k < p.size() && p.size() > 2;) {
    const Vertex &before = p[(k + p.size() - 1) % p.size()], &here = p[k], &after = p[(k + 1) % p.size()];
    const Vec2 chord = after.q - before.q, from = here.q - before.q;
    const double cc = chord.squaredNorm(), t = cc > 0 ? std::clamp(chord.dot(from) / cc, 0.0, 1.0) : 0.0;
    const double gap = here.za - here.zb, gap0 = before.za - before.zb, gap1 = after.za - after.zb;
    if ((from - t * chord).squaredNorm() <= collinear * collinear && std::abs(gap - gap0 - t * (gap1 - gap0)) <= same)
      p.erase(p.begin() + static_cast<std::ptrdiff_t>(k));
    else
      ++k;
  }
}

void touch_on_polygons(FeatureScratch& s, const Frame& frame, double size, Output& output) {
  // Seen along -n (from a to b) both run counter-clockwise: b as it is, a in reverse.
  const Slope plane_b = make_slope(s.b, frame), plane_a = make_slope(s.a, frame);
  s.polygon.clear();
  const std::size_t na = s.a.vertices.size(), nb = s.b.vertices.size();
  for (std::size_t i = 0; i < na; ++i) {
    const FeatureVertex& v = s.a.vertices[na - 1 - i];
    const std::uint32_t edge = s.a.vertices[(2 * na - 2 - i) % na].edge;
    s.polygon.push_back({frame.flat(v.x), frame.n.dot(v.x), 0, v.id, s.b.id, edge, false});
  }
  s.qb.resize(nb);
  s.zb.resize(nb);
  for (std::size_t k = 0; k < nb; ++k) {
    s.qb[k] = frame.flat(s.b.vertices[k].x);
    s.zb[k] = frame.n.dot(s.b.vertices[k].x);
  }
  const double on = 1e-11 * size;
  for (std::size_t k = 0; k < nb && s.polygon.size() > 0; ++k) clip(s, k, on);
  if (s.polygon.empty()) return;

  for (Vertex& v : s.polygon) {
    v.zb = plane_b.at(v.q);
    if (v.id_a == s.a.id) {
      // A vertex of b: its own place and height.
      for (std::size_t k = 0; k < nb; ++k)
        if (s.b.vertices[k].id == v.id_b && (s.qb[k] - v.q).squaredNorm() <= 1e-16 * size * size) {
          v.q = s.qb[k];
          v.zb = s.zb[k];
        }
      v.za = plane_a.at(v.q);
    }
  }
  simplify(s.polygon, 1e-10 * size, 1e-7 * size);

  // Each vertex has half of the two triangles it makes with its neighbours and the middle.
  const std::size_t n = s.polygon.size();
  Vec2 middle = Vec2::Zero();
  for (const Vertex& v : s.polygon) middle += v.q / static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Vertex& v = s.polygon[k];
    double weight = 0;
    if (n > 2) {
      const Vec2 before = s.polygon[(k + n - 1) % n].q - middle, here = v.q - middle,
                 after = s.polygon[(k + 1) % n].q - middle;
      weight = (std::abs(cross(before, here)) + std::abs(cross(here, after))) / 4;
    }
    output.add(v.q, v.za, v.zb, v.id_a, v.id_b, weight);
  }
}

}  // namespace

double append_overlap(FeatureScratch& scratch, const Vec3& n, double separation, double margin, double size,
                      const Vec3& origin, std::vector<ContactPoint>& out) {
  const Frame frame = make_frame(n);
  Output output{frame, origin, margin, out};
  const std::size_t na = scratch.a.vertices.size(), nb = scratch.b.vertices.size();
  if (na == 1 || nb == 1)
    touch_at_point(scratch, frame, separation, output);
  else if (na == 2 && nb == 2)
    touch_along_segments(scratch, frame, size, output);
  else if (na == 2)
    touch_along_polygon(scratch.a, scratch.b, true, frame, size, output);
  else if (nb == 2)
    touch_along_polygon(scratch.b, scratch.a, false, frame, size, output);
  else
    touch_on_polygons(scratch, frame, size, output);
  return output.least;
}

}  // namespace cairn
