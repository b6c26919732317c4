// SPDX-License-Identifier: Apache-2.0
// Shapes moved within their frame.
#include "cairn/geometry/place_shape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "all_shapes.h"
#include "cairn/base/error.h"
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/ray_cast.h"
#include "cairn/geometry/support.h"

namespace cairn {
namespace {

using namespace testing_shapes;

TEST(PlaceShape, every_query_sees_the_moved_solid) {
  std::mt19937 random(21);
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    const Placement at{random_rotation(random), Vec3(1, -2, 0.5)};
    const Shape moved = place_shape(shape, at);
    const MassProperties a = compute_mass_properties(shape), b = compute_mass_properties(moved);
    EXPECT_NEAR(b.volume / a.volume, 1, 1e-12);
    EXPECT_LT((b.centre - at.apply(a.centre)).norm(), 1e-13);
    EXPECT_LT((b.euler - at.A * a.euler * at.A.transpose()).norm(), 1e-12 * a.euler.norm());
    for (int k = 0; k < 100; ++k) {
      const Vec3 d = random_direction(random), x = 1.5 * random_direction(random);
      EXPECT_NEAR(d.dot(compute_support(moved, d)), d.dot(at.apply(compute_support(shape, at.A.transpose() * d))),
                  1e-13);
      EXPECT_NEAR(find_closest_point(moved, at.apply(x)).distance, find_closest_point(shape, x).distance, 1e-13);
      const auto one = cast_ray(shape, x, d), two = cast_ray(moved, at.apply(x), at.A * d);
      ASSERT_EQ(one.has_value(), two.has_value());
      if (one) {
        EXPECT_NEAR(one->distance, two->distance, 1e-11);
        EXPECT_LT((at.A * one->normal - two->normal).norm(), 1e-7);
      }
    }
    EXPECT_GE(bounding_radius(moved) + 1e-13, compute_support(moved, Vec3(1, -2, 0.5)).norm());
  }
}

TEST(PlaceShape, puts_the_centre_of_volume_at_the_origin) {
  for (const auto& [name, shape, curved] : all_bounded()) {
    const Shape centred = place_shape(shape, {Mat3::Identity(), -compute_mass_properties(shape).centre});
    EXPECT_LT(compute_mass_properties(centred).centre.norm(), 1e-14) << name;
    if (name == "sphere" || name == "box" || name == "cone") {
      EXPECT_EQ(centred.index(), shape.index());
    }
  }
}

TEST(PlaceShape, moves_planes_and_terrain) {
  const HalfSpace h = std::get<HalfSpace>(place_shape(HalfSpace{{0, 0, 1}, 1}, {Mat3::Identity(), Vec3(5, 5, 2)}));
  EXPECT_EQ(h.offset, 3);
  const HeightField field{std::make_shared<const HeightGrid>(make_height_grid(2, 2, 0, 0, 1, 1, {0, 1, 2, 3}, "x"))};
  const Shape up = place_shape(field, {Mat3::Identity(), Vec3(1, 0, 4)});
  EXPECT_EQ(std::get<HeightField>(up).data->height_at(2, 0), 5);
  std::mt19937 random(1);
  EXPECT_THROW(place_shape(field, {random_rotation(random), Vec3::Zero()}), Error);
  EXPECT_THROW(place_shape(Sphere{1}, {2 * Mat3::Identity(), Vec3::Zero()}), Error);
}

}  // namespace
}  // namespace cairn
