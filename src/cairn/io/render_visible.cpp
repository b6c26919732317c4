// SPDX-License-Identifier: Apache-2.0
// Triangles cut at the near plane and filled row by row; balls by the rays through the samples.
#include "cairn/io/render_visible.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

// A triangle as it lies on the picture, cut at the near plane (Sutherland and Hodgman 1974): up to four corners.
struct ScreenPolygon {
  Vec3 corner[4];
  int corners = 0;
  double top = 0, bottom = 0;
};

ScreenPolygon project(const RenderTriangle& triangle, const Projection& projection) {
  ScreenPolygon out;
  Vec3 in[3];
  int behind = 0;
  for (int k = 0; k < 3; ++k) {
    in[k] = projection.to_camera(triangle.v[k]);
    behind += in[k].z() < projection.near;
  }
  if (behind == 3) return out;
  for (int k = 0; k < 3; ++k) {
    const Vec3& p = in[k];
    const Vec3& q = in[(k + 1) % 3];
    const bool p_in = p.z() >= projection.near, q_in = q.z() >= projection.near;
    if (p_in) out.corner[out.corners++] = p;
    if (p_in != q_in) {  // always from the point in front, so that neighbours are cut at the same point
      const Vec3& front = p_in ? p : q;
      const Vec3& back = p_in ? q : p;
      out.corner[out.corners++] = front + (back - front) * ((front.z() - projection.near) / (front.z() - back.z()));
    }
  }
  out.top = std::numeric_limits<double>::infinity();
  out.bottom = -out.top;
  for (int k = 0; k < out.corners; ++k) {
    out.corner[k] = projection.to_screen(out.corner[k]);
    out.top = std::min(out.top, out.corner[k].y());
    out.bottom = std::max(out.bottom, out.corner[k].y());
  }
  return out;
}

// The front of a ball: where rays through the samples first meet it. In perspective its outline is an ellipse between
// the slopes of its tangents.
void draw_ball(VisibilityBuffer& buffer, const PlacedBall& ball, int id, const Projection& projection, int row_begin,
               int row_end) {
  const Vec3 c = projection.to_camera(ball.centre);
  if (projection.orthographic) {
    if (c.z() - ball.radius < projection.near) return;
    rasterise_ball(projection.to_screen(c), ball.radius * projection.scale, 1 / projection.scale, buffer.width,
                   row_begin, row_end, [&](int y, int x, double d) { buffer.draw(x, y, float(d), id); });
    return;
  }
  if (c.z() + ball.radius < projection.near) return;
  const double r2 = ball.radius * ball.radius, rest = c.squaredNorm() - r2;
  int bounds[2][2] = {{0, buffer.width - 1}, {row_begin, row_end - 1}};
  if (c.z() > ball.radius)
    for (int axis = 0; axis < 2; ++axis) {
      const double middle = c[axis] * c.z(), width = c.z() * c.z() - r2;
      const double spread = ball.radius * std::sqrt(c[axis] * c[axis] + width);
      const double low = (middle - spread) / width, high = (middle + spread) / width;
      const double from =
          axis == 0 ? projection.centre_x + projection.scale * low : projection.centre_y - projection.scale * high;
      const double to =
          axis == 0 ? projection.centre_x + projection.scale * high : projection.centre_y - projection.scale * low;
      if (!(to >= bounds[axis][0] && from <= bounds[axis][1] + 1)) return;
      bounds[axis][0] = std::max(bounds[axis][0], int(std::floor(std::max(from, 0.0) - 0.5)));
      bounds[axis][1] = int(std::min(double(bounds[axis][1]), std::ceil(to - 0.5)));
    }
  for (int y = bounds[1][0]; y <= bounds[1][1]; ++y)
    for (int x = bounds[0][0]; x <= bounds[0][1]; ++x) {
      const Vec3 ray((x + 0.5 - projection.centre_x) / projection.scale,
                     (projection.centre_y - y - 0.5) / projection.scale, 1);
      const double along = ray.dot(c), square = ray.squaredNorm(), root = along * along - square * rest;
      if (!(root > 0)) continue;
      const double z = (along - std::sqrt(root)) / square;
      if (z >= projection.near) buffer.draw(x, y, float(1 / z), id);
    }
}

}  // namespace

VisibilityBuffer draw_visible(const std::vector<RenderTriangle>& triangles, const std::vector<PlacedBall>& balls,
                              const Projection& projection, int width, int height, Threads threads) {
  VisibilityBuffer buffer(width, height);
  std::vector<ScreenPolygon> polygons(triangles.size());
  parallel_chunks(threads, polygons.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) polygons[i] = project(triangles[i], projection);
  });
  parallel_chunks(threads, std::size_t(height), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      const ScreenPolygon& p = polygons[i];
      if (p.corners < 3 || p.bottom < double(begin) || p.top > double(end)) continue;
      for (int k = 2; k < p.corners; ++k)
        buffer.draw(p.corner[0], p.corner[k - 1], p.corner[k], int(i), int(begin), int(end));
    }
    for (std::size_t i = 0; i < balls.size(); ++i)
      draw_ball(buffer, balls[i], int(polygons.size() + i), projection, int(begin), int(end));
  });
  return buffer;
}

}  // namespace cairn
