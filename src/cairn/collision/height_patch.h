// SPDX-License-Identifier: Apache-2.0
// The piece of a height field under a body, as a mesh.
#pragma once
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/mesh.h"

#include <cstdint>

namespace cairn {

/// Keeps its buffers from cut to cut.
class HeightPatch {
 public:
  /// The cells under `box` (world) grown by `reach`, and one more row around them so that their edges know both
  /// sides. False when there are none. The rim of the patch touches nothing, except where it is that of the field.
  bool cut(const HeightGrid& grid, const Placement& p, const Aabb& box, double reach);
  const MeshData& mesh() const { return mesh_; }
  /// The id of a feature in the whole field for that in the patch: the same wherever the patch was cut.
  std::uint32_t feature(std::uint32_t in_patch) const;

 private:
  MeshData mesh_;
  SurfaceMesh surface_;
  int nx_ = 0, i0_ = 0, j0_ = 0, width_ = 0;
};

}  // namespace cairn
