// SPDX-License-Identifier: Apache-2.0
// Stand-in until the geometry branch is merged.
#pragma once
#include <vector>

#include "cairn/math/types.h"

namespace cairn {
struct Polyhedron {
  std::vector<Vec3> vertices;
  std::vector<int> face_start;
  std::vector<int> loop;
  std::vector<Vec3> normals;
  std::vector<double> offsets;
  struct Edge {
    int v0, v1, f0, f1;
  };
  std::vector<Edge> edges;
  std::vector<int> ring_start, ring;
  Vec3 inside;
  double radius;
};
}  // namespace cairn
