// SPDX-License-Identifier: Apache-2.0
// Which pixel centres a triangle covers, row by row, from the half-plane form of its edges (Pineda 1988).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cairn/math/types.h"

namespace cairn {

/// Calls span(y, x0, x1, d0, dx) for each row y in [row_begin, row_end): the pixels x0..x1 (both included, inside
/// [0, width)) are covered, and the third coordinate at pixel x is d0 + dx (x - x0). Points are (x, y, depth) in
/// pixels, pixel centres at half integers. Two triangles that share an edge leave no gap: the edge is always computed
/// from the same end, and a centre exactly on it belongs to both.
template <class Span>
void rasterise_triangle(const Vec3& a, const Vec3& b, const Vec3& c, int width, int row_begin, int row_end,
                        Span&& span) {
  const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
  if (!(std::abs(area) > 1e-12)) return;
  const double sign = area > 0 ? 1 : -1;

  struct Edge {
    double nx, ny, offset, slope;  // inside: nx x + ny y + offset >= 0; slope = -1 / nx
  };
  const auto make_edge = [sign](const Vec3& p, const Vec3& q) {
    const bool swap = p.x() > q.x() || (p.x() == q.x() && p.y() > q.y());
    const Vec3& from = swap ? q : p;
    const Vec3& to = swap ? p : q;
    const double nx = from.y() - to.y(), ny = to.x() - from.x();
    const double s = swap ? -sign : sign;
    return Edge{s * nx, s * ny, -s * (nx * from.x() + ny * from.y()), -1 / (s * nx)};
  };
  const Edge edges[3] = {make_edge(a, b), make_edge(b, c), make_edge(c, a)};

  const double dx = ((b.z() - a.z()) * (c.y() - a.y()) - (c.z() - a.z()) * (b.y() - a.y())) / area;
  const double dy = ((c.z() - a.z()) * (b.x() - a.x()) - (b.z() - a.z()) * (c.x() - a.x())) / area;

  const double top = std::min({a.y(), b.y(), c.y()}), bottom = std::max({a.y(), b.y(), c.y()});
  const double left = std::min({a.x(), b.x(), c.x()}), right = std::max({a.x(), b.x(), c.x()});
  if (!(bottom >= row_begin && top <= row_end && right >= 0 && left <= width)) return;
  const int y0 = int(std::ceil(std::max(top - 0.5, double(row_begin))));
  const int y1 = int(std::floor(std::min(bottom - 0.5, double(row_end - 1))));
  for (int y = y0; y <= y1; ++y) {
    double lower = std::max(left - 0.5, 0.0), upper = std::min(right - 0.5, double(width - 1));
    bool outside = false;
    for (const Edge& e : edges) {
      const double rest = e.ny * (y + 0.5) + e.offset;
      if (e.nx > 0)
        lower = std::max(lower, rest * e.slope - 0.5);
      else if (e.nx < 0)
        upper = std::min(upper, rest * e.slope - 0.5);
      else
        outside = outside || rest < 0;
    }
    if (outside || !(lower <= upper)) continue;
    const int x0 = int(std::ceil(lower)), x1 = int(std::floor(upper));
    if (x0 > x1) continue;
    span(y, x0, x1, a.z() + dx * (x0 + 0.5 - a.x()) + dy * (y + 0.5 - a.y()), dx);
  }
}

/// Calls hit(y, x, depth) for the pixel centres of the rows [row_begin, row_end) that a disc of this radius covers: the
/// front of a ball seen in parallel projection, all lengths in pixels but the depth, which has `per_pixel` for each.
template <class Hit>
void rasterise_ball(const Vec3& centre, double radius, double per_pixel, int width, int row_begin, int row_end,
                    Hit&& hit) {
  if (!(centre.y() + radius >= row_begin && centre.y() - radius <= row_end && centre.x() + radius >= 0 &&
        centre.x() - radius <= width))
    return;
  const int y0 = int(std::ceil(std::max(centre.y() - radius - 0.5, double(row_begin))));
  const int y1 = int(std::floor(std::min(centre.y() + radius - 0.5, double(row_end - 1))));
  for (int y = y0; y <= y1; ++y) {
    const double dy = y + 0.5 - centre.y(), rest = radius * radius - dy * dy;
    if (!(rest > 0)) continue;
    const double half = std::sqrt(rest);
    const int x0 = int(std::ceil(std::max(centre.x() - half - 0.5, 0.0)));
    const int x1 = int(std::floor(std::min(centre.x() + half - 0.5, double(width - 1))));
    for (int x = x0; x <= x1; ++x) {
      const double dx = x + 0.5 - centre.x();
      hit(y, x, centre.z() + per_pixel * std::sqrt(std::max(0.0, rest - dx * dx)));
    }
  }
}

/// Nearest surface per pixel: depth grows towards the viewer, id names the triangle or ball (-1: nothing).
struct VisibilityBuffer {
  int width = 0, height = 0;
  std::vector<float> depth;
  std::vector<int> id;

  VisibilityBuffer(int w, int h)
      : width(w),
        height(h),
        depth(std::size_t(w) * std::size_t(h), -std::numeric_limits<float>::infinity()),
        id(depth.size(), -1) {}

  /// Draws into the rows [row_begin, row_end) only, so that bands of rows can be drawn at the same time.
  void draw(const Vec3& a, const Vec3& b, const Vec3& c, int triangle, int row_begin, int row_end) {
    // Rounding on a sliver seen edge-on must not throw its depth outside that of its corners.
    const float low = float(std::min({a.z(), b.z(), c.z()})), high = float(std::max({a.z(), b.z(), c.z()}));
    rasterise_triangle(a, b, c, width, row_begin, row_end, [&](int y, int x0, int x1, double d0, double dx) {
      float* row_depth = &depth[std::size_t(y) * std::size_t(width)];
      int* row_id = &id[std::size_t(y) * std::size_t(width)];
      for (int x = x0; x <= x1; ++x) {
        const float d = std::clamp(float(d0 + dx * (x - x0)), low, high);
        if (d > row_depth[x]) {
          row_depth[x] = d;
          row_id[x] = triangle;
        }
      }
    });
  }

  /// The same for one sample.
  void draw(int x, int y, float d, int thing) {
    const std::size_t i = std::size_t(y) * std::size_t(width) + std::size_t(x);
    if (d > depth[i]) {
      depth[i] = d;
      id[i] = thing;
    }
  }
};

}  // namespace cairn
