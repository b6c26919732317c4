// SPDX-License-Identifier: Apache-2.0
// Closed forms for the primitive shapes: checks, integrals over the volume, bounds.
#include "cairn/geometry/shape.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/base/error.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::span<double, 3> numbers(Vec3& x) { return std::span<double, 3>(x.data(), 3); }

Shape make_sphere(ParameterVisitor& v) {
  Sphere sphere;
  v.real("radius", sphere.radius, "m", positive, "of the ball", Presence::Required);
  return sphere;
}

Shape make_box(ParameterVisitor& v) {
  Vec3 size = 2 * Box{}.half_extents;
  v.vector("size", numbers(size), "m", positive, Presence::Required, "three edge lengths (in C++ half_extents)");
  return Box{size / 2};
}

Shape make_half_space(ParameterVisitor& v) {
  HalfSpace half;
  v.direction("normal", numbers(half.normal), "out of the solid");
  v.real("offset", half.offset, "m", any_number, "distance of the plane from the body's origin along the normal");
  return half;
}

// In the order of the alternatives of Shape.
constexpr std::array<ShapeInfo, std::variant_size_v<Shape>> kShapeKinds{{
    {"sphere", "ball about the origin of the body frame", make_sphere},
    {"box", "block about the origin of the body frame; a parallelepiped on an affine body", make_box},
    {"half-space", "everything below a plane: solid where normal.X <= offset; fixed bodies only, no mass",
     make_half_space},
}};

bool is_positive(double x) { return std::isfinite(x) && x > 0; }

void check(const Sphere& s, std::string_view owner) {
  if (!is_positive(s.radius)) throw Error("{}: sphere radius is {} m; must be finite and > 0", owner, s.radius);
}

void check(const Box& b, std::string_view owner) {
  const Vec3& e = b.half_extents;
  if (!is_positive(e.x()) || !is_positive(e.y()) || !is_positive(e.z()))
    throw Error("{}: box half_extents are ({}, {}, {}) m; must be finite and > 0", owner, e.x(), e.y(), e.z());
}

void check(const HalfSpace& h, std::string_view owner) {
  const Vec3& n = h.normal;
  if (!(std::abs(n.norm() - 1) <= 1e-9))
    throw Error("{}: half-space normal ({}, {}, {}) has length {}; must be a unit vector", owner, n.x(), n.y(), n.z(),
                n.norm());
  if (!std::isfinite(h.offset)) throw Error("{}: half-space offset is {} m; must be finite", owner, h.offset);
}

MassProperties from_moments(double volume, const Vec3& moments) {
  const Mat3 euler = moments.asDiagonal();
  return {volume, Vec3::Zero(), euler.trace() * Mat3::Identity() - euler, euler};
}

// int x^2 dV = V r^2 / 5.
MassProperties mass(const Sphere& s) {
  const double r = s.radius, volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  return from_moments(volume, Vec3::Constant(volume * r * r / 5));
}

// int x_i^2 dV = V h_i^2 / 3.
MassProperties mass(const Box& b) {
  const double volume = 8 * b.half_extents.prod();
  return from_moments(volume, volume / 3 * b.half_extents.cwiseAbs2());
}

MassProperties mass(const HalfSpace&) {
  throw Error("half-space: its volume is infinite, so it has no mass properties; use it on a fixed body");
}

double radius_of(const Sphere& s) { return s.radius; }
double radius_of(const Box& b) { return b.half_extents.norm(); }
double radius_of(const HalfSpace&) { return kInfinity; }

// The image of the unit ball under r A reaches r |row_i A| along axis i.
Aabb bounds(const Sphere& s, const Placement& p) {
  const Vec3 reach = s.radius * p.A.rowwise().norm();
  return {p.c - reach, p.c + reach};
}

Aabb bounds(const Box& b, const Placement& p) {
  const Vec3 reach = p.A.cwiseAbs() * b.half_extents;
  return {p.c - reach, p.c + reach};
}

// The plane n.X = o becomes m.x = o + m.c with m = A^-T n. Only an exactly axis-aligned m bounds anything.
Aabb bounds(const HalfSpace& h, const Placement& p) {
  Aabb box{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
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

}  // namespace

bool is_rotation(const Mat3& A, double tolerance) {
  const Vec3 a = A.col(0), b = A.col(1), c = A.col(2);
  return std::abs(a.squaredNorm() - 1) <= tolerance && std::abs(b.squaredNorm() - 1) <= tolerance &&
         std::abs(c.squaredNorm() - 1) <= tolerance && std::abs(a.dot(b)) <= tolerance &&
         std::abs(b.dot(c)) <= tolerance && std::abs(c.dot(a)) <= tolerance && a.cross(b).dot(c) > 0;
}

void check_shape(const Shape& shape, std::string_view owner) {
  std::visit([&](const auto& s) { check(s, owner); }, shape);
}

MassProperties compute_mass_properties(const Shape& shape) {
  return std::visit([](const auto& s) { return mass(s); }, shape);
}

bool is_bounded(const Shape& shape) { return std::isfinite(bounding_radius(shape)); }

double bounding_radius(const Shape& shape) {
  return std::visit([](const auto& s) { return radius_of(s); }, shape);
}

Aabb compute_aabb(const Shape& shape, const Placement& placement) {
  return std::visit([&](const auto& s) { return bounds(s, placement); }, shape);
}

std::string_view shape_name(const Shape& shape) { return kShapeKinds[shape.index()].name; }

std::span<const ShapeInfo> shape_kinds() { return kShapeKinds; }

}  // namespace cairn
