// SPDX-License-Identifier: Apache-2.0
// A picture of a moment: bodies with their shapes, layers over them, from a camera that sees everything that moves or
// the one that is asked for.
#pragma once
#include <optional>

#include "cairn/io/body_colours.h"
#include "cairn/io/picture_layers.h"
#include "cairn/io/png.h"

namespace cairn {

struct PictureSettings {
  int width = 1280, height = 800;
  PictureLayers layers;
  BodyColouring colouring = BodyColouring::Material;
  bool legend = true, caption = true;
  Vec3 direction{-0.55, 1, -0.42};  ///< of sight
  bool orthographic = false;
  std::optional<Vec3> look_at;     ///< middle of the picture; else the middle of what is shown
  std::string look_at_body;        ///< the same by a body's name
  std::optional<double> distance;  ///< of the camera from there [m]; else as far as needed
  std::vector<std::string> fit;    ///< names of the bodies to be shown; empty: all that move
  std::vector<std::string> hide;   ///< names of bodies that are not drawn: front walls, lids
  std::string follow;              ///< a body the camera moves with
  Threads threads{1};              ///< the picture does not depend on it
};

struct FocusBody {
  Aabb box;
  bool moves = true;
  bool named = false;  ///< shown whatever its size
};
/// What a camera must show: boxes around the bodies that move, and around others that are not much larger than all of
/// those together (a bolt, but not the ground); around all when none moves; a unit cube when there are none.
Aabb find_focus_box(const std::vector<FocusBody>& bodies);

/// What all pictures of one motion have in common, so that neither camera nor scales jump.
struct PictureView {
  Camera camera;
  Eigen::AlignedBox3d stage;
  LayerScales layers;
  ColourScales colours;
  Vec3 followed = Vec3::Zero();  ///< where the followed body was when the camera was set up
};

/// From some moments of the motion, at least one. Throws Error when a body that the settings name is not there.
PictureView find_view(std::span<const PictureScene> moments, const PictureSettings& settings);

Image draw_picture(const PictureScene& scene, const PictureView& view, const PictureSettings& settings);
/// The present moment of a simulation.
Image draw_picture(const Simulation& simulation, const PictureSettings& settings = {});
/// One frame of a recording.
Image draw_picture(const Recording& recording, std::size_t frame, const PictureSettings& settings = {});

}  // namespace cairn
