// SPDX-License-Identifier: Apache-2.0
// Bounded convex polyhedra with their full topology: faces as polygons, edges, neighbours of vertices.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/geometry/shape.h"
#include "cairn/math/four.h"

namespace cairn {

/// Vectors four by four, coordinate by coordinate, so that all are looked at side by side. Behind the last one it
/// stands again.
class VectorBlocks {
 public:
  VectorBlocks() = default;
  explicit VectorBlocks(std::span<const Vec3> vectors);
  /// Index of the vector farthest along d, the lowest where several are; there must be one.
  int find_farthest(const Vec3& d) const;

 private:
  struct Block {
    Four x, y, z;
  };
  std::vector<Block> blocks_;
};

/// Made by make_hull() or make_polyhedron(), which guarantee: closed, convex, faces planar to 1e-9 of the size, no two
/// neighbouring faces in one plane, at least three faces at every vertex.
struct Polyhedron {
  std::vector<Vec3> vertices;
  std::vector<int> face_start;  ///< face f has corners loop[face_start[f] .. face_start[f+1])
  std::vector<int> loop;        ///< counter-clockwise seen from outside
  std::vector<Vec3> normals;    ///< unit, outward, one per face
  std::vector<double> offsets;  ///< normal.X = offset on the face
  struct Edge {
    int v0, v1, f0, f1;  ///< f0 on the left of v0 -> v1 seen from outside
  };
  std::vector<Edge> edges;
  std::vector<int> ring_start, ring;          ///< neighbours of vertex v: ring[ring_start[v] .. ring_start[v+1])
  std::vector<int> ring_edges;                ///< the edges to them
  VectorBlocks vertex_blocks, normal_blocks;  ///< vertices and normals once more (update_blocks)
  Vec3 inside = Vec3::Zero();                 ///< the centre of volume
  double radius = 0;                          ///< of the ball about the origin that holds it
  /// Its surface in triangles, for contact with meshes. Null where it was not asked for, and for slivers whose
  /// triangles have no normal.
  std::shared_ptr<const MeshData> shell;

  int face_count() const { return static_cast<int>(normals.size()); }
  std::span<const int> face(int f) const {
    return std::span(loop).subspan(static_cast<std::size_t>(face_start[f]),
                                   static_cast<std::size_t>(face_start[f + 1] - face_start[f]));
  }
  std::span<const int> neighbours(int v) const { return at_vertex(ring, v); }
  std::span<const int> edges_at(int v) const { return at_vertex(ring_edges, v); }

 private:
  std::span<const int> at_vertex(const std::vector<int>& list, int v) const {
    return std::span(list).subspan(static_cast<std::size_t>(ring_start[v]),
                                   static_cast<std::size_t>(ring_start[v + 1] - ring_start[v]));
  }
};

/// After vertices or normals have changed.
void update_blocks(Polyhedron& polyhedron);

/// The convex hull of points by Qhull (Barber, Dobkin & Huhdanpaa 1996). Throws Error naming `owner` for fewer than
/// four points, points in one plane and numbers that are not finite.
Polyhedron make_hull(std::span<const Vec3> points, std::string_view owner, bool with_shell = true);

/// A polyhedron from its faces, corners counter-clockwise from outside. Faces in one plane are joined to one polygon;
/// vertices inside a face or an edge are dropped. Throws Error naming `owner` and the face unless closed, planar,
/// convex.
Polyhedron make_polyhedron(std::vector<Vec3> vertices, std::span<const std::vector<int>> faces, std::string_view owner,
                           bool with_shell = true);

/// Exact integrals over the polyhedron.
MassProperties compute_mass_properties(const Polyhedron& polyhedron);

/// Index of the vertex farthest along d; climbs from `start` where there are many vertices.
int find_support_vertex(const Polyhedron& polyhedron, const Vec3& d, int start = 0);

}  // namespace cairn
