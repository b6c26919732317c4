// SPDX-License-Identifier: Apache-2.0
// GJK: the nearest point of a growing and shrinking simplex in the difference of two shapes.
#include "cairn/collision/gjk.h"

#include <algorithm>
#include <limits>

namespace cairn {
namespace {

constexpr int kMaxIterations = 128;
// Nearest points nearer than this, relative to the points of the simplex, are the origin to round-off.
constexpr double kTouching = 1e-14;

// Barycentric coordinates of the nearest point of a face of the simplex; zero for points that do not carry it.
struct Nearest {
  std::array<double, 4> lambda{};
  Vec3 v;
  double vv;
};

void finish(Nearest& r, const Vec3& v) {
  r.v = v;
  r.vv = v.squaredNorm();
}

Nearest nearest_on_edge(const Simplex& s, int i, int j) {
  const Vec3 &p = s.point[i].y, &q = s.point[j].y;
  const Vec3 t = q - p;
  const double tt = t.squaredNorm();
  // From the nearer end, so that the result keeps its digits.
  Nearest r;
  const double x = tt > 0 ? std::clamp(-p.dot(t) / tt, 0.0, 1.0) : 0.0;
  r.lambda[i] = 1 - x;
  r.lambda[j] = x;
  finish(r, x < 0.5 ? Vec3(p + x * t) : Vec3(q - (1 - x) * t));
  return r;
}

Nearest nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vec3 &p = s.point[i].y, &q = s.point[j].y, &r = s.point[k].y;
  const Vec3 n = (q - p).cross(r - p);
  const double nn = n.squaredNorm();
  if (nn > 0) {
    // The foot of the origin in the plane, and the areas it makes with the sides in the projection of largest area.
    // From the nearest corner: the direction of a sliver is uncertain, and the foot errs by that angle times the arm.
    const double pp = p.squaredNorm(), qq = q.squaredNorm(), rr = r.squaredNorm();
    const Vec3& near = pp <= qq ? (pp <= rr ? p : r) : (qq <= rr ? q : r);
    const Vec3 foot = (near.dot(n) / nn) * n;
    int x;
    n.cwiseAbs().maxCoeff(&x);
    const int y = (x + 1) % 3, z = (x + 2) % 3;
    const auto area = [&](const Vec3& u, const Vec3& v, const Vec3& w) {
      return (v[y] - u[y]) * (w[z] - u[z]) - (v[z] - u[z]) * (w[y] - u[y]);
    };
    const double whole = n[x];
    const double a = area(foot, q, r) / whole, b = area(foot, r, p) / whole, c = area(foot, p, q) / whole;
    if (a > 0 && b > 0 && c > 0) {
      Nearest m;
      const double sum = a + b + c;
      m.lambda[i] = a / sum;
      m.lambda[j] = b / sum;
      m.lambda[k] = c / sum;
      finish(m, foot);
      return m;
    }
  }
  Nearest best = nearest_on_edge(s, i, j);
  for (const Nearest& other : {nearest_on_edge(s, j, k), nearest_on_edge(s, i, k)})
    if (other.vv < best.vv) best = other;
  return best;
}

Nearest nearest_in_tetrahedron(const Simplex& s) {
  const Vec3 &p = s.point[0].y, &q = s.point[1].y, &r = s.point[2].y, &w = s.point[3].y;
  // Signed volumes of the tetrahedra in which the origin replaces one point.
  const std::array<double, 4> volume = {q.dot(r.cross(w)), -p.dot(r.cross(w)), p.dot(q.cross(w)), -p.dot(q.cross(r))};
  const double whole = volume[0] + volume[1] + volume[2] + volume[3];
  Nearest best;
  best.vv = std::numeric_limits<double>::infinity();
  bool inside = whole != 0;
  constexpr int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  for (int k = 0; k < 4; ++k) {
    if (whole != 0 && volume[k] * whole > 0) continue;
    inside = false;
    const Nearest other = nearest_on_triangle(s, face[k][0], face[k][1], face[k][2]);
    if (other.vv < best.vv) best = other;
  }
  if (!inside) return best;
  for (int k = 0; k < 4; ++k) best.lambda[k] = volume[k] / whole;
  finish(best, Vec3::Zero());
  return best;
}

Nearest find_nearest(const Simplex& s) {
  switch (s.count) {
    case 1: {
      Nearest r;
      r.lambda[0] = 1;
      finish(r, s.point[0].y);
      return r;
    }
    case 2: return nearest_on_edge(s, 0, 1);
    case 3: return nearest_on_triangle(s, 0, 1, 2);
    default: return nearest_in_tetrahedron(s);
  }
}

// Keeps the points that carry r.
void reduce_to(const Nearest& r, Simplex& s) {
  int n = 0;
  for (int k = 0; k < s.count; ++k) {
    if (r.lambda[k] <= 0) continue;
    if (n != k) s.point[n] = s.point[k];
    s.lambda[n++] = r.lambda[k];
  }
  s.count = n;
}

}  // namespace

Vec3 reduce_simplex(Simplex& s) {
  const Nearest r = find_nearest(s);
  reduce_to(r, s);
  return r.v;
}

GjkResult find_distance(const PlacedConvex& a, const PlacedConvex& b, double limit, double relative,
                        const Vec3& start) {
  GjkResult result;
  Simplex& s = result.simplex;
  Vec3 v = start.squaredNorm() > 0 ? start : Vec3(a.c - b.c);
  if (v.squaredNorm() == 0) v = Vec3::UnitZ();
  s.point[0] = find_minkowski_support(a, b, -v);
  s.lambda[0] = 1;
  s.count = 1;
  v = s.point[0].y;

  double largest = v.squaredNorm();  // of |y|^2 met so far
  const double size = a.size + b.size;
  bool proved = false;
  result.normal = v;
  for (int k = 0; k < kMaxIterations; ++k) {
    const double vv = v.squaredNorm();
    if (s.count == 4 || vv <= kTouching * kTouching * std::max(largest, size * size)) {
      result.status = GjkStatus::Overlap;
      const double length = result.normal.norm();
      result.normal = length > 0 ? Vec3(result.normal / length) : Vec3::UnitZ();
      return result;
    }
    result.normal = v;
    const MinkowskiPoint& last = s.point[s.count - 1];
    const MinkowskiPoint w = find_minkowski_support(a, b, -v, last.ia, last.ib);
    const double vw = v.dot(w.y);
    // The plane through w across v separates by v.w / |v|.
    if (vw > 0 && vw * vw > limit * limit * vv && limit >= 0) {
      result.status = GjkStatus::Beyond;
      result.distance = vw / std::sqrt(vv);
      result.normal = v / std::sqrt(vv);
      return result;
    }
    bool done = vv - vw <= relative * vv;
    for (int i = 0; i < s.count && !done; ++i) done = w.y == s.point[i].y;
    if (done) {
      proved = true;
      break;
    }

    s.point[s.count++] = w;
    largest = std::max(largest, w.y.squaredNorm());
    const Nearest next = find_nearest(s);
    // The distance falls at every step; where it does not, round-off has been reached.
    if (next.vv >= vv) {
      --s.count;
      break;
    }
    reduce_to(next, s);
    v = next.v;
  }

  result.distance = v.norm();
  result.normal = v / result.distance;
  // Stopped by round-off with nothing proved: the plane across v does not separate, so the cores touch or overlap.
  if (!proved && v.dot(find_minkowski_support(a, b, -v).y) < 0.5 * v.squaredNorm()) {
    result.distance = 0;
    return result;
  }
  result.on_a.setZero();
  result.on_b.setZero();
  for (int i = 0; i < s.count; ++i) {
    result.on_a += s.lambda[i] * s.point[i].a;
    result.on_b += s.lambda[i] * s.point[i].b;
  }
  result.status = GjkStatus::Apart;
  return result;
}

}  // namespace cairn
