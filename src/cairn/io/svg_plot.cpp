// SPDX-License-Identifier: Apache-2.0
// SVG plots: the layout written as text.
#include "cairn/io/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "cairn/base/error.h"
#include "cairn/io/plot_layout.h"

namespace cairn {
namespace {

using Out = std::back_insert_iterator<std::string>;

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

class Writer {
 public:
  explicit Writer(const Plot& plot, int top = 0) : plot_(plot), layout_(plot), top_(top) {}

  std::string write() {
    begin();
    axes();
    for (std::size_t i = 0; i < layout_.series.size(); ++i) series(i);
    legend();
    notes();
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  Out out() { return std::back_inserter(text_); }

  void begin() {
    fmt::format_to(out(),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\"{6} width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                   "role=\"img\" font-family=\"sans-serif\" font-size=\"{2}\" fill=\"#222\">\n<title>{3}</title>\n"
                   "<rect x=\"0.5\" y=\"0.5\" width=\"{4}\" height=\"{5}\" rx=\"6\" fill=\"#fff\" stroke=\"#ddd\"/>\n",
                   plot_.width, plot_.height, kPlotFont, escape_xml(plot_.title), plot_.width - 1, plot_.height - 1,
                   top_ > 0 ? fmt::format(" y=\"{}\"", top_) : "");
    if (!plot_.title.empty())
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
                     layout_.area.x0, escape_xml(plot_.title));
  }

  void axes() {
    const PlotBox& a = layout_.area;
    std::string lines, ticks;
    const auto x_at = [&](double t) { return a.x0 + layout_.x.fraction(t) * (a.x1 - a.x0); };
    const auto y_at = [&](double t) { return a.y1 - layout_.y.fraction(t) * (a.y1 - a.y0); };
    for (const double t : layout_.x.ticks) {
      fmt::format_to(std::back_inserter(lines), "M{:.1f} {:.1f}V{:.1f}", x_at(t), a.y0, a.y1);
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}v4", x_at(t), a.y1);
    }
    for (const double t : layout_.y.ticks) {
      fmt::format_to(std::back_inserter(lines), "M{:.1f} {:.1f}H{:.1f}", a.x0, y_at(t), a.x1);
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}h-4", a.x0, y_at(t));
    }
    for (const double t : layout_.x.minor_ticks)
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}v2.5", x_at(t), a.y1);
    for (const double t : layout_.y.minor_ticks)
      fmt::format_to(std::back_inserter(ticks), "M{:.1f} {:.1f}h-2.5", a.x0, y_at(t));
    fmt::format_to(out(), "<path d=\"{}\" stroke=\"#e6e6e6\" fill=\"none\"/>\n", lines);
    fmt::format_to(out(), "<path d=\"{}M{:.1f} {:.1f}V{:.1f}H{:.1f}\" stroke=\"#555\" fill=\"none\"/>\n", ticks, a.x0,
                   a.y0, a.y1, a.x1);

    text_ += "<g class=\"x-ticks\" text-anchor=\"middle\" fill=\"#444\">";
    for (std::size_t k = 0; k < layout_.x.ticks.size(); ++k)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x_at(layout_.x.ticks[k]), a.y1 + 18,
                     layout_.x.labels[k]);
    text_ += "</g>\n<g class=\"y-ticks\" text-anchor=\"end\" fill=\"#444\">";
    for (std::size_t k = 0; k < layout_.y.ticks.size(); ++k)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", a.x0 - 8, y_at(layout_.y.ticks[k]) + 4,
                     layout_.y.labels[k]);
    text_ += "</g>\n";
    if (layout_.x.exponent != 0)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#444\">\u00d7{}</text>\n", a.x1,
                     a.y1 + 34, power_of_ten(layout_.x.exponent));
    if (layout_.y.exponent != 0)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#444\">\u00d7{}</text>\n", a.x0 - 4, a.y0 - 5,
                     power_of_ten(layout_.y.exponent));
    if (!plot_.x_label.empty())
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (a.x0 + a.x1),
                     a.y1 + 38, escape_xml(plot_.x_label));
    if (!plot_.y_label.empty())
      fmt::format_to(out(), "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     0.5 * (a.y0 + a.y1), escape_xml(plot_.y_label));
  }

  void line_style(std::size_t i) {
    fmt::format_to(out(), " fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}",
                   plot_colour(i), plot_.series[i].dashed ? " stroke-dasharray=\"6 4\"" : "");
  }

  void series(std::size_t i) {
    const Series& s = plot_.series[i];
    text_ += "<g class=\"series\">";
    for (std::size_t k = 0; k < layout_.series[i].bases.size() && !s.base.empty(); ++k) {
      // There along the upper border, back along the lower one.
      std::string path;
      char command = 'M';
      const auto add = [&](const Vec2& point) {
        const Vec2 p = layout_.to_page(point);
        fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", command, p.x(), p.y());
        command = 'L';
      };
      for (const Vec2& point : layout_.series[i].stretches[k]) add(point);
      for (auto it = layout_.series[i].bases[k].rbegin(); it != layout_.series[i].bases[k].rend(); ++it) add(*it);
      fmt::format_to(out(), "<path class=\"area\" d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.55\"/>", path, plot_colour(i));
    }
    if (s.line) {
      std::string path;
      for (const auto& stretch : layout_.series[i].stretches) {
        char command = 'M';
        for (const Vec2& point : stretch) {
          const Vec2 p = layout_.to_page(point);
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
      fmt::format_to(out(), "<g fill=\"{}\">", plot_colour(i));
      for (const auto& stretch : layout_.series[i].stretches)
        for (const Vec2& point : stretch) marker(out(), i, layout_.to_page(point));
      text_ += "</g>";
    }
    text_ += "</g>\n";
  }

  void legend() {
    if (layout_.legend_rows == 0) return;
    fmt::format_to(out(),
                   "<g class=\"legend\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" "
                   "fill=\"#fff\" fill-opacity=\"0.9\" stroke=\"#ddd\"/>",
                   layout_.legend.x0, layout_.legend.y0, layout_.legend.x1 - layout_.legend.x0,
                   layout_.legend.y1 - layout_.legend.y0);
    double y = layout_.legend.y0 + 13;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Series& s = plot_.series[i];
      if (s.label.empty()) continue;
      if (!s.base.empty())
        fmt::format_to(out(), "<path d=\"M{:.1f} {:.1f}h22v10h-22z\" fill=\"{}\" fill-opacity=\"0.55\"/>",
                       layout_.legend.x0 + 8, y - 5, plot_colour(i));
      else if (s.line) {
        fmt::format_to(out(), "<path d=\"M{:.1f} {:.1f}h22\"", layout_.legend.x0 + 8, y);
        line_style(i);
        text_ += "/>";
      }
      if (s.markers) {
        fmt::format_to(out(), "<g fill=\"{}\">", plot_colour(i));
        marker(out(), i, {layout_.legend.x0 + 19, y});
        text_ += "</g>";
      }
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", layout_.legend.x0 + 36, y + 4,
                     escape_xml(s.label));
      y += 18;
    }
    text_ += "</g>\n";
  }

  void notes() {
    if (!layout_.has_data)
      fmt::format_to(out(), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#777\">no data</text>\n",
                     0.5 * (layout_.area.x0 + layout_.area.x1), 0.5 * (layout_.area.y0 + layout_.area.y1));
    if (layout_.skipped > 0)
      fmt::format_to(
          out(),
          "<text class=\"note\" x=\"{:.1f}\" y=\"{}\" font-size=\"11\" fill=\"#777\">{} point{} \u2264 0 not "
          "shown on the log axis</text>\n",
          layout_.area.x0, plot_.height - 8, layout_.skipped, layout_.skipped == 1 ? "" : "s");
  }

  const Plot& plot_;
  PlotLayout layout_;
  int top_;  // where it begins on the page
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

std::string to_svg(const Plot& plot) {
  check_plot(plot);
  return Writer(plot).write();
}

std::string to_svg(std::span<const Plot> plots) {
  int width = 0, height = 0;
  std::string inside;
  for (const Plot& plot : plots) {
    check_plot(plot);
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
