// SPDX-License-Identifier: Apache-2.0
// The contact manager: order, filters, margins, threads, and no allocation in steady state.
#include "cairn/collision/contact_manager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cairn/base/error.h"
#include "pair_helpers.h"
#include "support/counting_malloc.h"

namespace cairn {
namespace {

struct Scene {
  std::vector<Collider> colliders;
  std::vector<Placement> placements;
  std::vector<double> margins;
  ContactFilter filter;
  void add(const Shape& shape, const Placement& p, bool mobile = true, double margin = 0) {
    colliders.push_back({shape, static_cast<int>(colliders.size()), mobile});
    placements.push_back(p);
    margins.push_back(margin);
  }
  std::vector<ContactPoint> find(ContactManager& manager, int threads = 1) const {
    std::vector<ContactPoint> out;
    manager.find_contacts(colliders, placements, margins, filter, {threads}, out);
    return out;
  }
};

Placement at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

// A floor and n^3 boxes and spheres in alternation, each touching its neighbours.
Scene make_pile(int n) {
  Scene s;
  s.add(HalfSpace{}, {}, false);
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z)
        s.add((x + y + z) % 2 ? Shape(Sphere{0.5}) : Shape(Box{}), at(x, y, z + 0.5), true, 1e-3);
  return s;
}

TEST(ContactManager, contacts_are_sorted_with_a_below_b_and_the_normal_from_b_to_a) {
  Scene s = make_pile(4);
  std::reverse(s.colliders.begin(), s.colliders.end());
  std::reverse(s.placements.begin(), s.placements.end());
  std::reverse(s.margins.begin(), s.margins.end());
  ContactManager manager;
  const auto c = s.find(manager);
  // 4^3 lattice: 3 * 4 * 4 * 3 neighbour pairs with one point each (sphere on box); on the floor 8 spheres with one
  // point and 8 boxes with four; boxes that share an edge touch along it (two points), at a corner one.
  EXPECT_GT(c.size(), 144u + 8 + 32);
  EXPECT_GE(manager.pair_count(), 144u + 16);
  const std::size_t floor = s.colliders.size() - 1;
  for (std::size_t k = 0; k < c.size(); ++k) {
    ASSERT_LT(c[k].a, c[k].b);
    if (k > 0) {
      EXPECT_LE(std::pair(c[k - 1].a, c[k - 1].b), std::pair(c[k].a, c[k].b));
    }
    EXPECT_NEAR(c[k].gap, 0, 1e-15);
    const Vec3 from_b_to_a = s.placements[c[k].a].c - s.placements[c[k].b].c;
    if (static_cast<std::size_t>(c[k].b) == floor)
      EXPECT_EQ(c[k].normal, Vec3::UnitZ());
    else
      EXPECT_GT(c[k].normal.dot(from_b_to_a), 0.5);
  }
}

TEST(ContactManager, excluded_bodies_same_body_and_immobile_pairs_do_not_touch) {
  Scene s;
  for (int k = 0; k < 4; ++k) s.add(Sphere{0.5}, at(0.9 * k, 0, 0));
  ContactManager manager;
  EXPECT_EQ(s.find(manager).size(), 3u);
  s.filter.pairs = {{0, 1}, {2, 3}};
  const auto c = s.find(manager);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(std::pair(c[0].a, c[0].b), std::pair(1, 2));
  s.filter.pairs.clear();
  s.colliders[1].body = 0;
  EXPECT_EQ(s.find(manager).size(), 2u);
  s.colliders[2].mobile = s.colliders[3].mobile = false;
  EXPECT_EQ(s.find(manager).size(), 1u);
}

TEST(ContactManager, a_contact_needs_gap_at_most_the_sum_of_the_two_margins) {
  Scene s;
  s.add(Sphere{0.5}, at(0, 0, 0), true, 0.125);
  s.add(Sphere{0.5}, at(1.375, 0, 0), true, 0.25);
  ContactManager manager;
  EXPECT_EQ(s.find(manager).size(), 1u);
  s.margins[1] = 0.249;
  EXPECT_TRUE(s.find(manager).empty());
}

TEST(ContactManager, exactly_touching_shapes_are_found_far_from_the_origin_with_zero_margin) {
  // Positions that are whole numbers, so that the touching is exact in binary.
  ContactManager manager;
  for (const double far : {0.0, 1024.0, 1048576.0}) {
    Scene s;
    s.add(Box{}, at(far, far, far));
    s.add(Box{}, at(far + 1, far, far));
    s.add(HalfSpace{{0, 0, 1}, far - 0.5}, {}, false);
    EXPECT_EQ(s.find(manager).size(), 12u) << far;
  }
}

bool same_bits(const std::vector<ContactPoint>& p, const std::vector<ContactPoint>& q) {
  if (p.size() != q.size()) return false;
  for (std::size_t k = 0; k < p.size(); ++k)
    if (p[k].a != q[k].a || p[k].b != q[k].b || std::memcmp(&p[k].gap, &q[k].gap, sizeof(double)) ||
        std::memcmp(p[k].point.data(), q[k].point.data(), 3 * sizeof(double)) ||
        std::memcmp(p[k].normal.data(), q[k].normal.data(), 3 * sizeof(double)))
      return false;
  return true;
}

TEST(ContactManager, bits_do_not_depend_on_threads_broad_phase_or_copies) {
  std::mt19937 random(12);
  Scene s = make_pile(9);
  for (std::size_t k = 1; k < s.placements.size(); ++k) {
    s.placements[k].A = random_rotation(random);
    s.placements[k].c *= 0.9;
  }
  ContactManager one, two, sweep("sweep-and-prune"), brute("brute-force");
  const auto expected = s.find(one);
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_TRUE(same_bits(s.find(two, 2), expected));
  EXPECT_TRUE(same_bits(s.find(sweep), expected));
  EXPECT_TRUE(same_bits(s.find(brute), expected));
  ContactManager copy(one);
  EXPECT_EQ(copy.pair_count(), one.pair_count());
  EXPECT_TRUE(same_bits(s.find(copy), expected));
}

TEST(ContactManager, repeated_calls_allocate_nothing_on_one_thread_whatever_the_broad_phase) {
  if (!CAIRN_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns the allocator";
  const Scene s = make_pile(6);
  for (const BroadPhaseInfo& kind : broad_phase_kinds()) {
    ContactManager manager{std::string(kind.name)};
    std::vector<ContactPoint> out;
    for (int k = 0; k < 3; ++k) manager.find_contacts(s.colliders, s.placements, s.margins, s.filter, {1}, out);
    const long before = cairn_test::allocations;
    manager.find_contacts(s.colliders, s.placements, s.margins, s.filter, {1}, out);
    EXPECT_EQ(cairn_test::allocations - before, 0) << kind.name;
    EXPECT_GT(before, 0);
  }
}

TEST(ContactManager, wrong_input_is_an_error) {
  Scene s;
  s.add(Sphere{0.5}, at(0, 0, 0));
  s.add(Sphere{0.5}, at(1, 0, 0));
  ContactManager manager;
  s.margins[1] = -1;
  EXPECT_THROW(s.find(manager), Error);
  s.margins[1] = NAN;
  EXPECT_THROW(s.find(manager), Error);
  s.margins[1] = 0;
  s.placements[1].c.x() = NAN;
  EXPECT_THROW(s.find(manager), Error);
  s.placements.pop_back();
  EXPECT_THROW(s.find(manager), Error);
  EXPECT_THROW(ContactManager("octree"), Error);
}

TEST(ContactManager, groups_pass_through_those_they_ignore) {
  Scene s;
  for (int k = 0; k < 3; ++k) s.add(Sphere{0.5}, at(0.8 * k, 0, 0));
  ContactManager manager;
  EXPECT_EQ(s.find(manager).size(), 2u);
  s.filter.group = {0, 1, 2};
  s.filter.exclude_groups(2, 1);
  const auto found = s.find(manager);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].b, 1);
  s.filter.group = {1, 1, 2};
  s.filter.exclude_groups(1, 1);
  EXPECT_TRUE(s.find(manager).empty());
}

TEST(ContactManager, only_pairs_with_a_wanted_collider_are_looked_at) {
  Scene s;
  for (int k = 0; k < 3; ++k) s.add(Sphere{0.5}, at(0.8 * k, 0, 0));
  ContactManager manager;
  std::vector<ContactPoint> out;
  const std::vector<std::uint8_t> wanted{0, 0, 1};
  manager.find_contacts(s.colliders, s.placements, s.margins, s.filter, {1}, out, wanted);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].a, 1);
}

}  // namespace
}  // namespace cairn
