// SPDX-License-Identifier: Apache-2.0
// Where a picture is taken from, and the map from world points to pixels (pinhole or parallel projection).
#pragma once
#include "cairn/math/types.h"

namespace cairn {

struct Camera {
  Vec3 eye{4, -8, 4};
  Vec3 target{0, 0, 0};
  Vec3 up{0, 0, 1};               ///< when along the line of sight, another axis is taken
  double field_of_view_deg = 35;  ///< vertical
  bool orthographic = false;      ///< parallel projection with the same picture height at the target
};

/// A camera with a raster attached. Camera axes: x right, y up, z forward (into the picture).
struct Projection {
  Vec3 eye, right, up, forward;
  bool orthographic = false;
  double scale = 1;     ///< perspective: pixels per unit of slope; orthographic: pixels per metre
  double centre_x = 0;  ///< pixel coordinates of the optical axis
  double centre_y = 0;
  double near = 0;  ///< points with z below this are behind the camera

  Vec3 to_camera(const Vec3& world) const {
    const Vec3 d = world - eye;
    return {right.dot(d), up.dot(d), forward.dot(d)};
  }
  /// Pixel x, pixel y (down), and a depth that is linear over the picture and grows towards the camera.
  Vec3 to_screen(const Vec3& camera) const {
    const double s = orthographic ? scale : scale / camera.z();
    return {centre_x + s * camera.x(), centre_y - s * camera.y(), orthographic ? -camera.z() : 1 / camera.z()};
  }
  /// Inverse of to_screen and to_camera together.
  Vec3 to_world(double x, double y, double depth) const {
    const double z = orthographic ? -depth : 1 / depth;
    const double s = orthographic ? 1 / scale : z / scale;
    return eye + right * (s * (x - centre_x)) + up * (s * (centre_y - y)) + forward * z;
  }
  /// Metres per pixel at distance z in front of the camera.
  double pixel_size(double z) const { return orthographic ? 1 / scale : z / scale; }
};

/// Throws Error when eye and target coincide, a number is not finite or the angle is outside (0, 170] degrees.
Projection make_projection(const Camera& camera, int width, int height);

}  // namespace cairn
