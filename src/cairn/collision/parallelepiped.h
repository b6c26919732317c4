// SPDX-License-Identifier: Apache-2.0
// A placed box as a parallelepiped: what the separating axis test and the clipping need of it.
#pragma once
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

/// A rotation needs no cross products: the normals are its columns.
inline Parallelepiped make_parallelepiped(const Box& box, const Placement& p, const Vec3& centre) {
  const Vec3& h = box.half_extents;
  Parallelepiped r;
  r.c = centre;
  r.E = p.A * h.asDiagonal();
  r.is_block = is_rotation(p.A, 1e-13);
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

}  // namespace cairn
