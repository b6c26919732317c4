// SPDX-License-Identifier: Apache-2.0
// One shape of each of the twelve kinds at any scale, and random pairs of placements from apart to deep in each other:
// what the properties of all pairs are tested with.
#pragma once
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "cairn/geometry/height_field.h"
#include "collision/pair_helpers.h"
#include "geometry/all_shapes.h"

namespace cairn::test {

/// A closed chain of n bars of square section: not convex, with a hole and reflex edges.
inline SurfaceMesh make_ring(int n, double inner, double outer, double half_height) {
  SurfaceMesh s;
  for (int k = 0; k < n; ++k) {
    const double c = std::cos(2 * std::numbers::pi * k / n), d = std::sin(2 * std::numbers::pi * k / n);
    for (const auto& [r, z] :
         {std::pair(inner, -half_height), {outer, -half_height}, {outer, half_height}, {inner, half_height}})
      s.vertices.push_back({r * c, r * d, z});
  }
  for (int k = 0; k < n; ++k) {
    const int a = 4 * k, b = 4 * ((k + 1) % n);
    for (int m = 0; m < 4; ++m) {
      const int i = a + m, j = a + (m + 1) % 4, p = b + m, q = b + (m + 1) % 4;
      s.triangles.push_back({i, q, p});
      s.triangles.push_back({i, j, q});
    }
  }
  double volume = 0;
  for (const auto& t : s.triangles) volume += s.vertices[t[0]].dot(s.vertices[t[1]].cross(s.vertices[t[2]]));
  if (volume < 0)
    for (auto& t : s.triangles) std::swap(t[1], t[2]);
  return s;
}

/// Hills of random height over a square of side 3 s.
inline HeightGrid make_hills(double s, int n = 7) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> u(-0.25, 0.25);
  std::vector<double> heights;
  for (int k = 0; k < n * n; ++k) heights.push_back(s * u(random));
  const double step = 3 * s / (n - 1);
  return make_height_grid(n, n, -1.5 * s, -1.5 * s, step, step, heights, "hills");
}

/// In the order of the alternatives of Shape; all of size about s. The solids overlap in the compound.
inline std::vector<Shape> make_every_shape(double s = 1) {
  std::mt19937 random(8);
  std::vector<Shape> all{Sphere{0.4 * s},
                         Box{s * Vec3(0.3, 0.5, 0.4)},
                         HalfSpace{Vec3(1, 2, -2) / 3, 0.1 * s},
                         Capsule{0.25 * s, 0.4 * s},
                         Cylinder{0.35 * s, 0.5 * s},
                         Cone{0.45 * s, 0.9 * s},
                         Ellipsoid{s * Vec3(0.3, 0.5, 0.4)}};
  all.push_back(ConvexPolyhedron{std::make_shared<const Polyhedron>(testing_shapes::make_rock(s))});
  all.push_back(
      TriangleMesh{std::make_shared<const MeshData>(make_mesh(make_ring(5, 0.25 * s, 0.5 * s, 0.12 * s), "ring"))});
  all.push_back(HeightField{std::make_shared<const HeightGrid>(make_hills(s))});
  all.push_back(
      CellMesh{std::make_shared<const CellData>(make_cells(testing_shapes::make_bracket_cells(0.5 * s), "bracket"))});
  all.push_back(make_compound({{Cylinder{0.1 * s, 0.4 * s}, {random_rotation(random), s * Vec3(0.1, 0, 0.3)}},
                               {Box{s * Vec3(0.1, 0.2, 0.1)}, {random_rotation(random), s * Vec3(0.4, 0, 0)}},
                               {Sphere{0.2 * s}, {Mat3::Identity(), s * Vec3(0, -0.4, 0)}}},
                              "compound"));
  return all;
}

/// Boundaries of the world: they have no size, stay rigid and never meet each other.
inline bool is_boundary(const Shape& s) { return !is_bounded(s); }

/// Touches others on a triangulated surface.
inline bool is_surface(const Shape& s) {
  return std::holds_alternative<TriangleMesh>(s) || std::holds_alternative<CellMesh>(s) ||
         std::holds_alternative<HeightField>(s);
}

/// A rotation times stretches between 0.7 and 1.4 along any three axes: shears, 2:1 at most.
inline Mat3 random_deformation(std::mt19937& random) {
  std::uniform_real_distribution<double> u(0.7, 1.4);
  const double x = u(random), y = u(random), z = u(random);
  const Mat3 R = random_rotation(random);
  return R * Vec3(x, y, z).asDiagonal() * random_rotation(random);
}

struct Poses {
  Placement a, b;
};

/// Bounded shapes in pose k: rigid and affine in turn; anywhere, supporting planes near each other, pushed to a small
/// gap or overlap of 1e-2 to 1e-9, or to touch. The same numbers for the same shapes and k. `rigid` keeps rotations.
inline Poses make_poses(const Shape& a, const Shape& b, int k, bool rigid = false) {
  const std::size_t pair = a.index() < b.index() ? 12 * a.index() + b.index() : 12 * b.index() + a.index();
  std::mt19937 random(static_cast<unsigned>(1000003 * pair + static_cast<std::size_t>(k)));
  std::uniform_real_distribution<double> u(-1, 1);
  const auto turn = [&](const Shape& s) {
    const Mat3 R = random_rotation(random), F = random_deformation(random);
    return is_boundary(s) || rigid || k % 2 == 0 ? R : Mat3(R * F);
  };
  Poses p{{turn(a), random_vector(random, 0.1)}, {turn(b), random_vector(random, 0.1)}};
  Placement& moved = is_boundary(a) ? p.b : p.a;
  const Placement& fixed = is_boundary(a) ? p.a : p.b;
  const Shape &body = is_boundary(a) ? b : a, &other = is_boundary(a) ? a : b;
  const int way = k / 2 % 4;
  const Vec3 d = random_vector(random).normalized();
  const double gap = 0.025 + 0.175 * u(random);
  if (const auto* field = std::get_if<HeightField>(&other)) {
    const double x = u(random), y = u(random);
    moved.c = fixed.apply({x, y, field->data->height_at(x, y) + 0.5 + 0.5 * u(random)});
  } else if (const auto* plane = std::get_if<HalfSpace>(&other)) {
    const Vec3 n = fixed.A * plane->normal;
    const double low = n.dot(moved.apply(compute_support(body, -(moved.A.transpose() * n))));
    moved.c += (plane->offset + n.dot(fixed.c) + gap - low) * n;
  } else if (way == 1) {
    moved.c += (gap - separation(body, moved, other, fixed, d)) * d;
  } else {
    moved.c += random_vector(random, 0.8);
  }
  if (way < 2) return p;
  // Pushed along the normal of the point with the least gap.
  const double left = way == 3 ? 0 : (u(random) < 0 ? -1 : 1) * std::pow(10.0, -5.5 + 3.5 * u(random));
  const auto contacts = find_contacts(body, moved, other, fixed, 0.5);
  const ContactPoint* least = nullptr;
  for (const ContactPoint& c : contacts)
    if (!least || c.gap < least->gap) least = &c;
  if (least) moved.c += (left - least->gap) * least->normal;
  return p;
}

/// How many poses of each pair a test looks at: CAIRN_POSES of the environment for the long form.
inline int pose_count(int usual) {
  const char* given = std::getenv("CAIRN_POSES");
  return given ? std::atoi(given) : usual;
}

}  // namespace cairn::test
