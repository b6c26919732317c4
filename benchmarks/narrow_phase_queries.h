// SPDX-License-Identifier: Apache-2.0
// Pairs of shapes about to touch, on which narrow phases are measured.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "cairn/geometry/shape.h"

namespace cairn {

struct PairQuery {
  Shape a, b;
  Placement pa, pb;
  double size;    ///< of the larger shape [m]: twice its radius
  bool overlaps;  ///< pushed into each other by up to 2 % of the size; otherwise apart by up to 20 %
};

/// "boxes", "stacks" (box on box, face on face to 1e-4 of the size), "hulls" (of 12 to 60 points on a sphere),
/// "primitives" (spheres, capsules, cylinders, cones, ellipsoids) or "meshes" (lumps of 2000 triangles). Each at a
/// random place around the other; every second pair overlaps. The same queries on every call. Throws Error for another
/// name.
std::vector<PairQuery> make_pair_queries(std::string_view kind, int count);

/// Seconds of CPU time per call of query(k), k = 0 .. count - 1, all repeated for a tenth of a second; the best of
/// `repeat` such rounds.
double time_queries(std::size_t count, int repeat, const std::function<void(std::size_t)>& query);

}  // namespace cairn
