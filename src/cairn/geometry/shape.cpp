// SPDX-License-Identifier: Apache-2.0
// Asks the file of the shape; the list of all shapes.
#include "cairn/geometry/shape_answers.h"

#include <array>
#include <cmath>

namespace cairn {

bool is_rotation(const Mat3& A, double tolerance) {
  const Vec3 a = A.col(0), b = A.col(1), c = A.col(2);
  return std::abs(a.squaredNorm() - 1) <= tolerance && std::abs(b.squaredNorm() - 1) <= tolerance &&
         std::abs(c.squaredNorm() - 1) <= tolerance && std::abs(a.dot(b)) <= tolerance &&
         std::abs(b.dot(c)) <= tolerance && std::abs(c.dot(a)) <= tolerance && a.cross(b).dot(c) > 0;
}

void check_shape(const Shape& shape, std::string_view owner) {
  std::visit([&](const auto& s) { answers::check(s, owner); }, shape);
}

MassProperties compute_mass_properties(const Shape& shape) {
  return std::visit([](const auto& s) { return answers::mass(s); }, shape);
}

bool is_bounded(const Shape& shape) { return std::isfinite(bounding_radius(shape)); }

double bounding_radius(const Shape& shape) {
  return std::visit([](const auto& s) { return answers::radius(s); }, shape);
}

Aabb compute_aabb(const Shape& shape, const Placement& placement) {
  return std::visit([&](const auto& s) { return answers::bounds(s, placement); }, shape);
}

double half_thickness(const Shape& shape) {
  return std::visit([](const auto& s) { return answers::thickness(s); }, shape);
}

std::span<const ShapeInfo> shape_kinds() {
  using namespace answers;
  static const auto rows = std::to_array<ShapeInfo>({sphere_row, box_row, half_space_row, capsule_row, cylinder_row,
                                                     cone_row, ellipsoid_row, convex_polyhedron_row, triangle_mesh_row,
                                                     height_field_row, cell_mesh_row, compound_row});
  static_assert(rows.size() + 1 == std::variant_size_v<Shape>);  // all but the solids of programs
  return rows;
}

std::string_view shape_name(const Shape& shape) {
  return std::holds_alternative<UserSolid>(shape) ? "mesh" : shape_kinds()[shape.index()].name;
}

}  // namespace cairn
