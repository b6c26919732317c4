// SPDX-License-Identifier: Apache-2.0
// Checks of sizes, moments, support points.
#include "cairn/geometry/shape_helpers.h"

#include <cmath>

namespace cairn::answers {
namespace {

bool is_positive(double x) { return std::isfinite(x) && x > 0; }

}  // namespace

void check_size(std::string_view owner, std::string_view what, double x) {
  if (!is_positive(x)) throw Error("{}: {} is {} m; must be finite and > 0", owner, what, x);
}

void check_sizes(std::string_view owner, std::string_view what, const Vec3& x) {
  if (!is_positive(x.x()) || !is_positive(x.y()) || !is_positive(x.z()))
    throw Error("{}: {} are ({}, {}, {}) m; must be finite and > 0", owner, what, x.x(), x.y(), x.z());
}

MassProperties mass_from_moments(double volume, const Vec3& moments) {
  const Mat3 euler = moments.asDiagonal();
  return {volume, Vec3::Zero(), euler.trace() * Mat3::Identity() - euler, euler};
}

Vec3 unit(const Vec3& d) {
  const double largest = d.cwiseAbs().maxCoeff();
  return largest > 0 ? Vec3((d / largest).normalized()) : Vec3(Vec3::UnitZ());
}

Vec3 on_disc(double r, const Vec3& d, double z) {
  const double largest = std::max(std::abs(d.x()), std::abs(d.y()));
  if (!(largest > 0)) return {0, 0, z};
  const Vec2 u = Vec2(d.x() / largest, d.y() / largest).normalized();
  return {r * u.x(), r * u.y(), z};
}

SurfacePoint from_foot(const Vec3& x, const Vec3& point, bool inside, const Vec3& face_normal) {
  const Vec3 v = x - point;
  const double d = v.norm();
  if (!(d > 0)) return {point, face_normal, 0};
  return inside ? SurfacePoint{point, -v / d, -d} : SurfacePoint{point, v / d, d};
}

double largest_norm(const std::vector<Vec3>& points) {
  double r = 0;
  for (const Vec3& x : points) r = std::max(r, x.norm());
  return r;
}

}  // namespace cairn::answers
