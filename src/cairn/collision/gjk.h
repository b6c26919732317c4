// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores (Gilbert, Johnson & Keerthi 1988) with the signed-volumes sub-algorithm (Montanari,
// Petrinic & Barbieri 2017, ACM Trans. Graph. 36(3) 30).
#pragma once
#include <array>

#include "cairn/collision/convex.h"

namespace cairn {

/// A point of the difference a - b with the points that made it.
struct MinkowskiPoint {
  Vec3 y;      ///< a - b
  Vec3 a, b;   ///< on the cores
  int ia, ib;  ///< their support ids
};

struct Simplex {
  std::array<MinkowskiPoint, 4> point;
  std::array<double, 4> lambda;  ///< barycentric coordinates of the nearest point to 0
  int count = 0;
};

enum class GjkStatus {
  Apart,   ///< the cores have a positive distance, which may exceed the limit a little
  Beyond,  ///< the distance exceeds the limit; it was not computed to the end
  Overlap  ///< the cores overlap or touch to round-off
};

struct GjkResult {
  GjkStatus status = GjkStatus::Overlap;
  double distance = 0;         ///< of the cores
  Vec3 normal = Vec3::Zero();  ///< unit, from b to a (last search direction when they overlap)
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  Simplex simplex;
};

/// Distance of the cores (radii are not added). Stops early when it is found to exceed `limit`, and when the distance
/// is known to the factor 1 - `relative`; finite cores end exactly. `start`: a direction from b to a to begin with, or
/// none.
GjkResult find_distance(const PlacedConvex& a, const PlacedConvex& b, double limit, double relative = 1e-15,
                        const Vec3& start = Vec3::Zero());

/// The point of the difference a - b farthest along d.
inline MinkowskiPoint find_minkowski_support(const PlacedConvex& a, const PlacedConvex& b, const Vec3& d,
                                             int hint_a = 0, int hint_b = 0) {
  const SupportPoint p = find_support(a, d, hint_a), q = find_support(b, -d, hint_b);
  return {p.x - q.x, p.x, q.x, p.id, q.id};
}

/// Reduces the simplex to the points that carry its nearest point to the origin, sets lambda, returns that point.
Vec3 reduce_simplex(Simplex& s);

}  // namespace cairn
