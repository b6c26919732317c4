// SPDX-License-Identifier: Apache-2.0
// Shadow maps of an area sun and of a sampled sky hemisphere (spiral points by the golden angle, Vogel 1979).
#include "cairn/io/render_light.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/io/raster.h"

namespace cairn {
namespace {

const double kGoldenAngle = std::numbers::pi * (3 - std::sqrt(5.0));
constexpr double kSunHalfAngle = 0.022;  // radians; wider than the real sun (0.0047), as a soft box in a studio

std::vector<Vec3> sun_directions(const Vec3& to_sun, int count) {
  const Vec3 x = to_sun.unitOrthogonal(), y = to_sun.cross(x);
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double r = kSunHalfAngle * std::sqrt((i + 0.5) / count), angle = i * kGoldenAngle;
    directions.push_back((to_sun + r * std::cos(angle) * x + r * std::sin(angle) * y).normalized());
  }
  return directions;
}

// Uniform over the hemisphere: equal steps of height.
std::vector<Vec3> sky_directions(const Vec3& up, int count) {
  const Vec3 x = up.unitOrthogonal(), y = up.cross(x);
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double height = (i + 0.5) / count, r = std::sqrt(1 - height * height), angle = i * kGoldenAngle;
    directions.push_back(r * std::cos(angle) * x + r * std::sin(angle) * y + height * up);
  }
  return directions;
}

ShadowMap make_map(const Vec3& to_light) {
  ShadowMap map;
  const Vec3 x = to_light.unitOrthogonal();
  map.to_light = to_light.cast<float>();
  map.x_axis = x.cast<float>();
  map.y_axis = to_light.cross(x).cast<float>();
  return map;
}

void draw_map(ShadowMap& map, const std::vector<RenderTriangle>& triangles, const std::vector<PlacedBall>& balls,
              const Vec3& centre, const Eigen::AlignedBox3d& casters, const Eigen::AlignedBox3d& seen, int side) {
  const Vec3 x = map.x_axis.cast<double>(), y = map.y_axis.cast<double>(), z = map.to_light.cast<double>();
  const auto to_map = [&](const Vec3& p) {
    const Vec3 d = p - centre;
    return Vec3(x.dot(d), y.dot(d), z.dot(d));
  };
  // The map covers what both casts and is seen.
  Eigen::AlignedBox3d box, receivers;
  for (int k = 0; k < 8; ++k) {
    box.extend(to_map(casters.corner(Eigen::AlignedBox3d::CornerType(k))));
    receivers.extend(to_map(seen.corner(Eigen::AlignedBox3d::CornerType(k))));
  }
  const Vec3 low = box.min().cwiseMax(receivers.min()), high = box.max().cwiseMin(receivers.max());
  const double extent = std::max(high.x() - low.x(), high.y() - low.y());
  if (!(extent > 0)) return;

  map.side = side;
  const double scale = (side - 4) / extent;  // two free texels around
  const Vec2 origin(low.x() - 2 / scale, low.y() - 2 / scale);
  map.texels_per_metre = float(scale);
  map.origin = origin.cast<float>();
  map.depth.assign(std::size_t(side) * std::size_t(side), -std::numeric_limits<float>::infinity());
  for (const RenderTriangle& t : triangles) {
    if (t.floor) continue;
    Vec3 p[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3 m = to_map(t.v[k]);
      p[k] = {(m.x() - origin.x()) * scale, (m.y() - origin.y()) * scale, m.z()};
    }
    const float lowest = float(std::min({p[0].z(), p[1].z(), p[2].z()}));
    const float highest = float(std::max({p[0].z(), p[1].z(), p[2].z()}));
    rasterise_triangle(p[0], p[1], p[2], side, 0, side, [&](int row, int x0, int x1, double d0, double dx) {
      float* out = &map.depth[std::size_t(row) * std::size_t(side)];
      for (int i = x0; i <= x1; ++i) out[i] = std::max(out[i], std::clamp(float(d0 + dx * (i - x0)), lowest, highest));
    });
  }
  for (const PlacedBall& ball : balls) {
    const Vec3 m = to_map(ball.centre), at((m.x() - origin.x()) * scale, (m.y() - origin.y()) * scale, m.z());
    rasterise_ball(at, ball.radius * scale, 1 / scale, side, 0, side, [&](int row, int column, double d) {
      float& out = map.depth[std::size_t(row) * std::size_t(side) + std::size_t(column)];
      out = std::max(out, float(d));
    });
  }
}

}  // namespace

template <bool filtered>
inline float ShadowMap::visibility(const Eigen::Vector3f& point, const Eigen::Vector3f& normal, float cosine) const {
  if (side == 0) return 1;
  // A surface must not shade itself through the coarseness of the map: step off it by about a texel, more where the
  // light grazes it (a texel then spans a larger piece of its slope), and a little towards the light.
  const float texel = 1 / texels_per_metre;
  const float sine = std::sqrt(std::max(0.0f, 1 - cosine * cosine));
  const Eigen::Vector3f p = point + normal * (texel * (0.3f + 1.3f * sine));
  const float shift = filtered ? 0.5f : 0.0f;
  const float u = (x_axis.dot(p) - origin.x()) * texels_per_metre - shift;
  const float v = (y_axis.dot(p) - origin.y()) * texels_per_metre - shift;
  if (!(u >= 0 && v >= 0 && u < float(side - 1) && v < float(side - 1))) return 1;
  const int i = int(u), j = int(v);
  const float d = to_light.dot(p) + 0.3f * texel;
  const float* row = &depth[std::size_t(j) * std::size_t(side) + std::size_t(i)];
  // A comparison with a ramp of half a texel: smoother than a step, and without a branch.
  const auto lit = [&](float caster) {
    return std::min(std::max((d - caster) * 2 * texels_per_metre + 1, 0.0f), 1.0f);
  };
  if constexpr (!filtered) return lit(row[0]);
  const float* next = row + side;
  const float fu = u - float(i), fv = v - float(j);
  const float a = lit(row[0]), b = lit(row[1]), c = lit(next[0]), e = lit(next[1]);
  return (a * (1 - fu) + b * fu) * (1 - fv) + (c * (1 - fu) + e * fu) * fv;
}

LightRig::LightRig(const std::vector<RenderTriangle>& triangles, const std::vector<PlacedBall>& balls,
                   const Vec3& centre, const LightSettings& settings) {
  Eigen::AlignedBox3d casters;
  std::size_t count = 0;
  for (const RenderTriangle& t : triangles) {
    if (t.floor) continue;
    ++count;
    for (const Vec3& v : t.v) casters.extend(v);
  }
  for (const PlacedBall& ball : balls) {
    casters.extend(Vec3(ball.centre - Vec3::Constant(ball.radius)));
    casters.extend(Vec3(ball.centre + Vec3::Constant(ball.radius)));
  }
  // Every direction draws all casters: with a million of them, fewer directions keep the picture within seconds.
  const int skies = int(std::clamp<std::size_t>(3'000'000 / (count + 1), 16, 40)) / kGroups * kGroups;
  for (const Vec3& d : sun_directions(settings.to_sun, 12)) suns_.push_back(make_map(d));
  for (const Vec3& d : sky_directions(settings.up, skies)) skies_.push_back(make_map(d));
  if (!settings.shadows || casters.isEmpty() || settings.seen.isEmpty()) return;

  const int sky_side = std::clamp(settings.sun_map_side / 4, 128, 512);
  parallel_chunks(settings.threads, suns_.size() + skies_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const bool is_sun = k < suns_.size();
      draw_map(is_sun ? suns_[k] : skies_[k - suns_.size()], triangles, balls, centre, casters, settings.seen,
               is_sun ? settings.sun_map_side : sky_side);
    }
  });
}

float LightRig::sun(const Eigen::Vector3f& point, const Eigen::Vector3f& normal, int group) const {
  float sum = 0;
  int count = 0;
  for (std::size_t k = std::size_t(group); k < suns_.size(); k += kGroups, ++count) {
    const float cosine = normal.dot(suns_[k].to_light);
    if (cosine > 0) sum += cosine * suns_[k].visibility<true>(point, normal, cosine);
  }
  return sum / float(count);
}

float LightRig::sky(const Eigen::Vector3f& point, const Eigen::Vector3f& normal, int group) const {
  float sum = 0;
  int count = 0;
  for (std::size_t k = std::size_t(group); k < skies_.size(); k += kGroups, ++count) {
    const float cosine = normal.dot(skies_[k].to_light);
    if (cosine > 0) sum += cosine * skies_[k].visibility<false>(point, normal, cosine);
  }
  return 2 * sum / float(count);  // the mean cosine over the free hemisphere is 1/2
}

}  // namespace cairn
