// SPDX-License-Identifier: Apache-2.0
// Every broad phase finds the pairs of brute force, in order, whatever the boxes, the threads and the calls before.
#include "cairn/collision/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cairn/base/error.h"

namespace cairn {
namespace {

struct Boxes {
  std::vector<Aabb> boxes;
  std::vector<std::uint8_t> mobile;
  void add(const Vec3& centre, const Vec3& half, bool is_mobile = true) {
    boxes.push_back({centre - half, centre + half});
    mobile.push_back(is_mobile);
  }
};

// n boxes in a cube of side `range`, of similar or (wide) very different sizes, a tenth immobile.
Boxes make_random(int n, double range, double size, bool wide, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(0, 1);
  Boxes b;
  for (int k = 0; k < n; ++k) {
    const double x = u(random), y = u(random), z = u(random);
    const double s = wide ? std::pow(10.0, 2 * u(random) - 1) : 0.5 + u(random);
    const double sx = u(random), sy = u(random), sz = u(random);
    b.add(range * Vec3(x, y, z), size * s * Vec3(sx, sy, sz), u(random) > 0.1);
  }
  return b;
}

std::vector<Pair> find(BroadPhase& method, const Boxes& b, int threads = 1) {
  std::vector<Pair> pairs{{-5, -5}};
  method.find_pairs(b.boxes, b.mobile, pairs, {threads});
  return pairs;
}

// The definition, written again.
std::vector<Pair> find_by_definition(const Boxes& b) {
  std::vector<Pair> pairs;
  for (int i = 0; i < static_cast<int>(b.boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(b.boxes.size()); ++j) {
      const Aabb &p = b.boxes[i], &q = b.boxes[j];
      if ((b.mobile[i] || b.mobile[j]) && (p.lo.cwiseMax(q.lo).array() <= p.hi.cwiseMin(q.hi).array()).all())
        pairs.push_back({i, j});
    }
  return pairs;
}

void expect_all_agree(const Boxes& b, const char* what) {
  const auto expected = find_by_definition(b);
  for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
    const auto method = make_broad_phase(kind.name);
    EXPECT_EQ(method->name(), kind.name);
    EXPECT_TRUE(find(*method, b) == expected) << kind.name << ": " << what;
    EXPECT_TRUE(find(*method, b, 2) == expected) << kind.name << " on two threads: " << what;
    EXPECT_TRUE(find(*method->clone(), b) == expected) << "copy of " << kind.name << ": " << what;
  }
}

TEST(BroadPhase, all_kinds_agree_on_random_boxes_at_every_scale) {
  for (const double scale : {1e-6, 1.0, 1e4})
    for (unsigned seed = 0; seed < 3; ++seed) {
      expect_all_agree(make_random(700, 10 * scale, 0.5 * scale, false, seed), "similar boxes");
      expect_all_agree(make_random(700, 10 * scale, 0.1 * scale, true, seed), "very different boxes");
      Boxes far = make_random(300, scale, 0.05 * scale, false, seed);
      for (Aabb& box : far.boxes) box = {box.lo + Vec3::Constant(1e3 * scale), box.hi + Vec3::Constant(1e3 * scale)};
      expect_all_agree(far, "far from the origin");
    }
}

TEST(BroadPhase, huge_and_infinite_boxes_meet_everything_they_cover) {
  Boxes b = make_random(400, 10, 0.4, false, 1);
  const double inf = INFINITY;
  b.boxes.push_back({Vec3(-inf, -inf, -inf), Vec3(inf, inf, 3)});
  b.boxes.push_back({Vec3(-inf, -inf, -inf), Vec3(inf, inf, inf)});
  b.boxes.push_back({Vec3(5, -inf, -inf), Vec3(inf, inf, inf)});
  b.mobile.insert(b.mobile.end(), {0, 0, 1});
  b.add(Vec3(5, 5, 5), Vec3(100, 100, 0.1), false);
  b.add(Vec3(5, 5, 0), Vec3(4, 4, 2), true);
  std::swap(b.boxes[0], b.boxes[401]);
  std::swap(b.mobile[0], b.mobile[401]);
  expect_all_agree(b, "huge and infinite boxes");
}

TEST(BroadPhase, lattice_of_touching_boxes_gives_all_neighbours) {
  Boxes b;
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 7; ++y)
      for (int z = 0; z < 6; ++z) b.add(Vec3(x, y, z), Vec3::Constant(0.5));
  expect_all_agree(b, "lattice");
  // Pairs of neighbours, corners included: (sum over dx, dy, dz in {-1, 0, 1} of the places that have one, less n) / 2.
  const int n = 8 * 7 * 6, neighbours = ((3 * 8 - 2) * (3 * 7 - 2) * (3 * 6 - 2) - n) / 2;
  EXPECT_EQ(find(*make_broad_phase(), b).size(), static_cast<std::size_t>(neighbours));
}

TEST(BroadPhase, degenerate_sets_are_fine) {
  Boxes none, one, same, points, row;
  one.add(Vec3(1, 2, 3), Vec3(1, 1, 1));
  // More than the grid leaves to brute force, so that each set goes through the cells.
  for (int k = 0; k < 200; ++k) {
    same.add(Vec3(1, 2, 3), Vec3(1, 1, 1), k % 2);
    points.add(Vec3(k % 5, 0, 0), Vec3::Zero());
    row.add(Vec3(1.5 * k, 0, 0), Vec3(1, 1, 1));
  }
  Boxes flat = make_random(200, 5, 0.5, false, 3);
  for (Aabb& box : flat.boxes) box.lo.z() = box.hi.z() = 0;
  Boxes all_infinite;
  for (int k = 0; k < 200; ++k) {
    all_infinite.boxes.push_back({Vec3::Constant(-INFINITY), Vec3::Constant(INFINITY)});
    all_infinite.mobile.push_back(k == 3);
  }
  Boxes outlier = make_random(500, 5, 0.3, false, 4);
  outlier.add(Vec3(1e12, -1e9, 3), Vec3(1, 1, 1));
  outlier.add(Vec3(1e12, -1e9, 4), Vec3(1, 1, 1));
  expect_all_agree(none, "no box");
  expect_all_agree(one, "one box");
  expect_all_agree(same, "identical boxes");
  expect_all_agree(points, "points");
  expect_all_agree(row, "a row");
  expect_all_agree(flat, "flat boxes");
  expect_all_agree(all_infinite, "only infinite boxes");
  expect_all_agree(outlier, "two boxes at the end of the world");
  EXPECT_EQ(find(*make_broad_phase(), same).size(), 200u * 199 / 2 - 100u * 99 / 2);
}

TEST(BroadPhase, all_kinds_agree_on_sets_large_enough_for_their_recursions) {
  expect_all_agree(make_random(4000, 10, 0.4, false, 7), "similar boxes");
  expect_all_agree(make_random(4000, 20, 0.1, true, 8), "very different boxes");
  // On a sphere, as the thesis has it: hollow for a grid.
  Boxes sphere;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 3000; ++k) {
    const double x = normal(random), y = normal(random);
    sphere.add(Vec3(x, y, normal(random)).normalized(), Vec3::Constant(0.03));
  }
  expect_all_agree(sphere, "on a sphere");
}

TEST(BroadPhase, packed_boxes_that_touch_exactly_are_all_found_in_any_order) {
  std::vector<Vec3> cells;
  for (int x = 0; x < 11; ++x)
    for (int y = 0; y < 10; ++y)
      for (int z = 0; z < 9; ++z) cells.push_back(Vec3(x, y, z));
  std::shuffle(cells.begin(), cells.end(), std::mt19937(10));
  Boxes b;
  for (const Vec3& c : cells) {
    b.boxes.push_back({0.1 * c, 0.1 * (c + Vec3::Ones())});
    b.mobile.push_back(1);
  }
  expect_all_agree(b, "packed");
}

TEST(BroadPhase, rods_plates_and_one_huge_box_among_small_ones_are_fine) {
  Boxes rods, plates, mixed = make_random(1500, 10, 0.2, false, 11);
  std::mt19937 random(12);
  std::uniform_real_distribution<double> u(0, 1);
  for (int k = 0; k < 600; ++k) {
    Vec3 x, half = Vec3::Constant(0.1);
    for (int a = 0; a < 3; ++a) x[a] = 10 * u(random);
    half[k % 3] = 5;
    rods.add(x, half);
    half = Vec3::Constant(2);
    half[k % 3] = 0;
    plates.add(x, half);
  }
  mixed.add(Vec3(5, 5, 5), Vec3(1e4, 1e4, 4));
  mixed.add(Vec3(5, 5, -1e4), Vec3(1e4, 1e4, 1e4), false);
  expect_all_agree(rods, "rods");
  expect_all_agree(plates, "plates of no thickness");
  expect_all_agree(mixed, "huge boxes among small ones");
}

TEST(BroadPhase, boxes_as_thin_as_a_rounding_error_are_not_parted) {
  // Lower sides a unit in the last place apart, some of them two thick: overlaps that (lo + hi) / 2 cannot resolve.
  Boxes b;
  double x = 1;
  for (int k = 0; k < 400; ++k) {
    x = std::nextafter(x, 2);
    const double hi = k % 3 ? x : std::nextafter(std::nextafter(x, 2), 2);
    b.boxes.push_back({Vec3(x, 1, 1), Vec3(hi, k % 2 ? 1 : 1 + 1e-15, 1)});
    b.mobile.push_back(1);
  }
  expect_all_agree(b, "thin boxes");
}

TEST(BroadPhase, numbers_at_the_ends_of_the_range_of_doubles_are_fine) {
  for (const double scale : {1e-307, 1e-160, 1e160, 1e306}) {
    expect_all_agree(make_random(300, 10 * scale, 0.5 * scale, false, 13), "similar boxes");
    expect_all_agree(make_random(300, 10 * scale, 0.1 * scale, true, 14), "very different boxes");
  }
  Boxes whole = make_random(200, 10, 0.5, false, 15);
  const double most = std::numeric_limits<double>::max();
  whole.boxes.push_back({Vec3::Constant(-most), Vec3::Constant(most)});
  whole.boxes.push_back({Vec3::Constant(most), Vec3::Constant(most)});
  whole.mobile.insert(whole.mobile.end(), {1, 1});
  expect_all_agree(whole, "the whole range");
}

TEST(BroadPhase, immobile_boxes_alone_give_no_pairs) {
  Boxes b = make_random(500, 5, 0.5, false, 16);
  for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
    std::fill(b.mobile.begin(), b.mobile.end(), 0);
    const auto method = make_broad_phase(kind.name);
    EXPECT_TRUE(find(*method, b).empty()) << kind.name;
    // The same boxes, of which one can now move: nothing remembered may hide its pairs.
    for (int k = 0; k < 3; ++k) find(*method, b);
    b.mobile[42] = 1;
    EXPECT_TRUE(find(*method, b) == find_by_definition(b)) << kind.name;
  }
}

TEST(BroadPhase, coherent_motion_gives_the_pairs_of_every_step) {
  // Slow boxes, as between two steps of a simulation; one that shoots through them all; some that rest; a sudden stop.
  for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
    for (const int threads : {1, 2}) {
      auto method = make_broad_phase(kind.name);
      Boxes b = make_random(700, 8, 0.4, false, 17);
      for (int step = 0; step < 60; ++step) {
        for (std::size_t k = 0; k < b.boxes.size(); ++k) {
          const double speed = k % 5 == 0 ? 0 : step < 40 ? 0.002 : 1e-6;
          Vec3 v = speed * Vec3(std::sin(1.0 * k), std::cos(2.0 * k), std::sin(3.0 * k + 0.1 * step));
          if (k == 333) v = (step % 20 < 10 ? 1 : -1) * Vec3(0.3, 0.2, 0.1);  // to and fro
          b.boxes[k] = {b.boxes[k].lo + v, b.boxes[k].hi + v};
        }
        if (step == 30) method = method->clone();
        if (step == 50) method->forget();
        ASSERT_TRUE(find(*method, b, threads) == find_by_definition(b)) << kind.name << " step " << step;
      }
    }
  }
}

TEST(BroadPhase, results_do_not_depend_on_earlier_calls) {
  for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
    const auto method = make_broad_phase(kind.name);
    Boxes b = make_random(300, 6, 0.4, false, 5);
    for (int step = 0; step < 20; ++step) {
      for (std::size_t k = 0; k < b.boxes.size(); ++k) {  // move a little, sometimes a lot, and turn the spread
        const Vec3 v = 0.1 * std::sin(0.3 * static_cast<double>(k * k)) * Vec3(step % 3, 1, step > 10 ? 40 : 0);
        b.boxes[k] = {b.boxes[k].lo + v, b.boxes[k].hi + v};
      }
      if (step == 15) b.boxes.resize(200), b.mobile.resize(200);
      ASSERT_TRUE(find(*method, b) == find_by_definition(b)) << kind.name << " step " << step;
    }
  }
}

TEST(BroadPhase, changes_between_two_results_are_what_was_created_and_what_was_released) {
  const std::vector<Pair> before{{0, 1}, {0, 5}, {2, 3}}, after{{0, 2}, {0, 5}, {2, 3}, {2, 4}};
  std::vector<Pair> created{{9, 9}}, released;
  find_changes(before, after, created, released);
  EXPECT_EQ(created, (std::vector<Pair>{{0, 2}, {2, 4}}));
  EXPECT_EQ(released, (std::vector<Pair>{{0, 1}}));
}

TEST(BroadPhase, nan_and_inverted_boxes_are_errors_with_their_index) {
  for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
    const auto method = make_broad_phase(kind.name);
    for (const Vec3& hi : {Vec3(1, NAN, 1), Vec3(1, 1, -1)}) {
      Boxes b = make_random(50, 5, 1, false, 6);
      b.boxes[17] = {Vec3::Zero(), hi};
      try {
        find(*method, b);
        ADD_FAILURE() << kind.name << " accepted it";
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("box 17"), std::string::npos) << e.what();
      }
    }
  }
  EXPECT_THROW(make_broad_phase("octree"), Error);
}

}  // namespace
}  // namespace cairn
