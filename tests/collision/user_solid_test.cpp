// SPDX-License-Identifier: Apache-2.0
// Solids of a program: an ellipsoid that answers for itself must do all that the library's own does, as exactly.
#include "cairn/geometry/user_solid.h"

#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/geometry/place_shape.h"
#include "cairn/geometry/support.h"
#include "cairn/geometry/surface_mesh.h"
#include "collision/every_shape.h"

namespace cairn {
namespace {

using testing_shapes::random_direction;

struct OwnEllipsoid : ConvexSolid {
  explicit OwnEllipsoid(const Vec3& semi_axes) : e{semi_axes} {}
  Vec3 support(const Vec3& d) const override { return compute_support(e, d); }
  SurfacePoint closest_point(const Vec3& x) const override { return find_closest_point(e, x); }
  MassProperties mass() const override { return compute_mass_properties(e); }
  double radius() const override { return bounding_radius(e); }
  Ellipsoid e;
};

const Vec3 axes(0.3, 0.6, 0.45);
const Shape library = Ellipsoid{axes};
const Shape own = make_solid(std::make_shared<OwnEllipsoid>(axes), "own");

TEST(UserSolid, has_the_bounds_thickness_mass_rays_and_surface_of_the_same_shape_of_the_library) {
  std::mt19937 random(1);
  for (int k = 0; k < 200; ++k) {
    const Placement p{random_rotation(random), random_direction(random)};
    const Aabb a = compute_aabb(library, p), b = compute_aabb(own, p);
    EXPECT_LT((a.lo - b.lo).norm() + (a.hi - b.hi).norm(), 1e-14);
    const Vec3 x = 2 * random_direction(random), d = (0.5 * random_direction(random) - x).normalized();
    for (const Vec3& from : {x, Vec3(0.1 * x)}) {
      const auto hit = cast_ray(library, from, d), found = cast_ray(own, from, d);
      ASSERT_EQ(hit.has_value(), found.has_value());
      if (!hit) continue;
      EXPECT_NEAR(found->distance, hit->distance, 1e-7);  // a grazing ray loses half the digits
      EXPECT_LT((found->point - hit->point).norm(), 1e-7);
    }
    EXPECT_FALSE(cast_ray(own, x, d, 0.5));
  }
  EXPECT_FALSE(cast_ray(own, Vec3(2, 0, 0), Vec3(1, 0.1, 0)));
  EXPECT_EQ(bounding_radius(own), bounding_radius(library));
  EXPECT_NEAR(half_thickness(own), half_thickness(library), 1e-12);
  EXPECT_EQ(compute_mass_properties(own).inertia, compute_mass_properties(library).inertia);
  const double volume = compute_mass_properties(own).volume;
  EXPECT_NEAR(compute_mass_properties(make_surface_mesh(own, 3)).volume, volume, 0.01 * volume);
  const Shape moved = place_shape(own, {random_rotation(random), Vec3(1, 2, 3)});
  EXPECT_LT((compute_mass_properties(moved).centre - Vec3(1, 2, 3)).norm(), 1e-14);
}

TEST(UserSolid, touches_every_shape_where_the_same_shape_of_the_library_does) {
  std::mt19937 random(2);
  int touching = 0;
  for (const auto& [name, other, curved] : testing_shapes::all_bounded())
    for (int k = 0; k < 60; ++k) {
      const Placement pa{random_rotation(random), Vec3::Zero()};
      const Placement pb{random_rotation(random), (0.4 + 0.02 * k) * random_direction(random)};
      std::vector<ContactPoint> expected, found, mirrored;
      collide(library, pa, other, pb, 0.2, expected);
      collide(own, pa, other, pb, 0.2, found);
      collide(other, pb, own, pa, 0.2, mirrored);
      ASSERT_EQ(expected.empty(), found.empty()) << name << " " << k;
      if (expected.empty()) continue;
      ++touching;
      const double gap = test::least_gap(expected);
      if (gap < -0.05) continue;  // deep: several ways out
      EXPECT_NEAR(test::least_gap(found), gap, 1e-9) << name << " " << k;
      EXPECT_NEAR(test::least_gap(mirrored), gap, 1e-9) << name << " " << k;
    }
  EXPECT_GT(touching, 150);
}

TEST(UserSolid, lies_on_a_half_space_and_touches_its_like_also_when_deformed) {
  std::mt19937 random(3);
  for (int k = 0; k < 100; ++k) {
    const Mat3 stretched = random_rotation(random) * Vec3(1, 1.3, 0.8).asDiagonal();
    const Placement pa{k % 2 ? stretched : Mat3(random_rotation(random)), Vec3(0, 0, 0.5)};
    const Placement pb{random_rotation(random), Vec3(0.1, 0.2, -0.55)};
    for (const auto& [a, b, c, d] :
         {std::tuple(own, Shape(HalfSpace{}), library, Shape(HalfSpace{})), std::tuple(own, own, library, library)}) {
      std::vector<ContactPoint> found, expected;
      collide(a, pa, b, pb, 0.3, found);
      collide(c, pa, d, pb, 0.3, expected);
      ASSERT_EQ(found.size(), expected.size());
      if (found.empty() || test::least_gap(expected) < -0.05) continue;
      EXPECT_NEAR(test::least_gap(found), test::least_gap(expected), 1e-9);
      EXPECT_LT((found[0].normal - expected[0].normal).norm(), 1e-7);
    }
  }
}

TEST(UserSolid, contradictions_are_named) {
  struct Wrong final : OwnEllipsoid {
    using OwnEllipsoid::OwnEllipsoid;
    double radius() const override { return 0.1; }
  };
  struct Other final : OwnEllipsoid {
    using OwnEllipsoid::OwnEllipsoid;
    SurfacePoint closest_point(const Vec3& x) const override { return find_closest_point(Sphere{0.6}, x); }
  };
  const auto message = [](std::shared_ptr<const ConvexSolid> solid) -> std::string {
    try {
      make_solid(std::move(solid), "egg");
      return "accepted";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message(nullptr), "egg: there is no solid; must be given");
  EXPECT_NE(message(std::make_shared<Wrong>(axes)).find("must lie within the radius 0.1 m"), std::string::npos);
  EXPECT_NE(message(std::make_shared<Other>(axes)).find("closest_point says it is"), std::string::npos);
}

}  // namespace
}  // namespace cairn
