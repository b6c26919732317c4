// SPDX-License-Identifier: Apache-2.0
// Placed cores of the convex shapes.
#include "cairn/collision/convex.h"

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr double kRigid = 1e-13;  // deviation from a rotation that is round-off

Mat3 compute_cofactors(const Mat3& A) {
  Mat3 C;
  C << A.col(1).cross(A.col(2)), A.col(2).cross(A.col(0)), A.col(0).cross(A.col(1));
  return C;
}

double frobenius_bound(const Mat3& E) { return E.norm(); }

// A core with half axes A diag(h); `cap` reaches of the unit core: the factor of its bounding ball.
PlacedConvex make_core(CoreKind kind, const Placement& p, const Vec3& origin, const Vec3& h) {
  PlacedConvex s;
  s.kind = kind;
  s.c = p.c - origin;
  s.E = p.A * h.asDiagonal();
  s.rigid = is_rotation(p.A, kRigid);
  if (s.rigid) {
    s.N = p.A;
  } else {
    s.N = compute_cofactors(p.A);
    s.N.colwise().normalize();
  }
  s.size = frobenius_bound(s.E);
  return s;
}

PlacedConvex make_round(const Placement& p, const Vec3& origin, double radius) {
  PlacedConvex s;
  s.c = p.c - origin;
  s.rigid = is_rotation(p.A, kRigid);
  if (s.rigid) {
    s.kind = CoreKind::Point;
    s.radius = s.size = radius;
    s.E = p.A;
  } else {
    s.kind = CoreKind::Ellipsoid;
    s.E = radius * p.A;
    s.size = frobenius_bound(s.E);
  }
  return s;
}

}  // namespace

PlacedConvex make_convex(const Sphere& s, const Placement& p, const Vec3& origin) {
  return make_round(p, origin, s.radius);
}

PlacedConvex make_convex(const Box& s, const Placement& p, const Vec3& origin) {
  return make_core(CoreKind::Box, p, origin, s.half_extents);
}

PlacedConvex make_convex(const Capsule& s, const Placement& p, const Vec3& origin) {
  PlacedConvex r = make_round(p, origin, s.radius);
  if (!(s.half_length > 0)) return r;
  if (r.rigid) {
    r.kind = CoreKind::Segment;
    r.E.col(2) = s.half_length * p.A.col(2);
    r.size += s.half_length;
  } else {
    r.kind = CoreKind::RoundSegment;
    r.axis = s.half_length * p.A.col(2);
    r.size += r.axis.norm();
  }
  return r;
}

PlacedConvex make_convex(const Cylinder& s, const Placement& p, const Vec3& origin) {
  return make_core(CoreKind::Cylinder, p, origin, Vec3(s.radius, s.radius, s.half_length));
}

PlacedConvex make_convex(const Cone& s, const Placement& p, const Vec3& origin) {
  return make_core(CoreKind::Cone, p, origin, Vec3(s.radius, s.radius, s.height));
}

PlacedConvex make_convex(const Ellipsoid& s, const Placement& p, const Vec3& origin) {
  // A round one is a sphere: with a radius instead of a curved core its contacts are exact without iteration.
  const Vec3& h = s.semi_axes;
  if (h.x() == h.y() && h.y() == h.z()) return make_round(p, origin, h.x());
  return make_core(CoreKind::Ellipsoid, p, origin, h);
}

PlacedConvex make_convex(const ConvexPolyhedron& s, const Placement& p, const Vec3& origin) {
  if (!s.data) throw Error("a convex polyhedron without data cannot touch anything; make it with make_hull()");
  PlacedConvex r;
  r.kind = CoreKind::Polyhedron;
  r.poly = s.data.get();
  r.c = p.c - origin;
  r.E = p.A;
  r.rigid = is_rotation(p.A, kRigid);
  r.N = r.rigid ? p.A : compute_cofactors(p.A);
  r.size = s.data->radius * (r.rigid ? 1 : frobenius_bound(p.A));
  return r;
}

PlacedConvex make_convex(const UserSolid& s, const Placement& p, const Vec3& origin) {
  PlacedConvex r = make_core(CoreKind::Solid, p, origin, Vec3::Ones());
  r.solid = s.data.get();
  r.size = s.data->radius() * (r.rigid ? 1 : frobenius_bound(p.A));
  return r;
}

}  // namespace cairn
