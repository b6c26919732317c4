// SPDX-License-Identifier: Apache-2.0
// A triangulated surface somewhere in space: its vertices, normals and the directions that lie outside its features.
#pragma once
#include "cairn/geometry/mesh.h"

namespace cairn {

/// Positions are relative to the origin of the pair, so that rounding follows the sizes and not the place in the world.
struct PlacedMesh {
  const MeshData* mesh;
  Mat3 A;  ///< x = A X + c
  Vec3 c;
  Mat3 cofactors;  ///< turns normals: A^-T det A
  Mat3 inverse;    ///< of A
  bool rigid;      ///< normals keep their length

  Vec3 vertex(int v) const { return A * mesh->vertices[static_cast<std::size_t>(v)] + c; }
  Vec3 normal(int f) const {
    const Vec3 n = cofactors * mesh->normals[static_cast<std::size_t>(f)];
    return rigid ? n : Vec3(n.normalized());
  }
  /// One triangle of those at v, always the same: it answers for v.
  int owner(int v) const {
    return mesh
        ->edges[static_cast<std::size_t>(
            mesh->vertex_edges[static_cast<std::size_t>(mesh->vertex_start[static_cast<std::size_t>(v)])])]
        .f0;
  }
};

PlacedMesh place_mesh(const MeshData& mesh, const Placement& p, const Vec3& origin);

/// The cube |X_i| <= 1, so that a box is a mesh placed with A diag(half extents).
const MeshData& unit_cube();

/// An edge that can touch: convex, or the rim of an open surface. Flat and reflex ones leave that to their faces.
bool can_touch(const MeshData::Edge& e);
/// A vertex that can touch: one with such an edge. One within a flat face adds nothing to it.
bool can_touch(const MeshData& mesh, int v);

/// An edge in space with what decides which directions point away from it.
struct PlacedEdge {
  Vec3 from, to;
  Vec3 into0, into1;  ///< unit, within the two faces, across the edge and away from it; equal on a rim
  Vec3 normal0, normal1;

  /// True when no face rises above the plane across n at the edge: n is one of its outward directions. `sine`: by this
  /// much n may miss (> 0) or must hit (< 0) the arc between the normals.
  bool looks_along(const Vec3& n, double sine) const { return n.dot(into0) <= sine && n.dot(into1) <= sine; }
};

PlacedEdge place_edge(const PlacedMesh& m, const MeshData::Edge& e);

/// How far below the surface x is; negative outside. In metres for rigid placements, otherwise only its sign counts.
double depth_inside(const PlacedMesh& m, const Vec3& x);

/// True when no edge at v rises above the plane across n: v is the farthest point along n nearby.
bool is_extreme(const PlacedMesh& m, int v, const Vec3& n, double sine);

}  // namespace cairn
