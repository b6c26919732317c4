// SPDX-License-Identifier: Apache-2.0
// The lump: see the header.
#include "benchmarks/lump.h"

#include <cmath>
#include <memory>

#include "cairn/geometry/mesh.h"

namespace cairn {

TriangleMesh make_lump() {
  const int rows = 26, columns = 40;
  SurfaceMesh s;
  const auto point = [&](int i, int j) {
    const double theta = M_PI * i / rows, phi = 2 * M_PI * j / columns;
    const double r = 0.2 * (1 + 0.35 * std::cos(3 * phi) * std::pow(std::sin(theta), 3) + 0.2 * std::cos(4 * theta));
    return Vec3(r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi), r * std::cos(theta));
  };
  s.vertices.push_back(point(0, 0));
  for (int i = 1; i < rows; ++i)
    for (int j = 0; j < columns; ++j) s.vertices.push_back(point(i, j));
  s.vertices.push_back(point(rows, 0));
  const auto at = [&](int i, int j) {
    if (i == 0) return 0;
    if (i == rows) return static_cast<int>(s.vertices.size()) - 1;
    return 1 + (i - 1) * columns + j % columns;
  };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (i > 0) s.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i < rows - 1) s.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
    }
  }
  return {std::make_shared<MeshData>(make_mesh(s, "lump"))};
}

}  // namespace cairn
