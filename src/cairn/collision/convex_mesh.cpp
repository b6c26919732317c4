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

/// The tilt within which a feature of the convex shape names the contact (as in convex_pair.cpp).
constexpr double kAligned = 0.02;

bool holds(const PlacedConvex& a, const Vec3& y, double level) {
  PlacedConvex point;
  point.c = y;
  return find_distance(a, point, a.radius + level).status != GjkStatus::Beyond;
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
  bool found = false;
  for (const ContactPoint& p : points_) {
    const Vec3 half = 0.5 * p.gap * p.normal, y = p.point - half;
    const double along = edge.along.dot(y - edge.from) / (edge.length * edge.length);
    if (p.gap < -reach_ || !(along > kEnd && along < 1 - kEnd) || !edge.looks_along(p.normal, kSurfaceSine)) continue;
    add(false, p.point + half, y, p.normal, p.gap, INFINITY, p.feature_a, edge_id(edge.id), false);
    found = true;
  }
  // The shortest way off the edge alone may lead into the body.
  const double level = kSurfaceLength * size_;
  if (found || least_gap(points_) > level) return;
  ways_.clear();
  find_ways_off_edge(a, edge, level, ways_);
  const OutwardWay* best = nullptr;
  for (const OutwardWay& w : ways_)
    if (w.along > kEnd && w.along < 1 - kEnd && (!best || w.gap > best->gap)) best = &w;
  if (!best || best->gap < -reach_) return;
  const Vec3 y = best->x - best->gap * best->normal;
  if (best->gap < -level && depth_inside(b, best->x) <= 0 && !holds(a, y, level)) return;
  find_feature(a, -best->normal, kAligned, feature_);
  add(false, best->x, y, best->normal, best->gap, INFINITY, feature_.id, edge_id(edge.id), false);
}

void SurfaceContacts::convex_on_vertex(const PlacedConvex& a, const PlacedMesh& b, int v, const Vec3& y) {
  PlacedConvex core;
  core.c = y;
  points_.clear();
  collide_convex(a, core, Vec3::Zero(), margin_, points_);
  bool found = false;
  for (const ContactPoint& p : points_) {
    if (p.gap < -reach_ || !is_extreme(b, v, p.normal, kSurfaceSine)) continue;
    const Vec3 half = 0.5 * p.gap * p.normal;
    add(false, p.point + half, p.point - half, p.normal, p.gap, INFINITY, p.feature_a, vertex_id(v), false);
    found = true;
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
  finish(0, origin, margin, out);
}

}  // namespace cairn
