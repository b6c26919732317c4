// SPDX-License-Identifier: Apache-2.0
// Where everything of a plot goes on its page, the same for SVG and PNG: thinned points, axes, the plot's area, the
// legend in a free corner. Thinning by the extremes of equal stretches (M4: Jugel et al. 2014).
#pragma once
#include "cairn/io/plot_axis.h"
#include "cairn/io/svg_plot.h"
#include "cairn/math/types.h"

namespace cairn {

inline constexpr double kPlotFont = 12, kPlotCharacter = 0.56 * kPlotFont;  // mean width of a sans-serif character

/// Of the i-th series, "#rrggbb". Colours by Okabe and Ito (2008), told apart by every common kind of colour vision;
/// the yellow of the set is left out, too pale on white.
const char* plot_colour(std::size_t i);

/// Stretches of points without a gap, in data units.
using PlotStretches = std::vector<std::vector<Vec2>>;

struct PreparedSeries {
  PlotStretches stretches;
  PlotStretches bases;      ///< of areas: their lower border, from left to right as well
  std::size_t skipped = 0;  ///< finite, but not positive on a log axis
};

/// In pixels, y down.
struct PlotBox {
  double x0, y0, x1, y1;
};

struct PlotLayout {
  explicit PlotLayout(const Plot& plot);

  Vec2 to_page(const Vec2& p) const {
    return {area.x0 + x.fraction(p.x()) * (area.x1 - area.x0), area.y1 - y.fraction(p.y()) * (area.y1 - area.y0)};
  }

  std::vector<PreparedSeries> series;
  std::size_t skipped = 0;
  bool has_data = false;
  PlotAxis x, y;
  PlotBox area{}, legend{};
  int legend_rows = 0;
  double legend_width = 0;

 private:
  void place(const Plot& plot);
  bool is_free(const Plot& plot, const PlotBox& box) const;
};

/// Throws Error when the size is too small or the lists of a series do not fit together.
void check_plot(const Plot& plot);

}  // namespace cairn
