// SPDX-License-Identifier: Apache-2.0
// Contacts of triangulated surfaces: see the header.
#include "cairn/collision/surface_contacts.h"

#include <algorithm>
#include <cmath>

#include "cairn/collision/surface_features.h"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Overlap, as a share of the size, that may make steps where there are none.
constexpr double kLittleOverlap = 0.01;

/// True when x, moved along the normal of face f, meets that face or the part of its plane behind a reflex edge.
bool lies_under(const PlacedMesh& m, int f, const Vec3& x, double level) {
  const PlacedTriangle t = place_triangle(m, f);
  const Vec3 p = x - t.height(x) * t.normal;
  for (int k = 0; k < 3; ++k)
    if (t.inward[k].dot(p - t.x[k]) < -level &&
        !(m.mesh->edges[at(m.mesh->triangle_edges[at(f)][at(k)])].convexity < 0))
      return false;
  return true;
}

}  // namespace

void SurfaceContacts::add(bool turned, const Vec3& x, const Vec3& on_other, const Vec3& normal, double gap,
                          double slack, std::uint32_t feature, std::uint32_t other, bool on_face) {
  if (turned) {
    found_.push_back({on_other, x, -normal, gap, slack, other, feature, on_face});
  } else {
    found_.push_back({x, on_other, normal, gap, slack, feature, other, on_face});
  }
}

void SurfaceContacts::point_on_face(const Vec3& x, double height, std::uint32_t feature, const PlacedMesh* other, int v,
                                    const PlacedMesh& m, const PlacedTriangle& t, bool turned,
                                    std::optional<double> depth) {
  if (height > margin_ || height < -reach_) return;
  const Vec3 p = x - height * t.normal;
  const double level = kSurfaceLength * size_;
  double slack = INFINITY;
  double beyond = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = t.inward[k].dot(p - t.x[k]);
    const MeshData::Edge& e = m.mesh->edges[at(m.mesh->triangle_edges[at(t.id)][at(k)])];
    // Behind a reflex edge the faces go on: a point that is below both projects on neither.
    if (d < -level) {
      if (!(e.convexity < 0 && height < -level)) return;
      // An open surface ends at its rim, and what lies past it is below nothing.
      if (!m.mesh->closed && !lies_under(m, e.f0 == t.id ? e.f1 : e.f0, x, level)) return;
      beyond = std::max(beyond, -d);
    }
    if (can_touch(e)) slack = std::min(slack, d);
  }
  // On the border of a face a vertex touches that face only if it looks at it: otherwise the next one, or the edge.
  if (other && slack <= level && std::abs(height) <= level && !is_extreme(*other, v, -t.normal, kSurfaceSine)) return;
  if (height < -level) {
    // Below a face does not mean inside: it may be past the far side. Beyond a reflex edge that edge must be the
    // nearest there is.
    if (beyond > 0 && std::hypot(height, beyond) > reach_) return;
    if (!depth) depth = depth_inside(m, x, beyond > 0 ? INFINITY : -height);
    if (*depth <= 0 || (beyond > 0 && *depth < -height * (1 - 1e-6))) return;
  }
  add(turned, x, p, t.normal, height, slack, feature, face_id(t.id), true);
}

void SurfaceContacts::point_on_edge(const Vec3& x, std::uint32_t feature, const PlacedMesh* other, int v,
                                    const PlacedEdge& edge, bool turned) {
  const double share = edge.along.dot(x - edge.from) / (edge.length * edge.length);
  const double slack = edge.length * std::min(share, 1 - share);
  if (slack <= 0) return;  // a vertex is nearer
  const Vec3 p = edge.from + share * edge.along, w = x - p;
  const double gap = w.norm();
  if (gap > margin_ || gap <= kSurfaceLength * size_) return;
  const Vec3 n = w / gap;
  if (!edge.looks_along(n, -kSurfaceSine)) return;
  if (other && !is_extreme(*other, v, -n, -kSurfaceSine)) return;
  add(turned, x, p, n, gap, slack, feature, edge_id(edge.id), false);
}

void SurfaceContacts::segment_on_edge(const RoundCore& a, const PlacedMesh& b, const PlacedEdge& q) {
  const Vec3 d = a.to - a.from;
  double s, t;
  if (!nearest_on_lines(a.from, d, q.from, q.along, s, t) || !(s > 0 && s < 1 && t > 0 && t < 1)) return;
  Vec3 n = d.cross(q.along).normalized();
  if (n.dot(q.outward) < 0) n = -n;
  if (!q.looks_along(n, kSurfaceSine)) return;
  const Vec3 x = a.from + s * d, y = q.from + t * q.along;
  const double gap = n.dot(x - y);
  if (gap > margin_ || gap < -std::min(reach_, 0.2 * std::min(d.norm(), q.length))) return;
  if (gap < -kSurfaceLength * size_ && !enters_below(b, q, y, x, d, -s, 1 - s)) return;
  add(false, x, y, n, gap, std::min(t, 1 - t) * q.length, make_feature(FeatureKind::Line), edge_id(q.id), false);
  if (gap < -kSurfaceLength * size_) {
    found_.back().edges = static_cast<int>(edges_.size());
    edges_.push_back({a.from, d, q.from, q.along});
  }
}

void SurfaceContacts::find(const RoundCore& a, const PlacedMesh& b, const Vec3& origin, double margin,
                           std::vector<ContactPoint>& out) {
  found_.clear();
  edges_.clear();
  margin_ = margin + a.radius;
  reach_ = margin_;  // the core may sink in as deep as the ball is thick
  size_ = std::max(b.size(), a.radius);
  const bool sphere = a.from == a.to;
  const Mat3& inverse = b.inverse;
  Aabb box;
  for (const Vec3& x : {a.from, a.to}) box.merge(Vec3(inverse * (x - b.c)));
  const Vec3 grow = margin_ * inverse.rowwise().norm();
  box.lo -= grow;
  box.hi += grow;
  for_each_overlap(b.mesh->tree, box, [&](int j) {
    const PlacedTriangle t = place_triangle(b, j);
    const double heights[] = {t.height(a.from), t.height(a.to)};
    if (std::min(heights[0], heights[1]) > margin_) return;
    const auto &corners = b.mesh->triangles[at(j)], &edges = b.mesh->triangle_edges[at(j)];
    const int answers = b.mesh->answers[at(j)];
    for (int end = 0; end < (sphere ? 1 : 2); ++end) {
      const Vec3& x = end == 0 ? a.from : a.to;
      const std::uint32_t id = sphere ? make_feature(FeatureKind::Surface) : vertex_id(end);
      point_on_face(x, heights[end], id, nullptr, 0, b, t, false);
      for (std::size_t k = 0; k < 3; ++k) {
        if (answers >> (3 + k) & 1) point_on_edge(x, id, nullptr, 0, place_edge(b, edges[k]), false);
        if (!(answers >> k & 1)) continue;
        const Vec3 w = x - t.x[k];
        const double gap = w.norm();
        if (gap > margin_ || gap <= kSurfaceLength * size_) continue;
        if (!sphere && (end == 0 ? 1 : -1) * w.dot(a.to - a.from) < 0) continue;  // the segment is nearer
        if (is_extreme(b, corners[k], w / gap, -kSurfaceSine))
          add(false, x, t.x[k], w / gap, gap, INFINITY, id, vertex_id(corners[k]), false);
      }
    }
    if (sphere) return;
    const Vec3 d = a.to - a.from;
    for (std::size_t k = 0; k < 3; ++k) {
      if (answers >> (3 + k) & 1) segment_on_edge(a, b, place_edge(b, edges[k]));
      if (!(answers >> k & 1)) continue;
      const double along = d.dot(t.x[k] - a.from) / d.squaredNorm();
      if (!(along > 0 && along < 1)) continue;
      const Vec3 x = a.from + along * d, w = x - t.x[k];
      const double gap = w.norm();
      if (gap > margin_ || gap <= kSurfaceLength * size_) continue;
      if (is_extreme(b, corners[k], w / gap, -kSurfaceSine))
        add(false, x, t.x[k], w / gap, gap, INFINITY, make_feature(FeatureKind::Line), vertex_id(corners[k]), false);
    }
  });
  finish(a.radius, origin, margin, out);
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
      for (std::size_t corner = 0; corner < 3; ++corner) {
        if (!(a.mesh->answers[at(t)] >> corner & 1)) continue;
        const int v = a.mesh->triangles[at(t)][corner];
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

void SurfaceContacts::drop_repeated() {
  // The same point found twice, from two triangles in one plane or from two pairs of features, lies at the same place
  // along x.
  const double same = 1e-9 * size_;
  order_.resize(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) order_[i] = static_cast<int>(i);
  std::sort(order_.begin(), order_.end(), [&](int i, int k) {
    const double x = found_[at(i)].on_a.x(), y = found_[at(k)].on_a.x();
    return x != y ? x < y : i < k;
  });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Found& c = found_[at(order_[i])];
    for (std::size_t k = i + 1; k < order_.size() && found_[at(order_[k])].on_a.x() - c.on_a.x() <= same; ++k) {
      const Found& o = found_[at(order_[k])];
      if (c.normal.dot(o.normal) > 1 - 1e-12 && std::abs(c.gap - o.gap) <= same &&
          (c.on_a - o.on_a).squaredNorm() <= same * same)
        dropped_[at(std::max(order_[i], order_[k]))] = 1;  // the first found stays
    }
  }
}

void SurfaceContacts::drop_explained(double radius) {
  // Where bodies overlap by more the rest is not explained by it.
  const double little = kLittleOverlap * size_, level = kSurfaceLength * size_;
  double deepest = 0;
  for (const Found& c : found_) deepest = std::max(deepest, std::min(little, radius - c.gap));
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found& c = found_[i];
    const bool leaves_face = c.on_face && c.gap < -level, leaves_edge = c.edges >= 0;
    const bool is_step = c.gap - radius > level && c.slack < 2 * deepest;
    if (!leaves_face && !leaves_edge && !is_step) continue;
    for (std::size_t k = 0; k < found_.size() && !dropped_[i]; ++k) {
      const Found& o = found_[k];
      if (k == i || c.normal.dot(o.normal) > 0.9) continue;
      // The same point below two faces of a convex corner leaves by the nearer one.
      if (leaves_face && o.on_face && c.gap < o.gap) {
        const bool of_a = c.feature_a == o.feature_a, of_b = c.feature_b == o.feature_b;
        if (of_a && o.normal.dot(c.on_b - o.on_b) < -level) dropped_[i] = 1;
        if (of_b && o.normal.dot(c.on_a - o.on_a) > level) dropped_[i] = 1;
      }
      // Edges that no longer cross once a shallower overlap is undone never overlapped by themselves.
      if (leaves_edge && o.on_face && o.gap < -level && o.gap > c.gap) {
        const EdgePair& e = edges_[at(c.edges)];
        double s, t;
        if (!nearest_on_lines(e.from_a - o.gap * o.normal, e.along_a, e.from_b, e.along_b, s, t) ||
            !(s > 0 && s < 1 && t > 0 && t < 1))
          dropped_[i] = 1;
      }
      // A step that is there only because the bodies overlap a little elsewhere is no step.
      if (is_step && c.slack < 2 * std::min(little, radius - o.gap)) dropped_[i] = 1;
    }
  }
}

void SurfaceContacts::finish(double radius, const Vec3& origin, double margin, std::vector<ContactPoint>& out) {
  dropped_.assign(found_.size(), 0);
  drop_repeated();
  drop_explained(radius);
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
