// SPDX-License-Identifier: Apache-2.0
// A triangulated surface with its adjacency, the folds at its edges and a tree of boxes.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cairn/geometry/box_tree.h"
#include "cairn/geometry/surface_mesh.h"
#include "cairn/geometry/wide_tree.h"

namespace cairn {

/// Made by make_mesh(), which guarantees: finite vertices, no triangle without area, neighbours oriented alike, at most
/// two triangles at an edge; when closed, a positive volume.
struct MeshData {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise from outside
  std::vector<Vec3> normals;                  ///< unit, one per triangle
  struct Edge {
    int v0, v1, f0, f1;  ///< f0 on the left of v0 -> v1 seen from outside; f1 = -1 on the rim of an open surface
    double convexity;    ///< sine of the fold: > 0 convex, < 0 reflex, 0 flat (below 1e-9) or rim
  };
  std::vector<Edge> edges;
  std::vector<std::array<int, 3>> triangle_edges;  ///< edge k runs between corners k and k + 1
  std::vector<int> vertex_start, vertex_edges;     ///< edges at vertex v: vertex_edges[vertex_start[v] .. [v+1])
  std::vector<Vec3> vertex_normals;   ///< angle-weighted sums of normals (not unit): tell inside from outside
  std::vector<std::uint8_t> answers;  ///< of each triangle for its features that can touch: bit k corner k, bit 3 + k
                                      ///< edge k; each feature has one triangle that answers for it
  BoxTree tree;                       ///< over triangles
  WideTree wide;                      ///< the same leaves, for pairs of surfaces
  bool closed = false;
  double radius = 0;  ///< of the ball about the origin that holds it
};

/// Throws Error naming `owner` and the first offending face or edge when the surface is not fit for contact: it says
/// what check_mesh() (mesh_check.h) finds. Open surfaces are taken; they have no inside.
MeshData make_mesh(const SurfaceMesh& surface, std::string_view owner);

/// An edge that can touch: convex, or the rim of an open surface. Flat and reflex ones leave that to their faces.
inline bool can_touch(const MeshData::Edge& e) { return e.convexity > 0 || e.f1 < 0; }

/// Which features can touch, again, after a change of its edges. A vertex can when one of its edges can: one within a
/// flat face adds nothing to it.
void update_answers(MeshData& mesh);

/// Makes the trees over its triangles, again, after a change of its vertices.
void update_tree(MeshData& mesh);

}  // namespace cairn
