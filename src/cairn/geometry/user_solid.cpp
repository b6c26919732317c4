// SPDX-License-Identifier: Apache-2.0
// Rays by steps of the distance; checks of a program's answers against each other.
#include "cairn/geometry/user_solid.h"

#include "cairn/base/error.h"
#include "cairn/geometry/compound.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

namespace cairn {

// No point of the surface is nearer than the distance, so a step of that length meets none. The steps shrink in
// proportion near the surface, but where the ray grazes it.
std::optional<RayHit> ConvexSolid::cast_ray(const Vec3& origin, const Vec3& direction, double reach) const {
  constexpr int most = 10000;
  const double small = 1e-14 * (radius() + origin.norm());
  double t = 0, before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most && t <= reach; ++k) {
    const Vec3 x = origin + t * direction;
    const SurfacePoint p = closest_point(x);
    const double distance = std::abs(p.distance);
    if (distance <= small) return RayHit{t, x, p.normal};
    // Convex: once the distance from outside grows, the ray goes away for good.
    if (p.distance > before) return {};
    if (p.distance > 0) before = p.distance;
    t += distance;
  }
  return {};
}

UserSolid make_solid(std::shared_ptr<const ConvexSolid> solid, std::string_view owner) {
  if (!solid) throw Error("{}: there is no solid; must be given", owner);
  const double r = solid->radius();
  if (!(std::isfinite(r) && r > 0)) throw Error("{}: radius is {} m; must be finite and > 0", owner, r);
  const MassProperties m = solid->mass();
  if (!(std::isfinite(m.volume) && m.volume > 0)) throw Error("{}: volume is {} m^3; must be > 0", owner, m.volume);
  for (int k = 0; k < 26; ++k) {  // the corners, edges and faces of a cube
    const int code = k < 13 ? k : k + 1;
    const Vec3 d = Vec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1).normalized();
    const Vec3 x = solid->support(d);
    const SurfacePoint p = solid->closest_point(x);
    const auto fail = [&](std::string_view what) {
      throw Error("{}: the support point along ({}, {}, {}) is ({}, {}, {}); {}", owner, d.x(), d.y(), d.z(), x.x(),
                  x.y(), x.z(), what);
    };
    if (!x.allFinite()) fail("must be finite");
    if (!(x.norm() <= r * (1 + 1e-9))) fail(fmt::format("must lie within the radius {} m", r));
    if (!(std::abs(p.distance) <= 1e-9 * r)) fail(fmt::format("closest_point says it is {} m off", p.distance));
    if (!(solid->support(2 * d) - x).isZero(1e-9 * r)) fail("must not depend on the length of the direction");
  }
  return {std::move(solid)};
}

}  // namespace cairn

namespace cairn::answers {
void check(const UserSolid& s, std::string_view owner) {
  if (!s.data) throw Error("{}: there is no solid; must be made by make_solid()", owner);
}

MassProperties mass(const UserSolid& s) { return s.data->mass(); }

double radius(const UserSolid& s) { return s.data->radius(); }

Aabb bounds(const UserSolid& s, const Placement& p) { return supported_bounds(s, p); }

// Of the ball about its centre.
double thickness(const UserSolid& s) { return std::max(0.0, -s.data->closest_point(s.data->mass().centre).distance); }

SurfacePoint closest(const UserSolid& s, const Vec3& x) { return s.data->closest_point(x); }

std::optional<RayHit> cast(const UserSolid& s, const Ray& ray) { return s.data->cast_ray(ray.x, ray.d, ray.reach); }

// Seen from its centre: a ray in each direction of a sphere.
SurfaceMesh surface(const UserSolid& s, int refinement, double) {
  SurfaceMesh mesh = surface(Sphere{1}, refinement + 1, 0);
  const Vec3 centre = s.data->mass().centre;
  for (Vec3& v : mesh.vertices) {
    const auto hit = s.data->cast_ray(centre, v, infinity);
    v = hit ? hit->point : s.data->support(v);
  }
  return mesh;
}

Shape place(const UserSolid& s, const Placement& at) { return make_compound({{s, at}}, shape_name(s)); }

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const UserSolid& s, const Vec3& d) { return s.data->support(answers::unit(d)); }

}  // namespace cairn
