// SPDX-License-Identifier: Apache-2.0
// A placed box as a parallelepiped: what the separating axis test and the clipping need of it.
#pragma once
#include <cmath>

#include "cairn/collision/contact_point.h"
#include "cairn/geometry/shape.h"

namespace cairn {

/// The points c + E s with |s_i| <= 1. Face +i is c + E s with s_i = 1.
struct Parallelepiped {
  Vec3 c;         ///< centre
  Mat3 E;         ///< columns: half edges
  Mat3 N;         ///< columns: unit outward normals of the faces +i
  Vec3 reach;     ///< N_i . E_i, half thickness between the faces -i and +i
  Vec3 area;      ///< |E_j x E_k|, a quarter of the area of face i
  bool is_block;  ///< right angles everywhere: N_i is parallel to E_i
};

/// is_rotation() without a call, for hot loops: det A > 0 is in the contract of placements, so unit length and right
/// angles suffice.
inline bool is_rigid(const Mat3& A, double tolerance) {
  const auto &x = A.col(0), &y = A.col(1), &z = A.col(2);
  const double off = std::abs(x.dot(y)) + std::abs(y.dot(z)) + std::abs(z.dot(x)) + std::abs(x.squaredNorm() - 1) +
                     std::abs(y.squaredNorm() - 1) + std::abs(z.squaredNorm() - 1);
  return off <= tolerance;
}

/// A rotation needs no cross products: the normals are its columns.
inline Parallelepiped make_parallelepiped(const Box& box, const Placement& p, const Vec3& centre) {
  const Vec3& h = box.half_extents;
  Parallelepiped r;
  r.c = centre;
  r.E = p.A * h.asDiagonal();
  r.is_block = is_rigid(p.A, 1e-13);
  if (r.is_block) {
    r.N = p.A;
    r.reach = h;
    r.area = Vec3(h.y() * h.z(), h.z() * h.x(), h.x() * h.y());
    return r;
  }
  for (int i = 0; i < 3; ++i) {
    const Vec3 n = r.E.col((i + 1) % 3).cross(r.E.col((i + 2) % 3));
    r.area[i] = n.norm();
    r.N.col(i) = n / r.area[i];
    r.reach[i] = r.N.col(i).dot(r.E.col(i));
  }
  return r;
}

/// Names of the parts of a box: a vertex by the signs of its coordinates (bit i set: +), an edge by its axis and the
/// signs of the other two, a face by its axis and side.
inline std::uint32_t sign_bit(int axis, double side) { return side > 0 ? 1u << axis : 0u; }
inline std::uint32_t sign_bits(const Vec3& sign) {
  return sign_bit(0, sign.x()) | sign_bit(1, sign.y()) | sign_bit(2, sign.z());
}
inline std::uint32_t box_vertex(std::uint32_t bits) { return make_feature(FeatureKind::Vertex, bits); }
inline std::uint32_t box_vertex(const Vec3& sign) { return box_vertex(sign_bits(sign)); }
inline std::uint32_t box_edge(int axis, std::uint32_t bits) {
  return make_feature(FeatureKind::Edge, 8 * static_cast<std::uint32_t>(axis) + (bits & ~(1u << axis)));
}
inline std::uint32_t box_edge(int axis, const Vec3& sign) { return box_edge(axis, sign_bits(sign)); }
inline std::uint32_t box_face(int axis, double side) {
  return make_feature(FeatureKind::Face, 2 * static_cast<std::uint32_t>(axis) + (side > 0 ? 1u : 0u));
}

}  // namespace cairn
