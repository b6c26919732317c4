// SPDX-License-Identifier: Apache-2.0
// How a picture is taken, the same options wherever one is drawn: camera, size, layers, colours.
#pragma once
#include "apps/command_line/command_line.h"
#include "cairn/io/snapshot_picture.h"

#include <string>
#include <vector>

namespace cairn {

struct PictureOptions {
  std::string view;      ///< direction of sight: three numbers with commas, or a name
  std::string size;      ///< WIDTHxHEIGHT in pixels
  std::string look_at;   ///< a point or a body
  std::string distance;  ///< of the camera
  std::string follow;    ///< a body
  std::vector<std::string> fit, hide;
  std::vector<std::string> layers;
  std::string colour;
  bool no_forces = false, orthographic = false, no_legend = false, no_caption = false;

  /// Registers the options; messages about their use where no picture is drawn name `--view` and the like.
  void add_to(Command& command);
  bool given() const;
  /// Throws Error when a value is not understood.
  PictureSettings settings() const;
};

}  // namespace cairn
