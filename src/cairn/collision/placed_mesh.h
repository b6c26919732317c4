// SPDX-License-Identifier: Apache-2.0
// A triangulated surface somewhere in space: its vertices, edges and triangles, and the directions that lie outside
// them.
#pragma once
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cairn/geometry/mesh.h"

namespace cairn {

/// Positions are relative to the origin of the pair, so that rounding follows the sizes and not the place in the world.
struct PlacedMesh {
  const MeshData* mesh;
  Mat3 A;  ///< x = A X + c
  Vec3 c;
  Mat3 cofactors;                ///< turns normals: A^-T det A
  Mat3 inverse;                  ///< of A
  bool rigid;                    ///< normals keep their length
  double stretch = 1, back = 1;  ///< no length grows by more from the mesh into space, or back

  double size() const { return mesh->radius * stretch; }
  Vec3 vertex(int v) const { return A * mesh->vertices[static_cast<std::size_t>(v)] + c; }
  Vec3 normal(int f) const {
    const Vec3 n = cofactors * mesh->normals[static_cast<std::size_t>(f)];
    return rigid ? n : Vec3(n.normalized());
  }
};

PlacedMesh place_mesh(const MeshData& mesh, const Placement& p, const Vec3& origin);

/// The cube |X_i| <= 1, so that a box is a mesh placed with A diag(half extents).
const MeshData& unit_cube();

/// A triangle in space.
struct PlacedTriangle {
  Vec3 x[3];
  Vec3 normal;
  Vec3 inward[3];  ///< unit, within the triangle, across edge k from corner k to k + 1
  int id;

  double height(const Vec3& y) const { return normal.dot(y - x[0]); }
};

PlacedTriangle place_triangle(const PlacedMesh& m, int t);

/// An edge in space with what decides which directions point away from it.
struct PlacedEdge {
  Vec3 from, along;  ///< to its other end
  Vec3 middle;
  double length;
  Vec3 into0, into1;  ///< unit, within the two faces, across the edge and away from it; equal on a rim
  Vec3 normal0, normal1;
  Vec3 outward;  ///< sum of the normals
  int id;

  /// True when no face rises above the plane across n at the edge: n is one of its outward directions. `sine`: by this
  /// much n may miss (> 0) or must hit (< 0) the arc between the normals.
  bool looks_along(const Vec3& n, double sine) const {
    return n.dot(into0) <= sine && n.dot(into1) <= sine && n.dot(outward) > 0;
  }
};

PlacedEdge place_edge(const PlacedMesh& m, int e);

/// How far below the surface x is; negative outside. In metres for rigid placements, otherwise a bound from above.
/// `within`: a distance that the surface is known to come to.
double depth_inside(const PlacedMesh& m, const Vec3& x, double within = std::numeric_limits<double>::infinity());

/// True when the segment x + t d, low <= t <= high, goes through m below both faces of its edge, y being a point of the
/// edge. Of an edge sharper than a right angle a point that overlaps need not lie right below it.
bool enters_below(const PlacedMesh& m, const PlacedEdge& edge, const Vec3& y, const Vec3& x, const Vec3& d, double low,
                  double high);

/// True when no edge at v rises above the plane across n: v is the farthest point along n nearby.
bool is_extreme(const PlacedMesh& m, int v, const Vec3& n, double sine);

/// The triangles of a leaf of the mesh's wide tree, side by side.
struct PlacedLeaf {
  int count;
  const int* ids;        ///< of the triangles
  Four corners[3][3];    ///< coordinate l of corner k
  Four low[3], high[3];  ///< boxes about them
  Four normal[3];
  Four offset;  ///< normal . x = offset in the planes; places beyond the count repeat the last triangle
};

PlacedLeaf place_leaf(const PlacedMesh& m, int leaf);

/// Numbers handed out to indices in the order they are first asked for; forgets all at once.
class FirstUse {
 public:
  void reset(std::size_t size) {
    if (stamps_.size() < size) stamps_.resize(size, {0, 0});
    if (++now_ == 0) {  // after 2^32 resets old stamps would look new
      stamps_.assign(stamps_.size(), {0, 0});
      now_ = 1;
    }
    count_ = 0;
  }
  /// The number of index i, and whether it was asked for before.
  std::pair<int, bool> find(int i) {
    Stamp& s = stamps_[static_cast<std::size_t>(i)];
    if (s.when == now_) return {s.number, true};
    s = {now_, count_++};
    return {s.number, false};
  }

 private:
  struct Stamp {
    std::uint32_t when;
    int number;
  };
  std::vector<Stamp> stamps_;
  std::uint32_t now_ = 0;
  int count_ = 0;
};

/// The triangles and edges of one mesh that a search has met, placed once each. A reference lasts until another
/// triangle (edge) is asked for.
class MetFeatures {
 public:
  void reset(const PlacedMesh& m);
  const PlacedMesh& placed() const { return *m_; }
  const MeshData& mesh() const { return *m_->mesh; }
  const PlacedTriangle& triangle(int t);
  const PlacedEdge& edge(int e) { return placed_edge(place(e)); }
  const PlacedLeaf& leaf(int l);
  /// Edges by numbers, where several are looked at together.
  int place(int e);
  const PlacedEdge& placed_edge(int number) const { return edges_[static_cast<std::size_t>(number)]; }

 private:
  const PlacedMesh* m_ = nullptr;
  FirstUse triangle_use_, edge_use_, leaf_use_;
  std::vector<PlacedLeaf> leaves_;
  std::vector<PlacedTriangle> triangles_;
  std::vector<PlacedEdge> edges_;
};

}  // namespace cairn
