// SPDX-License-Identifier: Apache-2.0
// Making compounds: every part is checked under its own name.
#include "cairn/geometry/compound.h"

#include "cairn/base/error.h"
#include "cairn/geometry/shape_answers.h"
#include "cairn/geometry/shape_helpers.h"

namespace cairn {

Compound make_compound(std::vector<CompoundPart> parts, std::string_view owner) {
  if (parts.empty()) throw Error("{}: compound has no parts; must have at least one", owner);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::string name = fmt::format("{}: part {}", owner, k);
    if (std::holds_alternative<Compound>(parts[k].shape))
      throw Error("{} is a compound; put its parts in the outer one", name);
    check_shape(parts[k].shape, name);
    if (!parts[k].at.c.allFinite() || !is_rotation(parts[k].at.A))
      throw Error("{}: its place must be finite and its A a rotation", name);
  }
  return {std::make_shared<const CompoundData>(CompoundData{std::move(parts)})};
}

}  // namespace cairn

namespace cairn::answers {
namespace {

Shape build_compound(ParameterVisitor& v, const ShapeLoader&) {
  v.special("parts", "list", "of {shape, position, orientation}; positions and orientations in the frame of the body");
  return Compound{};
}

}  // namespace

void check(const Compound& c, std::string_view owner) {
  if (!c.data || c.data->parts.empty()) throw Error("{}: compound has no parts; must have at least one", owner);
}

MassProperties mass(const Compound& c) {
  MassSum sum;
  for (const CompoundPart& part : c.data->parts) {
    MassProperties m = compute_mass_properties(part.shape);
    const Mat3& R = part.at.A;
    m.centre = part.at.apply(m.centre);
    m.euler = R * m.euler * R.transpose();
    sum.add(m);
  }
  return sum.finish();
}

double radius(const Compound& c) {
  double radius = 0;
  for (const CompoundPart& part : c.data->parts)
    radius = std::max(radius, part.at.c.norm() + bounding_radius(part.shape));
  return radius;
}

Aabb bounds(const Compound& c, const Placement& p) {
  Aabb box;
  for (const CompoundPart& part : c.data->parts)
    box.merge(compute_aabb(part.shape, {p.A * part.at.A, p.apply(part.at.c)}));
  return box;
}

double thickness(const Compound& c) {
  double least = infinity;
  for (const CompoundPart& part : c.data->parts) least = std::min(least, half_thickness(part.shape));
  return least;
}

SurfacePoint closest(const Compound& c, const Vec3& x) {
  SurfacePoint best;
  best.distance = infinity;
  for (const CompoundPart& part : c.data->parts) {
    const Mat3& R = part.at.A;
    const SurfacePoint p = find_closest_point(part.shape, R.transpose() * (x - part.at.c));
    if (p.distance < best.distance) best = {part.at.apply(p.point), R * p.normal, p.distance};
  }
  return best;
}

std::optional<RayHit> cast(const Compound& c, const Ray& ray) {
  std::optional<RayHit> best;
  for (const CompoundPart& part : c.data->parts) {
    const Mat3& R = part.at.A;
    auto hit = cast_ray(part.shape, R.transpose() * (ray.x - part.at.c), R.transpose() * ray.d, ray.reach);
    if (!hit || (best && hit->distance >= best->distance)) continue;
    hit->point = ray.at(hit->distance);
    hit->normal = R * hit->normal;
    best = hit;
  }
  return best;
}

SurfaceMesh surface(const Compound& c, int refinement, double extent) {
  SurfaceMesh mesh;
  for (const CompoundPart& part : c.data->parts) {
    const SurfaceMesh one = make_surface_mesh(part.shape, refinement, extent);
    const int first = static_cast<int>(mesh.vertices.size());
    for (const Vec3& v : one.vertices) mesh.vertices.push_back(part.at.apply(v));
    for (const auto& [i, j, k] : one.triangles) mesh.triangles.push_back({first + i, first + j, first + k});
  }
  return mesh;
}

Shape place(const Compound& c, const Placement& at) {
  std::vector<CompoundPart> parts = c.data->parts;
  for (CompoundPart& part : parts) part.at = {at.A * part.at.A, at.apply(part.at.c)};
  return make_compound(std::move(parts), "compound");
}

constinit const ShapeInfo compound_row{"compound", "several shapes that move together", build_compound};

}  // namespace cairn::answers

namespace cairn {

Vec3 compute_support(const Compound& c, const Vec3& d) {
  double best = -std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero();
  for (const CompoundPart& part : c.data->parts) {
    const Vec3 x = part.at.apply(compute_support(part.shape, part.at.A.transpose() * d));
    const double height = d.dot(x);
    if (height > best) best = height, point = x;
  }
  return point;
}

}  // namespace cairn
