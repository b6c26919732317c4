// SPDX-License-Identifier: Apache-2.0
// Shapes: checks, mass properties against closed forms and sampling-free identities, bounds.
#include "cairn/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "cairn/base/error.h"
#include "support/random_motion.h"

namespace cairn {
namespace {

TEST(Shape, sphere_has_two_fifths_m_r_squared) {
  const double r = 0.3, volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const MassProperties m = compute_mass_properties(Sphere{r});
  EXPECT_NEAR(m.volume, volume, 1e-15);
  EXPECT_TRUE(m.inertia.isApprox(0.4 * volume * r * r * Mat3::Identity(), 1e-14));
  EXPECT_EQ(m.centre, Vec3::Zero());
}

TEST(Shape, box_has_one_twelfth_m_of_the_sum_of_squared_sides) {
  const Vec3 side(0.2, 0.5, 1.1);
  const MassProperties m = compute_mass_properties(Box{side / 2});
  const double volume = side.prod();
  const Vec3 s2 = side.cwiseAbs2();
  EXPECT_NEAR(m.volume, volume, 1e-15);
  const Vec3 expected = volume / 12 * Vec3(s2.y() + s2.z(), s2.z() + s2.x(), s2.x() + s2.y());
  EXPECT_TRUE(m.inertia.isApprox(Mat3(expected.asDiagonal()), 1e-14));
  EXPECT_TRUE(m.euler.isApprox(Mat3((volume / 12 * s2).asDiagonal()), 1e-14));
}

TEST(Shape, half_space_has_no_mass) {
  EXPECT_THROW(compute_mass_properties(HalfSpace{}), Error);
  EXPECT_FALSE(is_bounded(HalfSpace{}));
  EXPECT_TRUE(is_bounded(Box{}));
}

TEST(Shape, bounding_radius_is_that_of_the_farthest_point) {
  EXPECT_EQ(bounding_radius(Sphere{2}), 2);
  EXPECT_DOUBLE_EQ(bounding_radius(Box{{1, 2, 2}}), 3);
  EXPECT_TRUE(std::isinf(bounding_radius(HalfSpace{})));
}

TEST(Shape, wrong_parameters_are_errors_that_name_the_owner) {
  const Shape wrong[] = {Sphere{0},
                         Sphere{-1},
                         Sphere{NAN},
                         Sphere{INFINITY},
                         Box{{1, 0, 1}},
                         Box{{1, 1, NAN}},
                         HalfSpace{{0, 0, 0}},
                         HalfSpace{{0, 0, 2}},
                         HalfSpace{{0, 0, 1}, NAN},
                         Capsule{0, 1},
                         Capsule{1, -1},
                         Capsule{1, NAN},
                         Cylinder{1, 0},
                         Cylinder{-1, 1},
                         Cone{0, 1},
                         Cone{1, INFINITY},
                         Ellipsoid{{1, 1, 0}},
                         ConvexPolyhedron{},
                         TriangleMesh{},
                         HeightField{},
                         CellMesh{},
                         Compound{}};
  for (const Shape& shape : wrong) {
    try {
      check_shape(shape, "body 'brick 12'");
      ADD_FAILURE() << "accepted a wrong " << shape_name(shape);
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("body 'brick 12'"), std::string::npos) << e.what();
    }
  }
  for (const Shape& shape : {Shape(Sphere{}), Shape(Box{}), Shape(HalfSpace{})})
    EXPECT_NO_THROW(check_shape(shape, "x"));
}

TEST(Shape, kinds_are_listed_in_the_order_of_the_variant) {
  ASSERT_EQ(shape_kinds().size() + 1, std::variant_size_v<Shape>);  // all but the solids of programs
  EXPECT_EQ(shape_name(Sphere{}), "sphere");
  EXPECT_EQ(shape_name(Box{}), "box");
  EXPECT_EQ(shape_name(HalfSpace{}), "half-space");
  EXPECT_EQ(shape_name(Capsule{}), "capsule");
  EXPECT_EQ(shape_name(Cylinder{}), "cylinder");
  EXPECT_EQ(shape_name(Cone{}), "cone");
  EXPECT_EQ(shape_name(Ellipsoid{}), "ellipsoid");
  EXPECT_EQ(shape_name(ConvexPolyhedron{}), "convex");
  EXPECT_EQ(shape_name(TriangleMesh{}), "mesh");
  EXPECT_EQ(shape_name(HeightField{}), "height-field");
  EXPECT_EQ(shape_name(CellMesh{}), "cells");
  EXPECT_EQ(shape_name(Compound{}), "compound");
}

TEST(Shape, is_rotation_refuses_shear_scale_and_reflection) {
  std::mt19937 random(1);
  const Mat3 R = random_rotation(random);
  EXPECT_TRUE(is_rotation(R, 1e-13));
  EXPECT_FALSE(is_rotation(-R));
  EXPECT_FALSE(is_rotation(1.001 * R));
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = 1e-6;
  EXPECT_FALSE(is_rotation(R * shear));
}

// Contains every surface point, and each of its six sides is reached by one: support points of the axes.
TEST(Aabb, is_tight_about_spheres_and_boxes_under_any_matrix) {
  std::mt19937 random(2);
  std::normal_distribution<double> g;
  for (int trial = 0; trial < 200; ++trial) {
    const Placement p{trial % 2 ? random_matrix(random) : random_rotation(random), Vec3(g(random), g(random), 10)};
    const Sphere sphere{0.7};
    const Box box{{0.2, 0.5, 0.9}};
    for (const Shape& shape : {Shape(sphere), Shape(box)}) {
      Aabb bounds = compute_aabb(shape, p), reached;
      for (int k = 0; k < 50; ++k) {
        const Vec3 u = Vec3(g(random), g(random), g(random)).normalized();
        const double to_face = 1 / u.cwiseQuotient(box.half_extents).lpNorm<Eigen::Infinity>();
        reached.merge(p.apply((shape.index() == 0 ? 0.7 : to_face) * u));
      }
      for (int i = 0; i < 3; ++i) {
        const Vec3 row = p.A.row(i);  // the direction in the body frame in which x_i grows
        const Vec3 top =
            shape.index() == 0 ? Vec3(0.7 * row.normalized()) : Vec3(row.cwiseSign().cwiseProduct(box.half_extents));
        reached.merge(p.apply(top));
        reached.merge(p.apply(-top));
      }
      EXPECT_TRUE(reached.lo.isApprox(bounds.lo, 1e-13)) << reached.lo.transpose() << " " << bounds.lo.transpose();
      EXPECT_TRUE(reached.hi.isApprox(bounds.hi, 1e-13));
    }
  }
}

TEST(Aabb, of_a_half_space_is_cut_only_where_its_normal_is_an_axis) {
  const Placement up{Mat3::Identity(), Vec3(5, 5, 2)};
  const Aabb floor = compute_aabb(HalfSpace{{0, 0, 1}, 0.5}, up);
  EXPECT_EQ(floor.hi.z(), 2.5);
  EXPECT_TRUE(std::isinf(floor.lo.z()) && std::isinf(floor.hi.x()) && std::isinf(floor.lo.y()));
  const Aabb wall = compute_aabb(HalfSpace{{-1, 0, 0}, -3}, up);  // solid where -X <= -3, that is x >= 8
  EXPECT_EQ(wall.lo.x(), 8);
  EXPECT_TRUE(std::isinf(wall.hi.x()) && std::isinf(wall.lo.z()));
  const Aabb slope = compute_aabb(HalfSpace{{0.6, 0, 0.8}, 1}, up);
  EXPECT_TRUE((slope.lo.array() == -INFINITY).all() && (slope.hi.array() == INFINITY).all());
  Placement flat = up;  // squeezed to half the height: the plane z = 2 + 0.5/2
  flat.A = Vec3(1, 1, 0.5).asDiagonal();
  EXPECT_DOUBLE_EQ(compute_aabb(HalfSpace{{0, 0, 1}, 0.5}, flat).hi.z(), 2.25);
}

TEST(Aabb, touching_boxes_overlap_and_parted_ones_do_not) {
  const Aabb a{Vec3(0, 0, 0), Vec3(1, 1, 1)};
  EXPECT_TRUE(a.overlaps({Vec3(1, 1, 1), Vec3(2, 2, 2)}));
  for (int i = 0; i < 3; ++i) {
    Aabb b = a;
    b.lo[i] = std::nextafter(1.0, 2.0);
    b.hi[i] = 2;
    EXPECT_FALSE(a.overlaps(b));
    EXPECT_FALSE(b.overlaps(a));
    b.expand(1e-15);
    EXPECT_TRUE(a.overlaps(b));
  }
  Aabb all;
  EXPECT_FALSE(all.overlaps(a));
  all.merge(a);
  EXPECT_EQ(all.hi, a.hi);
}

}  // namespace
}  // namespace cairn
