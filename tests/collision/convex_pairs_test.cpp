// SPDX-License-Identifier: Apache-2.0
// Manifolds of curved shapes and polyhedra in positions where the answer is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "cairn/collision/convex_pair.h"
#include "collision/every_shape.h"
#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

// A point moved off a convex surface along a normal there is as far away as it was moved. Normals across which a
// generator or the axis is nearly level are the hard ones: rounding tells which of its ends supports.
TEST(ConvexPairs, know_the_distance_of_a_point_off_the_surface_however_small) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(0, 1);
  for (const Shape& shape : {Shape(Cylinder{0.35, 0.5}), Shape(Cone{0.45, 0.9}), Shape(Capsule{0.25, 0.4})}) {
    for (int k = 0; k < 6000; ++k) {
      Placement p = random_placement(random, 0.1);
      if (k % 2 == 1) p.A *= random_deformation(random);
      const PlacedConvex a = std::visit(
          [&]<class S>(const S& s) {
            if constexpr (ConvexShape<S>) return make_convex(s, p, Vec3::Zero());
            return PlacedConvex{};
          },
          shape);
      Vec3 n = random_vector(random).normalized(), along = a.kind == CoreKind::RoundSegment ? a.axis : Vec3(a.E.col(2));
      if (a.kind == CoreKind::Cone) along = find_support(a, n).x - (a.c + 0.75 * a.E.col(2));
      if (along.norm() > 0 && k % 4 < 3) {
        along.normalize();
        n = (n - n.dot(along) * along).normalized() +
            (u(random) < 0.5 ? -1 : 1) * std::pow(10.0, -6 * u(random)) * along;
        n.normalize();
      }
      const double gap = std::pow(10.0, -2 - 5 * u(random));
      PlacedConvex point;
      point.c = find_support(a, n).x + (a.radius + gap) * n;
      std::vector<ContactPoint> found;
      collide_convex(point, a, Vec3::Zero(), 1, found);
      ASSERT_FALSE(found.empty());
      EXPECT_NEAR(least_gap(found), gap, 1e-13) << shape_name(shape) << " " << k;
    }
  }
}

// The balls that tell rigid shapes apart must hold them.
TEST(PlacedConvex, lies_within_its_ball) {
  std::mt19937 random(12);
  for (const Shape& shape : convex_shapes()) {
    for (int k = 0; k < 200; ++k) {
      const Placement p = random_placement(random);
      std::visit(
          [&]<class S>(const S& s) {
            if constexpr (!std::same_as<S, HalfSpace> && requires { make_convex(s, p, Vec3::Zero()); }) {
              const PlacedConvex core = make_convex(s, p, Vec3::Zero());
              for (int m = 0; m < 50; ++m) {
                const Vec3 d = random_vector(random).normalized();
                EXPECT_LE((find_support(core, d).x + core.radius * d - core.c).norm(), core.size * (1 + 1e-14));
              }
            }
          },
          shape);
    }
  }
}

Mat3 turn(double angle, const Vec3& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }
Placement at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }
const Mat3 kLying = turn(std::numbers::pi / 2, Vec3::UnitY());  // z axis of the shape along x

double weight_of(const std::vector<ContactPoint>& c) {
  double sum = 0;
  for (const ContactPoint& x : c) sum += x.weight;
  return sum;
}

Shape make_block(const Vec3& h) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.push_back(h.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(points, "block"))};
}

const std::vector<Shape>& floors() {  // all with their surface at z = 0
  static const std::vector<Shape> list{HalfSpace{}, Box{{3, 3, 1}}, make_block({3, 3, 1}), Cylinder{3, 1}};
  return list;
}
Placement place_floor(const Shape& floor) {
  return std::holds_alternative<HalfSpace>(floor) ? Placement{} : at(0.1, -0.2, -1);
}

// Eight points of the rim, whose octagon has the area 2 sqrt(2) r^2.
TEST(Cylinder, standing_on_a_floor_has_eight_points_of_its_rim) {
  for (const Shape& floor : floors())
    for (const double gap : {-1e-3, 0.0, 1e-3}) {
      const auto c = find_contacts(Cylinder{0.5, 1}, at(0, 0, 1 + gap), floor, place_floor(floor), 2e-3);
      ASSERT_EQ(c.size(), 8u) << shape_name(floor);
      for (const ContactPoint& x : c) {
        EXPECT_NEAR(x.gap, gap, 1e-15);
        EXPECT_NEAR(x.point.head<2>().norm(), 0.5, 1e-14);
        EXPECT_TRUE(x.normal.isApprox(Vec3::UnitZ(), 1e-14));
      }
      EXPECT_NEAR(weight_of(c), 2 * std::sqrt(2.0) * 0.25, 1e-13);
    }
}

TEST(Cylinder, lying_on_a_floor_has_both_ends_of_its_generator) {
  for (const Shape& floor : floors()) {
    const auto c = find_contacts(Cylinder{0.5, 1}, {kLying, Vec3(0, 0, 0.5)}, floor, place_floor(floor), 1e-12);
    ASSERT_EQ(c.size(), 2u) << shape_name(floor);
    for (const ContactPoint& x : c) {
      EXPECT_NEAR(x.gap, 0, 1e-15);
      EXPECT_NEAR((x.point.cwiseAbs() - Vec3(1, 0, 0)).norm(), 0, 1e-14);
      EXPECT_TRUE(x.normal.isApprox(Vec3::UnitZ(), 1e-14));
    }
  }
}

// Tilted by t about y the lowest point of the rim is (r cos t + h sin t, 0, -r sin t - h cos t) of the centre.
TEST(Cylinder, tilted_on_a_floor_has_the_exact_lowest_point_of_its_rim) {
  for (const double t : {1e-9, 1e-6, 1e-3, 0.1, 0.7})
    for (const double turn_about : {0.0, 0.3}) {  // the lowest point between the fixed ones
      const double low = 0.5 * std::sin(t) + std::cos(t);
      const Placement p{turn(-t, Vec3::UnitY()) * turn(turn_about, Vec3::UnitZ()), Vec3(0, 0, low - 1e-4)};
      for (const Shape& floor : floors()) {
        const auto c = find_contacts(Cylinder{0.5, 1}, p, floor, place_floor(floor), 0);
        ASSERT_FALSE(c.empty()) << shape_name(floor) << " " << t;
        EXPECT_NEAR(least_gap(c), -1e-4, 1e-13) << shape_name(floor) << " " << t;
        for (const ContactPoint& x : c) EXPECT_TRUE(x.normal.isApprox(Vec3::UnitZ(), 1e-12));
      }
    }
}

// A corner of a box that reaches into the disc between two of the fixed points of the rim is not cut off.
TEST(Cylinder, supports_a_corner_near_its_rim) {
  const double r = 0.99 * 0.5, angle = std::numbers::pi / 8;  // between the points at 0 and 45 degrees
  const Vec3 corner = r * Vec3(std::cos(angle), std::sin(angle), 0);
  const Box box{{0.25, 0.25, 0.25}};
  const Placement p{turn(angle - std::numbers::pi / 4, Vec3::UnitZ()), Vec3::Zero()};
  const Vec3 centre = corner + std::sqrt(2.0) * 0.25 * Vec3(-std::cos(angle), -std::sin(angle), 0);
  const auto c = find_contacts(box, {p.A, centre + Vec3(0, 0, 0.75)}, Cylinder{0.5, 0.5}, {}, 1e-9);
  ASSERT_EQ(c.size(), 4u);
  double nearest = 1;
  for (const ContactPoint& x : c) nearest = std::min(nearest, (x.point - corner - Vec3(0, 0, 0.5)).norm());
  EXPECT_LT(nearest, 1e-12);
  EXPECT_NEAR(weight_of(c), 0.25, 1e-12);
}

TEST(Capsule, on_a_face_has_two_points_and_on_its_end_one) {
  for (const Shape& floor : floors()) {
    const auto lying =
        find_contacts(Capsule{0.25, 0.5}, {kLying, Vec3(0, 0, 0.25 - 1e-3)}, floor, place_floor(floor), 0);
    ASSERT_EQ(lying.size(), 2u) << shape_name(floor);
    for (const ContactPoint& x : lying) {
      EXPECT_NEAR(x.gap, -1e-3, 1e-15);
      EXPECT_NEAR((x.point.cwiseAbs() - Vec3(0.5, 0, 0.5e-3)).norm(), 0, 1e-14);
    }
    const auto standing = find_contacts(Capsule{0.25, 0.5}, at(0, 0, 0.75), floor, place_floor(floor), 1e-12);
    ASSERT_EQ(standing.size(), 1u);
    EXPECT_NEAR(standing[0].gap, 0, 1e-15);
  }
}

TEST(Capsule, crossed_and_parallel_capsules) {
  // Crossed at right angles, axes 0.6 apart: gap 0.1 in the middle.
  const auto crossed = find_contacts(Capsule{0.25, 0.5}, {kLying, Vec3(0.2, 0.1, 0.6)}, Capsule{0.25, 0.5},
                                     {turn(std::numbers::pi / 2, Vec3::UnitX()), Vec3::Zero()}, 0.2);
  ASSERT_EQ(crossed.size(), 1u);
  EXPECT_NEAR(crossed[0].gap, 0.1, 1e-15);
  EXPECT_NEAR((crossed[0].point - Vec3(0, 0.1, 0.3)).norm(), 0, 1e-14);
  // Parallel, shifted by 0.4 along: the ends of the common part -0.1 .. 0.5 of the lower one.
  const auto parallel =
      find_contacts(Capsule{0.25, 0.5}, {kLying, Vec3(0.4, 0, 0.45)}, Capsule{0.25, 0.5}, {kLying, Vec3::Zero()}, 0);
  ASSERT_EQ(parallel.size(), 2u);
  std::set<long> ends;
  for (const ContactPoint& x : parallel) {
    EXPECT_NEAR(x.gap, -0.05, 1e-14);
    EXPECT_TRUE(x.normal.isApprox(Vec3::UnitZ(), 1e-14));
    ends.insert(std::lround(x.point.x() * 1000));
  }
  EXPECT_EQ(ends, (std::set<long>{-100, 500}));
  // Axes that meet: one is pushed out across both.
  const auto through = find_contacts(Capsule{0.25, 0.5}, {kLying, Vec3::Zero()}, Capsule{0.25, 0.5},
                                     {turn(std::numbers::pi / 2, Vec3::UnitX()), Vec3::Zero()}, 0);
  ASSERT_EQ(through.size(), 1u);
  EXPECT_NEAR(through[0].gap, -0.5, 1e-14);
  EXPECT_NEAR(std::abs(through[0].normal.z()), 1, 1e-12);
}

TEST(Cone, stands_on_its_base_lies_on_its_side_and_hangs_on_its_apex) {
  const double r = 0.5, H = 1;
  for (const Shape& floor : floors()) {
    const auto base = find_contacts(Cone{r, H}, at(0, 0, H / 4), floor, place_floor(floor), 1e-12);
    ASSERT_EQ(base.size(), 8u) << shape_name(floor);
    for (const ContactPoint& x : base) EXPECT_NEAR(x.point.head<2>().norm(), r, 1e-14);
    // On its apex.
    const auto apex = find_contacts(Cone{r, H}, {turn(std::numbers::pi, Vec3::UnitX()), Vec3(0, 0, 0.75 * H)}, floor,
                                    place_floor(floor), 1e-12);
    ASSERT_EQ(apex.size(), 1u);
    EXPECT_NEAR(apex[0].gap, 0, 1e-15);
    // On its side: the outward normal of the generator at +x is (H, 0, r)/s; turned to -z.
    const double s = std::hypot(r, H);
    const Mat3 A = Quat::FromTwoVectors(Vec3(H, 0, r) / s, -Vec3::UnitZ()).toRotationMatrix();
    const double height = 0.75 * H * r / s;  // of the centre above the side: (apex).(normal)
    const auto side = find_contacts(Cone{r, H}, {A, Vec3(0, 0, height)}, floor, place_floor(floor), 1e-9);
    ASSERT_EQ(side.size(), 2u) << shape_name(floor);
    for (const ContactPoint& x : side) EXPECT_NEAR(x.gap, 0, 1e-14);
    EXPECT_NEAR((side[0].point - side[1].point).norm(), s, 1e-13);
  }
}

// The support of an ellipsoid along n is sqrt(sum (s_i n_i)^2).
TEST(Ellipsoid, on_a_floor_touches_where_its_normal_is_vertical) {
  std::mt19937 random(5);
  const Vec3 s(0.2, 0.5, 0.9);
  for (int k = 0; k < 200; ++k) {
    const Mat3 A = random_rotation(random);
    const double height = s.cwiseProduct(A.transpose() * Vec3::UnitZ()).norm();
    for (const Shape& floor : floors()) {
      const auto c = find_contacts(Ellipsoid{s}, {A, Vec3(0, 0, height - 1e-3)}, floor, place_floor(floor), 0);
      ASSERT_EQ(c.size(), 1u) << shape_name(floor);
      EXPECT_NEAR(c[0].gap, -1e-3, 1e-14);
      EXPECT_TRUE(c[0].normal.isApprox(Vec3::UnitZ(), 1e-10));
    }
  }
}

// A block as polyhedron and as box: the same points, gaps and weights.
TEST(ConvexPolyhedron, block_agrees_with_the_box) {
  std::mt19937 random(6);
  const Vec3 ha(0.3, 0.5, 0.4), hb(0.6, 0.2, 0.35);
  const Shape rock_a = make_block(ha), rock_b = make_block(hb);
  int checked = 0;
  for (int k = 0; k < 2000; ++k) {
    const Placement pa = random_placement(random, 0.6), pb = random_placement(random, 0.6);
    const auto boxes = find_contacts(Box{ha}, pa, Box{hb}, pb, 0.05);
    checked += !boxes.empty();
    EXPECT_TRUE(same_contacts(find_contacts(rock_a, pa, rock_b, pb, 0.05), boxes, 1, 1e-11)) << k;
    EXPECT_TRUE(same_contacts(find_contacts(rock_a, pa, Box{hb}, pb, 0.05), boxes, 1, 1e-11)) << k;
  }
  EXPECT_GT(checked, 500);
}

// The depth of two polyhedra is least along a normal of one of them or across an edge of each: all of them tried.
TEST(ConvexPolyhedron, overlapping_rocks_have_the_depth_of_the_full_separating_axis_test) {
  std::mt19937 random(10);
  const Shape& rock = convex_shapes()[6];
  const Polyhedron& p = *std::get<ConvexPolyhedron>(rock).data;
  for (int k = 0; k < 40; ++k) {
    const Placement pa = random_placement(random, 0.3), pb = random_placement(random, 0.3);
    const auto contacts = find_contacts(rock, pa, rock, pb, 0);
    if (contacts.empty()) continue;
    double widest = -1e300;
    const auto offer = [&](const Vec3& n) { widest = std::max(widest, separation(rock, pa, rock, pb, n)); };
    for (const Vec3& n : p.normals) offer(-(pa.A * n)), offer(pb.A * n);
    for (const Polyhedron::Edge& e : p.edges)
      for (const Polyhedron::Edge& f : p.edges) {
        const Vec3 x =
            (pa.A * (p.vertices[e.v1] - p.vertices[e.v0])).cross(pb.A * (p.vertices[f.v1] - p.vertices[f.v0]));
        if (x.norm() > 1e-9) offer(x.normalized()), offer(-x.normalized());
      }
    EXPECT_NEAR(least_gap(contacts), widest, 1e-13);
  }
}

TEST(ConvexPolyhedron, stack_of_blocks_is_clean_whatever_the_last_digits) {
  std::mt19937 random(7);
  const Shape block = make_block({0.5, 0.5, 0.5});
  for (int k = 0; k < 300; ++k) {
    const double size = k == 0 ? 0 : std::pow(10.0, -16 + k % 10);
    Placement top = at(0.3, 0, 1), bottom;
    for (Placement* p : {&top, &bottom}) {
      p->c += random_vector(random, size);
      p->A = turn(size, random_vector(random).normalized()) * p->A;
    }
    const auto c = find_contacts(block, top, block, bottom, 10 * size + 1e-12);
    ASSERT_GE(c.size(), 4u) << size;
    ASSERT_LE(c.size(), 8u) << size;
    for (const ContactPoint& x : c) EXPECT_LT((x.normal - Vec3::UnitZ()).norm(), 4 * size + 1e-12);
    EXPECT_NEAR(weight_of(c), 0.7, 20 * size + 1e-6);
  }
}

TEST(ConvexPolyhedron, resting_on_a_half_space_shows_all_vertices_within_the_margin) {
  const auto c = find_contacts(make_block({1, 2, 0.5}), at(0, 0, 0.5), HalfSpace{}, {}, 0);
  ASSERT_EQ(c.size(), 4u);
  EXPECT_NEAR(weight_of(c), 8, 1e-13);
  EXPECT_EQ(find_contacts(make_block({1, 2, 0.5}), at(0, 0, 0.5), HalfSpace{}, {}, 1).size(), 8u);
}

// The tip of a pyramid over the edge of a block, at any height: the gap is the height.
TEST(ConvexPolyhedron, vertex_over_an_edge_has_its_gap_to_the_last_digits) {
  std::mt19937 random(12);
  const Shape block = make_block({0.3, 0.5, 0.3});
  const std::vector<Vec3> tip{{0, 0, 0}, {0.4, 0.3, 0.5}, {-0.4, 0.3, 0.5}, {-0.4, -0.3, 0.5}, {0.4, -0.3, 0.5}};
  const Shape pyramid = ConvexPolyhedron{std::make_shared<Polyhedron>(make_hull(tip, "pyramid"))};
  for (int k = 0; k < 400; ++k) {
    const double height = std::pow(10.0, -2 - k % 8);
    const Mat3 R = random_rotation(random);
    const Placement below{R * turn(std::numbers::pi / 4, Vec3::UnitY()), Vec3::Zero()};
    const Placement above{R, R * Vec3(0, random_vector(random, 0.4).x(), 0.3 * std::sqrt(2.0) + height)};
    const auto c = find_contacts(pyramid, above, block, below, 0.1);
    ASSERT_EQ(c.size(), 1u) << height;
    EXPECT_NEAR(c[0].gap, height, 1e-15) << height;
  }
}

// A sphere is an ellipsoid of equal axes, and on a stretched body an ellipsoid of any.
TEST(Affine, sphere_on_a_stretched_body_is_an_ellipsoid) {
  std::mt19937 random(8);
  const Vec3 s(0.3, 0.5, 0.8);
  for (const Shape& other : convex_shapes()) {
    for (int k = 0; k < 100; ++k) {
      const Placement p = random_placement(random, 0.7), q = random_placement(random, 0.7);
      const Placement stretched{p.A * s.asDiagonal(), p.c};
      EXPECT_TRUE(same_contacts(find_contacts(Sphere{1}, stretched, other, q, 0.2),
                                find_contacts(Ellipsoid{s}, p, other, q, 0.2), 1, 1e-12))
          << shape_name(other);
    }
  }
}

// Uniform stretching equals a larger shape.
TEST(Affine, swollen_shapes_are_larger_shapes) {
  std::mt19937 random(9);
  for (const Shape& a : convex_shapes())
    for (const Shape& b : convex_shapes()) {
      if (!is_bounded(a) || !is_bounded(b)) continue;
      for (int k = 0; k < 30; ++k) {
        const Placement pa = random_placement(random, 0.7), pb = random_placement(random, 0.7);
        const Placement swollen{1.3 * pa.A, pa.c};
        const auto c = find_contacts(a, swollen, b, pb, 0.1), d = find_contacts(scale_shape(a, 1.3), pa, b, pb, 0.1);
        ASSERT_EQ(c.empty(), d.empty());
        if (c.empty()) continue;
        EXPECT_NEAR(least_gap(c), least_gap(d), 1e-12) << shape_name(a) << " " << shape_name(b);
        EXPECT_LT((c[0].normal - d[0].normal).norm(), 1e-8) << shape_name(a) << " " << shape_name(b);
      }
    }
}

// Poses of every_pair_test.cpp. Two edges that cross on faces joined from several: the depth is that of the supporting
// planes. Two cones with several ways out of nearly the same length: the shortest is taken.
TEST(ConvexPairs, depth_is_that_of_the_supporting_planes_in_poses_that_missed_it) {
  const std::vector<Shape> shapes = make_every_shape();
  const auto [pa, pb] = make_poses(shapes[1], shapes[7], 5380);
  const auto contacts = find_contacts(shapes[1], pa, shapes[7], pb, 0);
  ASSERT_FALSE(contacts.empty());
  EXPECT_NEAR(least_gap(contacts), separation(shapes[1], pa, shapes[7], pb, contacts[0].normal), 1e-13);

  auto [qa, qb] = make_poses(shapes[5], shapes[5], 2937);
  const auto apart = find_contacts(shapes[5], qa, shapes[5], qb, 0.1);
  ASSERT_EQ(apart.size(), 1u);
  qa.c -= (apart[0].gap + 1e-5) * apart[0].normal;
  EXPECT_NEAR(least_gap(find_contacts(shapes[5], qa, shapes[5], qb, 0.1)), -1e-5, 1e-12);
}

}  // namespace
}  // namespace cairn
