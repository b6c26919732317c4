// SPDX-License-Identifier: Apache-2.0
// Making and asking a grid of heights.
#include "cairn/geometry/height_field.h"

#include <algorithm>
#include <cmath>

#include "cairn/base/error.h"

namespace cairn {

HeightGrid make_height_grid(int nx, int ny, double x0, double y0, double dx, double dy, std::vector<double> heights,
                            std::string_view owner) {
  if (nx < 2 || ny < 2) throw Error("{}: height field has {} x {} points; must have at least 2 x 2", owner, nx, ny);
  if (!(dx > 0) || !(dy > 0) || !std::isfinite(dx) || !std::isfinite(dy))
    throw Error("{}: height field spacing is {} x {} m; must be finite and > 0", owner, dx, dy);
  if (!std::isfinite(x0) || !std::isfinite(y0))
    throw Error("{}: height field begins at ({}, {}) m; must be finite", owner, x0, y0);
  const std::size_t points = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  if (heights.size() != points)
    throw Error("{}: height field has {} heights; {} x {} points need {}", owner, heights.size(), nx, ny, points);
  for (std::size_t k = 0; k < points; ++k)
    if (!std::isfinite(heights[k]))
      throw Error("{}: height of point ({}, {}) is {} m; must be finite", owner, k % nx, k / nx, heights[k]);
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double lowest = *low, highest = *high;
  return {nx, ny, x0, y0, dx, dy, std::move(heights), lowest, highest};
}

std::array<int, 2> HeightGrid::cell_at(double x, double y) const {
  const auto cell = [](double s, int n) {
    return s > 0 ? static_cast<int>(std::min(std::floor(s), static_cast<double>(n - 2))) : 0;
  };
  return {cell((x - x0) / dx, nx), cell((y - y0) / dy, ny)};
}

double HeightGrid::height_at(double x, double y) const {
  const auto [i, j] = cell_at(x, y);
  const double s = std::clamp((x - x0) / dx - i, 0.0, 1.0), t = std::clamp((y - y0) / dy - j, 0.0, 1.0);
  const double z00 = point(i, j).z(), z11 = point(i + 1, j + 1).z();
  return s >= t ? z00 + s * (point(i + 1, j).z() - z00) + t * (z11 - point(i + 1, j).z())
                : z00 + t * (point(i, j + 1).z() - z00) + s * (z11 - point(i, j + 1).z());
}

}  // namespace cairn
