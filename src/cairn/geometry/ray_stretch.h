// SPDX-License-Identifier: Apache-2.0
// Rays through convex solids: the stretch of a line inside one, the intersection of those inside simpler ones.
#pragma once
#include "cairn/geometry/polyhedron.h"
#include "cairn/geometry/ray_cast.h"

namespace cairn::answers {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Ray {
  Vec3 x, d;  ///< d is unit
  double reach;
  Vec3 at(double t) const { return x + t * d; }
};

/// The stretch of a line inside a convex solid, with the outward normals at its ends.
struct Stretch {
  double t0 = -infinity, t1 = infinity;
  Vec3 n0 = Vec3::Zero(), n1 = Vec3::Zero();
  bool is_empty() const { return !(t0 <= t1); }
  void cut(const Stretch& o) {
    if (o.t0 > t0) t0 = o.t0, n0 = o.n0;
    if (o.t1 < t1) t1 = o.t1, n1 = o.n1;
  }
};
inline constexpr auto nothing = [] { return Stretch{infinity, -infinity, Vec3::Zero(), Vec3::Zero()}; };

/// Where the ray enters, or leaves when it starts inside.
std::optional<RayHit> first_end(const Ray& ray, const Stretch& s);

/// n.X <= o.
Stretch behind_plane(const Ray& ray, const Vec3& n, double o);
/// |X - centre| <= r.
Stretch in_ball(const Ray& ray, const Vec3& centre, double r);
/// X^2 + Y^2 <= r^2.
Stretch in_tube(const Ray& ray, double r);
/// The tube between the planes |Z| = half_length.
Stretch in_bar(const Ray& ray, double r, double half_length);
/// X^2 + Y^2 <= k^2 Z^2 with Z <= 0: a cone hanging from its apex at the origin.
Stretch below_apex(const Ray& ray, double k);
Stretch stretch(const Polyhedron& p, const Ray& ray);

}  // namespace cairn::answers
