// SPDX-License-Identifier: Apache-2.0
// Inputs on the edge: coincident, concentric, touching, thin as paper and long as needles. Never a NaN, never a normal
// that pulls the shapes into each other.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

Placement at(const Vec3& c) { return {Mat3::Identity(), c}; }

Shape make_block(const Vec3& h) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.push_back(h.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(points, "block"))};
}

// Moving a out along the normal by the depth must free it: the normal does not pull inwards.
void check_way_out(const Shape& a, Placement pa, const Shape& b, const Placement& pb, double size,
                   const std::string& where) {
  const auto contacts = find_contacts(a, pa, b, pb, 0);
  if (contacts.empty()) return;
  const double gap = least_gap(contacts);
  pa.c += (1e-9 * size - gap) * contacts[0].normal;
  const auto after = find_contacts(a, pa, b, pb, size);
  if (after.empty()) return;
  EXPECT_GT(least_gap(after), -1e-10 * size) << where << " gap " << gap;
}

TEST(Degenerate, concentric_and_coincident_shapes_have_a_way_out) {
  for (const Shape& a : convex_shapes())
    for (const Shape& b : convex_shapes()) {
      const std::string where = fmt::format("{} {}", shape_name(a), shape_name(b));
      for (const Mat3& A : {Mat3(Mat3::Identity()), Mat3(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX())),
                            Mat3(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()))}) {
        const auto c = find_contacts(a, {A, Vec3::Zero()}, b, {}, 0);
        EXPECT_EQ(c.empty(), !is_bounded(a) && !is_bounded(b)) << where;
        check_sane(c, 3, where);
        check_way_out(a, {A, Vec3::Zero()}, b, {}, 1, where);
      }
    }
}

// Shapes side by side along the axes, turned by multiples of right angles: faces, edges and rims that coincide.
TEST(Degenerate, aligned_shapes_at_every_offset_are_sane) {
  for (const Shape& a : convex_shapes())
    for (const Shape& b : convex_shapes()) {
      const std::string where = fmt::format("{} {}", shape_name(a), shape_name(b));
      for (int axis = 0; axis < 3; ++axis)
        for (int quarter = 0; quarter < 2; ++quarter)
          for (double offset = -1; offset <= 1; offset += 0.125) {
            const Mat3 A(Eigen::AngleAxisd(quarter * std::numbers::pi / 2, Vec3::Unit((axis + 1) % 3)));
            const Placement pa{A, offset * Vec3::Unit(axis)};
            check_sane(find_contacts(a, pa, b, {}, 0.01), 3, where);
            check_way_out(a, pa, b, {}, 1, where);
          }
    }
}

TEST(Degenerate, touching_exactly_after_being_pushed_to_contact) {
  std::mt19937 random(4);
  for (const Shape& a : convex_shapes())
    for (const Shape& b : convex_shapes()) {
      if (!is_bounded(a) || !is_bounded(b)) continue;
      for (int k = 0; k < 40; ++k) {
        Placement pa = random_placement(random, 0.5);
        const Placement pb = random_placement(random, 0.5);
        const auto c = find_contacts(a, pa, b, pb, 10);
        pa.c -= least_gap(c) * c[0].normal;
        const auto touching = find_contacts(a, pa, b, pb, 1e-9);
        ASSERT_FALSE(touching.empty()) << shape_name(a) << " " << shape_name(b);
        // From a deep overlap another way out may be shorter after the push by a hair; never deeper.
        EXPECT_NEAR(least_gap(touching), 0, 1e-12) << shape_name(a) << " " << shape_name(b);
      }
    }
}

// Cards and needles: thickness 1e-12, aspect ratio 1e6.
TEST(Degenerate, slivers_and_needles_are_sane) {
  std::mt19937 random(5);
  std::vector<Shape> thin{Box{{0.5, 0.5, 1e-12}},
                          Box{{1, 1e-6, 1e-6}},
                          make_block({0.5, 0.4, 1e-9}),
                          make_block({1, 1e-6, 1e-6}),
                          Cylinder{0.5, 1e-12},
                          Cylinder{1e-6, 0.5},
                          Cone{0.5, 1e-9},
                          Cone{1e-6, 1},
                          Ellipsoid{{0.5, 0.4, 1e-9}},
                          Ellipsoid{{1e-6, 1, 1e-6}},
                          Capsule{1e-9, 0.5},
                          Sphere{1e-9}};
  for (std::size_t i = 0; i < thin.size(); ++i)
    for (std::size_t j = 0; j < thin.size() + convex_shapes().size(); ++j) {
      const Shape& a = thin[i];
      const Shape& b = j < thin.size() ? thin[j] : convex_shapes()[j - thin.size()];
      const std::string where = fmt::format("{} {} and {} {}", i, shape_name(a), j, shape_name(b));
      for (int k = 0; k < 60; ++k) {
        const Placement pa = random_placement(random, 0.3), pb = random_placement(random, 0.3);
        const auto c = find_contacts(a, pa, b, pb, 0.1);
        check_sane(c, 3, where);
        check_way_out(a, pa, b, pb, 1, where);
        if (c.empty() || !is_bounded(b)) continue;
        EXPECT_NEAR(least_gap(c), separation(a, pa, b, pb, c[0].normal), 1e-9) << where;
      }
    }
}

// A card lying on a card, edges along edges, at thicknesses down to nothing.
TEST(Degenerate, stacked_cards_keep_their_four_corners_and_the_vertical_normal) {
  for (const double t : {1e-3, 1e-6, 1e-9}) {
    for (const Shape& card : {Shape(Box{{0.5, 0.3, t / 2}}), make_block({0.5, 0.3, t / 2})}) {
      const auto c = find_contacts(card, at(Vec3(0, 0, t)), card, {}, t / 10);
      ASSERT_EQ(c.size(), 4u) << shape_name(card) << " " << t;
      for (const ContactPoint& x : c) {
        EXPECT_NEAR(x.normal.z(), 1, 1e-12);
        EXPECT_NEAR(x.gap, 0, 1e-15);
      }
    }
  }
}

TEST(Degenerate, shapes_of_very_different_size) {
  std::mt19937 random(6);
  for (const Shape& a : convex_shapes())
    for (const Shape& b : convex_shapes()) {
      if (!is_bounded(a) || !is_bounded(b)) continue;
      const Shape grain = scale_shape(a, 1e-4);
      const std::string where = fmt::format("grain {} {}", shape_name(a), shape_name(b));
      for (int k = 0; k < 30; ++k) {
        const Placement pa = random_placement(random, 0.4), pb = random_placement(random, 0.1);
        const auto c = find_contacts(grain, pa, b, pb, 1);
        ASSERT_FALSE(c.empty()) << where;
        check_sane(c, 3, where);
        EXPECT_NEAR(least_gap(c), separation(grain, pa, b, pb, c[0].normal), 1e-12) << where;
        EXPECT_GE(least_gap(c), search_gap(grain, pa, b, pb) - (least_gap(c) < -0.05 ? 3e-4 : 1e-12)) << where;
      }
    }
}

}  // namespace
}  // namespace cairn
