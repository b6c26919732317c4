// SPDX-License-Identifier: Apache-2.0
// Contacts of a convex shape with a triangulated surface, through its support map: see surface_contacts.h.
#include <algorithm>
#include <cmath>

#include "cairn/collision/convex_pair.h"
#include "cairn/collision/gjk.h"
#include "cairn/collision/surface_contacts.h"
#include "cairn/collision/surface_features.h"

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Share of an edge at either end that its vertices answer for.
constexpr double kEnd = 1e-9;

/// How far from an edge, as a share of the size, a shape may be that overlaps beside it.
constexpr double kBeside = 1e-3;

/// Of two depths at a convex corner the greater counts only beyond this share of it.
constexpr double kLonger = 0.5;

/// The tilt within which a feature of the convex shape names the contact (as in convex_pair.cpp).
constexpr double kAligned = 0.02;

bool holds(const PlacedConvex& a, const Vec3& y, double level) {
  PlacedConvex point;
  point.c = y;
  return find_distance(a, point, a.radius + level).status != GjkStatus::Beyond;
}

/// True when a reaches triangle t of m.
bool meets(const PlacedConvex& a, const PlacedMesh& m, int t, double level) {
  static const Polyhedron half_square = [] {
    Polyhedron p;
    p.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
    p.vertex_blocks = VectorBlocks(p.vertices);
    return p;
  }();
  const auto& corners = m.mesh->triangles[at(t)];
  PlacedConvex triangle;
  triangle.kind = CoreKind::Polyhedron;
  triangle.poly = &half_square;
  triangle.c = m.vertex(corners[0]);
  triangle.E << m.vertex(corners[1]) - triangle.c, m.vertex(corners[2]) - triangle.c, Vec3::Zero();
  triangle.size = triangle.E.norm();
  return find_distance(a, triangle, a.radius + level).status != GjkStatus::Beyond;
}

/// True when a reaches one of the faces at an edge.
bool meets_faces(const PlacedConvex& a, const PlacedMesh& m, int edge, double level) {
  const MeshData::Edge& e = m.mesh->edges[at(edge)];
  return meets(a, m, e.f0, level) || (e.f1 >= 0 && meets(a, m, e.f1, level));
}

double least_gap(const std::vector<ContactPoint>& points) {
  double least = INFINITY;
  for (const ContactPoint& p : points) least = std::min(least, p.gap);
  return least;
}

}  // namespace

void SurfaceContacts::convex_on_edge(const PlacedConvex& a, const PlacedMesh& b, const PlacedEdge& edge) {
  PlacedConvex core;
  core.kind = CoreKind::Segment;
  core.c = edge.middle;
  core.E.col(2) = 0.5 * edge.along;
  core.size = 0.5 * edge.length;
  points_.clear();
  collide_convex(a, core, Vec3::Zero(), margin_, points_);
  // Of a rim along the edge there may be several points: what counts is the one with the least gap.
  const double level = kSurfaceLength * size_, least = least_gap(points_);
  bool found = false;
  for (const ContactPoint& p : points_) {
    const Vec3 half = 0.5 * p.gap * p.normal, y = p.point - half;
    const double along = edge.along.dot(y - edge.from) / (edge.length * edge.length);
    if (!(along > kEnd && along < 1 - kEnd) || !edge.looks_along(p.normal, kSurfaceSine)) continue;
    add(false, p.point + half, y, p.normal, p.gap, INFINITY, p.feature_a, edge_id(edge.id), false);
    found_.back().lesser = p.gap > least + level;
    if (set_aside_deep()) continue;
    found |= p.gap <= least + level;
  }
  // The shortest way off the edge alone may lead into the body; and a rim sharper than a right angle may reach into the
  // body beside the edge without touching it.
  if (found || least > kBeside * size_) return;
  ways_.clear();
  find_ways_off_edge(a, edge, level, ways_);
  const OutwardWay* best = nullptr;
  for (const OutwardWay& w : ways_)
    if (w.along > kEnd && w.along < 1 - kEnd && (!best || w.gap > best->gap)) best = &w;
  if (!best || best->gap < -reach_ || best->gap > level) return;
  const Vec3 y = best->x - best->gap * best->normal;
  const bool beside = best->gap < -level && depth_inside(b, best->x) <= 0 && !holds(a, y, level);
  if (beside && !meets_faces(a, b, edge.id, level)) return;
  find_feature(a, -best->normal, kAligned, feature_);
  add(false, best->x, y, best->normal, best->gap, INFINITY, feature_.id, edge_id(edge.id), false);
  if (beside) found_.back().beside = edge.id;
}

bool SurfaceContacts::set_aside_deep() {
  if (found_.back().gap >= -reach_) return false;
  too_deep_.push_back(found_.back());
  found_.pop_back();
  return true;
}

void SurfaceContacts::drop_unsupported() {
  const auto holds = [](const Found& o, const Found& c) {
    return !o.lesser && o.gap <= c.gap && c.normal.dot(o.normal) >= 1 - kAligned * kAligned;
  };
  const auto is_alone = [&](const Found& c) {
    return c.lesser && std::none_of(found_.begin(), found_.end(), [&](const Found& o) { return holds(o, c); });
  };
  // An overlap of which a part is within reach has its deepest point too.
  for (const Found& o : too_deep_)
    if (std::any_of(found_.begin(), found_.end(), [&](const Found& c) { return c.lesser && c.gap < 0 && holds(o, c); }))
      found_.push_back(o);
  dropped_.assign(found_.size(), 0);
  for (std::size_t i = 0; i < found_.size(); ++i) dropped_[i] = is_alone(found_[i]);
  remove_dropped();
}

void SurfaceContacts::drop_longer_ways(const PlacedConvex& a, const PlacedMesh& b) {
  const double level = kSurfaceLength * size_;
  const auto is_undone_with = [&](const Found& c, const Found& o) {
    if (!(c.on_face || c.beside >= 0) || !(o.gap < -level && o.gap > kLonger * c.gap)) return false;
    const Vec3 way = (2 * level - (1 + 1e-6) * o.gap) * o.normal;
    if (c.on_face) return depth_inside(b, c.on_a + way) <= 0;
    PlacedConvex moved = a;
    moved.c += way;
    return !meets_faces(moved, b, c.beside, 0);
  };
  dropped_.assign(found_.size(), 0);
  for (std::size_t i = 0; i < found_.size(); ++i)
    dropped_[i] =
        std::any_of(found_.begin(), found_.end(), [&](const Found& o) { return is_undone_with(found_[i], o); });
  remove_dropped();
}

void SurfaceContacts::remove_dropped() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (!dropped_[i]) found_[count++] = found_[i];
  found_.resize(count);
}

void SurfaceContacts::convex_on_vertex(const PlacedConvex& a, const PlacedMesh& b, int v, const Vec3& y) {
  PlacedConvex core;
  core.c = y;
  points_.clear();
  collide_convex(a, core, Vec3::Zero(), margin_, points_);
  bool found = false;
  for (const ContactPoint& p : points_) {
    if (!is_extreme(b, v, p.normal, kSurfaceSine)) continue;
    const Vec3 half = 0.5 * p.gap * p.normal;
    add(false, p.point + half, p.point - half, p.normal, p.gap, INFINITY, p.feature_a, vertex_id(v), false);
    found |= !set_aside_deep();
  }
  const double level = kSurfaceLength * size_;
  if (found || least_gap(points_) > level) return;
  // Other ways off the vertex, and where it just touches those off its edges.
  ways_.clear();
  find_ways_off_point(a, y, ways_);
  const MeshData& mesh = *b.mesh;
  for (int i = mesh.vertex_start[at(v)]; i < mesh.vertex_start[at(v) + 1]; ++i) {
    const int e = mesh.vertex_edges[at(i)];
    if (!can_touch(mesh.edges[at(e)])) continue;
    const std::size_t first = ways_.size();
    find_ways_off_edge(a, place_edge(b, e), level, ways_);
    const double end = mesh.edges[at(e)].v0 == v ? 0 : 1;
    const auto elsewhere = [&](const OutwardWay& w) { return std::abs(w.along - end) > kEnd; };
    ways_.erase(std::remove_if(ways_.begin() + static_cast<std::ptrdiff_t>(first), ways_.end(), elsewhere),
                ways_.end());
  }
  const OutwardWay* best = nullptr;
  for (const OutwardWay& w : ways_)
    if ((!best || w.gap > best->gap) && is_extreme(b, v, w.normal, kSurfaceSine)) best = &w;
  if (!best || best->gap < -reach_ || best->gap > margin_) return;
  find_feature(a, -best->normal, kAligned, feature_);
  add(false, best->x, best->x - best->gap * best->normal, best->normal, best->gap, INFINITY, feature_.id, vertex_id(v),
      false);
}

void SurfaceContacts::find(const PlacedConvex& a, const PlacedMesh& b, const Vec3& origin, double margin, double reach,
                           std::vector<ContactPoint>& out) {
  found_.clear();
  too_deep_.clear();
  edges_.clear();
  margin_ = margin;
  reach_ = std::max(reach, margin);
  size_ = std::max(b.size(), a.size);
  const Mat3& inverse = b.inverse;
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = inverse.row(k).transpose(), u = d.normalized();
    const double shift = d.dot(b.c), room = (a.radius + margin) * d.norm();
    box.hi[k] = d.dot(find_support(a, u).x) + room - shift;
    box.lo[k] = d.dot(find_support(a, -u).x) - room - shift;
  }
  for_each_overlap(b.mesh->tree, box, [&](int j) {
    const PlacedTriangle t = place_triangle(b, j);
    const double lowest = t.normal.dot(find_support(a, -t.normal).x - t.x[0]) - a.radius;
    if (lowest > margin_) return;
    if (lowest >= -reach_) {
      find_feature(a, -t.normal, 0.1, feature_);
      for (const FeatureVertex& v : feature_.vertices) point_on_face(v.x, t.height(v.x), v.id, nullptr, 0, b, t, false);
    }
    const auto &corners = b.mesh->triangles[at(j)], &edges = b.mesh->triangle_edges[at(j)];
    const int answers = b.mesh->answers[at(j)];
    for (std::size_t k = 0; k < 3; ++k) {
      if (answers >> (3 + k) & 1) convex_on_edge(a, b, place_edge(b, edges[k]));
      if (answers >> k & 1) convex_on_vertex(a, b, corners[k], t.x[k]);
    }
  });
  drop_unsupported();
  drop_longer_ways(a, b);
  finish(0, origin, margin, out);
}

}  // namespace cairn
