// SPDX-License-Identifier: Apache-2.0
// Line and scatter plots as one self-contained SVG document, for reports and `cairn plot`.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// Points that are not finite (or beyond 1e300), or not positive on a log axis, are left out and break the line.
struct Series {
  std::string label{};  ///< empty: not in the legend
  std::vector<double> x{}, y{};
  bool markers = false;
  bool line = true;
  bool dashed = false;
  std::vector<double> base{};  ///< not empty: the area between it and y is filled; as many as y, on linear axes only
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Series> series;
  int width = 640;  ///< pixels
  int height = 400;
};

/// Throws Error when x and y of a series differ in length or the size is below 160 x 120. A series of more than about
/// 2000 points is thinned so that the picture stays the same: the extremes of every stretch are kept. Points left out
/// because a log axis cannot show them are counted in a note under the plot.
std::string to_svg(const Plot& plot);

/// Several plots under each other as one document, as wide as the widest.
std::string to_svg(std::span<const Plot> plots);

/// Text for XML content or attributes: markup escaped, characters XML 1.0 forbids and broken UTF-8 replaced by '?'.
std::string escape_xml(const std::string& text);

}  // namespace cairn
