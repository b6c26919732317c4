// SPDX-License-Identifier: Apache-2.0
// A picture of a scene without a graphics card or a browser: z-buffer, area sun, shadowed sky, crease lines, arrows.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "cairn/base/parallel.h"
#include "cairn/io/camera.h"
#include "cairn/io/png.h"
#include "cairn/math/types.h"

namespace cairn {

struct RenderBall {
  Vec3 centre;
  double radius = 0;
};

/// Triangles and balls in world coordinates. Triangles that are degenerate or have a vertex that is not finite are
/// skipped, and balls that are not finite or have no radius too. Balls are drawn exactly, whatever their size.
struct RenderMesh {
  std::vector<Vec3> vertices{};
  std::vector<std::array<int, 3>> triangles{};
  Vec3 colour{0.7, 0.7, 0.7};  ///< sRGB, 0..1
  bool smooth = false;         ///< normals averaged at vertices (spheres), and no crease lines
  bool rounded = false;        ///< the same across folds below 33 degrees (cylinders, meshes); others are creases
  bool receives_only = false;  ///< a floor: takes shadows but casts none, has a faint checker, fades far away
  std::vector<RenderBall> balls{};
};

/// A vector drawn as a thin arrow (a contact force). Arrows cast no shadow and shine through bodies.
struct RenderArrow {
  Vec3 from, to;
  Vec3 colour{0.8, 0.1, 0.1};
  double radius = 0.01;  ///< of the shaft, in metres
  bool head = true;      ///< false: a line with round ends; without length a dot
};

/// IEC 61966-2-1: a channel of sRGB as light.
double srgb_to_linear(double channel);

struct RenderOptions {
  int width = 1280;
  int height = 800;
  int samples = 2;      ///< per pixel and axis: 2 means 4 samples in a pixel
  bool shadows = true;  ///< of the sun and of the sky
  bool edges = true;    ///< dark thin lines on creases of meshes that are not smooth
  std::string title;    ///< printable ASCII, drawn at bottom left
  Vec3 background_top{0.76, 0.83, 0.90};
  Vec3 background_bottom{0.95, 0.955, 0.96};
  Vec3 up{0, 0, 1};             ///< where the sky is
  Vec3 to_light{0, 0, 0};       ///< towards the sun; zero: over the left shoulder of the camera
  double arrows_through = 0.5;  ///< opacity of the part of an arrow that is inside or behind a body, 0..1
  Threads threads{1};           ///< the picture does not depend on it
  Eigen::AlignedBox3d stage;  ///< how large the scene is: where floors fade, how wide their checks are; empty: as drawn
};

/// The closest camera that looks along `direction` and has every vertex of the bounded meshes (floors are ignored)
/// in a picture of this aspect (width / height), with a margin.
Camera fit_camera(const std::vector<RenderMesh>& meshes, const Vec3& direction, double aspect = 1.6,
                  const Vec3& up = Vec3::UnitZ(), bool orthographic = false);

/// A square floor through `centre`, perpendicular to `normal`.
RenderMesh make_floor(const Vec3& centre, const Vec3& normal, double half_size,
                      const Vec3& colour = {0.80, 0.80, 0.79});

Image render(const std::vector<RenderMesh>& meshes, const std::vector<RenderArrow>& arrows, const Camera& camera,
             const RenderOptions& options = {});

}  // namespace cairn
