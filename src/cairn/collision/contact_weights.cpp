// SPDX-License-Identifier: Apache-2.0
// Convex hull in the plane by the monotone chain (Andrew 1979, Inf. Process. Lett. 9), then triangles about its middle.
#include "cairn/collision/contact_weights.h"

#include <algorithm>
#include <vector>

namespace cairn {
namespace {

struct Corner {
  Vec2 q;
  int index;
};

double turn(const Vec2& o, const Vec2& p, const Vec2& q) {
  return (p.x() - o.x()) * (q.y() - o.y()) - (p.y() - o.y()) * (q.x() - o.x());
}

}  // namespace

void set_area_weights(std::span<ContactPoint> points) {
  for (ContactPoint& p : points) p.weight = 0;
  if (points.size() < 3) return;
  thread_local std::vector<Corner> corners, hull;
  corners.clear();
  hull.clear();
  const Vec3 n = points[0].normal, x = n.unitOrthogonal(), y = n.cross(x);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 off = points[k].point - points[0].point;
    corners.push_back({{x.dot(off), y.dot(off)}, static_cast<int>(k)});
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& p, const Corner& q) {
    return p.q.x() < q.q.x() || (p.q.x() == q.q.x() && p.q.y() < q.q.y());
  });
  // Lower chain left to right, upper chain back.
  const auto extend = [&](const Corner& c, std::size_t base) {
    while (hull.size() >= base + 2 && turn(hull[hull.size() - 2].q, hull.back().q, c.q) <= 0) hull.pop_back();
    hull.push_back(c);
  };
  for (const Corner& c : corners) extend(c, 0);
  const std::size_t base = hull.size() - 1;
  for (std::size_t k = corners.size() - 1; k-- > 0;) extend(corners[k], base);
  hull.pop_back();
  const std::size_t m = hull.size();
  if (m < 3) return;

  Vec2 middle = Vec2::Zero();
  for (const Corner& c : hull) middle += c.q / static_cast<double>(m);
  for (std::size_t k = 0; k < m; ++k) {
    const Vec2 &before = hull[(k + m - 1) % m].q, &here = hull[k].q, &after = hull[(k + 1) % m].q;
    points[static_cast<std::size_t>(hull[k].index)].weight =
        (turn(middle, before, here) + turn(middle, here, after)) / 4;
  }
}

}  // namespace cairn
