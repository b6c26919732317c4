// SPDX-License-Identifier: Apache-2.0
// Terrain: heights on a regular grid, each cell two triangles, everything below is solid.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "cairn/geometry/shape.h"

namespace cairn {

/// Grid point (i, j) is at (x0 + i dx, y0 + j dy, heights[j nx + i]). Cell (i, j) has the triangles
/// (i,j) (i+1,j) (i+1,j+1) and (i,j) (i+1,j+1) (i,j+1), counter-clockwise from above.
struct HeightGrid {
  int nx = 0, ny = 0;
  double x0 = 0, y0 = 0, dx = 1, dy = 1;
  std::vector<double> heights;
  double lowest = 0, highest = 0;

  Vec3 point(int i, int j) const { return {x0 + i * dx, y0 + j * dy, heights[static_cast<std::size_t>(j) * nx + i]}; }
  /// Triangle 0 or 1 of a cell.
  std::array<Vec3, 3> triangle(int i, int j, int which) const {
    return which == 0 ? std::array{point(i, j), point(i + 1, j), point(i + 1, j + 1)}
                      : std::array{point(i, j), point(i + 1, j + 1), point(i, j + 1)};
  }
  /// The cell that holds (x, y), or the nearest one.
  std::array<int, 2> cell_at(double x, double y) const;
  /// Height of the surface; outside of the grid that of its border.
  double height_at(double x, double y) const;
};

/// Throws Error naming `owner` unless nx, ny >= 2, spacings > 0 and as many finite heights as points.
HeightGrid make_height_grid(int nx, int ny, double x0, double y0, double dx, double dy, std::vector<double> heights,
                            std::string_view owner);

/// Calls f(i, j) for the cells under the box (in x and y), row by row.
template <class F>
void for_each_cell(const HeightGrid& grid, const Aabb& box, F&& f) {
  if (!(box.lo.x() <= grid.x0 + (grid.nx - 1) * grid.dx && box.hi.x() >= grid.x0 &&
        box.lo.y() <= grid.y0 + (grid.ny - 1) * grid.dy && box.hi.y() >= grid.y0 && box.lo.z() <= grid.highest))
    return;
  const auto [i0, j0] = grid.cell_at(box.lo.x(), box.lo.y());
  const auto [i1, j1] = grid.cell_at(box.hi.x(), box.hi.y());
  for (int j = j0; j <= j1; ++j)
    for (int i = i0; i <= i1; ++i) f(i, j);
}

}  // namespace cairn
