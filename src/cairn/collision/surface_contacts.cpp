// SPDX-License-Identifier: Apache-2.0
// Contacts of triangulated surfaces: see the header.
#include "cairn/collision/surface_contacts.h"

#include <algorithm>
#include <cmath>

#include "cairn/collision/convex_pair.h"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Angles and shares of sizes below which differences are rounding.
constexpr double kSine = 1e-9, kLength = 1e-12;

std::uint32_t vertex_id(int v) { return make_feature(FeatureKind::Vertex, static_cast<std::uint32_t>(v)); }
std::uint32_t edge_id(int e) { return make_feature(FeatureKind::Edge, static_cast<std::uint32_t>(e)); }
std::uint32_t face_id(int f) { return make_feature(FeatureKind::Face, static_cast<std::uint32_t>(f)); }

/// Parameters of the points of two lines nearest to each other; false where they are parallel.
bool nearest_on_lines(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e, double& s, double& t) {
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), det = dd * ee - de * de;
  if (!(det > 1e-14 * dd * ee)) return false;
  const Vec3 w = q - p;
  s = (ee * d.dot(w) - de * e.dot(w)) / det;
  t = (de * d.dot(w) - dd * e.dot(w)) / det;
  return true;
}

}  // namespace

SurfaceContacts::Triangle SurfaceContacts::place_triangle(const PlacedMesh& m, int t) {
  const auto& corners = m.mesh->triangles[at(t)];
  return {{m.vertex(corners[0]), m.vertex(corners[1]), m.vertex(corners[2])}, m.normal(t), t};
}

void SurfaceContacts::add(bool turned, const Vec3& x, const Vec3& on_other, const Vec3& normal, double gap,
                          double slack, std::uint32_t feature, std::uint32_t other, bool on_face) {
  if (turned) {
    found_.push_back({on_other, x, -normal, gap, slack, other, feature, on_face});
  } else {
    found_.push_back({x, on_other, normal, gap, slack, feature, other, on_face});
  }
}

void SurfaceContacts::point_on_face(const Vec3& x, std::uint32_t feature, const PlacedMesh& m, const Triangle& t,
                                    bool turned) {
  const double s = t.normal.dot(x - t.x[0]);
  if (s > margin_ || s < -reach_) return;
  const Vec3 p = x - s * t.normal;
  double slack = INFINITY;
  bool beyond_edge = false;
  for (int k = 0; k < 3; ++k) {
    const Vec3 inward = t.normal.cross(t.x[(k + 1) % 3] - t.x[k]).normalized();
    const double d = inward.dot(p - t.x[k]);
    const MeshData::Edge& e = m.mesh->edges[at(m.mesh->triangle_edges[at(t.id)][at(k)])];
    // Behind a reflex edge the faces go on: a point that is below both projects on neither.
    if (d < -kLength * size_) {
      if (!(e.convexity < 0 && s < 0)) return;
      beyond_edge = true;
    }
    if (can_touch(e)) slack = std::min(slack, d);
  }
  if (s < -kLength * size_) {
    // Below a face does not mean inside: it may be past the far side. Beyond a reflex edge that edge must be the
    // nearest there is.
    const double depth = depth_inside(m, x);
    if (depth <= 0 || (beyond_edge && depth < -s * (1 - 1e-6))) return;
  }
  add(turned, x, p, t.normal, s, slack, feature, face_id(t.id), true);
}

void SurfaceContacts::point_on_edge(const Vec3& x, std::uint32_t feature, const PlacedMesh* other, int v,
                                    const PlacedMesh& m, int e, bool turned) {
  const PlacedEdge edge = place_edge(m, m.mesh->edges[at(e)]);
  const Vec3 d = edge.to - edge.from;
  const double length = d.norm(), along = d.dot(x - edge.from) / length;
  const double slack = std::min(along, length - along);
  if (slack <= 0) return;  // a vertex is nearer
  const Vec3 p = edge.from + (along / length) * d, w = x - p;
  const double gap = w.norm();
  if (gap > margin_ || gap <= kLength * size_) return;
  const Vec3 n = w / gap;
  if (!edge.looks_along(n, -kSine) || n.dot(edge.normal0 + edge.normal1) <= 0) return;
  if (other && !is_extreme(*other, v, -n, -kSine)) return;
  add(turned, x, p, n, gap, slack, feature, edge_id(e), false);
}

void SurfaceContacts::vertex_on_vertex(const PlacedMesh& a, int va, const PlacedMesh& b, int vb) {
  const Vec3 x = a.vertex(va), y = b.vertex(vb), w = x - y;
  const double gap = w.norm();
  if (gap > margin_ || gap <= kLength * size_) return;
  const Vec3 n = w / gap;
  if (!is_extreme(b, vb, n, -kSine) || !is_extreme(a, va, -n, -kSine)) return;
  add(false, x, y, n, gap, INFINITY, vertex_id(va), vertex_id(vb), false);
}

void SurfaceContacts::edge_on_edge(const PlacedMesh& a, int ea, const PlacedMesh& b, int eb) {
  const PlacedEdge p = place_edge(a, a.mesh->edges[at(ea)]), q = place_edge(b, b.mesh->edges[at(eb)]);
  const Vec3 d = p.to - p.from, e = q.to - q.from;
  double s, t;
  if (!nearest_on_lines(p.from, d, q.from, e, s, t)) return;
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
  Vec3 n = d.cross(e).normalized();
  // Of the two normals the one that points out of b and into a.
  if (n.dot(q.normal0 + q.normal1) < 0) n = -n;
  if (!q.looks_along(n, kSine) || !p.looks_along(-n, kSine) || n.dot(p.normal0 + p.normal1) >= 0) return;
  const Vec3 x = p.from + s * d, y = q.from + t * e;
  const double gap = n.dot(x - y), la = d.norm(), lb = e.norm();
  if (gap > margin_ || gap < -std::min(reach_, 0.2 * std::min(la, lb))) return;
  if (gap < -kLength * size_ && (depth_inside(b, x) <= 0 || depth_inside(a, y) <= 0)) return;
  const double slack = std::min({s * la, (1 - s) * la, t * lb, (1 - t) * lb});
  add(false, x, y, n, gap, slack, edge_id(ea), edge_id(eb), false);
  if (gap < 0) {
    found_.back().edges = static_cast<int>(edges_.size());
    edges_.push_back({p.from, d, q.from, e});
  }
}

void SurfaceContacts::segment_on_edge(const RoundCore& a, const PlacedMesh& b, int eb) {
  const PlacedEdge q = place_edge(b, b.mesh->edges[at(eb)]);
  const Vec3 d = a.to - a.from, e = q.to - q.from;
  double s, t;
  if (!nearest_on_lines(a.from, d, q.from, e, s, t) || !(s > 0 && s < 1 && t > 0 && t < 1)) return;
  Vec3 n = d.cross(e).normalized();
  if (n.dot(q.normal0 + q.normal1) < 0) n = -n;
  if (!q.looks_along(n, kSine)) return;
  const Vec3 x = a.from + s * d, y = q.from + t * e;
  const double gap = n.dot(x - y), le = e.norm();
  if (gap > margin_ || gap < -std::min(reach_, 0.2 * std::min(d.norm(), le))) return;
  if (gap < -kLength * size_ && depth_inside(b, x) <= 0) return;
  add(false, x, y, n, gap, std::min(t, 1 - t) * le, make_feature(FeatureKind::Line), edge_id(eb), false);
  if (gap < 0) {
    found_.back().edges = static_cast<int>(edges_.size());
    edges_.push_back({a.from, d, q.from, e});
  }
}

void SurfaceContacts::find(const PlacedMesh& a, const PlacedMesh& b, const Vec3& origin, double margin, double reach,
                           std::vector<ContactPoint>& out) {
  margin_ = margin;
  size_ = std::max(a.mesh->radius, b.mesh->radius);
  // Few bodies overlap by more than the margin: only where triangles cross and the overlaps found are not well within
  // what was searched, the search goes deeper.
  for (reach_ = std::max(margin, 1e-3 * reach);; reach_ = std::min(reach, 4 * reach_)) {
    const bool crossing = find_pairs(a, b);
    double deepest = 0;
    for (const Found& c : found_) deepest = std::max(deepest, -c.gap);
    if (!crossing || reach_ >= reach || (deepest > 0 && deepest < 0.5 * reach_)) break;
  }
  finish(0, origin, margin, out);
}

bool SurfaceContacts::find_pairs(const PlacedMesh& a, const PlacedMesh& b) {
  found_.clear();
  edges_.clear();
  bool crossing = false;
  // Tree against tree in the frame of a.
  const Placement b_in_a{a.inverse * b.A, a.inverse * (b.c - a.c)};
  const double stretch = a.rigid ? 1 : a.inverse.rowwise().norm().maxCoeff();
  const auto facing = [](const PlacedMesh& m, int v, const Vec3& n) {
    // Behind what touches there is the far side of a thin body: it looks the other way.
    return (m.cofactors * m.mesh->vertex_normals[at(v)]).dot(n) < 0 || is_extreme(m, v, -n, kSine);
  };
  int last_a = -1;
  Triangle ta;
  for_each_pair(a.mesh->tree, b.mesh->tree, b_in_a, reach_ * stretch, [&](int i, int j) {
    if (i != last_a) ta = place_triangle(a, i), last_a = i;
    const Triangle tb = place_triangle(b, j);
    const auto heights = [](const Triangle& t, const Triangle& u) {
      const double x = t.normal.dot(u.x[0] - t.x[0]), y = t.normal.dot(u.x[1] - t.x[0]),
                   z = t.normal.dot(u.x[2] - t.x[0]);
      return std::pair(std::min({x, y, z}), std::max({x, y, z}));
    };
    const auto [low_b, high_b] = heights(ta, tb);
    if (low_b > margin_) return;
    const auto [low_a, high_a] = heights(tb, ta);
    if (low_a > margin_) return;
    crossing |= low_b < 0 && high_b > 0 && low_a < 0 && high_a > 0;
    const auto &ca = a.mesh->triangles[at(i)], &cb = b.mesh->triangles[at(j)];
    const auto &ea = a.mesh->triangle_edges[at(i)], &eb = b.mesh->triangle_edges[at(j)];
    bool own_a[3], own_b[3], touch_a[3], touch_b[3];
    for (std::size_t k = 0; k < 3; ++k) {
      own_a[k] = a.owner(ca[k]) == i && can_touch(*a.mesh, ca[k]);
      own_b[k] = b.owner(cb[k]) == j && can_touch(*b.mesh, cb[k]);
      const MeshData::Edge &p = a.mesh->edges[at(ea[k])], &q = b.mesh->edges[at(eb[k])];
      touch_a[k] = p.f0 == i && can_touch(p);
      touch_b[k] = q.f0 == j && can_touch(q);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (own_a[k] && facing(a, ca[k], tb.normal)) point_on_face(ta.x[k], vertex_id(ca[k]), b, tb, false);
      if (own_b[k] && facing(b, cb[k], ta.normal)) point_on_face(tb.x[k], vertex_id(cb[k]), a, ta, true);
      for (std::size_t l = 0; l < 3; ++l) {
        if (touch_a[k] && touch_b[l]) edge_on_edge(a, ea[k], b, eb[l]);
        if (own_a[k] && touch_b[l]) point_on_edge(ta.x[k], vertex_id(ca[k]), &a, ca[k], b, eb[l], false);
        if (touch_a[k] && own_b[l]) point_on_edge(tb.x[l], vertex_id(cb[l]), &b, cb[l], a, ea[k], true);
        if (own_a[k] && own_b[l]) vertex_on_vertex(a, ca[k], b, cb[l]);
      }
    }
  });
  return crossing;
}

void SurfaceContacts::find(const RoundCore& a, const PlacedMesh& b, const Vec3& origin, double margin,
                           std::vector<ContactPoint>& out) {
  found_.clear();
  edges_.clear();
  margin_ = margin + a.radius;
  reach_ = margin_;  // the core may sink in as deep as the ball is thick
  size_ = std::max(b.mesh->radius, a.radius);
  const bool sphere = a.from == a.to;
  const Mat3& inverse = b.inverse;
  Aabb box;
  for (const Vec3& x : {a.from, a.to}) box.merge(Vec3(inverse * (x - b.c)));
  const Vec3 grow = margin_ * inverse.rowwise().norm();
  box.lo -= grow;
  box.hi += grow;
  for_each_overlap(b.mesh->tree, box, [&](int j) {
    const Triangle t = place_triangle(b, j);
    if (std::min(t.normal.dot(a.from - t.x[0]), t.normal.dot(a.to - t.x[0])) > margin_) return;
    const auto &corners = b.mesh->triangles[at(j)], &edges = b.mesh->triangle_edges[at(j)];
    for (int end = 0; end < (sphere ? 1 : 2); ++end) {
      const Vec3& x = end == 0 ? a.from : a.to;
      const std::uint32_t id = sphere ? make_feature(FeatureKind::Surface) : vertex_id(end);
      point_on_face(x, id, b, t, false);
      for (std::size_t k = 0; k < 3; ++k) {
        const MeshData::Edge& e = b.mesh->edges[at(edges[k])];
        if (e.f0 == j && can_touch(e)) point_on_edge(x, id, nullptr, 0, b, edges[k], false);
        if (b.owner(corners[k]) != j || !can_touch(*b.mesh, corners[k])) continue;
        const Vec3 w = x - t.x[k];
        const double gap = w.norm();
        if (gap > margin_ || gap <= kLength * size_) continue;
        if (!sphere && (end == 0 ? 1 : -1) * w.dot(a.to - a.from) < 0) continue;  // the segment is nearer
        if (is_extreme(b, corners[k], w / gap, -kSine))
          add(false, x, t.x[k], w / gap, gap, INFINITY, id, vertex_id(corners[k]), false);
      }
    }
    if (sphere) return;
    const Vec3 d = a.to - a.from;
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshData::Edge& e = b.mesh->edges[at(edges[k])];
      if (e.f0 == j && can_touch(e)) segment_on_edge(a, b, edges[k]);
      if (b.owner(corners[k]) != j || !can_touch(*b.mesh, corners[k])) continue;
      const double along = d.dot(t.x[k] - a.from) / d.squaredNorm();
      if (!(along > 0 && along < 1)) continue;
      const Vec3 x = a.from + along * d, w = x - t.x[k];
      const double gap = w.norm();
      if (gap > margin_ || gap <= kLength * size_) continue;
      if (is_extreme(b, corners[k], w / gap, -kSine))
        add(false, x, t.x[k], w / gap, gap, INFINITY, make_feature(FeatureKind::Line), vertex_id(corners[k]), false);
    }
  });
  finish(a.radius, origin, margin, out);
}

void SurfaceContacts::find(const PlacedConvex& a, const PlacedMesh& b, const Vec3& origin, double margin, double reach,
                           std::vector<ContactPoint>& out) {
  found_.clear();
  edges_.clear();
  margin_ = margin;
  reach_ = std::max(reach, margin);
  size_ = std::max(b.mesh->radius, a.size);
  const Mat3& inverse = b.inverse;
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = inverse.row(k).transpose(), u = d.normalized();
    const double shift = d.dot(b.c), room = (a.radius + margin) * d.norm();
    box.hi[k] = d.dot(find_support(a, u).x) + room - shift;
    box.lo[k] = d.dot(find_support(a, -u).x) - room - shift;
  }
  // A feature of b as a convex core, whose contacts with a count when they leave b outwards.
  const auto collide_core = [&](const PlacedConvex& core, std::uint32_t id, auto&& looks_along, double slack) {
    points_.clear();
    collide_convex(a, core, Vec3::Zero(), margin, points_);
    for (const ContactPoint& p : points_) {
      if (p.gap < -reach_ || !looks_along(p.normal)) continue;
      const Vec3 half = 0.5 * p.gap * p.normal;
      add(false, p.point + half, p.point - half, p.normal, p.gap, slack, p.feature_a, id, false);
    }
  };
  for_each_overlap(b.mesh->tree, box, [&](int j) {
    const Triangle t = place_triangle(b, j);
    const double lowest = t.normal.dot(find_support(a, -t.normal).x - t.x[0]) - a.radius;
    if (lowest > margin_) return;
    if (lowest >= -reach_) {
      find_feature(a, -t.normal, 0.1, feature_);
      for (const FeatureVertex& v : feature_.vertices) point_on_face(v.x, v.id, b, t, false);
    }
    const auto &corners = b.mesh->triangles[at(j)], &edges = b.mesh->triangle_edges[at(j)];
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshData::Edge& e = b.mesh->edges[at(edges[k])];
      if (e.f0 == j && can_touch(e)) {
        const PlacedEdge edge = place_edge(b, e);
        PlacedConvex core;
        core.kind = CoreKind::Segment;
        core.c = 0.5 * (edge.from + edge.to);
        core.E.col(2) = 0.5 * (edge.to - edge.from);
        core.size = core.E.col(2).norm();
        const Vec3 out_of = edge.normal0 + edge.normal1;
        collide_core(
            core, edge_id(edges[k]), [&](const Vec3& n) { return edge.looks_along(n, kSine) && n.dot(out_of) > 0; },
            INFINITY);
      }
      if (b.owner(corners[k]) == j && can_touch(*b.mesh, corners[k])) {
        PlacedConvex core;
        core.c = t.x[k];
        collide_core(
            core, vertex_id(corners[k]), [&](const Vec3& n) { return is_extreme(b, corners[k], n, kSine); }, INFINITY);
      }
    }
  });
  finish(0, origin, margin, out);
}

void SurfaceContacts::find(const PlacedMesh& a, const Vec3& normal, double offset, const Vec3& origin, double margin,
                           std::vector<ContactPoint>& out) {
  // Boxes of the tree above the plane are passed over.
  const Vec3 u = a.A.transpose() * normal;
  const double level = offset - normal.dot(a.c);
  const BoxTree& tree = a.mesh->tree;
  const auto height = [&](const Aabb& box) {
    return u.dot((box.lo + box.hi) / 2) - u.cwiseAbs().dot((box.hi - box.lo) / 2) - level;
  };
  std::array<int, BoxTree::kMaxDepth + 2> stack;
  int top = 0;
  if (!tree.nodes.empty()) stack[at(top++)] = 0;
  while (top > 0) {
    const int k = stack[at(--top)];
    const BoxTree::Node& node = tree.nodes[at(k)];
    if (height(node.box) > margin) continue;
    if (!node.is_leaf()) {
      stack[at(top++)] = node.first;
      stack[at(top++)] = k + 1;
      continue;
    }
    for (int m = 0; m < node.count; ++m) {
      const int t = tree.items[at(node.first + m)];
      for (const int v : a.mesh->triangles[at(t)]) {
        if (a.owner(v) != t || !can_touch(*a.mesh, v)) continue;
        const Vec3 x = a.vertex(v);
        const double gap = normal.dot(x) - offset;
        if (gap > margin) continue;
        ContactPoint c;
        c.point = x - 0.5 * gap * normal + origin;
        c.normal = normal;
        c.gap = gap;
        c.feature_a = vertex_id(v);
        c.feature_b = make_feature(FeatureKind::Surface);
        out.push_back(c);
      }
    }
  }
}

void SurfaceContacts::finish(double radius, const Vec3& origin, double margin, std::vector<ContactPoint>& out) {
  dropped_.assign(found_.size(), 0);
  const double same = 1e-9 * size_;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    Found& c = found_[i];
    for (std::size_t k = 0; k < found_.size() && !dropped_[i]; ++k) {
      if (k == i) continue;
      const Found& o = found_[k];
      const double cosine = c.normal.dot(o.normal);
      // The same point found twice, from two triangles in one plane or from two pairs of features.
      if (k < i && !dropped_[k] && cosine > 1 - 1e-12 && std::abs(c.gap - o.gap) <= same &&
          (c.on_a - o.on_a).squaredNorm() <= same * same)
        dropped_[i] = 1;
      if (cosine > 0.9) continue;
      // The same point below two faces of a convex corner leaves by the nearer one.
      if (c.on_face && o.on_face && c.gap < 0 && c.gap < o.gap) {
        const bool of_a = c.feature_a == o.feature_a, of_b = c.feature_b == o.feature_b;
        if (of_a && o.normal.dot(c.on_b - o.on_b) < 0) dropped_[i] = 1;
        if (of_b && o.normal.dot(c.on_a - o.on_a) > 0) dropped_[i] = 1;
      }
      // Edges that no longer cross once a shallower overlap is undone never overlapped by themselves.
      if (c.edges >= 0 && o.on_face && o.gap < 0 && o.gap > c.gap) {
        const EdgePair& e = edges_[at(c.edges)];
        double s, t;
        if (!nearest_on_lines(e.from_a - o.gap * o.normal, e.along_a, e.from_b, e.along_b, s, t) ||
            !(s > 0 && s < 1 && t > 0 && t < 1))
          dropped_[i] = 1;
      }
      // A step that is there only because the bodies overlap a little elsewhere is no step.
      if (c.gap - radius > 0 && c.slack < -2 * (o.gap - radius)) dropped_[i] = 1;
    }
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (dropped_[i]) continue;
    const Found& c = found_[i];
    const double gap = c.gap - radius;
    if (gap > margin) continue;
    ContactPoint p;
    p.point = 0.5 * (c.on_a - radius * c.normal + c.on_b) + origin;
    p.normal = c.normal;
    p.gap = gap;
    p.feature_a = c.feature_a;
    p.feature_b = c.feature_b;
    out.push_back(p);
  }
}

}  // namespace cairn
