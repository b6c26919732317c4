// SPDX-License-Identifier: Apache-2.0
// Lines and planes, balls, tubes and cones.
#include "cairn/geometry/ray_stretch.h"

#include <cmath>

namespace cairn::answers {

std::optional<RayHit> first_end(const Ray& ray, const Stretch& s) {
  if (s.is_empty()) return {};
  const bool outside = s.t0 >= 0;
  const double t = outside ? s.t0 : s.t1;
  if (!(t >= 0) || !(t <= ray.reach) || std::isinf(t)) return {};
  return RayHit{t, ray.at(t), outside ? s.n0 : s.n1};
}

Stretch behind_plane(const Ray& ray, const Vec3& n, double o) {
  const double speed = n.dot(ray.d), depth = o - n.dot(ray.x);
  if (speed == 0) return depth >= 0 ? Stretch{} : nothing();
  Stretch s;
  if (speed > 0)
    s.t1 = depth / speed, s.n1 = n;
  else
    s.t0 = depth / speed, s.n0 = n;
  return s;
}

namespace {

// Roots of a t^2 + 2 b t + c with a > 0, without cancellation.
std::optional<std::pair<double, double>> find_roots(double a, double b, double c, double discriminant) {
  if (!(discriminant >= 0)) return {};
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double t0 = q / a, t1 = q == 0 ? t0 : c / q;
  if (t0 > t1) std::swap(t0, t1);
  return std::pair{t0, t1};
}

}  // namespace

// The discriminant comes from the distance of the line, which keeps its digits from afar.
Stretch in_ball(const Ray& ray, const Vec3& centre, double r) {
  const Vec3 y = ray.x - centre;
  const double b = ray.d.dot(y);
  const Vec3 off = y - b * ray.d;
  const auto roots = find_roots(1, b, y.squaredNorm() - r * r, (r - off.norm()) * (r + off.norm()));
  if (!roots) return nothing();
  return {roots->first, roots->second, (y + roots->first * ray.d).normalized(),
          (y + roots->second * ray.d).normalized()};
}

Stretch in_tube(const Ray& ray, double r) {
  const Vec2 y = ray.x.head<2>(), d = ray.d.head<2>();
  const double a = d.squaredNorm();
  if (a == 0) return y.norm() <= r ? Stretch{} : nothing();
  const double b = d.dot(y), off = std::abs(y.x() * d.y() - y.y() * d.x()) / std::sqrt(a);
  const auto roots = find_roots(a, b, y.squaredNorm() - r * r, a * (r - off) * (r + off));
  if (!roots) return nothing();
  const auto normal = [&](double t) -> Vec3 {
    const Vec2 n = (y + t * d).normalized();
    return {n.x(), n.y(), 0};
  };
  return {roots->first, roots->second, normal(roots->first), normal(roots->second)};
}

Stretch in_bar(const Ray& ray, double r, double half_length) {
  Stretch s = in_tube(ray, r);
  s.cut(behind_plane(ray, Vec3::UnitZ(), half_length));
  s.cut(behind_plane(ray, -Vec3::UnitZ(), half_length));
  return s;
}

Stretch below_apex(const Ray& ray, double k) {
  const auto form = [&](const Vec3& p, const Vec3& q) { return p.x() * q.x() + p.y() * q.y() - k * k * p.z() * q.z(); };
  const double a = form(ray.d, ray.d), b = form(ray.x, ray.d), c = form(ray.x, ray.x);
  const auto normal = [&](double t) -> Vec3 {
    const Vec3 p = ray.at(t);
    const double across = std::hypot(p.x(), p.y());
    return across > 0 ? Vec3(p.x() / across, p.y() / across, k).normalized() : Vec3(Vec3::UnitZ());
  };
  Stretch s;
  if (a > 0) {  // flat: between the roots, in one of the two cones
    const auto roots = find_roots(a, b, c, std::max(0.0, b * b - a * c));
    if (b * b - a * c < 0 || ray.x.z() + (roots->first + roots->second) / 2 * ray.d.z() > 0) return nothing();
    return {roots->first, roots->second, normal(roots->first), normal(roots->second)};
  }
  // Steep: outside of the roots, down where the ray goes down. The line meets the plane of the apex, where the form is
  // not negative, so there are roots.
  double low = 0, high = 0;
  if (a < 0) {
    const auto roots = find_roots(-a, -b, -c, std::max(0.0, b * b - a * c));
    low = roots->first, high = roots->second;
  } else {
    if (b == 0) return c <= 0 && ray.x.z() <= 0 ? s : nothing();
    low = high = -c / (2 * b);
  }
  if (ray.d.z() < 0)
    s.t0 = high, s.n0 = normal(high);
  else
    s.t1 = low, s.n1 = normal(low);
  return s;
}

Stretch stretch(const Polyhedron& p, const Ray& ray) {
  Stretch s;
  for (int f = 0; f < p.face_count() && !s.is_empty(); ++f) s.cut(behind_plane(ray, p.normals[f], p.offsets[f]));
  return s;
}

}  // namespace cairn::answers
