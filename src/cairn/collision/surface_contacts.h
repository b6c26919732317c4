// SPDX-License-Identifier: Apache-2.0
// Contacts of triangulated surfaces, feature by feature on the true surface: vertex with face, edge with edge, and
// where surfaces are apart vertex with edge and vertex with vertex (Studer 2009, section 7.6.1.5, without his shell).
//
// A pair of features counts when its direction is an outward one of both: then it is a nearest pair nearby, flat and
// reflex edges never touch (a sphere on a triangulated plane feels a plane), and the sign of the gap is known without a
// search for inside and outside. Overlaps are found up to `reach`; of several ways out of a convex corner the
// shortest is taken, in a concave corner each face counts.
//
// Two meshes: tree against tree, every triangle and edge placed once. Where triangles cross, the vertices inside are
// found along the edges from there, and the search is made again as deep as they are.
#pragma once
#include <optional>
#include <vector>

#include "cairn/collision/contact_point.h"
#include "cairn/collision/outward_ways.h"
#include "cairn/collision/placed_mesh.h"
#include "cairn/collision/supporting_feature.h"

namespace cairn {

/// A point, a segment or nothing more, with a ball about it: spheres and capsules of rigid bodies.
struct RoundCore {
  Vec3 from, to;  ///< equal for a sphere; relative to the origin of the pair
  double radius;
};

/// Finds contacts with gap <= margin; overlaps down to -reach. Keeps its buffers between calls.
class SurfaceContacts {
 public:
  /// Positions in a and b are relative to `origin`; appends points with normals from b to a.
  void find(const PlacedMesh& a, const PlacedMesh& b, const Vec3& origin, double margin, double reach,
            std::vector<ContactPoint>& out);
  void find(const RoundCore& a, const PlacedMesh& b, const Vec3& origin, double margin, std::vector<ContactPoint>& out);
  /// Any convex shape, through its support map.
  void find(const PlacedConvex& a, const PlacedMesh& b, const Vec3& origin, double margin, double reach,
            std::vector<ContactPoint>& out);
  /// All vertices of a within the margin of the plane normal.x = offset (relative to the origin).
  void find(const PlacedMesh& a, const Vec3& normal, double offset, const Vec3& origin, double margin,
            std::vector<ContactPoint>& out);

 private:
  struct Found {
    Vec3 on_a, on_b, normal;
    double gap;
    double slack;  ///< how far the point is from the end of a feature at a convex edge [m]
    std::uint32_t feature_a, feature_b;
    bool on_face;         ///< a point of one surface on a face of the other
    int edges = -1;       ///< number of the pair of edges that overlaps here
    int beside = -1;      ///< edge of b beside which a convex shape overlaps without reaching the edge itself
    bool lesser = false;  ///< where an edge leaves a disc that it enters lower: not held there, it slides along both
  };
  /// Two edges, from + s along and from + t along with 0 <= s, t <= 1.
  struct EdgePair {
    Vec3 from_a, along_a, from_b, along_b;
  };
  /// A triangle that crosses one of the other mesh, with its corners below that one (bit k for corner k).
  struct Crossing {
    int triangle, below;
  };
  /// A vertex inside the other mesh.
  struct InsideVertex {
    int v;
    double depth;
  };
  /// What of one mesh may be inside the other.
  struct Inside {
    std::vector<Crossing> crossings;
    std::vector<InsideVertex> vertices;
    struct Edge {
      int e;
      double half;  ///< of its length
      Vec3 middle;
    };
    std::vector<Edge> edges;
  };
  /// All pairs of features of a_ and b_ no deeper than reach_.
  void find_near();
  void find_pair(int ta, int tb);
  /// Vertices and edges of a that can be reached along edges from where triangles cross without leaving b.
  void follow_inside(MetFeatures& a, MetFeatures& b, Inside& inside);
  /// Of what is inside, all pairs of features no deeper than reach_.
  void find_deep();
  void find_deep_vertices(MetFeatures& a, MetFeatures& b, const Inside& inside, bool turned);

  // x belongs to a, or to b when `turned`, and is vertex v of `other` if there is one; `height` is that of x above the
  // triangle, `depth` that inside the mesh where it is known.
  void point_on_face(const Vec3& x, double height, std::uint32_t feature, const PlacedMesh* other, int v,
                     const PlacedMesh& m, const PlacedTriangle& t, bool turned, std::optional<double> depth = {});
  void point_on_edge(const Vec3& x, std::uint32_t feature, const PlacedMesh* other, int v, const PlacedEdge& edge,
                     bool turned);
  void vertex_on_vertex(const PlacedMesh& a, int va, const Vec3& x, const PlacedMesh& b, int vb, const Vec3& y);
  void edge_on_edge(const PlacedMesh& a, const PlacedEdge& ea, const PlacedMesh& b, const PlacedEdge& eb);
  void segment_on_edge(const RoundCore& a, const PlacedMesh& b, const PlacedEdge& eb);
  void convex_on_edge(const PlacedConvex& a, const PlacedMesh& b, const PlacedEdge& eb);
  void convex_on_vertex(const PlacedConvex& a, const PlacedMesh& b, int vb, const Vec3& y);
  /// Takes the last one found out of the list when it is deeper than reach_.
  bool set_aside_deep();
  /// Lesser points stand beside a lower one in their direction: brings it back where only its depth spoke against it,
  /// and drops those that are alone, whose gap by itself is that of nothing.
  void drop_unsupported();
  void remove_dropped();
  /// Drops overlaps that are gone once a shallower one is undone: the longer ways out of a convex corner.
  void drop_longer_ways(const PlacedConvex& a, const PlacedMesh& b);
  void add(bool turned, const Vec3& x, const Vec3& on_other, const Vec3& normal, double gap, double slack,
           std::uint32_t feature, std::uint32_t other, bool on_face);
  void finish(double radius, const Vec3& origin, double margin, std::vector<ContactPoint>& out);
  void drop_repeated();
  void drop_explained(double radius);

  double size_ = 1, margin_ = 0, reach_ = 0;
  std::vector<Found> found_;
  std::vector<Found> too_deep_;  ///< beyond reach_, but otherwise contacts
  std::vector<EdgePair> edges_;
  std::vector<char> dropped_;
  SupportingFeature feature_;
  std::vector<ContactPoint> points_;
  std::vector<OutwardWay> ways_;
  MetFeatures a_, b_;
  Inside inside_a_, inside_b_;
  FirstUse vertex_use_, edge_use_, triangle_use_;
  std::vector<std::pair<int, double>> front_;  ///< vertices to look at, with a bound of their distance
  std::vector<int> order_;
  std::vector<std::array<int, 2>> stack_;  ///< of the walk through two trees
};

}  // namespace cairn
