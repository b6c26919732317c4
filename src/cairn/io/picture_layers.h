// SPDX-License-Identifier: Apache-2.0
// What can be drawn over the bodies of a picture: contacts, forces, chains, the line of thrust, overlaps, cones,
// joints.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "cairn/io/picture_legend.h"
#include "cairn/io/picture_scene.h"
#include "cairn/io/renderer.h"

namespace cairn {

struct PictureLayers {
  bool contacts = false, forces = true, chains = false, thrust = false, penetration = false, cones = false,
       joints = false;

  /// Layers that lie inside the bodies, which are drawn pale then.
  bool inside() const { return chains || thrust; }
};

struct PictureLayerInfo {
  std::string_view name, help;
  bool PictureLayers::*shown;
};
std::span<const PictureLayerInfo> picture_layers();

/// Lengths and forces to which marks are drawn, in all pictures of one motion.
struct LayerScales {
  double size = 1;         ///< of what the camera shows [m]
  double grain = 1;        ///< median radius of the bodies that move [m]
  double force = 0;        ///< of the longest arrow: 95 % of the forces stay below it [N]
  double chain = 0;        ///< of the thickest chain: 98 % of the normal forces between two bodies stay below it [N]
  double penetration = 0;  ///< deepest overlap [m]
};
/// Takes one more moment into account; size and grain are left alone.
class LayerScaleFinder {
 public:
  void add(const PictureScene& scene);
  void finish(LayerScales& scales);

 private:
  std::vector<double> forces_, chains_;
  double penetration_ = 0;
};

/// Adds the marks of all layers that are shown and what they mean. Throws Error when friction cones are asked for and
/// the contacts do not know their friction.
void draw_layers(const PictureScene& scene, const PictureLayers& layers, const LayerScales& scales,
                 std::vector<RenderArrow>& marks, Legend& legend);

}  // namespace cairn
