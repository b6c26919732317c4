// SPDX-License-Identifier: Apache-2.0
// Checks of shapes.
#include "cairn/geometry/shape.h"

#include <cmath>

#include "cairn/base/error.h"
#include "cairn/geometry/compound.h"

namespace cairn {
namespace {

bool is_positive(double x) { return std::isfinite(x) && x > 0; }

void check_size(std::string_view owner, std::string_view what, double x) {
  if (!is_positive(x)) throw Error("{}: {} is {} m; must be finite and > 0", owner, what, x);
}

void check_sizes(std::string_view owner, std::string_view what, const Vec3& x) {
  if (!is_positive(x.x()) || !is_positive(x.y()) || !is_positive(x.z()))
    throw Error("{}: {} are ({}, {}, {}) m; must be finite and > 0", owner, what, x.x(), x.y(), x.z());
}

void check(const Sphere& s, std::string_view owner) { check_size(owner, "sphere radius", s.radius); }
void check(const Box& b, std::string_view owner) { check_sizes(owner, "box half_extents", b.half_extents); }

void check(const HalfSpace& h, std::string_view owner) {
  const Vec3& n = h.normal;
  if (!(std::abs(n.norm() - 1) <= 1e-9))
    throw Error("{}: half-space normal ({}, {}, {}) has length {}; must be a unit vector", owner, n.x(), n.y(), n.z(),
                n.norm());
  if (!std::isfinite(h.offset)) throw Error("{}: half-space offset is {} m; must be finite", owner, h.offset);
}

void check(const Capsule& c, std::string_view owner) {
  check_size(owner, "capsule radius", c.radius);
  if (!std::isfinite(c.half_length) || c.half_length < 0)
    throw Error("{}: capsule half_length is {} m; must be finite and >= 0", owner, c.half_length);
}

void check(const Cylinder& c, std::string_view owner) {
  check_size(owner, "cylinder radius", c.radius);
  check_size(owner, "cylinder half_length", c.half_length);
}

void check(const Cone& c, std::string_view owner) {
  check_size(owner, "cone radius", c.radius);
  check_size(owner, "cone height", c.height);
}

void check(const Ellipsoid& e, std::string_view owner) { check_sizes(owner, "ellipsoid semi_axes", e.semi_axes); }

// The rest was checked when its data were made and cannot change since.
template <class Kind>
void check_data(const Kind& shape, std::string_view owner) {
  constexpr std::string_view wanted = std::is_same_v<Kind, ConvexPolyhedron> ? "points or a file" : "a file";
  if (!shape.data) throw Error("{}: {} has no data; give it {}", owner, shape_name(shape), wanted);
}

void check(const ConvexPolyhedron& c, std::string_view owner) { check_data(c, owner); }
void check(const TriangleMesh& m, std::string_view owner) { check_data(m, owner); }
void check(const HeightField& h, std::string_view owner) { check_data(h, owner); }
void check(const CellMesh& c, std::string_view owner) { check_data(c, owner); }

void check(const Compound& c, std::string_view owner) {
  if (!c.data || c.data->parts.empty()) throw Error("{}: compound has no parts; must have at least one", owner);
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

}  // namespace cairn
