// SPDX-License-Identifier: Apache-2.0
// Meshes and arrows turned into one list of clean triangles with shading normals and crease marks.
#pragma once
#include <vector>

#include "cairn/io/renderer.h"

namespace cairn {

struct RenderTriangle {
  Vec3 v[3];
  Vec3 normal;                       ///< unit, of the plane
  Eigen::Vector3f corner_normal[3];  ///< unit, used when smooth
  int object = 0;                    ///< index of the mesh or arrow
  bool smooth = false;
  bool floor = false;
  std::uint8_t creases = 0;  ///< bit i: the edge v[i] -> v[(i + 1) % 3] is sharp or a border
};

/// Skips triangles with a corner that is not finite or with no area. Throws Error for a vertex index out of range.
std::vector<RenderTriangle> make_triangles(const std::vector<RenderMesh>& meshes);

/// A ball and the mesh it belongs to.
struct PlacedBall {
  Vec3 centre;
  double radius = 0;
  int object = 0;
};
std::vector<PlacedBall> collect_balls(const std::vector<RenderMesh>& meshes);

/// A cylinder and a cone per arrow; an arrow shorter than its head is all head. Arrows without length are skipped.
/// Arrows without head are lines with half a ball at each end.
std::vector<RenderTriangle> make_arrow_triangles(const std::vector<RenderArrow>& arrows);

}  // namespace cairn
