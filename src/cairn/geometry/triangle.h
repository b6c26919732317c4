// SPDX-License-Identifier: Apache-2.0
// One triangle: the nearest point with the feature it lies on (Ericson 2005, Real-Time Collision Detection, section
// 5.1.5), and rays that never slip between two neighbours.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/math/types.h"

namespace cairn {

enum class TriangleFeature { Face, Edge, Vertex };

struct TrianglePoint {
  Vec3 point;
  TriangleFeature feature;
  int index;  ///< of the edge (k: from corner k to k + 1) or of the corner
};

/// The point of the triangle nearest to x.
inline TrianglePoint find_nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return {a, TriangleFeature::Vertex, 0};
  const Vec3 bx = x - b;
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return {b, TriangleFeature::Vertex, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + d1 / (d1 - d3) * ab, TriangleFeature::Edge, 0};
  const Vec3 cx = x - c;
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return {c, TriangleFeature::Vertex, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + d2 / (d2 - d6) * ac, TriangleFeature::Edge, 2};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6)
    return {b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), TriangleFeature::Edge, 1};
  const double sum = va + vb + vc;
  return {a + vb / sum * ab + vc / sum * ac, TriangleFeature::Face, 0};
}

/// A ray prepared for many triangles. Vertices are seen along the ray, each rounded once for all its triangles, and
/// sides of edges are decided exactly: a ray slips neither between two triangles nor past a vertex (after Woop, Benthin
/// & Wald 2013, "Watertight ray/triangle intersection").
class TriangleRay {
 public:
  TriangleRay(const Vec3& x, const Vec3& d) : x_(x), d_(d) {
    d.cwiseAbs().maxCoeff(&k_);
    i_ = (k_ + 1) % 3;
    j_ = (k_ + 2) % 3;
    slope_ = Vec2(d[i_], d[j_]) / d[k_];
  }

  /// Parameter t of the point where the line x + t d meets the triangle (border included); NaN where it does not.
  double hit(const Vec3& a, const Vec3& b, const Vec3& c) const {
    const Vec2 p = project(a), q = project(b), r = project(c);
    const double u = side(p, q), v = side(q, r), w = side(r, p);
    const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
    const Vec3 n = (b - a).cross(c - a);
    const double across = n.dot(d_);
    if (!inside || across == 0) return std::numeric_limits<double>::quiet_NaN();
    return n.dot(a - x_) / across;
  }

 private:
  // fma by name: the compiler must not choose differently for different triangles.
  Vec2 project(const Vec3& p) const {
    const Vec3 v = p - x_;
    return {std::fma(-slope_.x(), v[k_], v[i_]), std::fma(-slope_.y(), v[k_], v[j_])};
  }

  // Sign of p x q. Rounding keeps order, so products that differ decide; equal ones leave it to what rounding took.
  static double side(const Vec2& p, const Vec2& q) {
    const double a = p.x() * q.y(), b = p.y() * q.x();
    if (a != b) return a > b ? 1 : -1;
    const double rest = std::fma(p.x(), q.y(), -a) - std::fma(p.y(), q.x(), -b);
    return rest > 0 ? 1 : rest < 0 ? -1 : 0;
  }

  Vec3 x_, d_;
  Vec2 slope_;
  int i_ = 0, j_ = 1, k_ = 2;
};

}  // namespace cairn
