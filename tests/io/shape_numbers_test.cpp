// SPDX-License-Identifier: Apache-2.0
// Every shape survives being written as numbers; damaged numbers give no shape.
#include "cairn/io/shape_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/all_shapes.h"

namespace cairn {
namespace {

using namespace testing_shapes;

std::vector<Shape> every_kind() {
  std::vector<Shape> shapes;
  for (const NamedShape& each : all_bounded()) shapes.push_back(each.shape);
  shapes.push_back(HalfSpace{Vec3(1, 2, 2) / 3, 0.4});
  shapes.push_back(
      HeightField{std::make_shared<const HeightGrid>(make_height_grid(3, 2, 1, 2, 0.5, 2, {0, 1, 2, 3, 4, 5}, "x"))});
  return shapes;
}

TEST(ShapeNumbers, bring_every_shape_back) {
  const std::vector<Shape> shapes = every_kind();
  EXPECT_EQ(shapes.size(), std::variant_size_v<Shape> - 1);  // a program's own solid comes back as a mesh
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape_name(shape));
    const std::vector<double> numbers = shape_numbers(shape);
    const auto back = make_shape(shape_name(shape), numbers);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->index(), shape.index());
    EXPECT_EQ(shape_numbers(*back), numbers);
    EXPECT_EQ(make_surface_mesh(*back).vertices, make_surface_mesh(shape).vertices);
    EXPECT_EQ(make_surface_mesh(*back).triangles, make_surface_mesh(shape).triangles);
  }
}

TEST(ShapeNumbers, that_are_damaged_give_no_shape_or_another_but_never_a_crash) {
  std::mt19937 random(1);
  for (const Shape& shape : every_kind()) {
    SCOPED_TRACE(shape_name(shape));
    const std::vector<double> numbers = shape_numbers(shape);
    for (std::size_t size = 0; size < numbers.size(); ++size)
      EXPECT_FALSE(make_shape(shape_name(shape), std::span(numbers).first(size)));
    std::vector<double> longer = numbers;
    longer.push_back(1);
    EXPECT_FALSE(make_shape(shape_name(shape), longer));
    for (int k = 0; k < 300; ++k) {
      std::vector<double> bad = numbers;
      const double values[] = {-1, 0, 1, 2, 1e9, 1e300, -1e300, NAN, INFINITY, 0.5};
      bad[random() % bad.size()] = values[random() % 10];
      make_shape(shape_name(shape), bad);
    }
  }
  EXPECT_FALSE(make_shape("banana", std::vector<double>{1}));
}

}  // namespace
}  // namespace cairn
