// SPDX-License-Identifier: Apache-2.0
// Meshes, cells, height fields and compounds on the edge: coincident, aligned, touching, thin as paper and long as
// needles, against every shape. Never a NaN, never a normal that points the wrong way, never a lost touch.
#include <gtest/gtest.h>

#include <numbers>

#include "collision/every_shape.h"
#include "collision/pair_oracle.h"

namespace cairn {
namespace {

using namespace test;

Placement at(const Vec3& c) { return {Mat3::Identity(), c}; }

TriangleMesh mesh_block(const Vec3& h) {
  return {std::make_shared<const MeshData>(make_mesh(make_surface_mesh(Box{h}), "block"))};
}

/// Two bricks side by side along x, together of half size h.
CellMesh cell_block(const Vec3& h) {
  VolumeMesh m;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k)
      m.vertices.push_back(h.cwiseProduct(Vec3(i - 1, k == 1 || k == 2 ? 1 : -1, k >= 2 ? 1 : -1)));
  m.cells = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 8, 9, 10, 11}};
  return {std::make_shared<const CellData>(make_cells(m, "block"))};
}

TEST(DegenerateSurfaces, coincident_and_concentric_shapes_are_sane) {
  for (const Shape& a : make_every_shape())
    for (const Shape& b : make_every_shape()) {
      if (is_boundary(a) && is_boundary(b)) continue;
      for (const Mat3& A : {Mat3(Mat3::Identity()), Mat3(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX())),
                            Mat3(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()))})
        check_sane(find_contacts(a, {A, Vec3::Zero()}, b, {}, 0.01), 4,
                   fmt::format("{} {}", shape_name(a), shape_name(b)));
    }
}

TEST(DegenerateSurfaces, aligned_shapes_at_every_offset_are_sane) {
  for (const Shape& a : make_every_shape())
    for (const Shape& b : make_every_shape()) {
      if (is_boundary(a) && is_boundary(b)) continue;
      if (!is_surface(a) && !is_surface(b)) continue;
      for (int axis = 0; axis < 3; ++axis)
        for (int quarter = 0; quarter < 2; ++quarter)
          for (double offset = -1; offset <= 1; offset += 0.125) {
            const Mat3 A(Eigen::AngleAxisd(quarter * std::numbers::pi / 2, Vec3::Unit((axis + 1) % 3)));
            check_sane(find_contacts(a, {A, offset * Vec3::Unit(axis)}, b, {}, 0.01), 4,
                       fmt::format("{} {} {}", shape_name(a), shape_name(b), offset));
          }
    }
}

// Blocks of every make with faces, edges or corners exactly against each other: all that is reported looks the way the
// blocks lie, and touching is zero. The blocks are convex, so separation() knows what a normal separates.
TEST(DegenerateSurfaces, blocks_that_touch_have_gap_zero_and_normals_towards_each_other) {
  const Vec3 h(0.3, 0.5, 0.4);
  const std::vector<Shape> blocks{mesh_block(h),      cell_block(h),  Box{h},
                                  Cylinder{0.3, 0.4}, Cone{0.3, 0.8}, Ellipsoid{h}};
  for (const Shape& a : blocks)
    for (const Shape& b : blocks) {
      if (!is_surface(a) && !is_surface(b)) continue;
      for (const Vec3& towards : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 1, 1), Vec3(1, 0, 1)}) {
        const Vec3 n = towards.normalized();
        const Placement pa = at((compute_support(b, n) - compute_support(a, -n)).dot(n) * n);
        const std::string where = fmt::format("{} {} {}", shape_name(a), shape_name(b), towards.norm());
        const auto c = find_contacts(a, pa, b, {}, 1e-6);
        check_sane(c, 2, where);
        for (const ContactPoint& x : c) {
          EXPECT_GT(x.normal.dot(n), -1e-9) << where;
          EXPECT_GE(separation(a, pa, b, {}, x.normal), -0.05) << where;
          EXPECT_GE(x.gap, -1e-12) << where;
        }
        // Along the axes blocks meet face to face, or a face is met by a point or a line.
        if (towards.norm() == 1) {
          ASSERT_FALSE(c.empty()) << where;
          EXPECT_NEAR(least_gap(c), 0, 1e-12) << where;
        }
      }
    }
}

// Cards of 1e-11 and needles of 1e-6 to 1, as meshes and cells, against every shape.
TEST(DegenerateSurfaces, slivers_and_needles_are_sane_and_as_far_as_the_oracle_says) {
  std::mt19937 random(5);
  const std::vector<Shape> thin{mesh_block({0.5, 0.4, 1e-9}), mesh_block({0.5, 0.4, 1e-11}),
                                mesh_block({1, 1e-6, 1e-6}), cell_block({0.5, 0.4, 1e-9}), cell_block({1, 1e-6, 1e-6})};
  std::vector<Shape> others = make_every_shape();
  others.insert(others.end(), thin.begin(), thin.end());
  others.push_back(Box{{0.5, 0.5, 1e-12}});
  others.push_back(Cylinder{0.5, 1e-12});
  others.push_back(Capsule{1e-9, 0.5});
  for (std::size_t i = 0; i < thin.size(); ++i)
    for (std::size_t j = 0; j < others.size(); ++j) {
      const Shape &a = thin[i], &b = others[j];
      const std::string where = fmt::format("{} {} and {} {}", i, shape_name(a), j, shape_name(b));
      for (int k = 0; k < 20; ++k) {
        const Placement pa = random_placement(random, 0.6), pb = random_placement(random, 0.6);
        const auto c = find_contacts(a, pa, b, pb, 0.1);
        check_sane(c, 4, where);
        if (is_boundary(b)) continue;
        const Bounds truth = bound_distance(a, pa, b, pb, 0.11);
        if (truth.lower < 1e-6 || overlap(a, pa, b, pb, truth, 1)) continue;
        if (truth.upper < 0.099) {
          ASSERT_FALSE(c.empty()) << where << " " << k;
          EXPECT_NEAR(least_gap(c), truth.upper, 1e-9) << where << " " << k;
        }
      }
    }
}

TEST(DegenerateSurfaces, flat_ground_with_shapes_exactly_on_its_lines_carries_each_at_gap_zero) {
  const HeightField flat{
      std::make_shared<const HeightGrid>(make_height_grid(5, 5, -2, -2, 1, 1, std::vector<double>(25, 0.0), "flat"))};
  for (const Shape& a : make_every_shape()) {
    if (is_boundary(a)) continue;
    for (const Vec3& place : {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0.5, 0.5, 0)}) {
      const Placement pa = at(place - compute_support(a, -Vec3::UnitZ()).z() * Vec3::UnitZ());
      const auto c = find_contacts(a, pa, flat, {}, 1e-6);
      ASSERT_FALSE(c.empty()) << shape_name(a);
      EXPECT_NEAR(least_gap(c), 0, 1e-15) << shape_name(a);
      for (const ContactPoint& x : c) EXPECT_GT(x.normal.z(), 1 - 1e-12) << shape_name(a);
    }
  }
}

}  // namespace
}  // namespace cairn
