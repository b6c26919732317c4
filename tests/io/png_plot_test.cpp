// SPDX-License-Identifier: Apache-2.0
// Plots as pixels: colours where the layout puts the data, white where there is none.
#include "cairn/io/png_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cairn/base/error.h"
#include "cairn/io/plot_layout.h"

namespace cairn {
namespace {

using Rgb = std::array<int, 3>;

Rgb at(const Image& image, const Vec2& p) {
  const std::uint8_t* c = image.pixel(int(p.x()), int(p.y()));
  return {c[0], c[1], c[2]};
}
int apart(const Rgb& a, const Rgb& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}
constexpr Rgb kBlue{0x00, 0x72, 0xB2}, kOrange{0xD5, 0x5E, 0x00}, kWhite{255, 255, 255};

std::size_t count(const Image& image, const Rgb& colour, const PlotBox& box, int near = 40) {
  std::size_t n = 0;
  for (int y = std::max(0, int(box.y0)); y < std::min(double(image.height), box.y1); ++y)
    for (int x = std::max(0, int(box.x0)); x < std::min(double(image.width), box.x1); ++x)
      n += apart(at(image, Vec2(x, y)), colour) <= near ? 1 : 0;
  return n;
}
/// Dark grey: text and axes.
std::size_t count_ink(const Image& image, const PlotBox& box) { return count(image, {0x22, 0x22, 0x22}, box, 90); }

Plot diagonal() {
  Plot plot;
  plot.title = "Diagonal";
  plot.x_label = "time [s]";
  plot.y_label = "height [m]";
  plot.series.push_back({.label = "", .x = {0, 1, 2, 3}, .y = {0, 1, 2, 3}});
  return plot;
}

TEST(PngPlot, a_curve_is_where_its_points_are_and_nowhere_else) {
  const Plot plot = diagonal();
  const Image image = draw_plots({&plot, 1});
  EXPECT_EQ(image.width, 640);
  EXPECT_EQ(image.height, 400);
  const PlotLayout layout(plot);
  for (const double t : {0.3, 0.7, 1.6, 2.9}) {
    EXPECT_LE(apart(at(image, layout.to_page({t, t})), kBlue), 40) << t;
    EXPECT_GT(apart(at(image, layout.to_page({t, t + 0.15})), kBlue), 100) << t;
  }
  // As long as the line and 1.8 pixels wide, up to the pixels it covers in part.
  const double length = (layout.to_page({3, 3}) - layout.to_page({0, 0})).norm();
  const auto n = double(count(image, kBlue, layout.area, 140));
  EXPECT_GT(n, 1.0 * length);
  EXPECT_LT(n, 2.6 * length);
  EXPECT_EQ(at(image, {3, 200}), kWhite);
}

TEST(PngPlot, title_labels_and_numbers_are_written_beside_the_area) {
  const Plot plot = diagonal();
  const Image image = draw_plots({&plot, 1});
  const PlotBox a = PlotLayout(plot).area;
  EXPECT_GT(count_ink(image, {a.x0, 5, a.x0 + 100, 30}), 60u) << "title";
  EXPECT_GT(count_ink(image, {a.x0, a.y1 + 6, a.x1, a.y1 + 22}), 30u) << "numbers of x";
  EXPECT_GT(count_ink(image, {a.x0, a.y1 + 26, a.x1, a.y1 + 44}), 40u) << "label of x";
  EXPECT_GT(count_ink(image, {2, a.y0, 22, a.y1}), 40u) << "label of y, upwards";
  EXPECT_GT(count_ink(image, {24, a.y0 - 4, a.x0 - 6, a.y1 + 4}), 20u) << "numbers of y";
  Plot bare = plot;
  bare.title = bare.x_label = bare.y_label = "";
  const PlotBox b = PlotLayout(bare).area;
  EXPECT_EQ(count_ink(draw_plots({&bare, 1}), {2, b.y0, b.x0 - 40, b.y1}), 0u);
}

TEST(PngPlot, an_area_is_filled_between_its_borders_with_the_opacity_it_has) {
  Plot plot;
  plot.series.push_back({.x = {0, 10}, .y = {2, 2}, .line = false, .base = {1, 1}});
  plot.series.push_back({.x = {0, 10}, .y = {0, 3}, .markers = false, .line = false});
  const PlotLayout layout(plot);
  const Image image = draw_plots({&plot, 1});
  Rgb mixed{};
  for (std::size_t k = 0; k < 3; ++k) mixed[k] = int(std::lround(255 + 0.55 * (kBlue[k] - 255)));
  EXPECT_LE(apart(at(image, layout.to_page({5.3, 1.57})), mixed), 1);
  EXPECT_EQ(at(image, layout.to_page({5.3, 2.23})), kWhite);
  EXPECT_EQ(at(image, layout.to_page({5.3, 0.77})), kWhite);
}

TEST(PngPlot, dashes_leave_gaps_and_a_gap_in_the_data_breaks_the_line) {
  Plot plot = diagonal();
  const PlotLayout layout(plot);
  const auto n = double(count(draw_plots({&plot, 1}), kBlue, layout.area));
  plot.series[0].dashed = true;  // 6 of 10 pixels, and round ends of 0.9
  const double share = double(count(draw_plots({&plot, 1}), kBlue, layout.area)) / n;
  EXPECT_GT(share, 0.5);
  EXPECT_LT(share, 0.9);
  plot.series[0].dashed = false;
  plot.series[0].x = {0, 1, 1.5, 2, 3};
  plot.series[0].y = {0, 1, NAN, 2, 3};
  const Image image = draw_plots({&plot, 1});
  EXPECT_LE(apart(at(image, layout.to_page({0.5, 0.5})), kBlue), 40);
  EXPECT_GT(apart(at(image, layout.to_page({1.53, 1.53})), kBlue), 100);
}

TEST(PngPlot, several_plots_stand_under_each_other_and_series_have_their_colours_in_the_legend) {
  Plot lower = diagonal();
  lower.title.clear();
  lower.series[0].label = "one";
  lower.series.push_back({.label = "two", .x = {0, 3}, .y = {3, 0}, .markers = true});
  const std::array plots{diagonal(), lower};
  const Image image = draw_plots(plots);
  EXPECT_EQ(image.height, 800);
  const PlotLayout layout(lower);
  const PlotBox l{layout.legend.x0, layout.legend.y0 + 400, layout.legend.x1, layout.legend.y1 + 400};
  EXPECT_GT(count(image, kBlue, l), 15u);
  EXPECT_GT(count(image, kOrange, l), 15u);
  EXPECT_GT(count_ink(image, l), 30u);
  EXPECT_LE(apart(at(image, layout.to_page({1, 2}) + Vec2(0, 400)), kOrange), 40);
  EXPECT_EQ(count(image, kOrange, {0, 0, 640, 399}), 0u);
}

TEST(PngPlot, powers_of_ten_and_points_left_out_are_told) {
  Plot plot;
  plot.log_y = true;
  plot.series.push_back({.x = {0, 1, 2, 3}, .y = {1e-8, 1e-3, 0, 10}});
  const Image image = draw_plots({&plot, 1});
  const PlotLayout layout(plot);
  EXPECT_EQ(layout.skipped, 1u);
  EXPECT_GT(count(image, {0x77, 0x77, 0x77}, {layout.area.x0, 385, 500, 399}, 60), 60u);
  // The exponents are left of the area, above the middle of their numbers.
  const double y = layout.to_page({0, layout.y.ticks[1]}).y();
  EXPECT_GT(count(image, {0x44, 0x44, 0x44}, {layout.area.x0 - 24, y - 10, layout.area.x0 - 6, y - 2}, 90), 3u);
}

TEST(PngPlot, what_cannot_be_plotted_is_refused_as_for_svg) {
  EXPECT_THROW(draw_plots({}), Error);
  Plot plot = diagonal();
  plot.series[0].y.pop_back();
  EXPECT_THROW(draw_plots({&plot, 1}), Error);
  plot = diagonal();
  plot.width = 100;
  EXPECT_THROW(draw_plots({&plot, 1}), Error);
  plot = {};
  EXPECT_GT(count(draw_plots({&plot, 1}), {0x77, 0x77, 0x77}, {200, 150, 450, 250}, 60), 20u) << "no data";
}

}  // namespace
}  // namespace cairn
