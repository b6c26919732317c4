// SPDX-License-Identifier: Apache-2.0
// Points are thinned first, then axes are fitted to them, then the legend looks for a place.
#include "cairn/io/plot_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr std::size_t kPointLimit = 2000;

PreparedSeries prepare(const Series& series, bool log_x, bool log_y) {
  PreparedSeries out;
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

// Does the segment touch the box? (Liang and Barsky 1984)
bool touches(const PlotBox& b, const Vec2& p, const Vec2& q) {
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

std::size_t characters(const std::string& text) {
  return std::size_t(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

const char* plot_colour(std::size_t i) {
  static constexpr std::array<const char*, 7> colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                         "#E69F00", "#56B4E9", "#000000"};
  return colours[i % colours.size()];
}

PlotLayout::PlotLayout(const Plot& plot) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  double x0 = inf, x1 = -inf, y0 = inf, y1 = -inf;
  for (const Series& s : plot.series) {
    series.push_back(prepare(s, plot.log_x, plot.log_y));
    skipped += series.back().skipped;
    for (const auto& stretch : series.back().stretches)
      for (const Vec2& p : stretch) {
        x0 = std::min(x0, p.x()), x1 = std::max(x1, p.x());
        y0 = std::min(y0, p.y()), y1 = std::max(y1, p.y());
      }
    for (const auto& base : series.back().bases)
      for (const Vec2& p : base) y0 = std::min(y0, p.y()), y1 = std::max(y1, p.y());
    if (!s.label.empty()) {
      ++legend_rows;
      legend_width = std::max(legend_width, 44 + kPlotCharacter * double(characters(s.label)));
    }
  }
  has_data = x0 <= x1;
  x = make_plot_axis(x0, x1, plot.log_x, 0.02, std::max(2, plot.width / 100));
  y = make_plot_axis(y0, y1, plot.log_y, 0.06, std::max(2, plot.height / 65));
  place(plot);
}

// The plot area, and the legend in a corner that is free of data, else beside or under the plot.
void PlotLayout::place(const Plot& plot) {
  const double note = skipped > 0 ? 16 : 0;
  area = {22 + kPlotCharacter * double(y.label_characters) + (plot.y_label.empty() ? 0 : 20),
          plot.title.empty() ? 18.0 : 38.0, plot.width - 18.0,
          plot.height - 32.0 - (plot.x_label.empty() ? 0 : 18) - note};
  if (y.exponent != 0) area.y0 += 12;
  if (legend_rows == 0) return;
  const double h = 18.0 * legend_rows + 8, w = legend_width;
  const PlotBox& a = area;
  if (w < 0.6 * (a.x1 - a.x0) && h < 0.7 * (a.y1 - a.y0))
    for (const PlotBox& corner : {PlotBox{a.x1 - 8 - w, a.y0 + 8, a.x1 - 8, a.y0 + 8 + h},
                                  PlotBox{a.x0 + 8, a.y0 + 8, a.x0 + 8 + w, a.y0 + 8 + h},
                                  PlotBox{a.x1 - 8 - w, a.y1 - 8 - h, a.x1 - 8, a.y1 - 8},
                                  PlotBox{a.x0 + 8, a.y1 - 8 - h, a.x0 + 8 + w, a.y1 - 8}})
      if (is_free(plot, {corner.x0 - 5, corner.y0 - 5, corner.x1 + 5, corner.y1 + 5})) {
        legend = corner;
        return;
      }
  if (w > 0.35 * (a.x1 - a.x0) && h < 0.4 * (a.y1 - a.y0)) {  // long labels: under the plot
    area.y1 -= h + 6;
    legend = {area.x0, area.y1 + (plot.x_label.empty() ? 28 : 46), area.x0 + w, 0};
    legend.y1 = legend.y0 + h;
    return;
  }
  // Beside it; a label longer than half of the page is cut off by the page.
  area.x1 -= std::min(w + 6, 0.5 * (area.x1 - area.x0));
  legend = {area.x1 + 10, area.y0, area.x1 + 10 + w, area.y0 + h};
}

bool PlotLayout::is_free(const Plot& plot, const PlotBox& box) const {
  for (const Series& s : plot.series)
    if (!s.base.empty()) return false;  // areas cover whole corners
  for (const PreparedSeries& s : series)
    for (const auto& stretch : s.stretches)
      for (std::size_t i = 0; i < stretch.size(); ++i)
        if (touches(box, to_page(stretch[i > 0 ? i - 1 : 0]), to_page(stretch[i]))) return false;
  return true;
}

void check_plot(const Plot& plot) {
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

}  // namespace cairn
