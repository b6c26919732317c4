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
#include "cairn/math/four.h"

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

// The distance of the supporting planes along every axis, lane i for face or edge i; lane 3 is empty.
struct Gaps {
  Four face_a, face_b;  // along the face normals
  Four side_a, side_b;  // N_i.d
  Four edge[3];         // of a_i x b_j in edge[j]
  Four side[3];         // (a_i x b_j).d
  double widest_edge;
};

double largest_of_three(Four x) { return std::max({x[0], x[1], x[2]}); }

// All gaps; false when one of them exceeds the margin. With x = a_i x b_j the extent of a along x is
// sum_k |x.a_k| = sum over k != i of area_k |N_k.b_j|, and likewise for b: both tables are known from the faces.
bool find_gaps(const Parallelepiped& a, const Parallelepiped& b, const Vec3& d, double margin, Gaps& r) {
  const FourMatrix Na(a.N.transpose()), Nb(b.N.transpose()), Ea(a.E.transpose());
  Four M[3];  // column j: |N_a.b_j|
  for (int j = 0; j < 3; ++j) M[j] = absolute(Na.apply(b.E(0, j), b.E(1, j), b.E(2, j)));
  r.side_a = Na.apply(d[0], d[1], d[2]);
  r.face_a = absolute(r.side_a) - make_four(a.reach) - M[0] - M[1] - M[2];
  if (largest_of_three(r.face_a) > margin) return false;
  r.side_b = Nb.apply(d[0], d[1], d[2]);
  r.face_b = absolute(r.side_b) - make_four(b.reach);
  for (int i = 0; i < 3; ++i) r.face_b -= absolute(Nb.apply(a.E(0, i), a.E(1, i), a.E(2, i)));
  if (largest_of_three(r.face_b) > margin) return false;

  const Four area = make_four(a.area),
             aa = Ea.columns[0] * Ea.columns[0] + Ea.columns[1] * Ea.columns[1] + Ea.columns[2] * Ea.columns[2];
  Four K[3];  // row k: area_k |N_k of b . a_i|
  for (int k = 0; k < 3; ++k) K[k] = absolute(Ea.apply(b.N(0, k), b.N(1, k), b.N(2, k))) * b.area[k];
  Four widest = make_four(-std::numeric_limits<double>::infinity());
  for (int j = 0; j < 3; ++j) {
    const Vec3 e = b.E.col(j), moment = e.cross(d);  // (a_i x b_j).d = a_i.(b_j x d)
    const Four x = Ea.columns[1] * e[2] - Ea.columns[2] * e[1], y = Ea.columns[2] * e[0] - Ea.columns[0] * e[2],
               z = Ea.columns[0] * e[1] - Ea.columns[1] * e[0], xx = x * x + y * y + z * z;
    const Four extent = area * M[j];
    const Four extents = __builtin_shufflevector(extent, extent, 1, 2, 0, 3) +
                         __builtin_shufflevector(extent, extent, 2, 0, 1, 3) + K[(j + 1) % 3] + K[(j + 2) % 3];
    r.side[j] = Ea.apply(moment[0], moment[1], moment[2]);
    r.edge[j] = (absolute(r.side[j]) - extents) / square_root(xx);
    const FourFlags parallel = xx <= aa * (kParallelEdges * kParallelEdges * e.squaredNorm());
    r.edge[j] = parallel ? make_four(-std::numeric_limits<double>::infinity()) : r.edge[j];
    widest = largest(widest, r.edge[j]);
  }
  r.widest_edge = largest_of_three(widest);
  return r.widest_edge <= margin;
}

// The widest of three gaps along face normals.
Axis choose_face(Four gaps, Four side, const Vec3& d, double tie) {
  Axis best;
  for (int i = 0; i < 3; ++i)
    if (gaps[i] > best.gap + tie)
      best = {gaps[i], i, -1, side[i] < 0 || (side[i] == 0 && !comes_first(d)) ? -1.0 : 1.0};
  return best;
}

// The widest of the nine along pairs of edges.
Axis choose_edges(const Gaps& gaps, double tie) {
  Axis best;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (gaps.edge[j][i] > best.gap + tie) best = {gaps.edge[j][i], i, j, gaps.side[j][i] < 0 ? -1.0 : 1.0};
  return best;
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
  Gaps gaps;
  if (!find_gaps(a, b, d, margin, gaps)) return;
  const Axis face_a = choose_face(gaps.face_a, gaps.side_a, d, tolerances.same),
             face_b = choose_face(gaps.face_b, gaps.side_b, d, tolerances.same);
  const Vec3 na = face_a.side * a.N.col(face_a.i), nb = face_b.side * b.N.col(face_b.i);  // both from a to b
  const bool equal = std::abs(face_a.gap - face_b.gap) <= tolerances.same;
  const bool use_a = equal ? prefers_a(na, nb, d) : face_a.gap > face_b.gap;
  const Axis& face = use_a ? face_a : face_b;

  // Face contact, where no edge axis is clearly wider.
  const Axis edge = gaps.widest_edge >= face.gap ? choose_edges(gaps, tolerances.same) : Axis{};
  const bool edge_first = edge.i >= 0 && edge.gap >= face.gap;
  if (!(edge_first && edge.gap > face.gap + tolerances.same)) {
    // The lowest vertex lies above the face unless the boxes are apart and the face does not look at the other. The
    // distance lies between the gap of the planes and the least one of the polygon: what that may rise is its error.
    const double highest = face.gap + tolerances.on;
    if (use_a ? append_face_contacts(a, face.i, face.side, b, margin, highest, tolerances, place_a.c, true, out)
              : append_face_contacts(b, face.i, -face.side, a, margin, highest, tolerances, place_a.c, false, out))
      return;
  }

  // Edge contact, unless the faces nearly close upon each other: then the polygon holds the crossing of the edges as
  // one of its vertices and the others that the margin admits; the crossing alone would let the box rock.
  if (edge_first) {
    const Vec3 n_edge = edge.side * a.E.col(edge.i).cross(b.E.col(edge.j)).normalized();
    const double facing =
        std::max((a.N.transpose() * n_edge).cwiseAbs().maxCoeff(), (b.N.transpose() * n_edge).cwiseAbs().maxCoeff());
    if (1 - facing * facing >= kFaceLike * kFaceLike) {
      if (const auto crossing = find_crossing(a, edge.i, b, edge.j, n_edge, tolerances)) {
        const Vec3 middle = (crossing->on_a + crossing->on_b) / 2;
        out.push_back({-1, -1, place_a.c + middle, -n_edge, edge.gap, crossing->edge_a, crossing->edge_b, 0});
        return;
      }
    }
  }

  // Neither faces nor edges look at each other (two vertices, a vertex and an edge, parallel edges), or both do.
  const Vec3& origin = find_pair_origin(place_a, place_b);
  collide_convex(make_convex(box_a, place_a, origin), make_convex(box_b, place_b, origin), origin, margin, out);
}

}  // namespace cairn
