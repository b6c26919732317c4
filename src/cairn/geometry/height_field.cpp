// SPDX-License-Identifier: Apache-2.0
// Making and asking a grid of heights.
#include "cairn/geometry/height_field.h"

#include <algorithm>
#include <cmath>

#include "cairn/base/error.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"
#include "cairn/geometry/triangle.h"

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

namespace cairn::answers {
namespace {

Shape build_height_field(ParameterVisitor& v, const ShapeLoader& load) {
  return build_from_file<HeightField>(v, load, "height-field", "heights on a grid: ESRI ASCII grid, .asc");
}

}  // namespace

void check(const HeightField& h, std::string_view owner) { check_data(h, owner); }

MassProperties mass(const HeightField&) {
  throw Error("height-field: its volume is infinite, so it has no mass properties; use it on a fixed body");
}

double radius(const HeightField&) { return infinity; }

// The surface, and all that is below it: an axis with a part along Z has one infinite side. Along an axis without one
// only the corners of the grid matter, along Z itself only the highest point; upright terrain costs nothing.
Aabb bounds(const HeightField& h, const Placement& p) {
  const HeightGrid& g = *h.data;
  Aabb box;
  for (int a = 0; a < 3; ++a) {
    const Vec3 m = p.A.row(a);
    double low = infinity, high = -infinity;
    const auto merge = [&](const Vec3& x) {
      low = std::min(low, m.dot(x));
      high = std::max(high, m.dot(x));
    };
    if (m.z() == 0) {
      for (const int i : {0, g.nx - 1})
        for (const int j : {0, g.ny - 1}) merge(g.point(i, j));
    } else if (m.x() == 0 && m.y() == 0) {
      merge({0, 0, g.highest});
    } else {
      for (int j = 0; j < g.ny; ++j)
        for (int i = 0; i < g.nx; ++i) merge(g.point(i, j));
    }
    box.lo[a] = m.z() > 0 ? -infinity : p.c[a] + low;
    box.hi[a] = m.z() < 0 ? infinity : p.c[a] + high;
  }
  return box;
}

double thickness(const HeightField&) { return infinity; }

SurfacePoint closest(const HeightField& h, const Vec3& x) {
  const HeightGrid& g = *h.data;
  const bool over_grid =
      x.x() >= g.x0 && x.x() <= g.x0 + (g.nx - 1) * g.dx && x.y() >= g.y0 && x.y() <= g.y0 + (g.ny - 1) * g.dy;
  const bool inside = over_grid && x.z() < g.height_at(x.x(), x.y());
  double best = infinity;
  Vec3 foot = x, normal = Vec3::UnitZ();
  const auto visit = [&](int i, int j) {
    for (const int which : {0, 1}) {
      const auto [a, b, c] = g.triangle(i, j, which);
      const Vec3 q = find_nearest_on_triangle(x, a, b, c).point;
      const double d = (x - q).norm();
      if (d < best) best = d, foot = q, normal = (b - a).cross(c - a).normalized();
    }
  };
  // The cell below bounds the distance; then all cells within it, which are few unless x is far away.
  const auto [i0, j0] = g.cell_at(x.x(), x.y());
  visit(i0, j0);
  const Vec3 reach = Vec3::Constant(best);
  const auto [i_low, j_low] = g.cell_at(x.x() - reach.x(), x.y() - reach.y());
  const auto [i_high, j_high] = g.cell_at(x.x() + reach.x(), x.y() + reach.y());
  for (int j = j_low; j <= j_high; ++j)
    for (int i = i_low; i <= i_high; ++i) visit(i, j);
  return from_foot(x, foot, inside, normal);
}

std::optional<RayHit> cast(const HeightField& h, const Ray& ray) {
  const HeightGrid& g = *h.data;
  const Aabb box{{g.x0, g.y0, g.lowest}, {g.x0 + (g.nx - 1) * g.dx, g.y0 + (g.ny - 1) * g.dy, g.highest}};
  Aabb roomy = box;
  roomy.expand(1e-12 * (box.hi - box.lo).norm());
  const auto [enter, leave] = clip_ray(roomy, ray.x, ray.d.cwiseInverse(), ray.reach);
  if (!(enter <= leave)) return {};
  const Vec3 start = ray.at(enter);
  auto [i, j] = g.cell_at(start.x(), start.y());
  const int step_i = ray.d.x() > 0 ? 1 : -1, step_j = ray.d.y() > 0 ? 1 : -1;
  const TriangleRay line(ray.x, ray.d);
  double best = ray.reach;
  std::optional<RayHit> hit;
  while (i >= 0 && j >= 0 && i + 1 < g.nx && j + 1 < g.ny) {
    // A cell and its neighbours: a ray along a border of cells must not slip between two of them.
    for (int jj = std::max(0, j - 1); jj <= std::min(g.ny - 2, j + 1); ++jj)
      for (int ii = std::max(0, i - 1); ii <= std::min(g.nx - 2, i + 1); ++ii)
        for (const int which : {0, 1}) {
          const auto [a, b, c] = g.triangle(ii, jj, which);
          const double t = line.hit(a, b, c);
          if (t >= 0 && t <= ray.reach && (!hit || t < best)) {
            best = t;
            hit = RayHit{t, ray.at(t), (b - a).cross(c - a).normalized()};
          }
        }
    // The next border in x and in y.
    const double tx = ray.d.x() == 0 ? infinity : (g.x0 + (i + (step_i > 0)) * g.dx - ray.x.x()) / ray.d.x();
    const double ty = ray.d.y() == 0 ? infinity : (g.y0 + (j + (step_j > 0)) * g.dy - ray.x.y()) / ray.d.y();
    const double next = std::min(tx, ty);
    if (next > leave || (hit && best <= next)) break;
    if (tx <= ty)
      i += step_i;
    else
      j += step_j;
  }
  return hit;
}

SurfaceMesh surface(const HeightField& h, int, double) {
  const HeightGrid& g = *h.data;
  SurfaceMesh mesh;
  for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) mesh.vertices.push_back(g.point(i, j));
  for (int j = 0; j + 1 < g.ny; ++j)
    for (int i = 0; i + 1 < g.nx; ++i) {
      const int v = j * g.nx + i;
      mesh.triangles.push_back({v, v + 1, v + g.nx + 1});
      mesh.triangles.push_back({v, v + g.nx + 1, v + g.nx});
    }
  return mesh;
}

Shape place(const HeightField& h, const Placement& at) {
  if (!at.A.isIdentity(0)) throw Error("height-field: can be moved within its frame, not turned; turn its body");
  HeightGrid g = *h.data;
  g.x0 += at.c.x();
  g.y0 += at.c.y();
  for (double& z : g.heights) z += at.c.z();
  g.lowest += at.c.z();
  g.highest += at.c.z();
  return HeightField{std::make_shared<const HeightGrid>(std::move(g))};
}

constinit const ShapeInfo height_field_row{
    "height-field", "everything below heights on a grid, two triangles per cell; fixed bodies only, no mass",
    build_height_field};

}  // namespace cairn::answers
