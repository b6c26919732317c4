// SPDX-License-Identifier: Apache-2.0
// Lines are drawn by the distance of pixels from them, areas by the share of pixels inside; both are collected in a
// mask first, so that the many short pieces of a curve do not darken their borders one after the other.
#include "cairn/io/png_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/base/error.h"
#include "cairn/io/bitmap_font.h"
#include "cairn/io/plot_layout.h"

namespace cairn {
namespace {

constexpr double kDot = 1.1, kTitleDot = 1.35;  // of text [pixels]; kPlotCharacter is about six of the first

/// "#rrggbb" as numbers from 0 to 1.
Vec3 to_colour(std::string_view hex) {
  const auto channel = [&](std::size_t at) { return std::stoi(std::string(hex.substr(at, 2)), nullptr, 16) / 255.0; };
  return {channel(1), channel(3), channel(5)};
}

/// What the alphabet has for characters that plots use.
std::string to_ascii(std::string text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> spellings{{{"\u2212", "-"},
                                                                                           {"\u00d7", "x"},
                                                                                           {"\u2264", "<="},
                                                                                           {"\u00b5", "u"},
                                                                                           {"\u00b2", "^2"},
                                                                                           {"\u2013", "-"},
                                                                                           {"\u00b7", "."}}};
  for (const auto& [from, to] : spellings)
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

/// A label of an axis, which is SVG text: what stands on the line, and a raised exponent if it has one.
std::pair<std::string, std::string> split_label(const std::string& label) {
  const std::size_t open = label.find("<tspan");
  if (open == std::string::npos) return {to_ascii(label), ""};
  const std::size_t begin = label.find('>', open) + 1, end = label.find("</tspan>");
  return {to_ascii(label.substr(0, open)), to_ascii(label.substr(begin, end - begin))};
}

/// How much of each pixel a drawing covers, from 0 to 1.
class Mask {
 public:
  Mask(int width, int height)
      : width_(width), height_(height), cover_(std::size_t(width) * std::size_t(height), 0.0f) {}

  /// A line with round ends; without length a dot.
  void stroke(const Vec2& p, const Vec2& q, double width) {
    const double r = 0.5 * width;
    const Vec2 along = q - p;
    const double squared = along.squaredNorm();
    each(std::min(p.x(), q.x()) - r - 1, std::min(p.y(), q.y()) - r - 1, std::max(p.x(), q.x()) + r + 1,
         std::max(p.y(), q.y()) + r + 1, [&](const Vec2& centre) {
           const double t = squared > 0 ? std::clamp((centre - p).dot(along) / squared, 0.0, 1.0) : 0.0;
           return std::clamp(r + 0.5 - (centre - p - t * along).norm(), 0.0, 1.0);
         });
  }

  /// The inside of a closed outline, by the even-odd rule: rows of four samples each, exact along them.
  void fill(const std::vector<Vec2>& outline) {
    constexpr int samples = 4;
    if (outline.empty()) return;
    double top = outline[0].y(), bottom = top;
    for (const Vec2& p : outline) top = std::min(top, p.y()), bottom = std::max(bottom, p.y());
    const int first = std::max(0, int(std::floor(top))), last = std::min(height_ - 1, int(std::floor(bottom)));
    std::vector<double> crossings;
    for (int row = first; row <= last; ++row)
      for (int k = 0; k < samples; ++k) {
        const double y = row + (k + 0.5) / samples;
        crossings.clear();
        for (std::size_t i = 0; i < outline.size(); ++i) {
          const Vec2 &p = outline[i], &q = outline[(i + 1) % outline.size()];
          if ((p.y() <= y) == (q.y() <= y)) continue;
          crossings.push_back(p.x() + (y - p.y()) / (q.y() - p.y()) * (q.x() - p.x()));
        }
        std::sort(crossings.begin(), crossings.end());
        for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
          cover_row(row, crossings[i], crossings[i + 1], samples);
      }
  }

  void blend(Image& image, int top, const Vec3& colour, double opacity) const {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const double share = opacity * double(cover_[index(x, y)]);
        if (!(share > 0)) continue;
        std::uint8_t* out = image.pixel(x, top + y);
        for (int k = 0; k < 3; ++k) out[k] = std::uint8_t(std::lround(out[k] + share * (255 * colour[k] - out[k])));
      }
  }

 private:
  std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width_) + std::size_t(x); }

  /// The largest of what is there and cover(centre), for the pixels of a box.
  template <class Cover>
  void each(double x0, double y0, double x1, double y1, Cover&& cover) {
    const int left = int(std::clamp(x0, 0.0, double(width_))), right = int(std::clamp(x1, -1.0, width_ - 1.0));
    const int first = int(std::clamp(y0, 0.0, double(height_))), last = int(std::clamp(y1, -1.0, height_ - 1.0));
    for (int y = first; y <= last; ++y)
      for (int x = left; x <= right; ++x) {
        float& there = cover_[index(x, y)];
        there = std::max(there, float(cover(Vec2(x + 0.5, y + 0.5))));
      }
  }

  void cover_row(int row, double x0, double x1, int samples) {
    x0 = std::clamp(x0, 0.0, double(width_));
    x1 = std::clamp(x1, 0.0, double(width_));
    for (int x = int(x0); x < width_ && x < x1; ++x) {
      float& there = cover_[index(x, row)];
      const double share = std::min(x1, x + 1.0) - std::max(x0, double(x));
      there = std::min(1.0f, there + float(share / samples));
    }
  }

  int width_, height_;
  std::vector<float> cover_;
};

enum class Anchor { Begin, Middle, End };

class Painter {
 public:
  Painter(const Plot& plot, Image& image, int top) : plot_(plot), layout_(plot), image_(image), top_(top) {}

  void draw() {
    frame();
    axes();
    for (std::size_t i = 0; i < layout_.series.size(); ++i) series(i);
    legend();
    notes();
  }

 private:
  static constexpr double kLine = 1.8;

  Mask mask() const { return {image_.width, plot_.height}; }
  void put(const Mask& mask, const Vec3& colour, double opacity = 1) { mask.blend(image_, top_, colour, opacity); }

  void box(const PlotBox& b, const char* fill, const char* border, double opacity) {
    Mask inside = mask(), rim = mask();
    const std::array<Vec2, 4> corners{Vec2(b.x0, b.y0), Vec2(b.x1, b.y0), Vec2(b.x1, b.y1), Vec2(b.x0, b.y1)};
    inside.fill({corners.begin(), corners.end()});
    for (std::size_t k = 0; k < 4; ++k) rim.stroke(corners[k], corners[(k + 1) % 4], 1);
    put(inside, to_colour(fill), opacity);
    put(rim, to_colour(border));
  }
  void text(const std::string& words, double x, double y, const char* colour, Anchor anchor = Anchor::Begin,
            double dot = kDot) {
    const double width = text_width(words, dot);
    const double left = anchor == Anchor::Begin ? x : anchor == Anchor::Middle ? x - 0.5 * width : x - width;
    draw_text(image_, words, left, top_ + y, dot, to_colour(colour));
  }
  /// A label of an axis with its exponent, if it has one, smaller and higher.
  void label(const std::string& svg, double x, double y, Anchor anchor, const std::string& before = "") {
    const auto [words, raised] = split_label(svg);
    const double small = 0.8 * kDot;
    const double width = text_width(before + words, kDot) + text_width(raised, small);
    const double left = anchor == Anchor::Begin ? x : anchor == Anchor::Middle ? x - 0.5 * width : x - width;
    text(before + words, left, y, "#444444");
    text(raised, left + text_width(before + words, kDot), y - 4.5, "#444444", Anchor::Begin, small);
  }
  /// Upwards, about (x, y).
  void text_up(const std::string& words, double x, double y, const char* colour) {
    const int length = int(std::ceil(text_width(words, kDot))) + 2, height = 16;
    if (length > 4 * plot_.height) return;
    Image strip{length, height, std::vector<std::uint8_t>(3 * std::size_t(length) * std::size_t(height), 255)};
    draw_text(strip, words, 1, 12, kDot, to_colour(colour));
    for (int i = 0; i < length; ++i)
      for (int j = 0; j < height; ++j) {
        const int px = int(x) - 12 + j, py = top_ + int(y + 0.5 * length) - i;
        if (px < 0 || px >= image_.width || py < top_ || py >= top_ + plot_.height) continue;
        std::copy_n(strip.pixel(i, j), 3, image_.pixel(px, py));
      }
  }

  void frame() {
    box({0.5, 0.5, plot_.width - 0.5, plot_.height - 0.5}, "#ffffff", "#dddddd", 1);
    if (plot_.title.empty()) return;
    const std::string title = to_ascii(plot_.title);
    const double room = plot_.width - layout_.area.x0 - 10, wanted = text_width(title, kTitleDot);
    text(title, layout_.area.x0, 24, "#222222", Anchor::Begin, kTitleDot * std::clamp(room / wanted, 0.5, 1.0));
  }

  void axes() {
    const PlotBox& a = layout_.area;
    const auto x_at = [&](double t) { return a.x0 + layout_.x.fraction(t) * (a.x1 - a.x0); };
    const auto y_at = [&](double t) { return a.y1 - layout_.y.fraction(t) * (a.y1 - a.y0); };
    // On whole pixels, so that thin lines are not smeared over two.
    const auto sharp = [](double v) { return std::floor(v) + 0.5; };
    Mask grid = mask(), ticks = mask();
    for (const double t : layout_.x.ticks) {
      grid.stroke({sharp(x_at(t)), a.y0}, {sharp(x_at(t)), a.y1}, 1);
      ticks.stroke({sharp(x_at(t)), a.y1}, {sharp(x_at(t)), a.y1 + 4}, 1);
    }
    for (const double t : layout_.y.ticks) {
      grid.stroke({a.x0, sharp(y_at(t))}, {a.x1, sharp(y_at(t))}, 1);
      ticks.stroke({a.x0, sharp(y_at(t))}, {a.x0 - 4, sharp(y_at(t))}, 1);
    }
    for (const double t : layout_.x.minor_ticks) ticks.stroke({sharp(x_at(t)), a.y1}, {sharp(x_at(t)), a.y1 + 2.5}, 1);
    for (const double t : layout_.y.minor_ticks) ticks.stroke({a.x0, sharp(y_at(t))}, {a.x0 - 2.5, sharp(y_at(t))}, 1);
    ticks.stroke({sharp(a.x0), a.y0}, {sharp(a.x0), sharp(a.y1)}, 1);
    ticks.stroke({sharp(a.x0), sharp(a.y1)}, {a.x1, sharp(a.y1)}, 1);
    put(grid, to_colour("#e6e6e6"));
    put(ticks, to_colour("#555555"));
    for (std::size_t k = 0; k < layout_.x.ticks.size(); ++k)
      label(layout_.x.labels[k], x_at(layout_.x.ticks[k]), a.y1 + 18, Anchor::Middle);
    for (std::size_t k = 0; k < layout_.y.ticks.size(); ++k)
      label(layout_.y.labels[k], a.x0 - 8, y_at(layout_.y.ticks[k]) + 4, Anchor::End);
    if (layout_.x.exponent != 0) label(power_of_ten(layout_.x.exponent), a.x1, a.y1 + 34, Anchor::End, "x");
    if (layout_.y.exponent != 0) label(power_of_ten(layout_.y.exponent), a.x0 - 4, a.y0 - 5, Anchor::Begin, "x");
    if (!plot_.x_label.empty())
      text(to_ascii(plot_.x_label), 0.5 * (a.x0 + a.x1), a.y1 + 38, "#222222", Anchor::Middle);
    if (!plot_.y_label.empty()) text_up(to_ascii(plot_.y_label), 18, 0.5 * (a.y0 + a.y1), "#222222");
  }

  /// One stretch of a curve; `done` is where in the pattern of dashes it begins, and is moved on.
  static void curve(Mask& m, const Vec2& p, const Vec2& q, bool dashed, double& done) {
    if (!dashed) return m.stroke(p, q, kLine);
    constexpr double on = 6, period = 10;
    const double length = (q - p).norm();
    for (double at = 0; at < length;) {
      const double phase = std::fmod(done, period);
      const double next = std::min(length - at, (phase < on ? on : period) - phase + 1e-9);
      if (phase < on) m.stroke(p + at / length * (q - p), p + (at + next) / length * (q - p), kLine);
      at += next;
      done += next;
    }
  }

  static void marker(Mask& m, std::size_t kind, const Vec2& p) {
    switch (kind % 4) {
      case 0: return m.stroke(p, p, 6.4);
      case 1: return m.fill({p + Vec2(-3, -3), p + Vec2(3, -3), p + Vec2(3, 3), p + Vec2(-3, 3)});
      case 2: return m.fill({p + Vec2(0, -4.2), p + Vec2(3.8, 2.4), p + Vec2(-3.8, 2.4)});
      default: return m.fill({p + Vec2(0, -4), p + Vec2(4, 0), p + Vec2(0, 4), p + Vec2(-4, 0)});
    }
  }

  void series(std::size_t i) {
    const Series& s = plot_.series[i];
    const PreparedSeries& prepared = layout_.series[i];
    const Vec3 colour = to_colour(plot_colour(i));
    for (std::size_t k = 0; k < prepared.bases.size() && !s.base.empty(); ++k) {
      // There along the upper border, back along the lower one.
      std::vector<Vec2> outline;
      for (const Vec2& p : prepared.stretches[k]) outline.push_back(layout_.to_page(p));
      for (auto p = prepared.bases[k].rbegin(); p != prepared.bases[k].rend(); ++p)
        outline.push_back(layout_.to_page(*p));
      Mask m = mask();
      m.fill(outline);
      put(m, colour, 0.55);
    }
    if (!s.line && !s.markers) return;
    Mask m = mask();
    for (const auto& stretch : prepared.stretches) {
      double done = 0;
      for (std::size_t k = 0; k < stretch.size(); ++k) {
        const Vec2 p = layout_.to_page(stretch[k]);
        if (s.markers) marker(m, i, p);
        if (!s.line) continue;
        if (stretch.size() == 1) m.stroke(p, p, kLine);
        if (k > 0) curve(m, layout_.to_page(stretch[k - 1]), p, s.dashed, done);
      }
    }
    put(m, colour);
  }

  void legend() {
    if (layout_.legend_rows == 0) return;
    const PlotBox& b = layout_.legend;
    box(b, "#ffffff", "#dddddd", 0.9);
    double y = b.y0 + 13;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Series& s = plot_.series[i];
      if (s.label.empty()) continue;
      Mask m = mask();
      double done = 0;
      if (!s.base.empty())
        m.fill({{b.x0 + 8, y - 5}, {b.x0 + 30, y - 5}, {b.x0 + 30, y + 5}, {b.x0 + 8, y + 5}});
      else if (s.line)
        curve(m, {b.x0 + 8, y}, {b.x0 + 30, y}, s.dashed, done);
      if (s.markers) marker(m, i, {b.x0 + 19, y});
      put(m, to_colour(plot_colour(i)), s.base.empty() ? 1 : 0.55);
      text(to_ascii(s.label), b.x0 + 36, y + 4, "#222222");
      y += 18;
    }
  }

  void notes() {
    const PlotBox& a = layout_.area;
    if (!layout_.has_data) text("no data", 0.5 * (a.x0 + a.x1), 0.5 * (a.y0 + a.y1), "#777777", Anchor::Middle);
    if (layout_.skipped > 0)
      text(fmt::format("{} point{} <= 0 not shown on the log axis", layout_.skipped, layout_.skipped == 1 ? "" : "s"),
           a.x0, plot_.height - 8.0, "#777777", Anchor::Begin, 0.9 * kDot);
  }

  const Plot& plot_;
  PlotLayout layout_;
  Image& image_;
  int top_;  ///< where it begins on the page
};

}  // namespace

Image draw_plots(std::span<const Plot> plots) {
  if (plots.empty()) throw Error("plot: there is nothing to plot");
  Image image;
  for (const Plot& plot : plots) {
    check_plot(plot);
    image.width = std::max(image.width, plot.width);
    image.height += plot.height;
  }
  image.rgb.assign(3 * std::size_t(image.width) * std::size_t(image.height), 255);
  int top = 0;
  for (const Plot& plot : plots) {
    Painter(plot, image, top).draw();
    top += plot.height;
  }
  return image;
}

}  // namespace cairn
