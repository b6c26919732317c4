// SPDX-License-Identifier: Apache-2.0
// What the files of several shapes share: checks of sizes, moments, boxes, support points.
#pragma once
#include "cairn/base/error.h"
#include "cairn/geometry/box_tree.h"
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/support.h"

namespace cairn {
struct MeshData;
struct Polyhedron;
}  // namespace cairn

namespace cairn::answers {

/// Throw Error naming `owner` unless the sizes are finite and > 0.
void check_size(std::string_view owner, std::string_view what, double x);
void check_sizes(std::string_view owner, std::string_view what, const Vec3& x);
/// Of big data, which were checked when they were made and cannot change since.
template <class Kind>
void check_data(const Kind& shape, std::string_view owner) {
  constexpr std::string_view wanted = std::is_same_v<Kind, ConvexPolyhedron> ? "points or a file" : "a file";
  if (!shape.data) throw Error("{}: {} has no data; give it {}", owner, shape_name(shape), wanted);
}

/// Numbers of a vector, for visitors of parameters.
inline std::span<double, 3> numbers(Vec3& x) { return std::span<double, 3>(x.data(), 3); }

/// A shape from a file, or without data where no name is given (when parameters are only listed).
template <class Kind>
Shape build_from_file(ParameterVisitor& v, const ShapeLoader& load, std::string_view kind, std::string_view help) {
  ShapeFile source{kind, "", 1};
  v.text("file", source.file, help);
  v.real("scale", source.scale, "m", positive, "length of one unit of the file");
  if (source.file.empty()) return Kind{};
  if (!load) throw Error("{} '{}': no reader of files was given", kind, source.file);
  return load(source);
}

/// Of a solid centred at the origin, from the volume and int x_i^2 dV.
MassProperties mass_from_moments(double volume, const Vec3& moments);

/// Sum by the theorem of parallel axes. The first centre is the point of reference, so that nothing is lost far away.
class MassSum {
 public:
  void add(const MassProperties& m) {
    if (volume_ == 0) near_ = m.centre;
    const Vec3 d = m.centre - near_;
    volume_ += m.volume;
    first_ += m.volume * d;
    second_ += m.euler + m.volume * d * d.transpose();
  }
  MassProperties finish() const {
    const Vec3 shift = first_ / volume_;
    const Mat3 euler = second_ - volume_ * shift * shift.transpose();
    return {volume_, near_ + shift, euler.trace() * Mat3::Identity() - euler, euler};
  }

 private:
  double volume_ = 0;
  Vec3 near_ = Vec3::Zero(), first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

/// About a shape that is its own mirror image through the origin and reaches that far along each axis.
inline Aabb symmetric_bounds(const Placement& p, const Vec3& reach) { return {p.c - reach, p.c + reach}; }

/// By support points of the six directions.
template <class S>
Aabb supported_bounds(const S& s, const Placement& p) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Vec3 m = p.A.row(i);
    box.lo[i] = p.c[i] + m.dot(compute_support(s, -m));
    box.hi[i] = p.c[i] + m.dot(compute_support(s, m));
  }
  return box;
}

/// d / |d| without overflow or loss for tiny and huge d; the z axis for 0.
Vec3 unit(const Vec3& d);
/// Farthest point of the disc X^2 + Y^2 <= r^2 along d; its centre when d has no part in the plane.
Vec3 on_disc(double r, const Vec3& d, double z);

/// Boxes are asked first how far they reach; only those that can beat the best so far are opened.
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

/// x is outside or inside of a surface whose nearest point is `point`; `face_normal` serves when x is that point.
SurfacePoint from_foot(const Vec3& x, const Vec3& point, bool inside, const Vec3& face_normal);

/// The same data turned and shifted.
MeshData moved(MeshData mesh, const Placement& at);
Polyhedron moved(Polyhedron p, const Placement& at);
double largest_norm(const std::vector<Vec3>& points);

}  // namespace cairn::answers
