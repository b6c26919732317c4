// SPDX-License-Identifier: Apache-2.0
// A light panel with one line per entry, drawn over the finished picture with smooth edges (coverage by distance).
#include "cairn/io/picture_legend.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/io/bitmap_font.h"
#include "cairn/io/words.h"

namespace cairn {
namespace {

void blend(Image& image, int x, int y, const Vec3& colour, double cover) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || !(cover > 0)) return;
  std::uint8_t* p = image.pixel(x, y);
  for (int k = 0; k < 3; ++k)
    p[k] = std::uint8_t(std::lround(p[k] + std::min(cover, 1.0) * (255 * std::clamp(colour[k], 0.0, 1.0) - p[k])));
}

/// Fills where the signed distance is negative, in the box given; half a pixel of it is the edge.
template <class Distance>
void fill(Image& image, double x0, double y0, double x1, double y1, const Vec3& colour, double opacity,
          Distance&& distance) {
  for (int y = std::max(0, int(y0) - 1); y <= std::min(image.height - 1, int(y1) + 1); ++y)
    for (int x = std::max(0, int(x0) - 1); x <= std::min(image.width - 1, int(x1) + 1); ++x)
      blend(image, x, y, colour, opacity * std::clamp(0.5 - distance(Vec2(x + 0.5, y + 0.5)), 0.0, 1.0));
}

void fill_box(Image& image, double x0, double y0, double x1, double y1, double round, const Vec3& colour,
              double opacity = 1) {
  const Vec2 centre(0.5 * (x0 + x1), 0.5 * (y0 + y1)), half(0.5 * (x1 - x0) - round, 0.5 * (y1 - y0) - round);
  fill(image, x0, y0, x1, y1, colour, opacity, [&](const Vec2& p) {
    const Vec2 d = (p - centre).cwiseAbs() - half;
    return d.cwiseMax(0.0).norm() + std::min(d.maxCoeff(), 0.0) - round;
  });
}

void fill_line(Image& image, const Vec2& a, const Vec2& b, double half_width, const Vec3& colour) {
  const Vec2 low = a.cwiseMin(b), high = a.cwiseMax(b), along = b - a;
  fill(image, low.x() - half_width, low.y() - half_width, high.x() + half_width, high.y() + half_width, colour, 1,
       [&](const Vec2& p) {
         const double t = std::clamp((p - a).dot(along) / std::max(along.squaredNorm(), 1e-12), 0.0, 1.0);
         return (p - a - t * along).norm() - half_width;
       });
}

/// A triangle that points right, its tip at (x, y).
void fill_head(Image& image, double x, double y, double length, double half_width, const Vec3& colour) {
  const Vec2 n = Vec2(half_width, length).normalized();
  fill(image, x - length, y - half_width, x, y + half_width, colour, 1,
       [&](const Vec2& p) { return std::max(n.dot(Vec2(p.x() - x, std::abs(p.y() - y))), x - length - p.x()); });
}

void draw_mark(Image& image, const LegendEntry& entry, double x, double y, double dot) {
  const double width = 14 * dot;
  switch (entry.mark) {
    case LegendEntry::Mark::Swatch:
      fill_box(image, x + 2 * dot, y - 4 * dot, x + 12 * dot, y + 4 * dot, 1.5 * dot, entry.colour);
      break;
    case LegendEntry::Mark::Dot: {
      const Vec2 centre(x + 0.5 * width, y);
      fill_line(image, centre, centre, 3.2 * dot, entry.colour);
      break;
    }
    case LegendEntry::Mark::Line: fill_line(image, {x + dot, y}, {x + width - dot, y}, 1.6 * dot, entry.colour); break;
    case LegendEntry::Mark::Arrow:
      fill_line(image, {x + dot, y}, {x + width - 5 * dot, y}, 0.9 * dot, entry.colour);
      fill_head(image, x + width, y, 6 * dot, 2.6 * dot, entry.colour);
      break;
  }
}

}  // namespace

Vec3 scale_colour(double t) {
  static constexpr std::array<std::array<double, 3>, 6> anchors{{{0.90, 0.89, 0.84},
                                                                 {0.98, 0.78, 0.44},
                                                                 {0.95, 0.55, 0.28},
                                                                 {0.84, 0.30, 0.29},
                                                                 {0.60, 0.12, 0.38},
                                                                 {0.27, 0.02, 0.36}}};
  const double place = (std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 0.0) * (anchors.size() - 1);
  const std::size_t i = std::min(std::size_t(place), anchors.size() - 2);
  const double f = place - double(i);
  Vec3 colour;
  for (std::size_t k = 0; k < 3; ++k) colour[Eigen::Index(k)] = (1 - f) * anchors[i][k] + f * anchors[i + 1][k];
  return colour;
}

void draw_legend(Image& image, const Legend& legend) {
  if (legend.empty()) return;
  const double dot = std::max(1.0, image.height / 480.0), line = 14 * dot, pad = 7 * dot, mark = 19 * dot;
  const Vec3 ink(0.16, 0.18, 0.22);
  std::string low, high;
  double width = 0, height = 2 * pad;
  for (const LegendEntry& entry : legend.entries) width = std::max(width, mark + text_width(entry.text, dot));
  height += line * double(legend.entries.size());
  if (legend.bar) {
    low = with_prefix(legend.bar->low, legend.bar->unit);
    high = with_prefix(legend.bar->high, legend.bar->unit);
    width = std::max({width, text_width(legend.bar->title, dot), text_width(low + "   " + high, dot), 130 * dot});
    height += 3 * line;
  }
  const double margin = 0.02 * image.height, x1 = image.width - margin, x0 = std::max(0.0, x1 - width - 2 * pad),
               y0 = margin;
  fill_box(image, x0, y0, x1, y0 + height, 4 * dot, Vec3(0.985, 0.985, 0.98), 0.82);
  double y = y0 + pad;
  if (legend.bar) {
    draw_text(image, legend.bar->title, x0 + pad, y + 10 * dot, dot, ink);
    const double left = x0 + pad, right = x1 - pad, top = y + line + 2 * dot, bottom = y + 2 * line - 2 * dot;
    for (int px = int(std::ceil(left)); px < int(right); ++px)
      fill_box(image, px, top, px + 1, bottom, 0, scale_colour((px + 0.5 - left) / (right - left)));
    draw_text(image, low, left, y + 3 * line - 3 * dot, dot, ink);
    draw_text(image, high, right - text_width(high, dot) + dot, y + 3 * line - 3 * dot, dot, ink);
    y += 3 * line;
  }
  for (const LegendEntry& entry : legend.entries) {
    draw_mark(image, entry, x0 + pad, y + 0.5 * line, dot);
    draw_text(image, entry.text, x0 + pad + mark, y + 0.5 * line + 3.5 * dot, dot, ink);
    y += line;
  }
}

}  // namespace cairn
