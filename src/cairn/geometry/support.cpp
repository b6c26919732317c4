// SPDX-License-Identifier: Apache-2.0
// Support points in closed form, by vertices, and by the box tree of a mesh (branch and bound).
#include "cairn/geometry/support.h"

#include <cmath>
#include <limits>

#include "cairn/base/error.h"
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/mesh.h"

namespace cairn {
namespace {

// d / |d| without overflow or loss for tiny and huge d; the z axis for 0.
Vec3 unit(const Vec3& d) {
  const double largest = d.cwiseAbs().maxCoeff();
  return largest > 0 ? Vec3((d / largest).normalized()) : Vec3(Vec3::UnitZ());
}

// Farthest point of the disc X^2 + Y^2 <= r^2 along d; its centre when d has no part in the plane.
Vec3 on_disc(double r, const Vec3& d, double z) {
  const double largest = std::max(std::abs(d.x()), std::abs(d.y()));
  if (!(largest > 0)) return {0, 0, z};
  const Vec2 u = Vec2(d.x() / largest, d.y() / largest).normalized();
  return {r * u.x(), r * u.y(), z};
}

// Boxes are asked first how far they reach; only those that can beat the best so far are opened.
template <class Points>
Vec3 farthest_in_tree(const BoxTree& tree, const Vec3& d, Points&& points_of_item) {
  const auto reach = [&](int n) {
    const Aabb& box = tree.nodes[n].box;
    return d.cwiseProduct(box.lo).cwiseMax(d.cwiseProduct(box.hi)).sum();
  };
  std::array<std::pair<int, double>, BoxTree::kMaxDepth + 2> stack;
  int top = 0;
  stack[top++] = {0, reach(0)};
  double best = -std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero();
  while (top > 0) {
    const auto [n, bound] = stack[--top];
    if (bound <= best) continue;
    const BoxTree::Node& node = tree.nodes[n];
    if (node.is_leaf()) {
      for (int k = 0; k < node.count; ++k)
        points_of_item(tree.items[node.first + k], [&](const Vec3& x) {
          const double height = d.dot(x);
          if (height > best) best = height, point = x;
        });
      continue;
    }
    std::pair<int, double> left{n + 1, reach(n + 1)}, right{node.first, reach(node.first)};
    if (left.second > right.second) std::swap(left, right);  // the better one is looked at first
    stack[top++] = left;
    stack[top++] = right;
  }
  return point;
}

}  // namespace

Vec3 compute_support(const Sphere& s, const Vec3& d) { return s.radius * unit(d); }

Vec3 compute_support(const Box& b, const Vec3& d) {
  return {std::copysign(b.half_extents.x(), d.x()), std::copysign(b.half_extents.y(), d.y()),
          std::copysign(b.half_extents.z(), d.z())};
}

Vec3 compute_support(const Capsule& c, const Vec3& d) {
  Vec3 x = c.radius * unit(d);
  x.z() += std::copysign(c.half_length, d.z());
  return x;
}

Vec3 compute_support(const Cylinder& c, const Vec3& d) {
  return on_disc(c.radius, d, std::copysign(c.half_length, d.z()));
}

// Apex or rim: the apex is farther when d is steeper than the normal of the side.
Vec3 compute_support(const Cone& c, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  if (c.height * d.z() >= c.radius * across) return {0, 0, 3 * c.height / 4};
  return on_disc(c.radius, d, -c.height / 4);
}

// X = S^2 d / |S d| with S the semi-axes.
Vec3 compute_support(const Ellipsoid& e, const Vec3& d) {
  return e.semi_axes.cwiseProduct(unit(e.semi_axes.cwiseProduct(unit(d))));
}

Vec3 compute_support(const ConvexPolyhedron& c, const Vec3& d) {
  return c.data->vertices[find_support_vertex(*c.data, d)];
}

Vec3 compute_support(const TriangleMesh& m, const Vec3& d) {
  return farthest_in_tree(m.data->tree, d, [&](int t, auto&& offer) {
    for (const int v : m.data->triangles[t]) offer(m.data->vertices[v]);
  });
}

Vec3 compute_support(const CellMesh& c, const Vec3& d) {
  return farthest_in_tree(c.data->tree, d, [&](int k, auto&& offer) {
    for (const Vec3& x : c.data->cells[c.data->surface_cells[k]].vertices) offer(x);
  });
}

Vec3 compute_support(const Compound& c, const Vec3& d) {
  double best = -std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero();
  for (const CompoundPart& part : c.data->parts) {
    const Vec3 x = part.at.apply(compute_support(part.shape, part.at.A.transpose() * d));
    const double height = d.dot(x);
    if (height > best) best = height, point = x;
  }
  return point;
}

Vec3 compute_support(const Shape& shape, const Vec3& d) {
  return std::visit(
      [&]<class S>(const S& s) -> Vec3 {
        if constexpr (std::is_same_v<S, HalfSpace> || std::is_same_v<S, HeightField>) {
          throw Error("{}: has no bounds, so no support point", shape_name(shape));
        } else {
          return compute_support(s, d);
        }
      },
      shape);
}

}  // namespace cairn
