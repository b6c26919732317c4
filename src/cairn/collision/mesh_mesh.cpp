// SPDX-License-Identifier: Apache-2.0
// Contacts of two triangulated surfaces, tree against tree: see surface_contacts.h.
#include <algorithm>
#include <cmath>

#include "cairn/collision/surface_contacts.h"
#include "cairn/collision/surface_features.h"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Share of the shorter of two edges up to which they cross with their sides and not with their ends.
constexpr double kEdgeDepth = 0.2;

/// True when an edge of u, whose corners have these heights above t, goes through t.
bool pierces(const PlacedTriangle& u, const double heights[3], const PlacedTriangle& t) {
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3;
    if (!(heights[k] * heights[l] < 0)) continue;
    const Vec3 x = u.x[k] + heights[k] / (heights[k] - heights[l]) * (u.x[l] - u.x[k]);
    if (t.inward[0].dot(x - t.x[0]) >= 0 && t.inward[1].dot(x - t.x[1]) >= 0 && t.inward[2].dot(x - t.x[2]) >= 0)
      return true;
  }
  return false;
}

/// Behind what touches there is the far side of a thin body: it looks the other way.
bool faces(const PlacedMesh& m, int v, const Vec3& n) {
  return (m.cofactors * m.mesh->vertex_normals[at(v)]).dot(n) < 0 || is_extreme(m, v, -n, kSurfaceSine);
}

}  // namespace

void SurfaceContacts::vertex_on_vertex(const PlacedMesh& a, int va, const Vec3& x, const PlacedMesh& b, int vb,
                                       const Vec3& y) {
  const Vec3 w = x - y;
  const double gap = w.norm();
  if (gap > margin_ || gap <= kSurfaceLength * size_) return;
  const Vec3 n = w / gap;
  if (!is_extreme(b, vb, n, -kSurfaceSine) || !is_extreme(a, va, -n, -kSurfaceSine)) return;
  add(false, x, y, n, gap, INFINITY, vertex_id(va), vertex_id(vb), false);
}

void SurfaceContacts::edge_on_edge(const PlacedMesh& a, const PlacedEdge& p, const PlacedMesh& b, const PlacedEdge& q) {
  const double depth = std::min(reach_, kEdgeDepth * std::min(p.length, q.length));
  double s, t;
  if (!nearest_on_lines(p.from, p.along, q.from, q.along, s, t)) return;
  // The end of an edge that lies on the other edge is part of both, whatever rounding says.
  const double level = kSurfaceLength * size_;
  const double slack = std::min(std::min(s, 1 - s) * p.length, std::min(t, 1 - t) * q.length);
  if (!(slack > -level)) return;
  Vec3 n = p.along.cross(q.along).normalized();
  // Of the two normals the one that points out of b and into a.
  if (n.dot(q.outward) < 0) n = -n;
  if (!q.looks_along(n, kSurfaceSine) || !p.looks_along(-n, kSurfaceSine)) return;
  const Vec3 x = p.from + s * p.along, y = q.from + t * q.along;
  const double gap = n.dot(x - y);
  if (gap > margin_ || gap < -depth) return;
  if (gap < -level && !(enters_below(b, q, y, x, p.along, -s, 1 - s) && enters_below(a, p, x, y, q.along, -t, 1 - t)))
    return;
  add(false, x, y, n, gap, slack, edge_id(p.id), edge_id(q.id), false);
  if (gap < -level) {
    found_.back().edges = static_cast<int>(edges_.size());
    edges_.push_back({p.from, p.along, q.from, q.along});
  }
}

void SurfaceContacts::find(const PlacedMesh& a, const PlacedMesh& b, const Vec3& origin, double margin, double reach,
                           std::vector<ContactPoint>& out) {
  margin_ = margin;
  size_ = std::max(a.size(), b.size());
  a_.reset(a);
  b_.reset(b);
  // Few bodies overlap by more than the margin: the search goes deeper only where triangles cross.
  reach_ = std::max(margin, 1e-3 * reach);
  find_near();
  if (!inside_a_.crossings.empty()) {
    follow_inside(a_, b_, inside_a_);
    follow_inside(b_, a_, inside_b_);
    reach_ = reach;
    find_deep();
  }
  finish(0, origin, margin, out);
}

void SurfaceContacts::follow_inside(MetFeatures& a, MetFeatures& b, Inside& inside) {
  const MeshData& mesh = a.mesh();
  vertex_use_.reset(mesh.vertices.size());
  edge_use_.reset(mesh.edges.size());
  inside.vertices.clear();
  inside.edges.clear();
  front_.clear();
  const auto visit_edge = [&](int e) {
    if (!can_touch(mesh.edges[at(e)]) || edge_use_.find(e).second) return;
    const PlacedEdge& edge = a.edge(e);
    inside.edges.push_back({e, 0.5 * edge.length, edge.middle});
  };
  const auto visit = [&](int v, double within) {
    if (!vertex_use_.find(v).second) front_.emplace_back(v, within);
  };
  // One entry per triangle, with its corners below any of those it crosses.
  triangle_use_.reset(mesh.triangles.size());
  std::size_t count = 0;
  for (const Crossing& c : inside.crossings) {
    const auto [k, met] = triangle_use_.find(c.triangle);
    if (met)
      inside.crossings[at(k)].below |= c.below;
    else
      inside.crossings[count++] = c;
  }
  inside.crossings.resize(count);
  // Above all triangles that this one crosses a corner is outside: the way to them along the triangle ends above them.
  for (const Crossing& c : inside.crossings)
    for (std::size_t k = 0; k < 3; ++k)
      if (!(c.below >> k & 1)) vertex_use_.find(mesh.triangles[at(c.triangle)][k]);
  for (const Crossing& c : inside.crossings) {
    // An edge goes inside only with one of its ends below the triangle it goes through.
    for (std::size_t k = 0; k < 3; ++k)
      if ((c.below >> k | c.below >> (k + 1) % 3) & 1) visit_edge(mesh.triangle_edges[at(c.triangle)][k]);
    // No corner is farther from what the triangle crosses than the triangle is long.
    const PlacedTriangle& t = a.triangle(c.triangle);
    const double length = std::sqrt(
        std::max({(t.x[1] - t.x[0]).squaredNorm(), (t.x[2] - t.x[1]).squaredNorm(), (t.x[0] - t.x[2]).squaredNorm()}));
    for (std::size_t k = 0; k < 3; ++k)
      if (c.below >> k & 1) visit(mesh.triangles[at(c.triangle)][k], length);
  }
  for (std::size_t k = 0; k < front_.size(); ++k) {
    const auto [v, within] = front_[k];
    const Vec3 x = a.placed().vertex(v);
    const double depth = depth_inside(b.placed(), x, within);
    if (depth <= 0) continue;
    inside.vertices.push_back({v, depth});
    for (int i = mesh.vertex_start[at(v)]; i < mesh.vertex_start[at(v) + 1]; ++i) {
      const int e = mesh.vertex_edges[at(i)];
      visit_edge(e);
      const int next = mesh.edges[at(e)].v0 == v ? mesh.edges[at(e)].v1 : mesh.edges[at(e)].v0;
      visit(next, depth + (a.placed().vertex(next) - x).norm());
    }
  }
}

void SurfaceContacts::find_deep() {
  // Faces that a vertex may leave by: in a corner of the other mesh the farther one counts as well.
  double deepest = 0;
  for (const Inside* inside : {&inside_a_, &inside_b_})
    for (const InsideVertex& v : inside->vertices) deepest = std::max(deepest, v.depth);
  const double reach = reach_;
  reach_ = std::min(reach, 1.5 * deepest);
  find_deep_vertices(a_, b_, inside_a_, false);
  find_deep_vertices(b_, a_, inside_b_, true);
  // Edges can cross deeper than vertices are.
  reach_ = reach;
  std::vector<Inside::Edge>& others = inside_b_.edges;
  std::sort(others.begin(), others.end(), [](const Inside::Edge& p, const Inside::Edge& q) {
    const double x = p.middle.x(), y = q.middle.x();
    return x != y ? x < y : p.e < q.e;
  });
  double longest = 0;
  for (const Inside::Edge& q : others) longest = std::max(longest, q.half);
  for (const Inside::Edge& p : inside_a_.edges) {
    const double room = p.half + longest + reach_;
    auto q = std::lower_bound(others.begin(), others.end(), p.middle.x() - room,
                              [](const Inside::Edge& e, double x) { return e.middle.x() < x; });
    for (; q != others.end() && q->middle.x() <= p.middle.x() + room; ++q) {
      const double far = p.half + q->half + std::min(reach_, kEdgeDepth * 2 * std::min(p.half, q->half));
      if ((p.middle - q->middle).squaredNorm() <= far * far)
        edge_on_edge(a_.placed(), a_.edge(p.e), b_.placed(), b_.edge(q->e));
    }
  }
}

void SurfaceContacts::find_deep_vertices(MetFeatures& a, MetFeatures& b, const Inside& inside, bool turned) {
  const MeshData& mesh = a.mesh();
  const PlacedMesh& other = b.placed();
  const Vec3 grow = reach_ * other.inverse.rowwise().norm();
  for (const InsideVertex& vertex : inside.vertices) {
    const auto edges = mesh.vertex_edges.begin();
    if (std::none_of(edges + mesh.vertex_start[at(vertex.v)], edges + mesh.vertex_start[at(vertex.v) + 1],
                     [&](int e) { return can_touch(mesh.edges[at(e)]); }))
      continue;
    const Vec3 x = a.placed().vertex(vertex.v), local = other.inverse * (x - other.c);
    Aabb box;
    box.lo = local - grow;
    box.hi = local + grow;
    for_each_overlap(other.mesh->tree, box, [&](int j) {
      const PlacedTriangle& t = b.triangle(j);
      const double height = t.height(x);
      if (height < 0 && height >= -reach_ && faces(a.placed(), vertex.v, t.normal))
        point_on_face(x, height, vertex_id(vertex.v), &a.placed(), vertex.v, other, t, turned, vertex.depth);
    });
  }
}

void SurfaceContacts::find_near() {
  found_.clear();
  edges_.clear();
  inside_a_.crossings.clear();
  inside_b_.crossings.clear();
  const PlacedMesh &a = a_.placed(), &b = b_.placed();
  // Heights summed without care are off by rounding of the places.
  const double slack = 1e-14 * (size_ + a.c.norm() + b.c.norm());
  const Four above = make_four(margin_ + slack), below = make_four(-reach_ - slack);
  const double room = reach_ + slack;
  // Tree against tree in the frame of a.
  const Placement b_in_a{a.inverse * b.A, a.inverse * (b.c - a.c)};
  for_each_leaf_pair(a.mesh->wide, b.mesh->wide, b_in_a, reach_ * a.back, stack_, [&](int i, int j) {
    const PlacedLeaf &p = a_.leaf(i), &q = b_.leaf(j);
    for (int k = 0; k < p.count; ++k) {
      // One triangle of a against all of the leaf of b: first their boxes, then corners of either above the plane of
      // the other.
      FourFlags beside{};
      for (int axis = 0; axis < 3; ++axis)
        beside |= (q.low[axis] > p.high[axis][k] + room) | (q.high[axis] < p.low[axis][k] - room);
      if (to_bits(beside) == 15) continue;
      const auto height = [&](Four x, Four y, Four z) {
        return x * p.normal[0][k] + y * p.normal[1][k] + z * p.normal[2][k] - p.offset[k];
      };
      const auto height_of = [&](int corner) {
        return q.normal[0] * p.corners[corner][0][k] + q.normal[1] * p.corners[corner][1][k] +
               q.normal[2] * p.corners[corner][2][k] - q.offset;
      };
      const Four b0 = height(q.corners[0][0], q.corners[0][1], q.corners[0][2]),
                 b1 = height(q.corners[1][0], q.corners[1][1], q.corners[1][2]),
                 b2 = height(q.corners[2][0], q.corners[2][1], q.corners[2][2]);
      const Four a0 = height_of(0), a1 = height_of(1), a2 = height_of(2);
      const int far = to_bits(beside | (largest(least(b0, least(b1, b2)), least(a0, least(a1, a2))) > above) |
                              (least(largest(b0, largest(b1, b2)), largest(a0, largest(a1, a2))) < below));
      if (far == 15) continue;
      for (int m = 0; m < q.count; ++m)
        if (!(far >> m & 1)) find_pair(p.ids[k], q.ids[m]);
    }
  });
}

void SurfaceContacts::find_pair(int i, int j) {
  const PlacedMesh &a = a_.placed(), &b = b_.placed();
  const MeshData &ma = *a.mesh, &mb = *b.mesh;
  const PlacedTriangle &ta = a_.triangle(i), &tb = b_.triangle(j);
  const double of_b[] = {ta.height(tb.x[0]), ta.height(tb.x[1]), ta.height(tb.x[2])};
  const double of_a[] = {tb.height(ta.x[0]), tb.height(ta.x[1]), tb.height(ta.x[2])};
  const auto mixed = [](const double h[3]) {
    return std::min({h[0], h[1], h[2]}) < 0 && std::max({h[0], h[1], h[2]}) > 0;
  };
  if (mixed(of_a) && mixed(of_b) && (pierces(tb, of_b, ta) || pierces(ta, of_a, tb))) {
    const auto below = [](const double h[3]) { return (h[0] < 0) | (h[1] < 0) << 1 | (h[2] < 0) << 2; };
    inside_a_.crossings.push_back({i, below(of_a)});
    inside_b_.crossings.push_back({j, below(of_b)});
  }
  const int answers_a = ma.answers[at(i)], answers_b = mb.answers[at(j)];
  if (!(answers_a | answers_b)) return;

  // Gaps between vertices and edges are never negative, and where they are nought a face or two edges touch as well.
  const bool apart = margin_ > kSurfaceLength * size_;
  const auto &ca = ma.triangles[at(i)], &cb = mb.triangles[at(j)];
  const auto &ea = ma.triangle_edges[at(i)], &eb = mb.triangle_edges[at(j)];
  // Edges that can touch and come near the plane of the other triangle, by their numbers.
  const double far = reach_ + kSurfaceLength * size_;
  const auto place_near = [&](MetFeatures& met, int answers, const std::array<int, 3>& edges, const double h[3],
                              std::array<int, 3>& numbers) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double h0 = h[k], h1 = h[(k + 1) % 3];
      const bool near = std::min(h0, h1) <= far && std::max(h0, h1) >= -far;
      numbers[k] = near && answers >> (3 + k) & 1 ? met.place(edges[k]) : -1;
    }
  };
  std::array<int, 3> na, nb;
  place_near(a_, answers_a, ea, of_a, na);
  place_near(b_, answers_b, eb, of_b, nb);
  for (std::size_t k = 0; k < 3; ++k) {
    const bool own_a = answers_a >> k & 1, own_b = answers_b >> k & 1;
    if (own_a && of_a[k] <= margin_ && of_a[k] >= -reach_ && faces(a, ca[k], tb.normal))
      point_on_face(ta.x[k], of_a[k], vertex_id(ca[k]), &a, ca[k], b, tb, false);
    if (own_b && of_b[k] <= margin_ && of_b[k] >= -reach_ && faces(b, cb[k], ta.normal))
      point_on_face(tb.x[k], of_b[k], vertex_id(cb[k]), &b, cb[k], a, ta, true);
    for (std::size_t l = 0; l < 3; ++l)
      if (na[k] >= 0 && nb[l] >= 0) edge_on_edge(a, a_.placed_edge(na[k]), b, b_.placed_edge(nb[l]));
    if (!apart) continue;
    for (std::size_t l = 0; l < 3; ++l) {
      if (own_a && nb[l] >= 0) point_on_edge(ta.x[k], vertex_id(ca[k]), &a, ca[k], b_.placed_edge(nb[l]), false);
      if (na[k] >= 0 && answers_b >> l & 1)
        point_on_edge(tb.x[l], vertex_id(cb[l]), &b, cb[l], a_.placed_edge(na[k]), true);
      if (own_a && answers_b >> l & 1) vertex_on_vertex(a, ca[k], ta.x[k], b, cb[l], tb.x[l]);
    }
  }
}

}  // namespace cairn
