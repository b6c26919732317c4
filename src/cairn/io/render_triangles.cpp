// SPDX-License-Identifier: Apache-2.0
// Welding by position, angle-weighted vertex normals (Thuermer and Wuethrich 1998), creases by dihedral angle.
#include "cairn/io/render_triangles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr double kCreaseCosine = 0.9;     // 26 degrees: finer facets are meant to look round
constexpr double kRoundedCosine = 0.839;  // 33 degrees: a bar of twelve sides is meant to be round

// Meshes often repeat a vertex per face; equal positions get one number, so that neighbours know each other.
std::vector<int> weld(const std::vector<Vec3>& vertices) {
  std::vector<int> order(vertices.size()), number(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) {
    const Vec3& v = vertices[std::size_t(i)];
    return std::make_tuple(v.x(), v.y(), v.z());
  };
  // NaN has no place in an order; such vertices are never used and all keep number 0.
  std::erase_if(order, [&](int i) { return !vertices[std::size_t(i)].allFinite(); });
  std::sort(order.begin(), order.end(), [&](int i, int j) { return key(i) < key(j); });
  int next = -1;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || key(order[k]) != key(order[k - 1])) ++next;
    number[std::size_t(order[k])] = next;
  }
  return number;
}

struct Corner {
  int triangle, edge;
};

struct EdgeUse {
  int low, high;  // welded vertex numbers
  bool forward;   // the triangle runs from low to high
  Corner corner;
};

// An edge is sharp when it has not exactly two faces or they meet at an angle. Calls smooth(a, b) for the others.
template <class F>
void mark_creases(std::vector<EdgeUse>& uses, double crease_cosine, std::vector<RenderTriangle>& triangles,
                  F&& smooth) {
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.corner.triangle) < std::tie(b.low, b.high, b.corner.triangle);
  });
  for (std::size_t begin = 0; begin < uses.size();) {
    std::size_t end = begin + 1;
    while (end < uses.size() && uses[end].low == uses[begin].low && uses[end].high == uses[begin].high) ++end;
    bool sharp = end - begin != 2;
    if (!sharp) {
      const EdgeUse& a = uses[begin];
      const EdgeUse& b = uses[begin + 1];
      const double cosine =
          triangles[std::size_t(a.corner.triangle)].normal.dot(triangles[std::size_t(b.corner.triangle)].normal);
      // Neighbours that are wound alike use the edge in opposite directions.
      sharp = (a.forward != b.forward ? cosine : -cosine) < crease_cosine;
      if (!sharp && a.forward != b.forward) smooth(a, b);
    }
    for (std::size_t k = begin; sharp && k < end; ++k) {
      RenderTriangle& t = triangles[std::size_t(uses[k].corner.triangle)];
      t.creases = std::uint8_t(t.creases | (1u << uses[k].corner.edge));
    }
    begin = end;
  }
}

// Corners of triangles that share a normal, as trees whose roots stand for them.
class CornerGroups {
 public:
  explicit CornerGroups(std::size_t triangles) : parent_(3 * triangles) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

 private:
  std::vector<std::size_t> parent_;
};

double corner_angle(const RenderTriangle& t, int k) {
  const Vec3 p = t.v[(k + 1) % 3] - t.v[k], q = t.v[(k + 2) % 3] - t.v[k];
  return std::atan2(p.cross(q).norm(), p.dot(q));
}

void add_mesh(const RenderMesh& mesh, int object, std::vector<RenderTriangle>& out) {
  const std::size_t first = out.size();
  const std::vector<int> number = weld(mesh.vertices);
  std::vector<EdgeUse> uses;
  std::vector<std::array<int, 3>> welded;
  for (const auto& indices : mesh.triangles) {
    RenderTriangle t;
    for (int k = 0; k < 3; ++k) {
      const int i = indices[std::size_t(k)];
      if (i < 0 || std::size_t(i) >= mesh.vertices.size())
        throw Error("render: mesh {} has a triangle with vertex {}; it has {} vertices (0 to {})", object, i,
                    mesh.vertices.size(), long(mesh.vertices.size()) - 1);
      t.v[k] = mesh.vertices[std::size_t(i)];
    }
    const Vec3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[0];
    const Vec3 cross = e.cross(f);
    const double area = cross.norm();
    // Relative to the sides: a thin but real triangle stays, rounding noise goes. NaN fails the comparison too.
    if (!(area > 1e-14 * e.norm() * f.norm()) || !std::isfinite(area)) continue;
    t.normal = cross / area;
    for (Eigen::Vector3f& n : t.corner_normal) n = t.normal.cast<float>();
    t.object = object;
    t.smooth = mesh.smooth || mesh.rounded;
    t.floor = mesh.receives_only;
    std::array<int, 3> w;
    for (int k = 0; k < 3; ++k) w[std::size_t(k)] = number[std::size_t(indices[std::size_t(k)])];
    for (int k = 0; k < 3; ++k) {
      const int p = w[std::size_t(k)], q = w[std::size_t((k + 1) % 3)];
      uses.push_back({std::min(p, q), std::max(p, q), p < q, {int(out.size()), k}});
    }
    welded.push_back(w);
    out.push_back(t);
  }
  if (mesh.receives_only) return;
  // One normal for all corners at a vertex, or for those with no crease between them.
  CornerGroups groups(welded.size());
  if (mesh.smooth) {
    std::vector<std::size_t> seen(mesh.vertices.size(), 3 * welded.size());
    for (std::size_t i = 0; i < 3 * welded.size(); ++i) {
      std::size_t& known = seen[std::size_t(welded[i / 3][i % 3])];
      if (known == 3 * welded.size()) known = i;
      groups.unite(i, known);
    }
  } else {
    mark_creases(uses, mesh.rounded ? kRoundedCosine : kCreaseCosine, out, [&](const EdgeUse& a, const EdgeUse& b) {
      // The edge begins at corner k of one triangle and ends there in its neighbour.
      const std::size_t i = std::size_t(a.corner.triangle) - first, j = std::size_t(b.corner.triangle) - first;
      const std::size_t k = std::size_t(a.corner.edge), m = std::size_t(b.corner.edge);
      groups.unite(3 * i + k, 3 * j + (m + 1) % 3);
      groups.unite(3 * i + (k + 1) % 3, 3 * j + m);
    });
    if (!mesh.rounded) return;
  }
  std::vector<Vec3> sums(3 * welded.size(), Vec3::Zero());
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[groups.root(i)] += corner_angle(out[first + i / 3], int(i % 3)) * out[first + i / 3].normal;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Vec3& sum = sums[groups.root(i)];
    if (sum.norm() > 1e-9) out[first + i / 3].corner_normal[i % 3] = sum.normalized().cast<float>();
  }
}

}  // namespace

std::vector<RenderTriangle> make_triangles(const std::vector<RenderMesh>& meshes) {
  std::vector<RenderTriangle> out;
  for (std::size_t i = 0; i < meshes.size(); ++i) add_mesh(meshes[i], int(i), out);
  return out;
}

std::vector<PlacedBall> collect_balls(const std::vector<RenderMesh>& meshes) {
  std::vector<PlacedBall> out;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    for (const RenderBall& ball : meshes[i].balls)
      if (ball.centre.allFinite() && std::isfinite(ball.radius) && ball.radius > 0)
        out.push_back({ball.centre, ball.radius, int(i)});
  return out;
}

std::vector<RenderTriangle> make_arrow_triangles(const std::vector<RenderArrow>& arrows) {
  constexpr int sides = 14;
  constexpr double head_length = 7, head_radius = 2.6;  // in shaft radii
  std::vector<RenderTriangle> out;
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    const RenderArrow& arrow = arrows[i];
    const double length = (arrow.to - arrow.from).norm();
    if (!std::isfinite(length) || !(length > 0 || !arrow.head) || !(arrow.radius > 0)) continue;
    const Vec3 axis = length > 0 ? Vec3((arrow.to - arrow.from) / length) : Vec3(Vec3::UnitZ());
    const Vec3 side = axis.unitOrthogonal(), other = axis.cross(side);
    // A short arrow keeps its proportions and shrinks its head.
    const double head = std::min(head_length * arrow.radius, length);
    const double wide = head * head_radius / head_length;
    const double thin = std::min(arrow.radius, 0.5 * wide);
    const Vec3 neck = arrow.to - head * axis;

    const auto radial = [&](int k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      return Vec3(std::cos(angle) * side + std::sin(angle) * other);
    };
    const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& na, const Vec3& nb, const Vec3& nc) {
      const Vec3 cross = (b - a).cross(c - a);
      if (!(cross.norm() > 0)) return;
      RenderTriangle t{.v = {a, b, c},
                       .normal = cross.normalized(),
                       .corner_normal = {},
                       .object = int(i),
                       .smooth = true,
                       .floor = false,
                       .creases = 0};
      t.corner_normal[0] = na.cast<float>();
      t.corner_normal[1] = nb.cast<float>();
      t.corner_normal[2] = nc.cast<float>();
      out.push_back(t);
    };
    if (!arrow.head) {  // a capsule: rings from one pole to the other
      const int sectors = arrows.size() > 2000 ? 8 : sides, rings = arrows.size() > 2000 ? 2 : 3;
      const auto point = [&](int ring, int k) -> std::pair<Vec3, Vec3> {  // place and normal
        const int half = ring <= rings ? ring : ring - 1;
        const double height = std::numbers::pi * (0.5 * half / rings - 0.5), turn = 2 * std::numbers::pi * k / sectors;
        const Vec3 n = std::sin(height) * axis + std::cos(height) * (std::cos(turn) * side + std::sin(turn) * other);
        return {(ring <= rings ? arrow.from : arrow.to) + arrow.radius * n, n};
      };
      for (int ring = 0; ring <= 2 * rings; ++ring)
        for (int k = 0; k < sectors; ++k) {
          const auto [a, na] = point(ring, k);
          const auto [b, nb] = point(ring, k + 1);
          const auto [c, nc] = point(ring + 1, k + 1);
          const auto [d, nd] = point(ring + 1, k);
          add(a, b, c, na, nb, nc);
          add(a, c, d, na, nc, nd);
        }
      continue;
    }
    for (int k = 0; k < sides; ++k) {
      const Vec3 p = radial(k), q = radial(k + 1);
      if (head < length) {  // shaft and its end cap
        const Vec3 a = arrow.from + thin * p, b = arrow.from + thin * q;
        add(a, b, neck + thin * q, p, q, q);
        add(a, neck + thin * q, neck + thin * p, p, q, p);
        add(arrow.from, b, a, -axis, -axis, -axis);
      }
      // The cone's normal leans towards the tip by its half angle.
      const Vec3 np = (p * head + axis * wide).normalized(), nq = (q * head + axis * wide).normalized();
      add(neck + wide * p, neck + wide * q, arrow.to, np, nq, (np + nq).normalized());
      add(neck, neck + wide * q, neck + wide * p, -axis, -axis, -axis);
    }
  }
  return out;
}

}  // namespace cairn
