// SPDX-License-Identifier: Apache-2.0
// Plots are parsed back: well-formed XML, ticks where they belong, points neither lost nor invented.
#include "cairn/io/svg_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "cairn/base/error.h"
#include "cairn/io/plot_axis.h"

namespace cairn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Tags balance, attributes are quoted, text has no bare markup: what XML 1.0 asks of a document without a DTD.
bool is_well_formed(const std::string& s) {
  std::vector<std::string> open;
  const auto good_entities = [](const std::string& text) {
    for (std::size_t i = text.find('&'); i != std::string::npos; i = text.find('&', i + 1)) {
      bool known = false;
      for (const char* e : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
        known = known || text.compare(i, std::string(e).size(), e) == 0;
      if (!known) return false;
    }
    return true;
  };
  std::size_t i = 0;
  while (i < s.size()) {
    const std::size_t tag = s.find('<', i);
    const std::string text = s.substr(i, tag == std::string::npos ? tag : tag - i);
    if (!good_entities(text) || text.find('>') != std::string::npos) return false;
    if (tag == std::string::npos) return open.empty() && text.find_first_not_of("\n ") == std::string::npos;
    std::size_t end = tag;
    bool quoted = false;
    for (; end < s.size() && (quoted || s[end] != '>'); ++end) {
      if (s[end] == '"') quoted = !quoted;
      if (end > tag && s[end] == '<') return false;
    }
    if (end == s.size()) return false;
    std::string body = s.substr(tag + 1, end - tag - 1);
    if (!good_entities(body)) return false;
    if (body.front() == '/') {
      if (open.empty() || open.back() != body.substr(1)) return false;
      open.pop_back();
    } else {
      const bool single = body.back() == '/';
      if (std::count(body.begin(), body.end(), '"') != 2 * std::count(body.begin(), body.end(), '=')) return false;
      if (!single) open.push_back(body.substr(0, body.find(' ')));
    }
    i = end + 1;
  }
  return open.empty();
}

int count(const std::string& s, const std::string& what) {
  int n = 0;
  for (std::size_t i = s.find(what); i != std::string::npos; i = s.find(what, i + what.size())) ++n;
  return n;
}

// The path data of the lines of all series.
std::string series_path(const std::string& svg) {
  const std::size_t group = svg.find("class=\"series\"");
  if (group == std::string::npos) return "";
  const std::size_t path = svg.find("<path d=\"", group);
  if (path == std::string::npos || path > svg.find("</g>", group)) return "";
  return svg.substr(path + 9, svg.find('"', path + 9) - path - 9);
}

Plot line(std::vector<double> x, std::vector<double> y) {
  Plot plot;
  plot.series = {{.label = "s", .x = std::move(x), .y = std::move(y)}};
  return plot;
}

TEST(LinearTicks, are_multiples_of_one_two_or_five_times_a_power_of_ten) {
  EXPECT_EQ(linear_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1.0}));
  EXPECT_EQ(linear_ticks(-1.2, 1.2, 5), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(linear_ticks(0.1, 0.34, 5), (std::vector<double>{0.1, 0.15, 0.2, 0.25, 0.3}));
  EXPECT_EQ(linear_ticks(1e6, 1e6 + 10, 5),
            (std::vector<double>{1000000, 1000002, 1000004, 1000006, 1000008, 1000010}));
  EXPECT_EQ(linear_ticks(-3e-9, 3e-9, 6), (std::vector<double>{-3e-9, -2e-9, -1e-9, 0, 1e-9, 2e-9, 3e-9}));
  EXPECT_TRUE(linear_ticks(1, 1).empty());
  EXPECT_TRUE(linear_ticks(0, kInf).empty());
}

TEST(LogTicks, are_powers_of_ten) {
  EXPECT_EQ(log_ticks(1e-3, 10), (std::vector<double>{1e-3, 1e-2, 1e-1, 1, 10}));
  EXPECT_EQ(log_ticks(0.5, 200), (std::vector<double>{1, 10, 100}));
  EXPECT_EQ(log_ticks(1e-12, 1, 5), (std::vector<double>{1e-12, 1e-9, 1e-6, 1e-3, 1}));
  EXPECT_EQ(log_ticks(1.5, 30), (std::vector<double>{2, 5, 10, 20}));
  EXPECT_EQ(log_ticks(2.9, 6.1), linear_ticks(2.9, 6.1, 4));
  EXPECT_TRUE(log_ticks(0, 1).empty());
}

TEST(PlotAxis, labels_have_as_many_decimals_as_the_step) {
  EXPECT_EQ(make_plot_axis(0, 1, false, 0, 5).labels,
            (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(make_plot_axis(-10, 10, false, 0, 4).labels,
            (std::vector<std::string>{"\u221210", "\u22125", "0", "5", "10"}));
  const PlotAxis tiny = make_plot_axis(0, 4e-7, false, 0, 4);
  EXPECT_EQ(tiny.exponent, -7);
  EXPECT_EQ(tiny.labels, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
}

TEST(PlotAxis, constant_data_gets_a_range_around_it) {
  const PlotAxis axis = make_plot_axis(3, 3, false, 0.05, 5);
  EXPECT_LT(axis.low, 3);
  EXPECT_GT(axis.high, 3);
  EXPECT_GE(axis.ticks.size(), 2u);
  const PlotAxis zero = make_plot_axis(0, 0, false, 0.05, 5);
  EXPECT_LT(zero.low, zero.high);
}

TEST(SvgPlot, is_well_formed_with_markup_in_every_text) {
  Plot plot = line({0, 1, 2}, {3, 1, 2});
  plot.title = "a < b & \"c\" > 'd'";
  plot.x_label = "<script>alert(1)</script>";
  plot.y_label = "x && y";
  plot.series[0].label = "]]> & </svg>";
  plot.series[0].markers = true;
  plot.series.push_back({.label = "ctrl \x01 bad \xff utf \xC3\xA9", .x = {0, 1}, .y = {1, 1}, .dashed = true});
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;"), std::string::npos);
  EXPECT_NE(svg.find("ctrl ? bad ? utf \xC3\xA9"), std::string::npos);
}

TEST(SvgPlot, the_checker_of_this_test_refuses_broken_documents) {
  EXPECT_TRUE(is_well_formed("<a b=\"1\"><c/>x &amp; y</a>\n"));
  for (const char* broken : {"<a>", "<a></b>", "<a>x & y</a>", "<a b=1/>", "<a b=\"<\"/>", "<a>x > y</a>"})
    EXPECT_FALSE(is_well_formed(broken)) << broken;
}

TEST(SvgPlot, points_that_are_not_finite_break_the_line) {
  const std::string svg = to_svg(line({0, 1, 2, 3, 4, kNaN, 6}, {1, 2, kNaN, 4, 5, 6, kInf}));
  const std::string path = series_path(svg);
  EXPECT_EQ(count(path, "M"), 2);  // 0-1 and 3-4
  EXPECT_EQ(count(path, "L"), 2);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("class=\"note\""), std::string::npos);
  // A point alone between two gaps is drawn as a dot.
  EXPECT_NE(series_path(to_svg(line({0, 1, 2}, {kNaN, 1, kNaN}))).find("h0"), std::string::npos);
}

TEST(SvgPlot, log_axis_skips_points_that_are_not_positive_and_says_so) {
  Plot plot = line({1, 2, 3, 4, 5}, {1, 0, -3, 10, 100});
  plot.log_y = true;
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(series_path(svg), "M"), 2);
  EXPECT_EQ(count(series_path(svg), "L"), 1);
  EXPECT_NE(svg.find("2 points \u2264 0 not shown on the log axis"), std::string::npos);
  EXPECT_TRUE(is_well_formed(svg));
  plot = line({1, 2}, {-1, 0});
  plot.log_y = true;
  EXPECT_NE(to_svg(plot).find("no data"), std::string::npos);
}

TEST(SvgPlot, on_a_log_axis_equal_ratios_are_equal_distances) {
  Plot plot = line({1, 10, 100}, {1e-6, 1e-4, 1e-2});
  plot.log_x = plot.log_y = true;
  std::string path = series_path(to_svg(plot));
  for (char& c : path)
    if (c == 'M' || c == 'L') c = ' ';
  std::istringstream in(path);
  double x[3], y[3];
  for (int k = 0; k < 3; ++k) in >> x[k] >> y[k];
  ASSERT_TRUE(bool(in));
  EXPECT_NEAR(x[2] - x[1], x[1] - x[0], 0.02);
  EXPECT_NEAR(y[2] - y[1], y[1] - y[0], 0.02);
  EXPECT_GT(x[1], x[0]);
  EXPECT_LT(y[1], y[0]);  // up is down in SVG
}

TEST(SvgPlot, long_series_are_thinned_and_keep_their_extremes) {
  std::vector<double> x, y;
  for (int i = 0; i < 1'000'000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(0.01 * i));
  }
  y[345'678] = 50;  // one spike of one sample
  y[700'001] = kNaN;
  const std::string svg = to_svg(line(x, y));
  const std::string path = series_path(svg);
  const int points = count(path, "M") + count(path, "L");
  EXPECT_LE(points, 2100);
  EXPECT_GT(points, 1000);
  EXPECT_EQ(count(path, "M"), 2);
  // The spike is the top of the range, so tick 50 is on the axis and some point lies far above the others.
  EXPECT_NE(svg.find(">50</text>"), std::string::npos);
  EXPECT_LT(svg.size(), 60'000u);
}

TEST(SvgPlot, empty_plots_and_empty_series_are_fine) {
  EXPECT_TRUE(is_well_formed(to_svg(Plot{})));
  EXPECT_NE(to_svg(Plot{}).find("no data"), std::string::npos);
  Plot plot = line({0, 1}, {0, 1});
  plot.series.push_back({.label = "nothing", .x = {}, .y = {}});
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find("nothing"), std::string::npos);
  EXPECT_EQ(svg.find("no data"), std::string::npos);
}

TEST(SvgPlot, extreme_ranges_stay_finite) {
  for (const auto& [a, b] :
       {std::pair{-1e300, 1e300}, {-1.7e308, 1.7e308}, {5e-324, 1e-320}, {0.0, 1e300}, {1e-299, 2e-299}}) {
    Plot plot = line({0, 1}, {a, b});
    const std::string svg = to_svg(plot);
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(svg.find("nan"), std::string::npos) << a << ' ' << b;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << a << ' ' << b;
  }
}

// The rectangle of the legend: x, y, width, height.
std::array<double, 4> legend_box(const std::string& svg) {
  std::array<double, 4> box{};
  const std::size_t at = svg.find("<rect", svg.find("class=\"legend\""));
  const char* names[4] = {" x=\"", " y=\"", " width=\"", " height=\""};
  for (std::size_t k = 0; k < 4; ++k)
    box[k] = std::stod(svg.substr(svg.find(names[k], at) + std::string(names[k]).size()));
  return box;
}

TEST(SvgPlot, legend_avoids_the_data) {
  // Data in the upper right, then in every corner.
  std::vector<double> cross_x, cross_y;
  for (int i = 0; i <= 200; ++i) {
    cross_x.push_back(i <= 100 ? i : 200 - i);
    cross_y.push_back(i <= 100 ? i : i - 100);
  }
  for (const auto& plot : {line({0, 1}, {0, 1}), line({0, 1}, {1, 0}), line(cross_x, cross_y)}) {
    const std::string svg = to_svg(plot);
    const auto [bx, by, bw, bh] = legend_box(svg);
    std::string path = series_path(svg);
    for (char& c : path)
      if (c == 'M' || c == 'L') c = ' ';
    std::istringstream in(path);
    double x, y;
    int inside = 0;
    while (in >> x >> y) inside += x > bx && x < bx + bw && y > by && y < by + bh;
    EXPECT_EQ(inside, 0);
  }
}

TEST(SvgPlot, areas_are_closed_paths_between_their_borders_and_widen_the_axis) {
  Plot plot = line({0, 1, 2}, {3, 4, 5});
  plot.series[0].label = "top";
  plot.series[0].base = {-7, -7, -7};
  const std::string svg = to_svg(plot);
  const std::size_t begin = svg.find("class=\"area\" d=\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string path = svg.substr(begin, svg.find('"', begin + 20) - begin);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'L'), 5);  // there and back: six corners
  EXPECT_EQ(path.back(), 'Z');
  EXPECT_NE(svg.find(">\u22126<"), std::string::npos);  // the axis reaches below -6
  plot.log_y = true;
  EXPECT_THROW(to_svg(plot), Error);
  plot.log_y = false;
  plot.series[0].base.pop_back();
  EXPECT_THROW(to_svg(plot), Error);
}

TEST(SvgPlot, several_plots_stand_under_each_other_in_one_document) {
  const std::vector<Plot> plots{line({0, 1}, {0, 1}), line({0, 1}, {1, 0})};
  const std::string svg = to_svg(plots);
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  std::size_t opened = 0, closed = 0;
  for (std::size_t i = svg.find("<svg"); i != std::string::npos; i = svg.find("<svg", i + 1)) ++opened;
  for (std::size_t i = svg.find("</svg>"); i != std::string::npos; i = svg.find("</svg>", i + 1)) ++closed;
  EXPECT_EQ(opened, 3u);
  EXPECT_EQ(closed, 3u);
  EXPECT_NE(svg.find("height=\"" + std::to_string(plots[0].height + plots[1].height)), std::string::npos);
  EXPECT_NE(svg.find(" y=\"" + std::to_string(plots[0].height) + "\""), std::string::npos);
  EXPECT_THROW(to_svg(std::vector<Plot>{}), Error);
}

TEST(SvgPlot, wrong_input_is_an_error_that_names_the_series) {
  Plot plot = line({0, 1, 2}, {0, 1});
  plot.series[0].label = "energy";
  try {
    to_svg(plot);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("energy"), std::string::npos);
  }
  plot = line({0, 1}, {0, 1});
  plot.width = 10;
  EXPECT_THROW(to_svg(plot), Error);
}

}  // namespace
}  // namespace cairn
