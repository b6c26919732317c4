// SPDX-License-Identifier: Apache-2.0
// Camera axes, and the closest camera that sees every point: each side plane of the view pyramid is a linear bound
// on the eye, so the tight fit along a given direction has a closed form.
#include "cairn/io/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "cairn/base/error.h"
#include "cairn/io/renderer.h"

namespace cairn {
namespace {

// Right and up axes of a viewer who looks along `forward`.
void make_axes(const Vec3& forward, const Vec3& wanted_up, Vec3& right, Vec3& up) {
  right = forward.cross(wanted_up);
  if (!(right.norm() > 1e-6 * wanted_up.norm())) {
    const Vec3 other = std::abs(forward.y()) < 0.9 ? Vec3::UnitY() : Vec3::UnitX();
    right = forward.cross(other);
  }
  right.normalize();
  up = right.cross(forward);
}

// Between which planes of slope s the eye must lie for all points to be seen: low + s ez <= e <= high - s ez.
struct Bounds {
  double low, high;
};
Bounds bound_eye(const std::vector<Vec3>& points, int axis, double s) {
  Bounds b{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const Vec3& p : points) {
    b.low = std::max(b.low, p[axis] - s * p.z());
    b.high = std::min(b.high, p[axis] + s * p.z());
  }
  return b;
}

// The place of the eye from which the outermost points of both sides are equally far from the middle of the picture:
// the only one that sees all of them within the least slope, which is found by halving.
double centre_eye(const std::vector<Vec3>& points, int axis, double slope, double ez) {
  double below = 0, above = slope;
  for (int k = 0; k < 40; ++k) {
    const double s = 0.5 * (below + above);
    const Bounds b = bound_eye(points, axis, s);
    (b.low + s * ez <= b.high - s * ez ? above : below) = s;
  }
  const Bounds b = bound_eye(points, axis, above);
  return 0.5 * (b.low + b.high);
}

double half_slope(double field_of_view_deg) { return std::tan(field_of_view_deg * std::numbers::pi / 360); }

}  // namespace

Projection make_projection(const Camera& camera, int width, int height) {
  if (!camera.eye.allFinite() || !camera.target.allFinite() || !camera.up.allFinite())
    throw Error("camera: eye, target and up must be finite numbers");
  if (!(camera.field_of_view_deg > 0 && camera.field_of_view_deg <= 170))
    throw Error("camera: field of view is {} degrees; must be in (0, 170]", camera.field_of_view_deg);
  const double distance = (camera.target - camera.eye).norm();
  if (!(distance > 0))
    throw Error("camera: eye and target are the same point ({}, {}, {}); move one of them", camera.eye.x(),
                camera.eye.y(), camera.eye.z());

  Projection p;
  p.eye = camera.eye;
  p.forward = (camera.target - camera.eye) / distance;
  make_axes(p.forward, camera.up, p.right, p.up);
  p.orthographic = camera.orthographic;
  const double slope = half_slope(camera.field_of_view_deg);
  p.scale = 0.5 * height / (camera.orthographic ? slope * distance : slope);
  p.centre_x = 0.5 * width;
  p.centre_y = 0.5 * height;
  p.near = camera.orthographic ? 0 : 1e-3 * distance;
  return p;
}

Camera fit_camera(const std::vector<RenderMesh>& meshes, const Vec3& direction, double aspect, const Vec3& up_axis,
                  bool orthographic) {
  if (!direction.allFinite() || !(direction.norm() > 0))
    throw Error("fit_camera: direction ({}, {}, {}) must be finite and not zero", direction.x(), direction.y(),
                direction.z());
  if (!(aspect > 0)) throw Error("fit_camera: aspect (width / height) is {}; must be > 0", aspect);

  Camera camera;
  camera.up = up_axis;
  camera.orthographic = orthographic;
  const Vec3 forward = direction.normalized();
  Vec3 right, up;
  make_axes(forward, up_axis, right, up);

  // The vertices in these axes.
  std::vector<Vec3> points;
  Eigen::AlignedBox3d box;
  for (const RenderMesh& mesh : meshes) {
    if (mesh.receives_only) continue;
    for (const Vec3& v : mesh.vertices) {
      if (!v.allFinite()) continue;
      points.emplace_back(right.dot(v), up.dot(v), forward.dot(v));
      box.extend(points.back());
    }
  }
  if (points.empty()) {  // nothing to frame: a metre cube at the origin
    camera.target = Vec3::Zero();
    camera.eye = -4 * forward;
    return camera;
  }
  constexpr double margin = 1.16;
  const double depth = box.max().z() - box.min().z();
  if (orthographic) {  // the picture is as high as needed at any distance; the eye stands well in front of all
    const Vec3 half = 0.5 * (box.max() - box.min()), middle = box.center();
    const double height = std::max({margin * half.y(), margin * half.x() / aspect, 1e-9 * (depth + 1)});
    const double distance = 4 * (depth + height);
    camera.target = right * middle.x() + up * middle.y() + forward * middle.z();
    camera.eye = camera.target - distance * forward;
    camera.field_of_view_deg = 360 / std::numbers::pi * std::atan(height / distance);
    return camera;
  }
  // With the eye at (ex, ey, ez), a point is in the picture when |x - ex| <= sx (z - ez), the same for y.
  const double sy = half_slope(camera.field_of_view_deg) / margin, sx = sy * aspect;
  const Bounds across = bound_eye(points, 0, sx), along = bound_eye(points, 1, sy);
  double ez = std::min((across.high - across.low) / (2 * sx), (along.high - along.low) / (2 * sy));
  ez = std::min(ez, box.min().z() - 1e-3 * std::max(depth, 1e-6));  // a scene flat along the view still lies in front
  const double ex = centre_eye(points, 0, sx, ez), ey = centre_eye(points, 1, sy, ez);
  camera.eye = right * ex + up * ey + forward * ez;
  camera.target = right * ex + up * ey + forward * (box.min().z() + 0.5 * depth);
  return camera;
}

}  // namespace cairn
