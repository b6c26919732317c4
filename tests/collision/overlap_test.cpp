// SPDX-License-Identifier: Apache-2.0
// Overlap of convex polyhedra: closed forms, clipping against polarity, and the contact made of it.
#include "cairn/collision/overlap.h"

#include <gtest/gtest.h>

#include "cairn/base/error.h"
#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

Polyhedron make_block(const Vec3& h) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.push_back(h.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return make_hull(points, "block");
}

Polyhedron make_rock(std::mt19937& random, int count) {
  std::vector<Vec3> points;
  for (int k = 0; k < count; ++k) points.push_back(random_rotation(random) * Vec3(0, 0, 0.5));
  return make_hull(points, "rock");
}

double area_of(const Overlap& o, int owner) {
  double sum = 0;
  for (const OverlapFace& f : o.faces) sum += f.owner == owner ? f.area : 0;
  return sum;
}

// Cubes of side 1, b shifted by (0.6, 0.7, 0.8): a block of 0.4 x 0.3 x 0.2.
TEST(Overlap, of_two_shifted_cubes_is_a_block) {
  const Polyhedron cube = make_block(Vec3::Constant(0.5));
  const Placement shifted{Mat3::Identity(), Vec3(0.6, 0.7, 0.8)};
  for (const Overlap& o : {clip_overlap(cube, {}, cube, shifted), polarise_overlap(cube, {}, cube, shifted)}) {
    EXPECT_NEAR(o.volume, 0.4 * 0.3 * 0.2, 1e-13);
    EXPECT_TRUE(o.centre.isApprox(Vec3(0.3, 0.35, 0.4), 1e-12));
    EXPECT_EQ(o.faces.size(), 6u);
    // Three faces on each: 0.4 x 0.3 + 0.3 x 0.2 + 0.2 x 0.4.
    EXPECT_NEAR(area_of(o, 0), 0.26, 1e-13);
    EXPECT_NEAR(area_of(o, 1), 0.26, 1e-13);
  }
}

TEST(Overlap, is_empty_when_apart_and_is_the_smaller_one_when_inside) {
  const Polyhedron large = make_block(Vec3::Constant(1)), small = make_block(Vec3(0.1, 0.2, 0.3));
  const Placement far{Mat3::Identity(), Vec3(3, 0, 0)}, in{Mat3::Identity(), Vec3(0.2, 0.1, -0.3)};
  EXPECT_TRUE(clip_overlap(large, {}, small, far).faces.empty());
  EXPECT_TRUE(polarise_overlap(large, {}, small, far).faces.empty());
  for (const Overlap& o : {clip_overlap(large, {}, small, in), polarise_overlap(large, {}, small, in)}) {
    EXPECT_NEAR(o.volume, 8 * 0.1 * 0.2 * 0.3, 1e-13);
    EXPECT_TRUE(o.centre.isApprox(in.c, 1e-12));
    EXPECT_EQ(area_of(o, 0), 0);
  }
}

TEST(Overlap, by_clipping_and_by_polarity_agree_for_rocks_also_deformed) {
  std::mt19937 random(3);
  int overlapping = 0;
  for (int k = 0; k < 300; ++k) {
    const Polyhedron a = make_rock(random, 12 + k % 40), b = make_rock(random, 8 + k % 30);
    Placement pa = random_placement(random, 0.35), pb = random_placement(random, 0.35);
    if (k % 3 == 0) pa.A = pa.A * Vec3(1, 0.5, 1.5).asDiagonal() * pb.A;
    const Overlap clipped = clip_overlap(a, pa, b, pb), polar = polarise_overlap(a, pa, b, pb);
    if (clipped.volume < 1e-6) continue;
    ++overlapping;
    EXPECT_NEAR(polar.volume, clipped.volume, 1e-10);
    EXPECT_NEAR((polar.centre - clipped.centre).norm(), 0, 1e-8);
    EXPECT_NEAR(area_of(polar, 0), area_of(clipped, 0), 1e-8);
    EXPECT_NEAR(area_of(polar, 1), area_of(clipped, 1), 1e-8);
  }
  EXPECT_GT(overlapping, 150);
}

// The surface of a closed body has no resultant (divergence theorem).
TEST(Overlap, boundary_is_closed) {
  std::mt19937 random(4);
  for (int k = 0; k < 100; ++k) {
    const Polyhedron a = make_rock(random, 20), b = make_rock(random, 20);
    const Placement pa = random_placement(random, 0.3), pb = random_placement(random, 0.3);
    Vec3 sum = Vec3::Zero();
    for (const OverlapFace& f : clip_overlap(a, pa, b, pb).faces) sum += f.area * f.normal;
    EXPECT_LT(sum.norm(), 1e-12);
  }
}

// A cube sunk by 0.1 with a corner-free overhang into a wide slab: overlap 1 x 1 x 0.1. The slab's part of the boundary
// is flat (one face of area 1, no variation), so the slab is master; the cube's part is its bottom and four strips.
TEST(OverlapContact, flat_part_gives_the_normal_and_the_rough_part_the_point) {
  const Polyhedron slab = make_block(Vec3(2, 2, 0.5)), cube = make_block(Vec3::Constant(0.5));
  const Placement above{Mat3::Identity(), Vec3(0.2, 0.1, 0.9)};
  const OverlapContact c = compute_overlap_contact(clip_overlap(cube, above, slab, {}));
  EXPECT_EQ(c.master, 1);
  EXPECT_TRUE(c.normal.isApprox(Vec3::UnitZ(), 1e-14));
  EXPECT_NEAR(c.area, 1, 1e-12);
  // Bottom of area 1 at z = 0.4, strips of 4 x 0.1 at z = 0.45.
  EXPECT_TRUE(c.point.isApprox(Vec3(0.2, 0.1, (0.4 + 0.4 * 0.45) / 1.4), 1e-12));
  EXPECT_NEAR(c.gap, -(0.5 - c.point.z()), 1e-12);
  // Exchanged: the same place, the opposite normal.
  const OverlapContact d = compute_overlap_contact(clip_overlap(slab, {}, cube, above));
  EXPECT_EQ(d.master, 0);
  EXPECT_TRUE(d.normal.isApprox(-Vec3::UnitZ(), 1e-14));
  EXPECT_TRUE(d.point.isApprox(c.point, 1e-12));
}

TEST(OverlapContact, inner_faces_do_not_count_and_an_empty_overlap_is_an_error) {
  const Polyhedron cube = make_block(Vec3::Constant(0.5));
  const Placement above{Mat3::Identity(), Vec3(0, 0, 0.9)};
  const Overlap o = clip_overlap(cube, above, cube, {});
  // Only the faces of the lower cube that look up belong to its surface.
  std::vector<std::uint8_t> surface(6, 0);
  for (int f = 0; f < 6; ++f) surface[f] = cube.normals[f].z() > 0.5;
  const OverlapContact c = compute_overlap_contact(o, {}, surface);
  EXPECT_TRUE(c.normal.isApprox(Vec3::UnitZ(), 1e-13));
  EXPECT_NEAR(c.area, 1, 1e-12);
  EXPECT_THROW(compute_overlap_contact(Overlap{}), Error);
}

// Two cubes that just touch have an overlap only when the planes are moved out.
TEST(Overlap, of_touching_cubes_needs_inflation) {
  const Polyhedron cube = make_block(Vec3::Constant(0.5));
  const Placement above{Mat3::Identity(), Vec3(0, 0, 1 + 1e-9)};
  EXPECT_TRUE(clip_overlap(cube, above, cube, {}).faces.empty());
  const OverlapContact c = compute_overlap_contact(clip_overlap(cube, above, cube, {}, 1e-6));
  EXPECT_NEAR(std::abs(c.normal.z()), 1, 1e-5);
  EXPECT_NEAR(c.area, 1, 1e-5);
}

}  // namespace
}  // namespace cairn
