// SPDX-License-Identifier: Apache-2.0
// Axis of a plot: its range, where its ticks go (1-2-5 steps, powers of ten on log axes) and what they say.
#pragma once
#include <string>
#include <vector>

namespace cairn {

/// Multiples of 1, 2 or 5 times a power of ten inside [low, high], `about` of them.
std::vector<double> linear_ticks(double low, double high, int about = 6);

/// Powers of ten inside [low, high] (every k-th when there are more than `most`); below two of them also 2 and 5 times
/// a power, and on a range too short even for those the linear ticks.
std::vector<double> log_ticks(double low, double high, int most = 8);

/// A range with room around the data, in data units, and its map to [0, 1].
struct PlotAxis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<double> ticks;
  std::vector<double> minor_ticks;   ///< no labels
  std::vector<std::string> labels;   ///< SVG text content, one per tick
  int exponent = 0;                  ///< linear: labels are to be multiplied by 10^exponent
  std::size_t label_characters = 0;  ///< of the longest label as seen

  double fraction(double value) const;
};

/// `low` > `high` means there is no data. On a log axis both must be positive.
PlotAxis make_plot_axis(double low, double high, bool log, double padding, int about);

/// "10" and a raised exponent, as SVG text content.
std::string power_of_ten(int exponent);

}  // namespace cairn
