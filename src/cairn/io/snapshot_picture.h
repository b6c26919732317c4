// SPDX-License-Identifier: Apache-2.0
// A picture of a moment: bodies with their shapes, contact forces as arrows, from a camera that sees everything that
// moves.
#pragma once
#include "cairn/io/png.h"
#include "cairn/io/recording.h"
#include "cairn/io/renderer.h"

namespace cairn {

struct PictureSettings {
  int width = 1280, height = 800;
  bool forces = true;               ///< draw contact forces
  Vec3 direction{-0.55, 1, -0.42};  ///< of sight
  Threads threads{1};
};

/// The surface of a shape somewhere, with the normals a person expects: round shapes smooth, folds of meshes sharp.
RenderMesh make_render_mesh(const Shape& shape, const Placement& place, int refinement, double half_space_extent = 10);

struct FocusBody {
  Aabb box;
  bool moves = true;
};
/// What a camera must show: boxes around the bodies that move, and around others that are not much larger than all of
/// those together (a bolt, but not the ground); around all when none moves; a unit cube when there are none.
Aabb find_focus_box(const std::vector<FocusBody>& bodies);

/// The present moment of a simulation.
Image draw_picture(const Simulation& simulation, const PictureSettings& settings = {});
/// One frame of a recording.
Image draw_picture(const Recording& recording, std::size_t frame, const PictureSettings& settings = {});

}  // namespace cairn
