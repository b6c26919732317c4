// SPDX-License-Identifier: Apache-2.0
// Pieces of height fields: see the header.
#include "cairn/collision/height_patch.h"

#include <algorithm>
#include <cmath>

#include "cairn/collision/contact_point.h"

namespace cairn {

bool HeightPatch::cut(const HeightGrid& grid, const Placement& p, const Aabb& box, double reach) {
  // The box in the frame of the field.
  const Mat3 inverse = p.A.inverse();
  const Vec3 centre = inverse * ((box.lo + box.hi) / 2 - p.c);
  const Vec3 half = inverse.cwiseAbs() * ((box.hi - box.lo) / 2 + Vec3::Constant(reach));
  const Vec3 lo = centre - half, hi = centre + half;
  if (hi.x() < grid.x0 || lo.x() > grid.x0 + (grid.nx - 1) * grid.dx || hi.y() < grid.y0 ||
      lo.y() > grid.y0 + (grid.ny - 1) * grid.dy || lo.z() > grid.highest)
    return false;
  const auto cell = [](double x, double x0, double dx, int n) {
    return std::clamp(static_cast<int>(std::clamp(std::floor((x - x0) / dx), -1.0, n + 1.0)), 0, n - 2);
  };
  i0_ = std::max(cell(lo.x(), grid.x0, grid.dx, grid.nx) - 1, 0);
  j0_ = std::max(cell(lo.y(), grid.y0, grid.dy, grid.ny) - 1, 0);
  const int i1 = std::min(cell(hi.x(), grid.x0, grid.dx, grid.nx) + 1, grid.nx - 2);
  const int j1 = std::min(cell(hi.y(), grid.y0, grid.dy, grid.ny) + 1, grid.ny - 2);
  nx_ = grid.nx;
  width_ = i1 - i0_ + 2;
  surface_.vertices.clear();
  surface_.triangles.clear();
  for (int j = j0_; j <= j1 + 1; ++j)
    for (int i = i0_; i <= i1 + 1; ++i) surface_.vertices.push_back(grid.point(i, j));
  for (int j = 0; j <= j1 - j0_; ++j) {
    for (int i = 0; i <= i1 - i0_; ++i) {
      const int v = j * width_ + i;
      surface_.triangles.push_back({v, v + 1, v + 1 + width_});
      surface_.triangles.push_back({v, v + 1 + width_, v + width_});
    }
  }
  mesh_ = make_mesh(surface_, "height field");
  // Rims inside the field are cuts, not edges.
  for (MeshData::Edge& e : mesh_.edges) {
    if (e.f1 >= 0) continue;
    const auto on_border = [&](int v) {
      const int i = i0_ + v % width_, j = j0_ + v / width_;
      return std::array{i == 0, j == 0, i == grid.nx - 1, j == grid.ny - 1};
    };
    const auto a = on_border(e.v0), b = on_border(e.v1);
    bool border = false;
    for (std::size_t k = 0; k < 4; ++k) border |= a[k] && b[k];
    if (!border) e.f1 = e.f0;  // flat: it touches nothing
  }
  update_answers(mesh_);
  return true;
}

std::uint32_t HeightPatch::feature(std::uint32_t in_patch) const {
  const auto kind = static_cast<FeatureKind>(in_patch >> 28);
  const int k = static_cast<int>(in_patch & 0x0fffffffu);
  const auto vertex = [&](int v) { return (j0_ + v / width_) * nx_ + i0_ + v % width_; };
  if (kind == FeatureKind::Vertex) return make_feature(kind, static_cast<std::uint32_t>(vertex(k)));
  if (kind == FeatureKind::Face) {
    const int cell = k / 2, cells = width_ - 1;
    const int first = vertex((cell / cells) * width_ + cell % cells);
    return make_feature(kind, static_cast<std::uint32_t>(2 * first + k % 2));
  }
  if (kind == FeatureKind::Edge) {
    const MeshData::Edge& e = mesh_.edges[static_cast<std::size_t>(k)];
    const int low = std::min(e.v0, e.v1), step = std::max(e.v0, e.v1) - low;
    const int direction = step == 1 ? 0 : step == width_ ? 1 : 2;
    return make_feature(kind, static_cast<std::uint32_t>(3 * vertex(low) + direction));
  }
  return in_patch;
}

}  // namespace cairn
