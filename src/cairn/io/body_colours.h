// SPDX-License-Identifier: Apache-2.0
// The colours of bodies in a picture: by what they are made of, or by what they do.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "cairn/io/picture_legend.h"
#include "cairn/io/picture_scene.h"

namespace cairn {

enum class BodyColouring { Material, Speed, Displacement, Island, Kind };

struct BodyColouringInfo {
  BodyColouring colouring;
  std::string_view name, help;
};
std::span<const BodyColouringInfo> body_colourings();

/// What the ends of the scales stand for, in all pictures of one motion.
struct ColourScales {
  double speed = 0;         ///< largest of a body that moves [m/s]
  double displacement = 0;  ///< the same from its start [m]
};

/// One colour per body; adds to the legend what they mean. Bodies that do not move are grey.
std::vector<Vec3> colour_bodies(const PictureScene& scene, BodyColouring colouring, const ColourScales& scales,
                                Legend& legend);

}  // namespace cairn
