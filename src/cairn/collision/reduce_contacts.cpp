// SPDX-License-Identifier: Apache-2.0
// Fewer contact points per pair: see the header.
#include "cairn/collision/reduce_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/base/error.h"

namespace cairn {
namespace {

/// Normals that differ by less are one: 1e-6 rad squared, halved.
constexpr double kSameNormal = 1 - 5e-13;

struct FlatPoint {
  Eigen::Vector2d x;
  std::size_t index;  ///< in the list of points
};

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Corners of the convex hull, counter-clockwise (Andrew's monotone chain); points on its sides are left out.
std::vector<FlatPoint> find_hull(std::vector<FlatPoint> p) {
  std::sort(p.begin(), p.end(), [](const FlatPoint& a, const FlatPoint& b) {
    return std::tuple(a.x.x(), a.x.y(), a.index) < std::tuple(b.x.x(), b.x.y(), b.index);
  });
  const double size = (p.back().x - p.front().x).norm();
  const double flat = 1e-12 * size * size;
  std::vector<FlatPoint> hull;
  const auto extend = [&](const FlatPoint& q, std::size_t base) {
    while (hull.size() >= base + 2 && cross(hull.back().x - hull[hull.size() - 2].x, q.x - hull.back().x) <= flat)
      hull.pop_back();
    hull.push_back(q);
  };
  for (const FlatPoint& q : p) extend(q, 0);
  const std::size_t base = hull.size() - 1;
  for (std::size_t k = p.size() - 1; k-- > 0;) extend(p[k], base);
  if (hull.size() > 1) hull.pop_back();
  return hull;
}

/// Distance of x from the convex polygon, 0 inside; also for a segment or a point.
double distance_outside(const std::vector<FlatPoint>& hull, const Eigen::Vector2d& x) {
  bool inside = hull.size() > 2;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < hull.size(); ++k) {
    const Eigen::Vector2d &a = hull[k].x, d = hull[(k + 1) % hull.size()].x - a;
    if (cross(d, x - a) < 0) inside = false;
    const double along = d.squaredNorm() > 0 ? std::clamp(d.dot(x - a) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (a + along * d - x).norm());
  }
  return inside ? 0 : nearest;
}

/// Reduces the points of one normal; marks those dropped.
void reduce_face(int keep, std::vector<ContactPoint>& points, const std::vector<std::size_t>& members,
                 std::vector<char>& dropped, ContactReduction& reduction) {
  const Vec3& n = points[members[0]].normal;
  const Vec3 t = n.unitOrthogonal(), s = n.cross(t);
  std::vector<FlatPoint> flat;
  std::size_t deepest = members[0];
  for (const std::size_t k : members) {
    const Vec3 x = points[k].point - points[members[0]].point;
    flat.push_back({{t.dot(x), s.dot(x)}, k});
    if (points[k].gap < points[deepest].gap) deepest = k;
  }
  std::vector<FlatPoint> hull = find_hull(flat);
  while (static_cast<int>(hull.size()) > keep) {
    std::size_t least = hull.size();
    double area = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < hull.size(); ++k) {
      if (hull[k].index == deepest) continue;
      const Eigen::Vector2d &a = hull[(k + hull.size() - 1) % hull.size()].x, &b = hull[(k + 1) % hull.size()].x;
      const double lost = std::abs(cross(hull[k].x - a, b - a));
      if (lost < area) area = lost, least = k;
    }
    hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(least));
  }
  double deepest_kept = std::numeric_limits<double>::infinity();
  for (const FlatPoint& p : hull) deepest_kept = std::min(deepest_kept, points[p.index].gap);
  for (const FlatPoint& p : flat) {
    if (std::any_of(hull.begin(), hull.end(), [&](const FlatPoint& q) { return q.index == p.index; })) continue;
    dropped[p.index] = 1;
    ++reduction.dropped;
    reduction.lever = std::max(reduction.lever, distance_outside(hull, p.x));
    reduction.gap = std::max(reduction.gap, deepest_kept - points[p.index].gap);
    const auto nearest = std::min_element(hull.begin(), hull.end(), [&](const FlatPoint& a, const FlatPoint& b) {
      return (a.x - p.x).squaredNorm() < (b.x - p.x).squaredNorm();
    });
    points[nearest->index].weight += points[p.index].weight;
  }
}

}  // namespace

ContactReduction reduce_contacts(int keep, std::vector<ContactPoint>& points) {
  if (keep < 3) throw Error("contact reduction: {} points per face; must be at least 3", keep);
  ContactReduction reduction;
  std::vector<char> dropped(points.size(), 0), done(points.size(), 0);
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (done[i]) continue;
    members.clear();
    for (std::size_t k = i; k < points.size() && points[k].a == points[i].a && points[k].b == points[i].b; ++k) {
      if (done[k] || points[k].normal.dot(points[i].normal) < kSameNormal) continue;
      done[k] = 1;
      members.push_back(k);
    }
    if (members.size() > 3) reduce_face(keep, points, members, dropped, reduction);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (!dropped[k]) points[kept++] = points[k];
  points.resize(kept);
  return reduction;
}

}  // namespace cairn
