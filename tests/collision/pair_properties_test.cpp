// SPDX-License-Identifier: Apache-2.0
// Properties that hold for every supported pair of shapes: exchange, rigid motion, scale, no hidden margin.
#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "cairn/collision/narrow_phase.h"
#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

const std::vector<Shape>& kShapes = convex_shapes();

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

TEST(Pairs, two_half_spaces_never_touch) { EXPECT_TRUE(find_contacts(HalfSpace{}, {}, HalfSpace{}, {}, 1).empty()); }

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

TEST(Pairs, the_table_of_methods_has_no_empty_place_among_convex_shapes) {
  for (const Shape& a : kShapes)
    for (const Shape& b : kShapes) {
      EXPECT_NE(pair_method(a.index(), b.index()), "not supported") << shape_name(a) << " " << shape_name(b);
      EXPECT_EQ(pair_method(a.index(), b.index()), pair_method(b.index(), a.index()));
    }
  EXPECT_EQ(pair_method(Shape(Sphere{}).index(), Shape(Sphere{}).index()), "analytic");
  EXPECT_THROW(pair_method(0, 1000), Error);
}

Placement deform(Placement p, std::mt19937& random) {
  for (;;) {
    Mat3 F = Mat3::Identity();
    for (int i = 0; i < 9; ++i) F.data()[i] += random_vector(random, 0.3).x();
    if (F.determinant() > 0.3) return {p.A * F, p.c};
  }
}

// Every point lies half a gap from a point of each shape: for separated shapes their distance can then not be more than
// the least gap; and the planes across the normal at that distance have one shape on either side: it can not be less.
void check_contacts(const Shape& a, const Placement& pa, const Shape& b, const Placement& pb, double margin) {
  const auto contacts = find_contacts(a, pa, b, pb, margin);
  if (contacts.empty()) return;
  const double gap = least_gap(contacts);
  for (const ContactPoint& x : contacts) {
    const Vec3 on_a = x.point + x.gap / 2 * x.normal, on_b = x.point - x.gap / 2 * x.normal;
    EXPECT_LE(outside(a, pa, on_a), 1e-10) << shape_name(a) << " " << shape_name(b) << " gap " << x.gap;
    EXPECT_LE(outside(b, pb, on_b), 1e-10) << shape_name(a) << " " << shape_name(b) << " gap " << x.gap;
  }
  if (is_bounded(a) && is_bounded(b)) {
    EXPECT_NEAR(gap, separation(a, pa, b, pb, contacts[0].normal), 1e-11) << shape_name(a) << " " << shape_name(b);
  }
}

TEST(Pairs, points_lie_on_both_surfaces_and_the_least_gap_is_the_distance) {
  for_random_pairs(1000, [&](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    check_contacts(a, pa, b, pb, 0.3);
  });
}

TEST(Pairs, points_lie_on_both_surfaces_of_deformed_shapes) {
  std::mt19937 random(9);
  for_random_pairs(300, [&](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    check_contacts(a, deform(pa, random), b, deform(pb, random), 0.3);
  });
}

// No direction separates more (or needs less to separate) than the normal. Where two ways out of a deep overlap are
// equally short to 1e-4 of the size, either may be taken (convex_pair.h).
TEST(Pairs, no_other_direction_separates_more) {
  int trial = 0;
  for_random_pairs(12, [&](const Shape& a, Placement pa, const Shape& b, Placement pb) {
    if (!is_bounded(a) || !is_bounded(b)) return;
    std::mt19937 random(static_cast<unsigned>(++trial));
    if (trial % 3 == 0) pa = deform(pa, random), pb = deform(pb, random);
    const auto contacts = find_contacts(a, pa, b, pb, 10);
    ASSERT_FALSE(contacts.empty());
    const double gap = least_gap(contacts), found = search_gap(a, pa, b, pb);
    EXPECT_GE(gap, found - (gap < -0.05 ? 2e-4 : 1e-13)) << shape_name(a) << " " << shape_name(b);
  });
}

// The normal is the derivative of the gap with respect to a translation of a, by central differences.
TEST(Pairs, the_normal_is_the_gradient_of_the_gap) {
  std::mt19937 random(11);
  int checked = 0, skipped = 0;
  for_random_pairs(100, [&](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    const auto here = find_contacts(a, pa, b, pb, 10);
    if (here.empty() || std::abs(least_gap(here)) < 1e-2) return;
    const double h = 1e-6;
    const Vec3 along = random_vector(random).normalized();
    Placement plus = pa, minus = pa;
    plus.c += h * along;
    minus.c -= h * along;
    const auto after = find_contacts(a, plus, b, pb, 10), before = find_contacts(a, minus, b, pb, 10);
    // On the border of two ways out the gap has a kink.
    if ((after[0].normal - before[0].normal).norm() > 1e-3) return static_cast<void>(++skipped);
    ++checked;
    EXPECT_NEAR((least_gap(after) - least_gap(before)) / (2 * h), here[0].normal.dot(along), 2e-8)
        << shape_name(a) << " " << shape_name(b) << " gap " << least_gap(here);
  });
  EXPECT_GT(checked, 4000);
  EXPECT_LT(skipped, checked / 100);
}

TEST(Pairs, features_of_a_pair_are_exchanged_with_the_shapes_and_survive_small_motions) {
  std::mt19937 random(12);
  int kept = 0, total = 0;
  for_random_pairs(100, [&](const Shape& a, const Placement& pa, const Shape& b, const Placement& pb) {
    const auto forth = find_contacts(a, pa, b, pb, 0.1), back = find_contacts(b, pb, a, pa, 0.1);
    ASSERT_EQ(forth.size(), back.size());
    const auto holds = [](const std::vector<ContactPoint>& list, std::uint32_t fa, std::uint32_t fb) {
      return std::any_of(list.begin(), list.end(),
                         [&](const ContactPoint& x) { return x.feature_a == fa && x.feature_b == fb; });
    };
    Placement moved = pa;
    moved.c += random_vector(random, 1e-6);
    const auto later = find_contacts(a, moved, b, pb, 0.1);
    for (const ContactPoint& x : forth) {
      EXPECT_TRUE(holds(back, x.feature_b, x.feature_a)) << shape_name(a) << " " << shape_name(b);
      kept += holds(later, x.feature_a, x.feature_b);
      ++total;
    }
    // No two points of a pair have the same name.
    for (std::size_t i = 0; i < forth.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(forth[i].feature_a == forth[j].feature_a && forth[i].feature_b == forth[j].feature_b)
            << shape_name(a) << " " << shape_name(b);
  });
  EXPECT_GT(kept, 0.999 * total);
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
