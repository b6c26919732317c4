// SPDX-License-Identifier: Apache-2.0
// A placed convex shape as the convex routines see it: a core, a radius about it, and the core's support map.
//
// With X = E U the cores are images of unit ones under E, so rotations and general affine placements are one case:
// a sphere on a rigid body is a point with a radius, on an affine body the image of the unit ball.
#pragma once
#include <cmath>
#include <cstdint>

#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/shape.h"
#include "cairn/geometry/user_solid.h"

namespace cairn {

enum class CoreKind : std::uint8_t {
  Point,         ///< c
  Segment,       ///< c + t E_z, |t| <= 1
  Box,           ///< c + E U, |U_i| <= 1
  Cylinder,      ///< c + E U, U_x^2 + U_y^2 <= 1, |U_z| <= 1
  Cone,          ///< c + E U: hull of the disc U_x^2 + U_y^2 <= 1, U_z = -1/4 and the apex (0, 0, 3/4)
  Ellipsoid,     ///< c + E U, |U| <= 1
  RoundSegment,  ///< c + E U + t axis, |U| <= 1, |t| <= 1: a capsule on an affine body
  Polyhedron,    ///< c + E X, X in the polyhedron
  Solid          ///< c + E X, X in the solid of a program
};

struct PlacedConvex {
  CoreKind kind = CoreKind::Point;
  double radius = 0;          ///< of the ball added to the core (m)
  Vec3 c = Vec3::Zero();      ///< centre, relative to the pair's origin
  Mat3 E = Mat3::Identity();  ///< columns: half axes of the core
  Mat3 N = Mat3::Identity();  ///< columns: unit normals of the faces +i (box, cylinder, cone); polyhedron: A^-T det A
  Vec3 axis = Vec3::Zero();   ///< of a round segment
  const Polyhedron* poly = nullptr;
  const ConvexSolid* solid = nullptr;
  double size = 0;    ///< about the radius (m); of a rigid shape that of a ball about c that holds it
  bool rigid = true;  ///< normals need no new length
};

/// True for the shapes made of flat faces.
inline bool is_polyhedral(const PlacedConvex& s) { return s.kind == CoreKind::Box || s.kind == CoreKind::Polyhedron; }

/// True when the support map is a vertex: GJK and EPA end after finitely many steps.
inline bool is_finite(const PlacedConvex& s) {
  return is_polyhedral(s) || s.kind == CoreKind::Point || s.kind == CoreKind::Segment;
}

/// The shape at p, with positions relative to `origin`.
PlacedConvex make_convex(const Sphere& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const Box& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const Capsule& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const Cylinder& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const Cone& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const Ellipsoid& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const ConvexPolyhedron& s, const Placement& p, const Vec3& origin);
PlacedConvex make_convex(const UserSolid& s, const Placement& p, const Vec3& origin);

/// A farthest point of the core along a direction; `id` names the vertex of a finite core.
struct SupportPoint {
  Vec3 x;
  int id = 0;
};

inline double sign_or_one(double x) { return x < 0 ? -1.0 : 1.0; }

/// Farthest point of the core along d (any length > 0). `hint`: the id of an earlier answer, or 0.
inline SupportPoint find_support(const PlacedConvex& s, const Vec3& d, int hint = 0) {
  if (s.kind == CoreKind::Point) return {s.c, 0};
  const Vec3 u = s.E.transpose() * d;
  switch (s.kind) {
    case CoreKind::Polyhedron: {
      const int v = find_support_vertex(*s.poly, u, hint);
      return {s.c + s.E * s.poly->vertices[static_cast<std::size_t>(v)], v};
    }
    case CoreKind::Box: {
      const Vec3 t(sign_or_one(u.x()), sign_or_one(u.y()), sign_or_one(u.z()));
      return {s.c + s.E * t, (t.x() > 0 ? 1 : 0) | (t.y() > 0 ? 2 : 0) | (t.z() > 0 ? 4 : 0)};
    }
    case CoreKind::Segment: return {s.c + sign_or_one(u.z()) * s.E.col(2), u.z() < 0 ? 0 : 1};
    case CoreKind::Cylinder: {
      const double r = std::hypot(u.x(), u.y());
      const Vec3 t = r > 0 ? Vec3(u.x() / r, u.y() / r, sign_or_one(u.z())) : Vec3(1, 0, sign_or_one(u.z()));
      return {s.c + s.E * t, 0};
    }
    case CoreKind::Cone: {
      const double r = std::hypot(u.x(), u.y());
      if (u.z() >= r) return {s.c + 0.75 * s.E.col(2), 0};
      const Vec3 t = r > 0 ? Vec3(u.x() / r, u.y() / r, -0.25) : Vec3(1, 0, -0.25);
      return {s.c + s.E * t, 1};
    }
    case CoreKind::Ellipsoid: {
      const double r = u.norm();
      return {r > 0 ? Vec3(s.c + s.E * (u / r)) : Vec3(s.c + s.E.col(2)), 0};
    }
    case CoreKind::RoundSegment: {
      const double r = u.norm();
      const Vec3 ball = r > 0 ? Vec3(s.E * (u / r)) : Vec3(s.E.col(2));
      return {s.c + ball + sign_or_one(d.dot(s.axis)) * s.axis, 0};
    }
    case CoreKind::Solid: return {s.c + s.E * s.solid->support(u), 0};
    case CoreKind::Point: break;
  }
  return {s.c, 0};
}

/// Placed unit normal of face f of a polyhedron.
inline Vec3 face_normal(const PlacedConvex& s, int f) {
  const Vec3 n = s.N * s.poly->normals[static_cast<std::size_t>(f)];
  return s.rigid ? n : Vec3(n.normalized());
}

/// Distance of the supporting planes along the unit vector n (from b to a), radii included: the gap if n is the normal.
/// The hints are ids of supporting vertices near those sought.
inline double compute_separation(const PlacedConvex& a, const PlacedConvex& b, const Vec3& n, int hint_a = 0,
                                 int hint_b = 0) {
  return n.dot(find_support(a, -n, hint_a).x - find_support(b, n, hint_b).x) - a.radius - b.radius;
}

}  // namespace cairn
