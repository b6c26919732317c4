// SPDX-License-Identifier: Apache-2.0
// How much of the sun and of the sky reaches a point: many small directional shadow maps, averaged.
#pragma once
#include <vector>

#include "cairn/io/render_triangles.h"

namespace cairn {

/// Depth of the casters seen along one direction (Williams 1978), read with 2 x 2 percentage-closer filtering
/// (Reeves, Salesin and Cook 1987).
struct ShadowMap {
  Eigen::Vector3f to_light, x_axis, y_axis;
  Eigen::Vector2f origin;  ///< map coordinates of texel (0, 0)
  float texels_per_metre = 0;
  int side = 0;              ///< 0: nothing casts, everything is lit
  std::vector<float> depth;  ///< along to_light, largest first hit

  /// 1 when the light sees the point, 0 when not; normal is a unit vector on the lit side of the surface.
  /// Unfiltered reads one texel: enough where dozens of maps are averaged.
  template <bool filtered>
  float visibility(const Eigen::Vector3f& point, const Eigen::Vector3f& normal, float cosine) const;
};

struct LightSettings {
  Vec3 to_sun = Vec3::UnitZ();
  Vec3 up = Vec3::UnitZ();
  bool shadows = true;
  int sun_map_side = 1024;
  Threads threads;
  Eigen::AlignedBox3d seen;  ///< what the camera sees; maps need not reach further
};

/// The sun is a small disc (soft shadows that sharpen towards the contact), the sky an even upper hemisphere.
/// Points are relative to `centre`. The directions are dealt out to kGroups groups; a sample asks one group, and
/// neighbouring samples that ask different groups average to the whole set.
class LightRig {
 public:
  static constexpr int kGroups = 4;
  LightRig(const std::vector<RenderTriangle>& triangles, const std::vector<PlacedBall>& balls, const Vec3& centre,
           const LightSettings& settings);

  /// Irradiance over that of a surface facing a free sun; over that of a surface under the whole sky.
  float sun(const Eigen::Vector3f& point, const Eigen::Vector3f& normal, int group) const;
  float sky(const Eigen::Vector3f& point, const Eigen::Vector3f& normal, int group) const;

 private:
  std::vector<ShadowMap> suns_, skies_;
};

}  // namespace cairn
