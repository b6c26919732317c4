// SPDX-License-Identifier: Apache-2.0
// SVG plots: colours by Okabe and Ito (2008), thinning by the extremes of equal stretches (M4: Jugel et al. 2014).
#include "cairn/io/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "cairn/base/error.h"
#include "cairn/io/plot_axis.h"
#include "cairn/math/types.h"

namespace cairn {
namespace {

// Told apart by every common kind of colour vision; the yellow of the set is left out, too pale on white.
constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#000000"};
constexpr std::size_t kPointLimit = 2000;
constexpr double kFont = 12, kCharacter = 0.56 * kFont;  // mean width of a character of a sans-serif face

using Out = std::back_insert_iterator<std::string>;

// Stretches of points without a gap.
using Stretches = std::vector<std::vector<Vec2>>;

struct Prepared {
  Stretches stretches;      // data units
  Stretches bases;          // of areas: their lower border, from left to right as well
  std::size_t skipped = 0;  // finite, but not positive on a log axis
};

Prepared prepare(const Series& series, bool log_x, bool log_y) {
  Prepared out;
  const std::size_t n = series.x.size();
  // Beyond this the width of a range may overflow; no plot can tell such a number from infinity.
  constexpr double largest = 1e300;
  const bool area = !series.base.empty();
  const auto finite = [&](std::size_t i) {
    return std::abs(series.x[i]) <= largest && std::abs(series.y[i]) <= largest &&
           (!area || std::abs(series.base[i]) <= largest);
  };
  const auto usable = [&](std::size_t i) {
    return finite(i) && !(log_x && series.x[i] <= 0) && !(log_y && series.y[i] <= 0);
  };
  // Up to the limit every point is its own bucket; beyond it a bucket gives its four extreme points.
  const std::size_t buckets = kPointLimit / 4;
  const std::size_t size = n <= kPointLimit ? 1 : (n + buckets - 1) / buckets;
  bool open = false;
  for (std::size_t begin = 0; begin < n; begin += size) {
    const std::size_t end = std::min(begin + size, n);
    bool gap = false, found = false;
    std::array<std::size_t, 4> pick{};  // least and largest x, least and largest y
    for (std::size_t i = begin; i < end; ++i) {
      if (!usable(i)) {
        gap = true;
        out.skipped += finite(i);
        continue;
      }
      if (!found) pick.fill(i);
      found = true;
      if (series.x[i] < series.x[pick[0]]) pick[0] = i;
      if (series.x[i] >= series.x[pick[1]]) pick[1] = i;
      if (series.y[i] < series.y[pick[2]]) pick[2] = i;
      if (series.y[i] > series.y[pick[3]]) pick[3] = i;
    }
    if (found) {
      std::sort(pick.begin(), pick.end());
      const auto last = std::unique(pick.begin(), pick.end());
      if (!open) {
        out.stretches.emplace_back();
        out.bases.emplace_back();
      }
      open = true;
      for (auto it = pick.begin(); it != last; ++it) {
        out.stretches.back().emplace_back(series.x[*it], series.y[*it]);
        if (area) out.bases.back().emplace_back(series.x[*it], series.base[*it]);
      }
    }
    if (gap) open = false;
  }
  return out;
}

struct Box {
  double x0, y0, x1, y1;
};

// Does the segment touch the box? (Liang and Barsky 1984)
bool touches(const Box& b, const Vec2& p, const Vec2& q) {
  double t0 = 0, t1 = 1;
  const Vec2 d = q - p;
  const double directions[4] = {-d.x(), d.x(), -d.y(), d.y()};
  const double distances[4] = {p.x() - b.x0, b.x1 - p.x(), p.y() - b.y0, b.y1 - p.y()};
  for (int k = 0; k < 4; ++k) {
    if (directions[k] == 0) {
      if (distances[k] < 0) return false;
    } else if (directions[k] < 0) {
      t0 = std::max(t0, distances[k] / directions[k]);
    } else {
      t1 = std::min(t1, distances[k] / directions[k]);
    }
  }
  return t0 <= t1;
}

void marker(Out out, std::size_t kind, const Vec2& p) {
  const double r = 3.2;
  const double x = p.x(), y = p.y();
  switch (kind % 4) {
    case 0: fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", x, y, r); break;
    case 1: fmt::format_to(out, "<path d=\"M{:.1f} {:.1f}h6v6h-6z\"/>", x - 3, y - 3); break;
    case 2: fmt::format_to(out, "<path d=\"M{:.1f} {:.1f}l3.8 6.6h-7.6z\"/>", x, y - 4.2); break;
    default: fmt::format_to(out, "<path d=\"M{:.1f} {:.1f}l4 4l-4 4l-4 -4z\"/>", x, y - 4); break;
  }
}

std::size_t characters(const std::string& text) {
  return std::size_t(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Writer {
 public:
  explicit Writer(const Plot& plot, int top = 0) : plot_(plot), top_(top) {
    double x0 = kInf, x1 = -kInf, y0 = kInf, y1 = -kInf;
    for (const Series& s : plot.series) {
      prepared_.push_back(prepare(s, plot.log_x, plot.log_y));
      skipped_ += prepared_.back().skipped;
      for (const auto& stretch : prepared_.back().stretches)
        for (const Vec2& p : stretch) {
          x0 = std::min(x0, p.x()), x1 = std::max(x1, p.x());
          y0 = std::min(y0, p.y()), y1 = std::max(y1, p.y());
        }
      for (const auto& base : prepared_.back().bases)
        for (const Vec2& p : base) y0 = std::min(y0, p.y()), y1 = std::max(y1, p.y());
      if (!s.label.empty()) {
        ++legend_rows_;
        legend_width_ = std::max(legend_width_, 44 + kCharacter * double(characters(s.label)));
      }
    }
    has_data_ = x0 <= x1;
    x_ = make_plot_axis(x0, x1, plot.log_x, 0.02, std::max(2, plot.width / 100));
    y_ = make_plot_axis(y0, y1, plot.log_y, 0.06, std::max(2, plot.height / 65));
    place();
  }

  std::string write() {
    begin();
    axes();
    for (std::size_t i = 0; i < prepared_.size(); ++i) series(i);
    legend();
    notes();
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  static constexpr double kInf = std::numeric_limits<double>::infinity();

  Out out() { return std::back_inserter(text_); }

  Vec2 to_page(const Vec2& p) const {
    return {area_.x0 + x_.fraction(p.x()) * (area_.x1 - area_.x0),
            area_.y1 - y_.fraction(p.y()) * (area_.y1 - area_.y0)};
  }

  // The plot area, and the legend in a corner that is free of data, else beside or under the plot.
  void place() {
    const double note = skipped_ > 0 ? 16 : 0;
    area_ = {22 + kCharacter * double(y_.label_characters) + (plot_.y_label.empty() ? 0 : 20),
             plot_.title.empty() ? 18.0 : 38.0, plot_.width - 18.0,
             plot_.height - 32.0 - (plot_.x_label.empty() ? 0 : 18) - note};
    if (y_.exponent != 0) area_.y0 += 12;
    if (legend_rows_ == 0) return;
    const double h = 18.0 * legend_rows_ + 8, w = legend_width_;
    const Box& a = area_;
    if (w < 0.6 * (a.x1 - a.x0) && h < 0.7 * (a.y1 - a.y0))
      for (const Box& corner :
           {Box{a.x1 - 8 - w, a.y0 + 8, a.x1 - 8, a.y0 + 8 + h}, Box{a.x0 + 8, a.y0 + 8, a.x0 + 8 + w, a.y0 + 8 + h},
            Box{a.x1 - 8 - w, a.y1 - 8 - h, a.x1 - 8, a.y1 - 8}, Box{a.x0 + 8, a.y1 - 8 - h, a.x0 + 8 + w, a.y1 - 8}})
        if (is_free({corner.x0 - 5, corner.y0 - 5, corner.x1 + 5, corner.y1 + 5})) {
          legend_ = corner;
          return;
        }
    if (w > 0.35 * (a.x1 - a.x0) && h < 0.4 * (a.y1 - a.y0)) {  // long labels: under the plot
      area_.y1 -= h + 6;
      legend_ = {area_.x0, area_.y1 + (plot_.x_label.empty() ? 28 : 46), area_.x0 + w, 0};
      legend_.y1 = legend_.y0 + h;
      return;
    }
    // Beside it; a label longer than half of the page is cut off by the page.
    area_.x1 -= std::min(w + 6, 0.5 * (area_.x1 - area_.x0));
    legend_ = {area_.x1 + 10, area_.y0, area_.x1 + 10 + w, area_.y0 + h};
  }

  bool is_free(const Box& box) const {
    for (const Series& s : plot_.series)
      if (!s.base.empty()) return false;  // areas cover whole corners
    for (const Prepared& s : prepared_)
      for (const auto& stretch : s.stretches)
        for (std::size_t i = 0; i < stretch.size(); ++i)
          if (touches(box, to_page(stretch[i > 0 ? i - 1 : 0]), to_page(stretch[i]))) return false;
    return true;
  }

  void begin() {
    fmt::format_to(out(),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\"{6} width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                   "role=\"img\" font-family=\"sans-serif\" font-size=\"{2}\" fill=\"#222\">\n<title>{3}</title>\n"
                   "<rect x=\"0.5\" y=\"0.5\" width=\"{4}\" height=\"{5}\" rx=\"6\" fill=\"#fff\" stroke=\"#ddd\"/>\n",
                   plot_.width, plot_.height, kFont, escape_xml(plot_.title), plot_.width - 1, plot_.height - 1,
                   top_ > 0 ? fmt::format(" y=\"{}\"", top_) : "");
    if (!plot_.title.empty())
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>\n", area_.x0,
                     escape_xml(plot_.title));
  }

  void axes() {
    const Box& a = area_;
    std::string lines, ticks;
    const auto x_at = [&](double t) { return a.x0 + x_.fraction(t) * (a.x1 - a.x0); };
    const auto y_at = [&](double t) { return a.y1 - y_.fraction(t) * (a.y1 - a.y0); };
    for (const double t : x_.ticks) {
      fmt::format_to(std::back_inserter(lines), "M{:.1f} {:.1f}V{:.1f}", x_at(t), a.y0, a.y1);
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}v4", x_at(t), a.y1);
    }
    for (const double t : y_.ticks) {
      fmt::format_to(std::back_inserter(lines), "M{:.1f} {:.1f}H{:.1f}", a.x0, y_at(t), a.x1);
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}h-4", a.x0, y_at(t));
    }
    for (const double t : x_.minor_ticks)
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}v2.5", x_at(t), a.y1);
    for (const double t : y_.minor_ticks)
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}h-2.5", a.x0, y_at(t));
    fmt::format_to(out(), "<path d=\"{}\" stroke=\"#e6e6e6\" fill=\"none\"/>\n", lines);
    fmt::format_to(out(), "<path d=\"{}M{:.1f} {:.1f}V{:.1f}H{:.1f}\" stroke=\"#555\" fill=\"none\"/>\n", ticks, a.x0,
                   a.y0, a.y1, a.x1);

    text_ += "<g class=\"x-ticks\" text-anchor=\"middle\" fill=\"#444\">";
    for (std::size_t k = 0; k < x_.ticks.size(); ++k)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x_at(x_.ticks[k]), a.y1 + 18, x_.labels[k]);
    text_ += "</g>\n<g class=\"y-ticks\" text-anchor=\"end\" fill=\"#444\">";
    for (std::size_t k = 0; k < y_.ticks.size(); ++k)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", a.x0 - 8, y_at(y_.ticks[k]) + 4, y_.labels[k]);
    text_ += "</g>\n";
    if (x_.exponent != 0)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#444\">\u00d7{}</text>\n", a.x1,
                     a.y1 + 34, power_of_ten(x_.exponent));
    if (y_.exponent != 0)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#444\">\u00d7{}</text>\n", a.x0 - 4, a.y0 - 5,
                     power_of_ten(y_.exponent));
    if (!plot_.x_label.empty())
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (a.x0 + a.x1),
                     a.y1 + 38, escape_xml(plot_.x_label));
    if (!plot_.y_label.empty())
      fmt::format_to(out(), "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     0.5 * (a.y0 + a.y1), escape_xml(plot_.y_label));
  }

  void line_style(std::size_t i) {
    fmt::format_to(out(), " fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}",
                   kColours[i % kColours.size()], plot_.series[i].dashed ? " stroke-dasharray=\"6 4\"" : "");
  }

  void series(std::size_t i) {
    const Series& s = plot_.series[i];
    text_ += "<g class=\"series\">";
    for (std::size_t k = 0; k < prepared_[i].bases.size() && !s.base.empty(); ++k) {
      // There along the upper border, back along the lower one.
      std::string path;
      char command = 'M';
      const auto add = [&](const Vec2& point) {
        const Vec2 p = to_page(point);
        fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", command, p.x(), p.y());
        command = 'L';
      };
      for (const Vec2& point : prepared_[i].stretches[k]) add(point);
      for (auto it = prepared_[i].bases[k].rbegin(); it != prepared_[i].bases[k].rend(); ++it) add(*it);
      fmt::format_to(out(), "<path class=\"area\" d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.55\"/>", path,
                     kColours[i % kColours.size()]);
    }
    if (s.line) {
      std::string path;
      for (const auto& stretch : prepared_[i].stretches) {
        char command = 'M';
        for (const Vec2& point : stretch) {
          const Vec2 p = to_page(point);
          fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", command, p.x(), p.y());
          command = 'L';
        }
        // A point alone between two gaps has no line; a zero-length stroke with round ends is a dot.
        if (stretch.size() == 1) path += "h0";
      }
      if (!path.empty()) {
        fmt::format_to(out(), "<path d=\"{}\" stroke-linecap=\"round\"", path);
        line_style(i);
        text_ += "/>";
      }
    }
    if (s.markers) {
      fmt::format_to(out(), "<g fill=\"{}\">", kColours[i % kColours.size()]);
      for (const auto& stretch : prepared_[i].stretches)
        for (const Vec2& point : stretch) marker(out(), i, to_page(point));
      text_ += "</g>";
    }
    text_ += "</g>\n";
  }

  void legend() {
    if (legend_rows_ == 0) return;
    fmt::format_to(out(),
                   "<g class=\"legend\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" "
                   "fill=\"#fff\" fill-opacity=\"0.9\" stroke=\"#ddd\"/>",
                   legend_.x0, legend_.y0, legend_.x1 - legend_.x0, legend_.y1 - legend_.y0);
    double y = legend_.y0 + 13;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Series& s = plot_.series[i];
      if (s.label.empty()) continue;
      if (!s.base.empty())
        fmt::format_to(out(), "<path d=\"M{:.1f} {:.1f}h22v10h-22z\" fill=\"{}\" fill-opacity=\"0.55\"/>",
                       legend_.x0 + 8, y - 5, kColours[i % kColours.size()]);
      else if (s.line) {
        fmt::format_to(out(), "<path d=\"M{:.1f} {:.1f}h22\"", legend_.x0 + 8, y);
        line_style(i);
        text_ += "/>";
      }
      if (s.markers) {
        fmt::format_to(out(), "<g fill=\"{}\">", kColours[i % kColours.size()]);
        marker(out(), i, {legend_.x0 + 19, y});
        text_ += "</g>";
      }
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", legend_.x0 + 36, y + 4, escape_xml(s.label));
      y += 18;
    }
    text_ += "</g>\n";
  }

  void notes() {
    if (!has_data_)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#777\">no data</text>\n",
                     0.5 * (area_.x0 + area_.x1), 0.5 * (area_.y0 + area_.y1));
    if (skipped_ > 0)
      fmt::format_to(
          out(),
          "<text class=\"note\" x=\"{:.1f}\" y=\"{}\" font-size=\"11\" fill=\"#777\">{} point{} \u2264 0 not "
          "shown on the log axis</text>\n",
          area_.x0, plot_.height - 8, skipped_, skipped_ == 1 ? "" : "s");
  }

  const Plot& plot_;
  int top_;  // where it begins on the page
  std::vector<Prepared> prepared_;
  std::size_t skipped_ = 0;
  bool has_data_ = false;
  PlotAxis x_, y_;
  Box area_{}, legend_{};
  int legend_rows_ = 0;
  double legend_width_ = 0;
  std::string text_;
};

// Length of the UTF-8 character at text[i] that XML 1.0 allows, or 0.
std::size_t valid_character(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? std::uint32_t(static_cast<unsigned char>(text[k])) : 0u;
  };
  const std::uint32_t b = byte(i);
  if (b < 0x80) return b >= 0x20 || b == '\t' || b == '\n' || b == '\r' ? 1 : 0;
  const std::size_t n = b >= 0xF0 && b < 0xF5 ? 4 : b >= 0xE0 && b < 0xF0 ? 3 : b >= 0xC2 && b < 0xE0 ? 2 : 0;
  std::uint32_t code = n == 4 ? b & 0x07 : n == 3 ? b & 0x0F : b & 0x1F;
  for (std::size_t k = 1; k < n; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i + k) & 0x3F);
  }
  const bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xD800 && code < 0xE000) || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return overlong || forbidden ? 0 : n;
}

}  // namespace

std::string escape_xml(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = valid_character(text, i);
    if (n == 0) {
      out += '?';
      ++i;
      continue;
    }
    switch (text[i]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out.append(text, i, n);
    }
    i += n;
  }
  return out;
}

namespace {

void check(const Plot& plot) {
  if (plot.width < 160 || plot.height < 120)
    throw Error("plot '{}': size is {} x {} pixels; must be at least 160 x 120", plot.title, plot.width, plot.height);
  for (const Series& s : plot.series) {
    if (s.x.size() != s.y.size())
      throw Error("plot '{}': series '{}' has {} x values and {} y values; they must be as many", plot.title, s.label,
                  s.x.size(), s.y.size());
    if (!s.base.empty() && s.base.size() != s.y.size())
      throw Error("plot '{}': series '{}' has {} y values and {} below them; they must be as many", plot.title, s.label,
                  s.y.size(), s.base.size());
    if (!s.base.empty() && (plot.log_x || plot.log_y))
      throw Error("plot '{}': series '{}' is an area, which has no meaning on a log axis", plot.title, s.label);
  }
}

}  // namespace

std::string to_svg(const Plot& plot) {
  check(plot);
  return Writer(plot).write();
}

std::string to_svg(std::span<const Plot> plots) {
  int width = 0, height = 0;
  std::string inside;
  for (const Plot& plot : plots) {
    check(plot);
    inside += Writer(plot, height).write();
    width = std::max(width, plot.width);
    height += plot.height;
  }
  if (plots.empty()) throw Error("plot: there is nothing to plot");
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}</svg>\n",
      width, height, inside);
}

}  // namespace cairn
