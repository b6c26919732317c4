// SPDX-License-Identifier: Apache-2.0
// Two convex shapes: distance or penetration, exact normal, overlap of the supporting features.
#include "cairn/collision/convex_pair.h"

#include <algorithm>

#include "cairn/collision/contact_weights.h"
#include "cairn/collision/epa.h"
#include "cairn/collision/feature_contact.h"
#include "cairn/collision/gjk.h"
#include "cairn/collision/normal_polish.h"

namespace cairn {
namespace {

// Faces and edges within this angle (its sine) of the supporting plane belong to the contact: their other points are
// those the margin admits, and without them a body at rest would rock.
constexpr double kAligned = 0.02;
// Against a face, the other shape shows the feature that looks at it up to this tilt: a box shows a face from every
// side.
constexpr double kIncident = 0.85;
// How near a face normal lies to a normal that came out of an iteration, if it is the one meant (rad).
constexpr double kSnap = 1e-3;

// Share of a small depth to which the shortest of several ways out is told from the next.
constexpr double kTold = 5e-5;

bool is_smooth(const PlacedConvex& s) { return s.kind == CoreKind::Ellipsoid || s.kind == CoreKind::RoundSegment; }

// What is known of the pair before the points are made.
struct Approach {
  Vec3 normal;
  double gap;
  Vec3 on_a, on_b;     // nearest or deepest points of the cores
  int ia = 0, ib = 0;  // vertices near the supporting ones
};

// Finite cores: the normal from a face or from two edges, as exact as their own directions.
Vec3 snap_normal(const PlacedConvex& a, const PlacedConvex& b, const Vec3& n, const MinkowskiPoint* point, int count) {
  const double slack = 1e-15 * (a.size + b.size);
  const int ia = point[0].ia, ib = point[0].ib;
  double best = compute_separation(a, b, n, ia, ib) - slack;
  Vec3 result = n;
  const auto offer = [&](const Vec3& m) {
    if ((m - n).squaredNorm() > kSnap * kSnap) return;
    const double s = compute_separation(a, b, m, ia, ib);
    if (s >= best) best = s + slack, result = m;
  };
  const auto offer_faces = [&](const PlacedConvex& s, double side) {
    if (s.kind == CoreKind::Polyhedron) return offer(side * face_normal(s, find_facing(s, side * n)));
    if (s.kind != CoreKind::Box) return;
    int i;
    (s.N.transpose() * n).cwiseAbs().maxCoeff(&i);
    offer(sign_or_one(s.N.col(i).dot(n)) * s.N.col(i));
  };
  offer_faces(a, -1);
  offer_faces(b, 1);
  if (result != n) return result;
  // A vertex over an edge: exactly across it, or a long edge tilts the plane by more than a small gap.
  if (count == 2) {
    const Vec3 t = point[1].y - point[0].y;
    offer((n - n.dot(t) / t.squaredNorm() * t).normalized());
  }
  // Two points of each: edges that cross.
  int a1 = -1, b1 = -1;
  for (int k = 1; k < count; ++k) {
    if (a1 < 0 && point[k].ia != point[0].ia) a1 = k;
    if (b1 < 0 && point[k].ib != point[0].ib) b1 = k;
  }
  if (a1 < 0 || b1 < 0) return result;
  const Vec3 u = point[a1].a - point[0].a, v = point[b1].b - point[0].b, x = u.cross(v);
  const double length = x.norm();
  if (length > 1e-6 * u.norm() * v.norm()) offer(x.dot(n) < 0 ? Vec3(-x / length) : Vec3(x / length));
  return result;
}

// Deepest points from the face of the polytope nearest to the origin.
void set_points(const Penetration& p, Approach& r) {
  Simplex s;
  s.count = 3;
  for (int k = 0; k < 3; ++k) s.point[k] = p.face[k];
  reduce_simplex(s);
  r.on_a.setZero();
  r.on_b.setZero();
  for (int k = 0; k < s.count; ++k) {
    r.on_a += s.lambda[k] * s.point[k].a;
    r.on_b += s.lambda[k] * s.point[k].b;
  }
}

// The best of `r.normal` and the normals of all faces.
void try_all_faces(const PlacedConvex& a, const PlacedConvex& b, Approach& r) {
  double best = compute_separation(a, b, r.normal);
  const auto offer = [&](const Vec3& n) {
    const double s = compute_separation(a, b, n);
    if (s > best) best = s, r.normal = n;
  };
  const auto offer_faces = [&](const PlacedConvex& s, double side) {
    if (s.kind == CoreKind::Polyhedron)
      for (int f = 0; f < s.poly->face_count(); ++f) offer(side * face_normal(s, f));
    if (s.kind != CoreKind::Box) return;
    for (int i = 0; i < 3; ++i) {
      offer(s.N.col(i));
      offer(-s.N.col(i));
    }
  };
  offer_faces(a, -1);
  offer_faces(b, 1);
  const MinkowskiPoint w = find_minkowski_support(a, b, -r.normal);
  r.on_a = w.a;
  r.on_b = w.b;
  r.ia = w.ia;
  r.ib = w.ib;
}

// False when the gap exceeds the margin.
bool find_approach(const PlacedConvex& a, const PlacedConvex& b, double margin, Approach& r) {
  // Balls about them tell many rigid ones apart.
  const double reach = a.size + b.size + margin;
  if (a.rigid && b.rigid && (reach < 0 || (a.c - b.c).squaredNorm() > reach * reach * (1 + 1e-12))) return false;
  const bool finite = is_finite(a) && is_finite(b);
  const double size = a.size + b.size, radii = a.radius + b.radius, limit = std::max(margin + radii, 0.0);
  GjkResult g = find_distance(a, b, limit, finite ? 1e-15 : 1e-5);
  if (g.status == GjkStatus::Beyond) return false;

  double expected = g.distance;
  if (g.status == GjkStatus::Apart) {
    r.normal = g.normal;
    if (finite) {
      r.normal = snap_normal(a, b, g.normal, g.simplex.point.data(), g.simplex.count);
      r.ia = g.simplex.point[0].ia;
      r.ib = g.simplex.point[0].ib;
    } else if (const auto exact = polish_normal(a, b, g.normal)) {
      r.normal = *exact;
    } else {
      const GjkResult tight = find_distance(a, b, limit, 1e-15);
      if (tight.status == GjkStatus::Beyond) return false;
      if (tight.status == GjkStatus::Apart) g = tight;
      r.normal = polish_normal(a, b, g.normal).value_or(g.normal);
    }
    r.on_a = g.on_a;
    r.on_b = g.on_b;
  } else {
    // Across ridges a small depth has several ways out of about the same length; a smooth core leaves one.
    const double share = is_smooth(a) || is_smooth(b) || radii > 0 ? 0 : kTold;
    Penetration p = find_penetration(a, b, g.simplex, g.normal, finite ? 1e-15 * size : 1e-4 * size, share);
    r.normal = p.normal;
    expected = p.dimension < 3 ? 0 : p.normal.dot(p.face[0].y);
    if (p.dimension < 3) {
      const MinkowskiPoint w = find_minkowski_support(a, b, -p.normal);
      r.on_a = w.a;
      r.on_b = w.b;
      // Cores without thickness through each other: the nearest points of GJK say where.
      if (g.simplex.count < 4) {
        r.on_a.setZero();
        r.on_b.setZero();
        for (int k = 0; k < g.simplex.count; ++k) {
          r.on_a += g.simplex.lambda[k] * g.simplex.point[k].a;
          r.on_b += g.simplex.lambda[k] * g.simplex.point[k].b;
        }
      }
    } else if (finite) {
      r.normal = snap_normal(a, b, p.normal, p.face.data(), 3);
      r.ia = p.face[0].ia;
      r.ib = p.face[0].ib;
      set_points(p, r);
    } else {
      auto exact = polish_normal(a, b, p.normal);
      if (!exact) {
        p = find_penetration(a, b, g.simplex, g.normal, 1e-9 * size);
        exact = polish_normal(a, b, p.normal);
      }
      r.normal = exact.value_or(p.normal);
      set_points(p, r);
    }
  }
  r.gap = compute_separation(a, b, r.normal, r.ia, r.ib);
  // Curved cores that are apart by less than rounding tells in a thin simplex: looked at again from the way found,
  // where the nearest points are the first ones met.
  if (!finite && g.status == GjkStatus::Overlap && r.gap + radii > -1e-8 * size) {
    const GjkResult again = find_distance(a, b, limit, 1e-15, r.normal);
    if (again.status == GjkStatus::Apart) {
      const Vec3 n = polish_normal(a, b, again.normal).value_or(again.normal);
      if (const double gap = compute_separation(a, b, n); gap > r.gap) {
        r.normal = n;
        r.gap = gap;
        r.on_a = again.on_a;
        r.on_b = again.on_b;
      }
    }
  }
  // Shapes that just touch make simplices without thickness, whose normal is rounding alone. It separates less than
  // the simplex promised; what touches then is a face.
  if (finite && std::abs(r.gap - (expected - radii)) > 1e-10 * size) {
    try_all_faces(a, b, r);
    r.gap = compute_separation(a, b, r.normal, r.ia, r.ib);
  }
  return r.gap <= margin;
}

// The order in which a pair is worked on does not depend on which shape is called a: so exchange gives the same bits.
bool comes_first(const PlacedConvex& a, const PlacedConvex& b) {
  for (int i = 0; i < 3; ++i)
    if (a.c[i] != b.c[i]) return a.c[i] < b.c[i];
  if (a.kind != b.kind) return a.kind < b.kind;
  for (int i = 0; i < 9; ++i)
    if (a.E.data()[i] != b.E.data()[i]) return a.E.data()[i] < b.E.data()[i];
  return true;
}

void collide_ordered(const PlacedConvex& a, const PlacedConvex& b, const Vec3& origin, double margin,
                     std::vector<ContactPoint>& out) {
  Approach r;
  if (!find_approach(a, b, margin, r)) return;
  const Vec3& n = r.normal;

  thread_local FeatureScratch scratch;
  find_feature(a, -n, kAligned, scratch.a, r.ia);
  find_feature(b, n, kAligned, scratch.b, r.ib);
  const bool face_a = scratch.a.vertices.size() > 2, face_b = scratch.b.vertices.size() > 2;
  if (face_a && !face_b) find_feature(b, n, kIncident, scratch.b, r.ib);
  if (face_b && !face_a) find_feature(a, -n, kIncident, scratch.a, r.ia);
  if (scratch.b.is_disc) {
    scratch.plain = scratch.b.vertices;
    refine_disc(b, n, scratch.a.vertices, scratch.b);
    if (scratch.a.is_disc) refine_disc(a, n, scratch.plain, scratch.a);
  } else if (scratch.a.is_disc) {
    refine_disc(a, n, scratch.b.vertices, scratch.a);
  }

  const double small = std::min(a.size, b.size), size = small + 1e-4 * std::max(a.size, b.size);
  const std::size_t first = out.size();
  const double missing = append_overlap(scratch, n, r.gap, margin, size, origin, out) - r.gap;
  if (missing <= 1e-9 * size) {
    // Corners of a face that was joined from several lie off its plane by as much as those differed, and a point of a
    // rim over the end of a steep face by what rounding leaves of its place: the least gap is that of the supporting
    // planes.
    const double rounding = 1e-14 * size;
    if (missing > rounding)
      for (std::size_t k = first; k < out.size(); ++k) out[k].gap -= missing;
    if (missing < -rounding)
      for (std::size_t k = first; k < out.size(); ++k) out[k].gap = std::max(out[k].gap, r.gap);
    return;
  }
  // The features do not hold the nearest points (an edge over a curved one, a sliver lost in clipping): add them.
  const Vec3 middle = (r.on_a - a.radius * n + r.on_b + b.radius * n) / 2;
  out.push_back({-1, -1, origin + middle, n, r.gap, scratch.a.id, scratch.b.id, 0});
}

}  // namespace

const Vec3& find_pair_origin(const Placement& pa, const Placement& pb) {
  for (int i = 0; i < 3; ++i)
    if (pa.c[i] != pb.c[i]) return pa.c[i] < pb.c[i] ? pa.c : pb.c;
  return pa.c;
}

void collide_convex(const PlacedConvex& a, const PlacedConvex& b, const Vec3& origin, double margin,
                    std::vector<ContactPoint>& out) {
  if (comes_first(a, b)) return collide_ordered(a, b, origin, margin, out);
  const std::size_t first = out.size();
  collide_ordered(b, a, origin, margin, out);
  for (std::size_t k = first; k < out.size(); ++k) {
    out[k].normal = -out[k].normal;
    std::swap(out[k].feature_a, out[k].feature_b);
  }
}

void collide_with_plane(const PlacedConvex& a, const Vec3& normal, double offset, const Vec3& origin, double margin,
                        std::vector<ContactPoint>& out) {
  const auto add = [&](const Vec3& x, std::uint32_t id) {
    const double gap = normal.dot(x) - offset;
    if (gap <= margin) out.push_back({-1, -1, origin + x - gap / 2 * normal, normal, gap, id, 0, 0});
  };
  const double lowest = normal.dot(find_support(a, -normal).x) - a.radius - offset;
  if (lowest > margin) return;
  const std::size_t first = out.size();
  if (a.kind == CoreKind::Polyhedron) {
    const std::vector<Vec3>& vertices = a.poly->vertices;
    for (std::size_t k = 0; k < vertices.size(); ++k)
      add(a.c + a.E * vertices[k], make_feature(FeatureKind::Vertex, static_cast<std::uint32_t>(k)));
  } else {
    thread_local SupportingFeature feature;
    find_feature(a, -normal, kIncident, feature);
    for (const FeatureVertex& v : feature.vertices) add(v.x, v.id);
  }
  set_area_weights({out.data() + first, out.size() - first});
}

}  // namespace cairn
