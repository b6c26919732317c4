// SPDX-License-Identifier: Apache-2.0
// What must hold for every shape: mass properties against its surface, support points, bounds, independence of scale.
#include <gtest/gtest.h>

#include <cmath>

#include "all_shapes.h"
#include "cairn/base/error.h"
#include "cairn/geometry/support.h"

namespace cairn {
namespace {

using namespace testing_shapes;

double relative(const Mat3& a, const Mat3& b) { return (a - b).norm() / b.norm(); }

TEST(EveryShape, has_the_mass_properties_of_its_surface) {
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    const MassProperties exact = compute_mass_properties(shape);
    EXPECT_LT(relative(exact.inertia, exact.euler.trace() * Mat3::Identity() - exact.euler), 1e-14);
    if (!curved) {
      const MassProperties got = compute_mass_properties(make_surface_mesh(shape));
      EXPECT_NEAR(got.volume / exact.volume, 1, 1e-13);
      EXPECT_LT((got.centre - exact.centre).norm(), 1e-13);
      EXPECT_LT(relative(got.euler, exact.euler), 1e-12);
      continue;
    }
    // Halving the edges divides the error by four; the extrapolated value is better by two more orders.
    MassProperties m[3];
    for (int k = 0; k < 3; ++k) m[k] = compute_mass_properties(make_surface_mesh(shape, 3 + k));
    EXPECT_NEAR((exact.volume - m[0].volume) / (exact.volume - m[1].volume), 4, 0.1);
    EXPECT_NEAR((4 * m[2].volume - m[1].volume) / 3 / exact.volume, 1, 2e-6);
    const auto second = [](const MassProperties& x) -> Mat3 {
      return x.euler + x.volume * x.centre * x.centre.transpose();
    };
    EXPECT_LT(relative((4 * second(m[2]) - second(m[1])) / 3, second(exact)), 4e-6);
    EXPECT_LT((4 * m[2].centre * m[2].volume - m[1].centre * m[1].volume - 3 * exact.centre * exact.volume).norm(),
              1e-5 * exact.volume);
  }
}

TEST(EveryShape, has_a_support_point_that_no_point_of_its_surface_beats) {
  std::mt19937 random(4);
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    const SurfaceMesh surface = make_surface_mesh(shape, curved ? 5 : 0);
    for (int k = 0; k < 300; ++k) {
      const Vec3 d = k < 6 ? Vec3((k % 2 ? 1 : -1) * Vec3::Unit(k / 2)) : random_direction(random);
      double height = -INFINITY;
      for (const Vec3& v : surface.vertices) height = std::max(height, d.dot(v));
      const double got = d.dot(compute_support(shape, d));
      EXPECT_GE(got, height - 1e-14);
      EXPECT_LE(got, height + (curved ? 2e-3 : 1e-14));
      EXPECT_NEAR(d.dot(compute_support(shape, 1e-200 * d)), got, 1e-14);
      EXPECT_NEAR(d.dot(compute_support(shape, 1e200 * d)), got, 1e-14);
    }
    EXPECT_TRUE(compute_support(shape, Vec3::Zero()).allFinite());
  }
  EXPECT_THROW(compute_support(HalfSpace{}, Vec3::UnitX()), Error);
}

TEST(EveryShape, has_the_bounds_of_its_support_points_under_any_matrix) {
  std::mt19937 random(5);
  std::normal_distribution<double> g;
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    for (int k = 0; k < 200; ++k) {
      const Placement p{k % 2 ? random_matrix(random) : random_rotation(random), Vec3(g(random), g(random), 10)};
      const Aabb box = compute_aabb(shape, p);
      for (int i = 0; i < 3; ++i) {
        const Vec3 row = p.A.row(i);
        EXPECT_NEAR(box.hi[i], p.apply(compute_support(shape, row))[i], 1e-13);
        EXPECT_NEAR(box.lo[i], p.apply(compute_support(shape, -row))[i], 1e-13);
      }
    }
    double radius = 0;
    for (const Vec3& v : make_surface_mesh(shape, curved ? 6 : 0).vertices) radius = std::max(radius, v.norm());
    EXPECT_GE(bounding_radius(shape), radius - 1e-14);
    if (name != "compound") {
      EXPECT_LE(bounding_radius(shape), radius + 1e-3);
    }
  }
}

TEST(EveryShape, scales_from_micrometres_to_kilometres) {
  const auto reference = all_bounded(1);
  for (const double s : {1e-6, 1e-3, 1e3}) {
    const auto scaled = all_bounded(s);
    for (std::size_t k = 0; k < scaled.size(); ++k) {
      SCOPED_TRACE(scaled[k].name);
      EXPECT_NO_THROW(check_shape(scaled[k].shape, "x"));
      const MassProperties a = compute_mass_properties(reference[k].shape),
                           b = compute_mass_properties(scaled[k].shape);
      EXPECT_NEAR(b.volume / (s * s * s) / a.volume, 1, 1e-12);
      EXPECT_LT(relative(b.inertia / std::pow(s, 5), a.inertia), 1e-12);
      EXPECT_NEAR(bounding_radius(scaled[k].shape) / s, bounding_radius(reference[k].shape), 1e-13);
      EXPECT_EQ(make_surface_mesh(scaled[k].shape).triangles, make_surface_mesh(reference[k].shape).triangles);
    }
  }
}

TEST(EveryShape, of_a_turned_and_moved_solid_keeps_its_principal_moments) {
  std::mt19937 random(6);
  for (const auto& [name, shape, curved] : all_bounded()) {
    if (std::holds_alternative<Compound>(shape)) continue;
    SCOPED_TRACE(name);
    const Mat3 R = random_rotation(random);
    const Vec3 c(1, 2, -3);
    const MassProperties alone = compute_mass_properties(shape);
    const MassProperties placed = compute_mass_properties(make_compound({{shape, {R, c}}}, "x"));
    EXPECT_LT((placed.centre - (R * alone.centre + c)).norm(), 1e-14);
    EXPECT_LT(relative(placed.inertia, R * alone.inertia * R.transpose()), 1e-13);
  }
}

}  // namespace
}  // namespace cairn
