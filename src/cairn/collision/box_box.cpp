// SPDX-License-Identifier: Apache-2.0
// Two boxes or parallelepipeds: separating axes (Gottschalk, Lin & Manocha 1996, OBBTree, section 5, here for any two
// parallelepipeds and with signed gaps), then the contact polygon or the crossing point of two edges.
//
// The gap along an axis is the distance of the supporting planes. It is the distance of the boxes when a vertex, edge
// or face looks at a face, or when two edges cross; otherwise (two vertices, a vertex and an edge, parallel edges) it
// is less, and the routine for any two convex shapes takes over.
//
// Letters: E half edges, N face normals, d from centre a to centre b; all relative to centre a, which keeps the digits
// of small boxes far from the origin.
#include <algorithm>
#include <limits>

#include "cairn/collision/box_manifold.h"
#include "cairn/collision/convex_pair.h"
#include "cairn/collision/pairs.h"

namespace cairn {
namespace {

// Edges that enclose a smaller angle (rad) are parallel: their cross product has lost its direction, and the faces next
// to them describe the contact.
constexpr double kParallelEdges = 1e-6;
// An edge axis within this angle (rad) of a face normal: the faces nearly close upon each other.
constexpr double kFaceLike = 0.02;

struct Axis {
  double gap = -std::numeric_limits<double>::infinity();
  int i = -1, j = -1;
  double side = 1;  // the axis times this points from a to b
};

BoxTolerances make_tolerances(const Parallelepiped& a, const Parallelepiped& b) {
  const double size_a = a.reach.maxCoeff(), size_b = b.reach.maxCoeff();
  const double small = std::min(size_a, size_b), large = std::max(size_a, size_b);
  const double round_off = 16 * std::numeric_limits<double>::epsilon() * large;
  return {1e-10 * small + round_off, 1e-9 * small + round_off, 1e-6 * small + round_off};
}

// True when the centre of a comes before that of b in the order of coordinates: what decides between equal answers, so
// that the choice does not depend on which box is called a.
bool comes_first(const Vec3& d) { return d.x() != 0 ? d.x() > 0 : d.y() != 0 ? d.y() > 0 : d.z() > 0; }

// The widest gap over the three face normals of `p`, of which q projects onto M = N' E_q, both centres t = N' d apart;
// false when one of them exceeds the margin.
bool find_face_axis(const Parallelepiped& p, const Mat3& M, const Vec3& t, const Vec3& d, double margin, double tie,
                    Axis& best) {
  const Vec3 gaps = t.cwiseAbs() - p.reach - M.cwiseAbs().rowwise().sum();
  if (gaps.maxCoeff() > margin) return false;
  for (int i = 0; i < 3; ++i)
    if (gaps[i] > best.gap + tie) best = {gaps[i], i, -1, t[i] < 0 || (t[i] == 0 && !comes_first(d)) ? -1.0 : 1.0};
  return true;
}

// The widest gap over the nine cross products of edges. With x = a_i x b_j the extent of a along x is
// sum_k |x.a_k| = sum over k != i of area_k |N_k.b_j|, and likewise for b: both tables are known already. All nine at
// once, entry (i, j) for edges i and j: most of the time is in the roots and quotients.
bool find_edge_axis(const Parallelepiped& a, const Parallelepiped& b, const Mat3& M, const Mat3& K, const Vec3& d,
                    double margin, double tie, Axis& best) {
  const Vec3 aa = a.E.colwise().squaredNorm(), bb = b.E.colwise().squaredNorm();
  const Mat3 ra = a.area.asDiagonal() * M.cwiseAbs();  // ra(k, j)
  const Mat3 rb = b.area.asDiagonal() * K.cwiseAbs();  // rb(k, i)
  Mat3 t, xx, extent;
  for (int i = 0; i < 3; ++i) {
    const Vec3 moment = d.cross(a.E.col(i));  // (a_i x b_j).d = (d x a_i).b_j
    for (int j = 0; j < 3; ++j) {
      t(i, j) = moment.dot(b.E.col(j));
      xx(i, j) = a.E.col(i).cross(b.E.col(j)).squaredNorm();
      extent(i, j) = ra((i + 1) % 3, j) + ra((i + 2) % 3, j) + rb((j + 1) % 3, i) + rb((j + 2) % 3, i);
    }
  }
  const Mat3 gaps = ((t.cwiseAbs() - extent).array() / xx.array().sqrt()).matrix();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (xx(i, j) <= kParallelEdges * kParallelEdges * aa[i] * bb[j]) continue;
      const double gap = gaps(i, j);
      if (gap > margin) return false;
      if (gap > best.gap + tie) best = {gap, i, j, t(i, j) < 0 ? -1.0 : 1.0};
    }
  }
  return true;
}

// Equal separations along a face of a and a face of b. Parallel faces give the same points either way, so a's is
// taken.
bool prefers_a(const Vec3& na, const Vec3& nb, const Vec3& d) {
  if (na.cross(nb).squaredNorm() <= 1e-16) return true;
  return comes_first(d);
}

}  // namespace

void collide_pair(const Box& box_a, const Placement& place_a, const Box& box_b, const Placement& place_b, double margin,
                  std::vector<ContactPoint>& out) {
  const Vec3 d = place_b.c - place_a.c;
  const Parallelepiped a = make_parallelepiped(box_a, place_a, Vec3::Zero());
  const Parallelepiped b = make_parallelepiped(box_b, place_b, d);
  const BoxTolerances tolerances = make_tolerances(a, b);

  // The axis of widest gap among faces of a, faces of b, and pairs of edges.
  Axis face_a, face_b, edge;
  const Mat3 M = a.N.transpose() * b.E;
  if (!find_face_axis(a, M, a.N.transpose() * d, d, margin, tolerances.same, face_a)) return;
  const Mat3 K = b.N.transpose() * a.E;
  if (!find_face_axis(b, K, b.N.transpose() * d, d, margin, tolerances.same, face_b)) return;
  if (!find_edge_axis(a, b, M, K, d, margin, tolerances.same, edge)) return;

  const Vec3 na = face_a.side * a.N.col(face_a.i), nb = face_b.side * b.N.col(face_b.i);  // both from a to b
  const bool equal = std::abs(face_a.gap - face_b.gap) <= tolerances.same;
  const bool use_a = equal ? prefers_a(na, nb, d) : face_a.gap > face_b.gap;
  const Axis& face = use_a ? face_a : face_b;
  const Vec3& n_face = use_a ? na : nb;

  auto add = [&](const Vec3& point, const Vec3& from_a_to_b, double gap, std::uint32_t feature_a,
                 std::uint32_t feature_b, double weight) {
    if (gap <= margin) out.push_back({-1, -1, place_a.c + point, -from_a_to_b, gap, feature_a, feature_b, weight});
  };

  // Face contact, where no edge axis is clearly wider.
  const bool edge_first = edge.i >= 0 && edge.gap >= face.gap;
  if (!(edge_first && edge.gap > face.gap + tolerances.same)) {
    const BoxManifold m = use_a ? clip_faces(a, face.i, face.side, b, margin, tolerances)
                                : clip_faces(b, face.i, -face.side, a, margin, tolerances);
    // The lowest vertex lies above the face unless the boxes are apart and the face does not look at the other.
    if (m.least <= face.gap + tolerances.same) {
      for (int k = 0; k < m.count; ++k) {
        const BoxContact& x = m.points[k];
        add(x.point, n_face, x.gap, use_a ? x.reference : x.incident, use_a ? x.incident : x.reference, x.weight);
      }
      return;
    }
  }

  // Edge contact, unless the faces nearly close upon each other: then the polygon holds the crossing of the edges as
  // one of its vertices and the others that the margin admits; the crossing alone would let the box rock.
  if (edge_first) {
    const Vec3 n_edge = edge.side * a.E.col(edge.i).cross(b.E.col(edge.j)).normalized();
    const double facing =
        std::max((a.N.transpose() * n_edge).cwiseAbs().maxCoeff(), (b.N.transpose() * n_edge).cwiseAbs().maxCoeff());
    if (1 - facing * facing >= kFaceLike * kFaceLike) {
      if (const auto crossing = find_crossing(a, edge.i, b, edge.j, n_edge, tolerances)) {
        add((crossing->on_a + crossing->on_b) / 2, n_edge, edge.gap, crossing->edge_a, crossing->edge_b, 0);
        return;
      }
    }
  }

  // Neither faces nor edges look at each other (two vertices, a vertex and an edge, parallel edges), or both do.
  const Vec3& origin = find_pair_origin(place_a, place_b);
  collide_convex(make_convex(box_a, place_a, origin), make_convex(box_b, place_b, origin), origin, margin, out);
}

}  // namespace cairn
