// SPDX-License-Identifier: Apache-2.0
// Properties that hold for every supported pair of shapes: exchange, rigid motion, scale, no hidden margin.
#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/collision/narrow_phase.h"
#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

const std::vector<Shape> kShapes{Sphere{0.4}, Box{{0.3, 0.5, 0.4}}, HalfSpace{Vec3(1, 2, -2) / 3, 0.1}};

Shape scale_shape(const Shape& shape, double s) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return Sphere{s * sphere->radius};
  if (const auto* box = std::get_if<Box>(&shape)) return Box{s * box->half_extents};
  const auto& half = std::get<HalfSpace>(shape);
  return HalfSpace{half.normal, s * half.offset};
}

// Calls check(shape a, placement a, shape b, placement b) for random placements, some apart, some deep.
template <class Check>
void for_random_pairs(int trials, Check&& check) {
  std::mt19937 random(7);
  for (const Shape& a : kShapes)
    for (const Shape& b : kShapes)
      for (int k = 0; k < trials; ++k) {
        const Placement pa = random_placement(random, 0.6), pb = random_placement(random, 0.6);
        check(a, pa, b, pb);
      }
}

TEST(Pairs, every_pair_of_kinds_is_supported) {
  for (const Shape& a : kShapes)
    for (const Shape& b : kShapes) EXPECT_TRUE(pair_supported(a, b));
  EXPECT_TRUE(find_contacts(kShapes[2], {}, kShapes[2], {}, 1).empty());
}

TEST(Pairs, exchange_gives_the_same_points_with_opposite_normals) {
  for_random_pairs(300, [](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    EXPECT_TRUE(same_contacts(find_contacts(a, pa, b, pb, 0.1), find_contacts(b, pb, a, pa, 0.1), -1, 1e-13))
        << shape_name(a) << " " << shape_name(b);
  });
}

TEST(Pairs, contacts_move_with_the_bodies) {
  std::mt19937 random(8);
  for_random_pairs(300, [&](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    const Placement g = random_placement(random, 3);
    auto move = [&](const Placement& p) { return Placement{g.A * p.A, g.A * p.c + g.c}; };
    std::vector<ContactPoint> expected = find_contacts(a, pa, b, pb, 0.1);
    for (ContactPoint& x : expected) {
      x.point = g.apply(x.point);
      x.normal = g.A * x.normal;
    }
    EXPECT_TRUE(same_contacts(find_contacts(a, move(pa), b, move(pb), 0.1), expected, 1, 1e-12))
        << shape_name(a) << " " << shape_name(b);
  });
}

TEST(Pairs, contacts_scale_with_the_bodies_from_microns_to_kilometres) {
  for (const double s : {1e-6, 1e4}) {
    for_random_pairs(200, [&](const Shape& a, Placement pa, const Shape& b, Placement pb) {
      std::vector<ContactPoint> expected = find_contacts(a, pa, b, pb, 0.1);
      for (ContactPoint& x : expected) {
        x.point *= s;
        x.gap *= s;
      }
      pa.c *= s;
      pb.c *= s;
      EXPECT_TRUE(
          same_contacts(find_contacts(scale_shape(a, s), pa, scale_shape(b, s), pb, 0.1 * s), expected, 1, 1e-12 * s))
          << shape_name(a) << " " << shape_name(b) << " scale " << s;
    });
  }
}

TEST(Pairs, normals_are_unit_and_every_gap_is_within_the_margin) {
  for_random_pairs(200, [](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    for (const ContactPoint& x : find_contacts(a, pa, b, pb, 0.05)) {
      EXPECT_NEAR(x.normal.norm(), 1, 1e-13);
      EXPECT_LE(x.gap, 0.05);
      EXPECT_EQ(x.a, -1);
    }
  });
}

// Moving a away along the normal by t opens every gap by t. Only near touching, where the contact keeps its kind.
TEST(Pairs, the_gap_grows_by_the_distance_moved_along_the_normal) {
  for_random_pairs(200, [](const Shape& a, Placement pa, const Shape& b, const Placement& pb) {
    const auto before = find_contacts(a, pa, b, pb, 1e-3);
    if (before.empty() || least_gap(before) < -0.05) return;
    const double t = 1e-9;
    pa.c += t * before[0].normal;
    const auto after = find_contacts(a, pa, b, pb, 1e-3 + t);
    ASSERT_EQ(after.size(), before.size());
    EXPECT_NEAR(least_gap(after) - least_gap(before), t, 1e-14) << shape_name(a) << " " << shape_name(b);
  });
}

}  // namespace
}  // namespace cairn
