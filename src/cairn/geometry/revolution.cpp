// SPDX-License-Identifier: Apache-2.0
// Profiles: the nearest side, turned about the axis; rings of triangles.
#include "cairn/geometry/revolution.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace cairn::answers {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct ProfilePoint {
  Vec2 point, normal;
  double distance;
};

ProfilePoint closest_in_profile(std::span<const ProfileSide> sides, const Vec2& x) {
  ProfilePoint inner{x, Vec2::UnitY(), -infinity}, outer{x, Vec2::UnitY(), infinity};
  for (const ProfileSide& s : sides) {
    const double height = s.normal.dot(x - s.from);
    if (height > inner.distance) inner = {x - height * s.normal, s.normal, height};
    const Vec2 along = s.to - s.from;
    const Vec2 foot = s.from + std::clamp(along.dot(x - s.from) / along.squaredNorm(), 0.0, 1.0) * along;
    const double d = (x - foot).norm();
    if (d < outer.distance) outer = {foot, d > 0 ? Vec2((x - foot) / d) : s.normal, d};
  }
  return inner.distance <= 0 ? inner : outer;
}

}  // namespace

SurfacePoint closest_in_revolution(std::span<const ProfileSide> sides, const Vec3& x) {
  const double across = std::hypot(x.x(), x.y());
  const ProfilePoint p = closest_in_profile(sides, {across, x.z()});
  const Vec2 u = across > 0 ? Vec2(x.x() / across, x.y() / across) : Vec2(Vec2::UnitX());
  return {{p.point.x() * u.x(), p.point.x() * u.y(), p.point.y()},
          {p.normal.x() * u.x(), p.normal.x() * u.y(), p.normal.y()},
          p.distance};
}

SurfaceMesh revolve(const std::vector<Vec2>& profile, int sides) {
  SurfaceMesh mesh;
  const int rings = static_cast<int>(profile.size()) - 2;
  mesh.vertices.emplace_back(0, 0, profile.front().y());
  for (int r = 1; r <= rings; ++r)
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      mesh.vertices.emplace_back(profile[r].x() * std::cos(angle), profile[r].x() * std::sin(angle), profile[r].y());
    }
  mesh.vertices.emplace_back(0, 0, profile.back().y());
  const int top = static_cast<int>(mesh.vertices.size()) - 1;
  const auto at = [&](int r, int k) { return 1 + r * sides + k % sides; };
  for (int k = 0; k < sides; ++k) {
    mesh.triangles.push_back({0, at(0, k + 1), at(0, k)});
    for (int r = 0; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
      mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
    }
    mesh.triangles.push_back({at(rings - 1, k), at(rings - 1, k + 1), top});
  }
  return mesh;
}

}  // namespace cairn::answers
