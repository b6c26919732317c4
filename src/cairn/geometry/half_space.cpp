// SPDX-License-Identifier: Apache-2.0
// A half-space: all that is asked of a shape. It is a boundary of the world, without mass and support points.
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

#include <cmath>

namespace cairn::answers {
namespace {

Stretch stretch(const HalfSpace& h, const Ray& ray) { return behind_plane(ray, h.normal, h.offset); }

Shape build_half_space(ParameterVisitor& v, const ShapeLoader&) {
  HalfSpace half;
  v.direction("normal", numbers(half.normal), "out of the solid");
  v.real("offset", half.offset, "m", any_number, "distance of the plane from the body's origin along the normal");
  return half;
}

}  // namespace

void check(const HalfSpace& h, std::string_view owner) {
  const Vec3& n = h.normal;
  if (!(std::abs(n.norm() - 1) <= 1e-9))
    throw Error("{}: half-space normal ({}, {}, {}) has length {}; must be a unit vector", owner, n.x(), n.y(), n.z(),
                n.norm());
  if (!std::isfinite(h.offset)) throw Error("{}: half-space offset is {} m; must be finite", owner, h.offset);
}

MassProperties mass(const HalfSpace&) {
  throw Error("half-space: its volume is infinite, so it has no mass properties; use it on a fixed body");
}

double radius(const HalfSpace&) { return infinity; }

// The plane n.X = o becomes m.x = o + m.c with m = A^-T n. Only an exactly axis-aligned m bounds anything.
Aabb bounds(const HalfSpace& h, const Placement& p) {
  Aabb box{Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  Mat3 cofactors;  // A^-T = cofactors / det A, and det A > 0 does not turn the normal round
  cofactors << p.A.col(1).cross(p.A.col(2)), p.A.col(2).cross(p.A.col(0)), p.A.col(0).cross(p.A.col(1));
  const Vec3 m = cofactors * h.normal;
  const double det = p.A.col(0).dot(cofactors.col(0));
  for (int i = 0; i < 3; ++i) {
    if (m[(i + 1) % 3] != 0 || m[(i + 2) % 3] != 0 || m[i] == 0) continue;
    const double position = p.c[i] + h.offset * det / m[i];
    if (m[i] > 0)
      box.hi[i] = position;
    else
      box.lo[i] = position;
  }
  return box;
}

double thickness(const HalfSpace&) { return infinity; }

SurfacePoint closest(const HalfSpace& h, const Vec3& x) {
  const double d = h.normal.dot(x) - h.offset;
  return {x - d * h.normal, h.normal, d};
}

std::optional<RayHit> cast(const HalfSpace& s, const Ray& ray) { return first_end(ray, stretch(s, ray)); }

SurfaceMesh surface(const HalfSpace& h, int, double extent) {
  const Vec3 n = h.normal, centre = h.offset * n;
  const Vec3 s = n.unitOrthogonal() * extent, t = n.cross(s);
  return {{centre - s - t, centre + s - t, centre + s + t, centre - s + t}, {{0, 1, 2}, {0, 2, 3}}};
}

Shape place(const HalfSpace& h, const Placement& at) {
  const Vec3 n = (at.A * h.normal).normalized();
  return HalfSpace{n, h.offset + n.dot(at.c)};
}

constinit const ShapeInfo half_space_row{
    "half-space", "everything below a plane: solid where normal.X <= offset; fixed bodies only, no mass",
    build_half_space};

}  // namespace cairn::answers
