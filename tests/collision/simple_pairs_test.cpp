// SPDX-License-Identifier: Apache-2.0
// Spheres, boxes and half-spaces in positions where the answer is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/base/error.h"
#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

const double kScales[] = {1e-6, 1, 1e4};

TEST(SphereSphere, touching_gap_is_zero_and_normal_points_from_b_to_a) {
  for (const double s : kScales) {
    const auto c = find_contacts(Sphere{3 * s}, {Mat3::Identity(), Vec3(0, 0, 5 * s)}, Sphere{2 * s}, {}, 0);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].gap, 0, 1e-15 * s);
    EXPECT_TRUE(c[0].normal.isApprox(Vec3::UnitZ(), 1e-15));
    EXPECT_NEAR((c[0].point - Vec3(0, 0, 2 * s)).norm(), 0, 1e-15 * s);
  }
}

TEST(SphereSphere, point_is_midway_between_the_surfaces) {
  // Surfaces at x = 1 and x = 1.5 on the line of centres; then overlapping from 0.5 to 1.
  const auto apart = find_contacts(Sphere{1}, {}, Sphere{2}, {Mat3::Identity(), Vec3(3.5, 0, 0)}, 1);
  ASSERT_EQ(apart.size(), 1u);
  EXPECT_DOUBLE_EQ(apart[0].gap, 0.5);
  EXPECT_DOUBLE_EQ(apart[0].point.x(), 1.25);
  const auto deep = find_contacts(Sphere{1}, {}, Sphere{2}, {Mat3::Identity(), Vec3(2.5, 0, 0)}, 0);
  ASSERT_EQ(deep.size(), 1u);
  EXPECT_DOUBLE_EQ(deep[0].gap, -0.5);
  EXPECT_DOUBLE_EQ(deep[0].point.x(), 0.75);
}

TEST(SphereSphere, contact_needs_gap_at_most_the_margin) {
  const Placement far{Mat3::Identity(), Vec3(0, 2.25, 0)};
  EXPECT_EQ(find_contacts(Sphere{1}, {}, Sphere{1}, far, 0.25).size(), 1u);
  EXPECT_EQ(find_contacts(Sphere{1}, {}, Sphere{1}, far, std::nextafter(0.25, 0)).size(), 0u);
}

TEST(SphereSphere, concentric_spheres_have_a_finite_answer) {
  const auto c = find_contacts(Sphere{1}, {}, Sphere{2}, {}, 0);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].gap, -3);
  EXPECT_EQ(c[0].normal.norm(), 1);
}

TEST(SphereHalfSpace, resting_sphere_touches_below_its_centre) {
  for (const double s : kScales) {
    const Vec3 n = Vec3(2, -1, 2) / 3;
    const HalfSpace slope{n, 7 * s};
    const Vec3 foot = 7 * s * n + s * Vec3(1, 2, 0);  // (1, 2, 0).n = 0
    const auto c = find_contacts(Sphere{0.5 * s}, {Mat3::Identity(), foot + 0.5 * s * n}, slope, {}, 1e-14 * s);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].gap, 0, 8e-15 * s);
    EXPECT_NEAR((c[0].point - foot).norm(), 0, 8e-15 * s);
    EXPECT_TRUE(c[0].normal.isApprox(n, 1e-15));
  }
}

// Reference distance to a box: the least over its faces, each by clamping in the plane of the face.
double distance_to_faces(const Vec3& x, const Vec3& h) {
  double least = 1e300;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0}) {
      Vec3 p;
      for (int j = 0; j < 3; ++j) p[j] = j == i ? side * h[j] : std::min(std::max(x[j], -h[j]), h[j]);
      least = std::min(least, (x - p).norm());
    }
  return least;
}

TEST(SphereBox, gap_is_the_signed_distance_to_the_surface_minus_the_radius) {
  std::mt19937 random(3);
  const Vec3 h(0.3, 0.6, 1);
  int inside_count = 0;
  for (int k = 0; k < 2000; ++k) {
    const Placement p = random_placement(random, 5);
    const Vec3 local = random_vector(random, 1.5);
    const bool inside = (local.cwiseAbs().array() <= h.array()).all();
    inside_count += inside;
    const auto c = find_contacts(Sphere{0.25}, {random_rotation(random), p.apply(local)}, Box{h}, p, 10);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].gap, (inside ? -1 : 1) * distance_to_faces(local, h) - 0.25, 1e-14);
    // Both surface points lie on their surfaces, at half the gap either side of the contact point.
    const Vec3 on_sphere = c[0].point + c[0].gap / 2 * c[0].normal, on_box = c[0].point - c[0].gap / 2 * c[0].normal;
    EXPECT_NEAR((on_sphere - p.apply(local)).norm(), 0.25, 1e-14);
    EXPECT_NEAR(distance_to_faces(p.A.transpose() * (on_box - p.c), h), 0, 1e-14);
  }
  EXPECT_GT(inside_count, 20);
}

TEST(SphereBox, touching_face_edge_and_corner_have_zero_gap) {
  for (const double s : kScales)
    for (const Vec3& direction : {Vec3(0, 0, 1), Vec3(0, 0.6, 0.8), Vec3(2.0 / 3, 1.0 / 3, 2.0 / 3)}) {
      Vec3 corner = s * Vec3(direction.x() > 0, direction.y() > 0, direction.z() > 0);
      const auto c = find_contacts(Sphere{0.5 * s}, {Mat3::Identity(), corner + 0.5 * s * direction},
                                   Box{Vec3::Constant(s)}, {}, 1e-14 * s);
      ASSERT_EQ(c.size(), 1u);
      EXPECT_NEAR(c[0].gap, 0, 1e-15 * s);
      EXPECT_TRUE(c[0].normal.isApprox(direction, 1e-14));
    }
}

// x += y/10 takes the face y = 1/2 to itself and the box to a leaning one: a sphere above the face feels a plane.
TEST(SphereBox, sphere_on_the_sheared_face_of_a_deformed_box) {
  Placement sheared;
  sheared.A(0, 1) = 0.1;
  const auto c = find_contacts(Sphere{1}, {Mat3::Identity(), Vec3(0.1, 1.4, 0)}, Box{}, sheared, 0);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, -0.1, 1e-14);
  EXPECT_TRUE(c[0].normal.isApprox(Vec3::UnitY(), 1e-12));
}

TEST(BoxHalfSpace, resting_box_has_four_points_at_its_lower_corners) {
  for (const double s : kScales) {
    const Box box{s * Vec3(1, 2, 3)};
    const auto c = find_contacts(box, {Mat3::Identity(), Vec3(0, 0, 3 * s)}, HalfSpace{}, {}, 0);
    ASSERT_EQ(c.size(), 4u);
    for (const ContactPoint& x : c) {
      EXPECT_EQ(x.gap, 0);
      EXPECT_EQ(x.normal, Vec3::UnitZ());
      EXPECT_EQ(x.point.cwiseAbs(), s * Vec3(1, 2, 0));
    }
  }
}

TEST(BoxHalfSpace, tilted_box_stands_on_an_edge_or_a_corner) {
  const Mat3 edge = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()).toRotationMatrix();
  EXPECT_EQ(find_contacts(Box{}, {edge, Vec3(0, 0, std::sqrt(0.5))}, HalfSpace{}, {}, 1e-15).size(), 2u);
  const Mat3 corner = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitZ()).toRotationMatrix();
  const auto c = find_contacts(Box{}, {corner, Vec3(0, 0, std::sqrt(0.75) - 0.1)}, HalfSpace{}, {}, 0);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, -0.1, 1e-15);
  EXPECT_NEAR((c[0].point - Vec3(0, 0, -0.05)).norm(), 0, 1e-15);
}

TEST(BoxHalfSpace, sheared_box_keeps_its_sheared_vertices) {
  Placement p{Mat3::Identity(), Vec3(0, 0, 1)};
  p.A(0, 2) = 0.5;  // x += z/2
  const auto c = find_contacts(Box{{1, 1, 1}}, p, HalfSpace{}, {}, 0);
  ASSERT_EQ(c.size(), 4u);
  for (const ContactPoint& x : c) {
    EXPECT_EQ(x.gap, 0);
    EXPECT_NEAR(std::abs(x.point.x() + 0.5), 1, 1e-15);
  }
}

TEST(BoxHalfSpace, plane_on_a_deformed_body_is_the_image_of_its_points) {
  Placement p{Mat3::Identity(), Vec3(0.3, 0, -0.2)};
  p.A << 1, 0.2, 0, 0, 1.5, 0.3, 0.1, 0, 0.8;
  const HalfSpace h{Vec3(1, 2, 2) / 3, 0.4};
  const Vec3 X = 0.4 * h.normal + Vec3(2, -1, 0);  // (2, -1, 0).normal = 0
  const auto c = find_contacts(Sphere{1e-3}, {Mat3::Identity(), p.apply(X)}, h, p, 1);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].gap, -1e-3, 1e-15);  // the centre lies on the plane
}

}  // namespace
}  // namespace cairn
