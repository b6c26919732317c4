// SPDX-License-Identifier: Apache-2.0
// Volume, centre and second moments of a solid summed over triangles of its surface, by signed tetrahedra (Tonon 2004,
// J. Math. Stat. 1(1), eqs. 7-10; DiCarlo & Paoluzzi 2006). The tetrahedra meet in a point near the solid, so that a
// small solid far from the origin loses no digits.
#pragma once
#include "cairn/geometry/shape.h"

namespace cairn {

class SolidIntegral {
 public:
  explicit SolidIntegral(const Vec3& near) : near_(near) {}

  /// A triangle, counter-clockwise from outside.
  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 p = a - near_, q = b - near_, r = c - near_, s = p + q + r;
    const double det = p.dot(q.cross(r));  // six times the signed volume of the tetrahedron
    volume_ += det / 6;
    first_ += det / 24 * s;
    second_ += det / 120 * (p * p.transpose() + q * q.transpose() + r * r.transpose() + s * s.transpose());
  }

  double volume() const { return volume_; }

  /// About the centre; the volume must not be 0.
  MassProperties finish() const {
    const Vec3 shift = first_ / volume_;
    const Mat3 euler = second_ - volume_ * shift * shift.transpose();
    return {volume_, near_ + shift, euler.trace() * Mat3::Identity() - euler, euler};
  }

 private:
  Vec3 near_;
  double volume_ = 0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

}  // namespace cairn
