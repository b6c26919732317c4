// SPDX-License-Identifier: Apache-2.0
// Ways out of an overlap off an edge (bisection on the arc between its normals) and off a point (Newton's method from
// the normals of the body's sides): see the header.
#include "cairn/collision/outward_ways.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/collision/normal_polish.h"

namespace cairn {
namespace {

/// Parts of an arc that are searched for a least depth each.
constexpr int kParts = 8;

/// A direction on the arc of an edge with the lowest point of the body and the change of the gap with the angle.
struct ArcPoint {
  double angle;
  Vec3 normal, x;
  double slope;
};

/// A way out across the side of a that y is under, whose outward normal is about m.
void add_way(const PlacedConvex& a, const Vec3& y, const Vec3& m, std::vector<OutwardWay>& out) {
  const double length = m.norm();
  if (!(length > 0) || !std::isfinite(length)) return;
  PlacedConvex point;
  point.c = y;
  const auto n = polish_normal(a, point, -m / length);
  if (!n) return;
  const double gap = compute_separation(a, point, *n);
  out.push_back({*n, y + gap * *n, gap, 0});
}

}  // namespace

void find_ways_off_edge(const PlacedConvex& a, const PlacedEdge& edge, double level, std::vector<OutwardWay>& out) {
  const Vec3 &n = edge.normal0, across = -edge.into0;
  // A rim has a quarter of a circle beside its only face.
  const bool rim = edge.into0 == edge.into1;
  const double width = rim ? 0.5 * M_PI : std::atan2(edge.normal1.dot(across), edge.normal1.dot(n));
  const auto look = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    ArcPoint r{angle, c * n + s * across, Vec3::Zero(), 0};
    r.x = find_support(a, -r.normal).x - a.radius * r.normal;
    r.slope = (c * across - s * n).dot(r.x - edge.from);
    return r;
  };
  const auto add = [&](const Vec3& normal, const Vec3& x) {
    const Vec3 w = x - edge.from;
    out.push_back({normal, x, normal.dot(w), edge.along.dot(w) / (edge.length * edge.length)});
  };
  ArcPoint left = look(0);
  // Right below the edge along the normal of a face.
  if (std::abs(left.slope) <= level) add(n, left.x);
  for (int k = 1; k <= kParts; ++k) {
    ArcPoint low = left, high = look(width * k / kParts);
    left = high;
    if (k == kParts && !rim && std::abs(high.slope) <= level) add(edge.normal1, high.x);
    if (!(low.slope > 0 && high.slope <= 0)) continue;
    while (true) {
      const double middle = 0.5 * (low.angle + high.angle);
      if (!(middle > low.angle && middle < high.angle)) break;
      const ArcPoint r = look(middle);
      (r.slope > 0 ? low : high) = r;
    }
    // Where a side of the body lies across the normal the lowest point jumps: the one below the edge is between.
    const double share = low.slope / (low.slope - high.slope);
    add(high.normal, low.x + share * (high.x - low.x));
  }
}

void find_ways_off_point(const PlacedConvex& a, const Vec3& y, std::vector<OutwardWay>& out) {
  const Mat3 inverse = a.E.inverse();
  const Vec3 u = inverse * (y - a.c);
  // Normals of the surface of the unit core turn with E^-T.
  const auto turn = [&](const Vec3& m) { return Vec3(inverse.transpose() * m); };
  const double r = std::hypot(u.x(), u.y());
  switch (a.kind) {
    case CoreKind::Cylinder:
      add_way(a, y, a.N.col(2), out);
      add_way(a, y, -a.N.col(2), out);
      add_way(a, y, turn({u.x(), u.y(), 0}), out);
      break;
    case CoreKind::Cone:
      add_way(a, y, -a.N.col(2), out);
      if (r > 0) add_way(a, y, turn({u.x() / r, u.y() / r, 1}), out);
      break;
    case CoreKind::Ellipsoid: add_way(a, y, turn(u), out); break;
    case CoreKind::Solid: add_way(a, y, turn(a.solid->closest_point(u).normal), out); break;
    case CoreKind::RoundSegment: {
      const Vec3 t = inverse * a.axis;
      add_way(a, y, turn(u - std::clamp(u.dot(t) / t.squaredNorm(), -1.0, 1.0) * t), out);
      break;
    }
    case CoreKind::Box:
      for (int i = 0; i < 3; ++i) {
        add_way(a, y, a.N.col(i), out);
        add_way(a, y, -a.N.col(i), out);
      }
      break;
    case CoreKind::Polyhedron:
      for (int f = 0; f < a.poly->face_count(); ++f) add_way(a, y, face_normal(a, f), out);
      break;
    case CoreKind::Point:
    case CoreKind::Segment: break;  // without thickness
  }
}

}  // namespace cairn
