// SPDX-License-Identifier: Apache-2.0
// One point where two colliders touch, nearly touch or overlap.
#pragma once
#include <cstdint>

#include "cairn/math/types.h"

namespace cairn {

struct ContactPoint {
  int a = -1, b = -1;  ///< collider indices; -1 until the contact manager fills them in
  Vec3 point;          ///< world, midway between the two surfaces along the normal
  Vec3 normal;         ///< world, unit, from b to a
  double gap = 0;      ///< signed distance along the normal, < 0 overlap
  /// Which vertex, edge, face or rim point of each shape made the point (make_feature); the same from step to step
  /// while the same features touch.
  std::uint32_t feature_a = 0, feature_b = 0;
  double weight = 0;  ///< share of the contact polygon's area (m^2); 0 for a lone point or the ends of a line
};

/// What kind of thing a feature id names. A surface is the whole of a smooth shape: it has one moving contact point.
enum class FeatureKind : std::uint32_t { Surface = 0, Vertex = 1, Edge = 2, Face = 3, Rim = 4, Line = 5 };

/// Kind in the top four bits, index within the shape below.
constexpr std::uint32_t make_feature(FeatureKind kind, std::uint32_t index = 0) {
  return (static_cast<std::uint32_t>(kind) << 28) | (index & 0x0fffffffu);
}

}  // namespace cairn
