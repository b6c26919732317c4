// SPDX-License-Identifier: Apache-2.0
// Two boxes: manifolds of stacks and walls, overlap areas, separations against brute force, parallelepipeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "pair_helpers.h"

namespace cairn {
namespace {

using namespace test;
using Polygon = std::vector<Vec2>;

double area_of(const Polygon& p) {
  double twice = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec2 &u = p[k], &v = p[(k + 1) % p.size()];
    twice += u.x() * v.y() - u.y() * v.x();
  }
  return twice / 2;
}

// Reference intersection of two convex polygons: their mutual vertices and edge crossings, sorted by angle.
Polygon sort_by_angle(Polygon p) {
  Vec2 mean = Vec2::Zero();
  for (const Vec2& x : p) mean += x / static_cast<double>(p.size());
  std::sort(p.begin(), p.end(), [&](const Vec2& u, const Vec2& v) {
    return std::atan2(u.y() - mean.y(), u.x() - mean.x()) < std::atan2(v.y() - mean.y(), v.x() - mean.x());
  });
  return p;
}

bool holds(const Polygon& p, const Vec2& x) {
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec2 e = p[(k + 1) % p.size()] - p[k], w = x - p[k];
    if (e.x() * w.y() - e.y() * w.x() < 0) return false;
  }
  return true;
}

Polygon intersect(const Polygon& p, const Polygon& q) {
  Polygon r;
  for (const Vec2& x : p)
    if (holds(q, x)) r.push_back(x);
  for (const Vec2& x : q)
    if (holds(p, x)) r.push_back(x);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) {
      const Vec2 u = p[(i + 1) % p.size()] - p[i], v = q[(j + 1) % q.size()] - q[j], w = q[j] - p[i];
      Mat2 m;
      m << u, -v;
      const Vec2 st = m.inverse() * w;
      if ((st.array() >= 0).all() && (st.array() <= 1).all()) r.push_back(p[i] + st.x() * u);
    }
  return sort_by_angle(r);
}

Placement at(double x, double y, double z, double angle = 0) {
  return {Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Vec3(x, y, z)};
}

Placement perturb(Placement p, double size, std::mt19937& random) {
  p.c += random_vector(random, size);
  const Vec3 w = random_vector(random, size);
  p.A = Quat(1, w.x() / 2, w.y() / 2, w.z() / 2).normalized().toRotationMatrix() * p.A;
  return p;
}

TEST(BoxBox, aligned_stack_has_the_four_common_corners) {
  for (const double s : {1e-6, 1.0, 1e4}) {
    const Box box{s * Vec3(1, 2, 0.5)};
    const auto c = find_contacts(box, at(0, 0, s), box, at(0, 0, 0), 0);
    ASSERT_EQ(c.size(), 4u) << s;
    for (const ContactPoint& x : c) {
      EXPECT_NEAR(x.gap, 0, 1e-15 * s);
      EXPECT_TRUE(x.normal.isApprox(Vec3::UnitZ(), 1e-15));
      EXPECT_TRUE(x.point.cwiseAbs().isApprox(s * Vec3(1, 2, 0.5), 1e-14));
    }
  }
}

// Half-brick bond: a brick rests on two bricks, on half of each, and touches its neighbours end to end.
TEST(BoxBox, half_brick_wall_has_four_clean_points_at_each_joint_whatever_the_last_digits) {
  const Box brick{{0.1, 0.05, 0.03}};
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const double size = trial == 0 ? 0 : trial < 100 ? 1e-16 : 1e-13;
    const Placement upper = perturb(at(0.1, 0, 0.06), size, random), left = perturb(at(0, 0, 0), size, random),
                    right = perturb(at(0.2, 0, 0), size, random);
    for (const Placement& lower : {left, right}) {
      const auto c = find_contacts(brick, upper, brick, lower, 1e-9);
      ASSERT_EQ(c.size(), 4u) << "trial " << trial;
      EXPECT_LT((c[0].normal - Vec3::UnitZ()).norm(), 1e-11);
      Polygon p;
      for (const ContactPoint& x : c) p.emplace_back(x.point.head<2>());
      EXPECT_NEAR(area_of(sort_by_angle(p)), 0.1 * 0.1, 1e-11);
    }
    const auto ends = find_contacts(brick, right, brick, left, 1e-9);
    ASSERT_EQ(ends.size(), 4u) << "trial " << trial;
    EXPECT_LT((ends[0].normal - Vec3::UnitX()).norm(), 1e-11);
  }
}

TEST(BoxBox, a_small_box_on_a_large_floor_keeps_its_four_corners) {
  std::mt19937 random(5);
  for (const double side : {0.01, 1.0}) {
    const Box floor{{100, 100, 1}}, box{Vec3::Constant(side / 2)};
    for (int k = 0; k < 50; ++k) {
      const Placement p = at(90 * random_vector(random).x(), 50, 1 + side / 2, random_vector(random, 3).x());
      const auto c = find_contacts(box, p, floor, {}, 1e-9);
      ASSERT_EQ(c.size(), 4u);
      for (const ContactPoint& x : c) EXPECT_NEAR(x.gap, 0, 1e-15);
    }
  }
}

// Centres at the same height: up and down are equally short, and exchange must still turn the normal round.
TEST(BoxBox, plates_in_the_middle_of_a_block_leave_it_the_same_way_whichever_is_called_first) {
  const Box plate{{1, 1, 0.1}}, block{{0.9, 0.9, 0.9}};
  for (const double shift : {-0.4, 0.4}) {
    const auto forth = find_contacts(plate, at(shift, 0, 0), block, {}, 0),
               back = find_contacts(block, {}, plate, at(shift, 0, 0), 0);
    ASSERT_EQ(forth.size(), 4u);
    EXPECT_TRUE(same_contacts(forth, back, -1, 1e-15));
  }
}

// A unit square turned by 45 degrees on another: an octagon; each corner cut off is a right triangle with legs
// 1 - sqrt(1/2) along the diagonal, so the area is 2 (sqrt 2 - 1).
TEST(BoxBox, box_turned_by_45_degrees_has_eight_points_whatever_the_last_digits) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const double size = trial < 50 ? 1e-15 : 1e-12;
    const Placement top = perturb(at(0, 0, 1, std::numbers::pi / 4), size, random);
    const auto c = find_contacts(Box{}, top, Box{}, perturb(at(0, 0, 0), size, random), 1e-9);
    ASSERT_EQ(c.size(), 8u);
    Polygon p;
    for (const ContactPoint& x : c) p.emplace_back(x.point.head<2>());
    EXPECT_NEAR(area_of(sort_by_angle(p)), 2 * (std::sqrt(2.0) - 1), 1e-10);
  }
}

TEST(BoxBox, contact_polygon_is_the_overlap_of_the_faces) {
  std::mt19937 random(7);
  std::array<int, 9> seen{};
  for (int k = 0; k < 2000; ++k) {
    const bool equal = k % 2;  // equal squares nearly above each other make octagons
    const Vec3 u = random_vector(random);
    const Vec3 ha(0.5, equal ? 0.5 : 0.8, 0.2), hb(equal ? 0.5 : 0.7, equal ? 0.5 : 0.4, 0.3);
    const double offset = equal ? 0.1 : 0.7;
    const Placement pa = at(offset * u.x(), offset * u.y(), 0.5 + 1e-3, 3 * u.z()), pb = at(0, 0, 0);
    const auto square = [](const Vec3& h, const Placement& p) {
      Polygon q;
      for (const Vec2& s : {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)})
        q.emplace_back(p.apply(Vec3(s.x() * h.x(), s.y() * h.y(), 0)).head<2>());
      return q;
    };
    const Polygon expected = intersect(square(ha, pa), square(hb, pb));
    const auto c = find_contacts(Box{ha}, pa, Box{hb}, pb, 2e-3);
    ASSERT_EQ(c.size(), expected.size());
    ++seen[c.size()];
    Polygon got;
    for (const ContactPoint& x : c) {
      got.emplace_back(x.point.head<2>());
      EXPECT_NEAR(x.gap, 1e-3, 1e-15);
      EXPECT_NEAR(x.point.z(), 0.3 + 0.5e-3, 1e-15);
    }
    EXPECT_NEAR(area_of(sort_by_angle(got)), area_of(expected), 1e-13);
  }
  for (int n = 3; n <= 8; ++n) EXPECT_GT(seen[n], 0) << n << " corners never occurred";
}

// At every size of perturbation of a stack, also where a tolerance is crossed: the polygon covers the overlap, and
// exchange does not change it.
TEST(BoxBox, nearly_aligned_boxes_cover_their_overlap_at_every_size_of_perturbation) {
  std::mt19937 random(13);
  const Box brick{{0.5, 0.5, 0.5}};
  for (int k = 0; k < 4000; ++k) {
    const double size = std::pow(10.0, -16 + 12.0 * k / 4000);  // 1e-16 to 1e-4
    const double shift = k % 3 == 0 ? 0 : k % 3 == 1 ? 0.5 : 0.3;
    const Placement top = perturb(at(shift, 0, 1), size, random), bottom = perturb(at(0, 0, 0), size, random);
    const auto c = find_contacts(brick, top, brick, bottom, 10 * size + 1e-12);
    const auto exchanged = find_contacts(brick, bottom, brick, top, 10 * size + 1e-12);
    ASSERT_GE(c.size(), 4u) << size;
    ASSERT_LE(c.size(), 8u) << size;
    Polygon p, q;
    for (const ContactPoint& x : c) p.emplace_back(x.point.head<2>());
    for (const ContactPoint& x : exchanged) q.emplace_back(x.point.head<2>());
    // Each side moves by at most a few perturbations, and a polygon drops at most slivers of 1e-6.
    EXPECT_NEAR(area_of(sort_by_angle(p)), 1 - shift, 20 * size + 5e-6) << size;
    EXPECT_NEAR(area_of(sort_by_angle(q)), area_of(sort_by_angle(p)), 5e-6);
    EXPECT_NEAR(least_gap(c), least_gap(exchanged), 4 * size * size + 1e-9 * size + 1e-15);
  }
}

TEST(BoxBox, tilted_box_has_the_true_gap_at_each_corner) {
  const double angle = 1e-3;
  const Placement top{Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix(), Vec3(0, 0, 1.001)};
  const auto c = find_contacts(Box{}, top, Box{{2, 2, 0.5}}, at(0, 0, 0), 0.01);
  ASSERT_EQ(c.size(), 4u);
  for (const ContactPoint& x : c) {  // corner at (+-1/2, ., -1/2) turned about y
    const double side = x.point.x() > 0 ? 0.5 : -0.5;
    EXPECT_NEAR(x.gap, 0.501 - side * std::sin(angle) - 0.5 * std::cos(angle), 1e-15);
  }
}

// A box that overhangs its support and is tilted a little: all points the margin admits, not the edge crossing only.
TEST(BoxBox, slightly_tilted_overhanging_box_keeps_its_face_contact) {
  for (const double angle : {1e-9, 1e-6, 1e-3}) {
    const Mat3 R = (Eigen::AngleAxisd(angle, Vec3(1, 2, 0).normalized()) * Eigen::AngleAxisd(0.1, Vec3::UnitZ()))
                       .toRotationMatrix();
    const auto c = find_contacts(Box{}, {R, Vec3(0.5, 0.1, 1)}, Box{}, at(0, 0, 0), 0.01);
    EXPECT_GE(c.size(), 4u) << angle;
    for (const ContactPoint& x : c) EXPECT_LT((x.normal - Vec3::UnitZ()).norm(), 2 * angle + 1e-12);
  }
}

TEST(BoxBox, crossed_edges_touch_in_one_point_with_the_normal_across_both) {
  // Two cubes on edge, the lower edge along y at the top, the upper edge along x at the bottom.
  const double r = std::sqrt(0.5), tilt = std::numbers::pi / 4;
  for (const double gap : {-0.01, 0.0, 0.01}) {
    const Placement lower{Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix(), Vec3(0, 0, -r)};
    const Placement upper{Eigen::AngleAxisd(tilt, Vec3::UnitX()).toRotationMatrix(), Vec3(0.1, 0.2, r + gap)};
    const auto c = find_contacts(Box{}, upper, Box{}, lower, 0.02);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].gap, gap, 1e-15);
    EXPECT_TRUE(c[0].normal.isApprox(Vec3::UnitZ(), 1e-14));
    EXPECT_NEAR((c[0].point - Vec3(0, 0.2, gap / 2)).norm(), 0, 1e-15);
  }
}

TEST(BoxBox, parallel_edges_and_corners_apart_are_as_far_as_they_are) {
  // Offsets (1+d, 0, 1+d) and (1+d, 1+d, 1+d) of unit cubes: distances sqrt(2) d and sqrt(3) d.
  const double d = 1e-3;
  const auto edges = find_contacts(Box{}, at(1 + d, 0, 1 + d), Box{}, at(0, 0, 0), 1e-2);
  ASSERT_EQ(edges.size(), 2u);  // the ends of the common length
  for (const ContactPoint& x : edges) {
    EXPECT_NEAR(x.gap, std::sqrt(2.0) * d, 1e-15);
    EXPECT_TRUE(x.normal.isApprox(Vec3(1, 0, 1).normalized(), 1e-12));
    EXPECT_NEAR(std::abs(x.point.y()), 0.5, 1e-15);
  }
  const auto corners = find_contacts(Box{}, at(1 + d, 1 + d, 1 + d), Box{}, at(0, 0, 0), 1e-2);
  ASSERT_EQ(corners.size(), 1u);
  EXPECT_NEAR(corners[0].gap, std::sqrt(3.0) * d, 1e-15);
  EXPECT_TRUE(find_contacts(Box{}, at(1 + d, 1 + d, 1 + d), Box{}, at(0, 0, 0), 1.7 * d).empty());
}

struct Solid {
  std::array<Vec3, 8> vertices;
  std::array<Vec3, 3> edges;
};

Solid make_solid(const Vec3& h, const Placement& p) {
  Solid s;
  for (int k = 0; k < 8; ++k)
    s.vertices[k] = p.apply(h.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  for (int i = 0; i < 3; ++i) s.edges[i] = p.A.col(i);
  return s;
}

// Widest gap over all candidate axes by projecting all vertices: the brute-force separating axis test.
double widest_gap(const Solid& a, const Solid& b, bool faces_only) {
  std::vector<Vec3> axes;
  for (int i = 0; i < 3; ++i) {
    axes.push_back(a.edges[i].cross(a.edges[(i + 1) % 3]));
    axes.push_back(b.edges[i].cross(b.edges[(i + 1) % 3]));
    for (int j = 0; j < 3 && !faces_only; ++j) axes.push_back(a.edges[i].cross(b.edges[j]));
  }
  double widest = -1e300;
  for (Vec3 n : axes) {
    n.normalize();
    double a0 = 1e300, a1 = -1e300, b0 = 1e300, b1 = -1e300;
    for (const Vec3& x : a.vertices) a0 = std::min(a0, n.dot(x)), a1 = std::max(a1, n.dot(x));
    for (const Vec3& x : b.vertices) b0 = std::min(b0, n.dot(x)), b1 = std::max(b1, n.dot(x));
    widest = std::max({widest, a0 - b1, b0 - a1});
  }
  return widest;
}

// Distance of two separated boxes: alternating projection converges to the nearest points (Cheney & Goldstein 1959).
double distance_of(const Vec3& ha, const Placement& pa, const Vec3& hb, const Placement& pb) {
  const auto project = [](const Vec3& x, const Vec3& h, const Placement& p) {
    return p.apply((p.A.transpose() * (x - p.c)).cwiseMax(-h).cwiseMin(h));
  };
  Vec3 x = pa.c, y = pb.c;
  for (int k = 0; k < 3000; ++k) {
    x = project(y, ha, pa);
    y = project(x, hb, pb);
  }
  return (x - y).norm();
}

TEST(BoxBox, overlapping_boxes_have_the_penetration_depth_of_brute_force) {
  std::mt19937 random(8);
  const Vec3 ha(0.3, 0.5, 0.4), hb(0.6, 0.2, 0.35);
  int checked = 0;
  for (int k = 0; k < 3000; ++k) {
    const Placement pa = random_placement(random, 0.5), pb = random_placement(random, 0.5);
    const Solid a = make_solid(ha, pa), b = make_solid(hb, pb);
    const double gap = widest_gap(a, b, false), face_gap = widest_gap(a, b, true);
    const auto c = find_contacts(Box{ha}, pa, Box{hb}, pb, 0);
    if (gap > 0) {
      EXPECT_TRUE(c.empty());
      continue;
    }
    ++checked;
    ASSERT_FALSE(c.empty());
    // An edge axis nearly parallel to the best face is replaced by that face: then between the two.
    EXPECT_LE(least_gap(c), gap + 1e-2 * std::abs(gap));
    EXPECT_GE(least_gap(c), face_gap - 1e-12);
    if (gap == face_gap || c.size() == 1) {
      EXPECT_NEAR(least_gap(c), gap, 1e-3 * std::abs(gap) + 1e-13);
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(BoxBox, separated_boxes_within_the_margin_always_have_a_contact_no_farther_than_their_distance) {
  std::mt19937 random(9);
  const Vec3 ha(0.3, 0.5, 0.4), hb(0.6, 0.2, 0.35);
  int checked = 0;
  for (int k = 0; k < 400; ++k) {
    const Placement pa = random_placement(random, 0.8), pb = random_placement(random, 0.8);
    const double gap = widest_gap(make_solid(ha, pa), make_solid(hb, pb), false);
    if (gap <= 0.01) continue;
    ++checked;
    const double distance = distance_of(ha, pa, hb, pb);
    const auto c = find_contacts(Box{ha}, pa, Box{hb}, pb, 1.001 * distance);
    ASSERT_FALSE(c.empty()) << distance << " " << gap;
    EXPECT_LE(least_gap(c), 1.001 * distance);
    EXPECT_TRUE(find_contacts(Box{ha}, pa, Box{hb}, pb, 0.999 * gap).empty());
  }
  EXPECT_GT(checked, 50);
}

TEST(BoxBox, parallelepiped_routine_agrees_with_the_block_routine) {
  std::mt19937 random(10);
  const Vec3 ha(0.3, 0.5, 0.4), hb(0.6, 0.2, 0.35);
  for (int k = 0; k < 500; ++k) {
    const Placement pa = random_placement(random, 0.5), pb = random_placement(random, 0.5);
    // The same block written as stretched unit cubes: A is not a rotation, so the general branch runs.
    Placement sa = pa, sb = pb;
    sa.A = pa.A * (2 * ha).asDiagonal();
    sb.A = pb.A * (2 * hb).asDiagonal();
    EXPECT_TRUE(same_contacts(find_contacts(Box{}, sa, Box{}, sb, 0.05), find_contacts(Box{ha}, pa, Box{hb}, pb, 0.05),
                              1, 1e-12));
  }
}

TEST(BoxBox, sheared_boxes_stack_on_their_parallelogram_faces) {
  Placement lower, upper;
  lower.A << 1, 0.3, 0.4, 0, 1, 0.2, 0, 0, 1;  // faces +-z stay horizontal, parallelograms x = X + 0.3 Y
  upper.A = lower.A;
  upper.c = lower.A.col(2) * 1.0;  // exactly on top
  const auto c = find_contacts(Box{}, upper, Box{}, lower, 0);
  ASSERT_EQ(c.size(), 4u);
  Polygon p;
  for (const ContactPoint& x : c) {
    EXPECT_NEAR(x.gap, 0, 1e-15);
    EXPECT_TRUE(x.normal.isApprox(Vec3::UnitZ(), 1e-14));
    p.emplace_back(x.point.head<2>());
  }
  EXPECT_NEAR(area_of(sort_by_angle(p)), 1, 1e-14);
}

TEST(BoxBox, sheared_boxes_have_the_penetration_depth_of_brute_force) {
  std::mt19937 random(11);
  const Vec3 h = Vec3::Constant(0.5);
  int checked = 0;
  for (int k = 0; k < 2000; ++k) {
    Placement pa = random_placement(random, 0.6), pb = random_placement(random, 0.6);
    for (Placement* p : {&pa, &pb}) {
      Mat3 F = Mat3::Identity();
      for (int i = 0; i < 9; ++i) F.data()[i] += random_vector(random, 0.25).x();
      p->A = p->A * F;
    }
    if (pa.A.determinant() <= 0.2 || pb.A.determinant() <= 0.2) continue;
    const Solid a = make_solid(h, pa), b = make_solid(h, pb);
    const double gap = widest_gap(a, b, false), face_gap = widest_gap(a, b, true);
    const auto c = find_contacts(Box{}, pa, Box{}, pb, 0);
    EXPECT_TRUE(same_contacts(c, find_contacts(Box{}, pb, Box{}, pa, 0), -1, 1e-12));
    if (gap > 0) {
      EXPECT_TRUE(c.empty());
      continue;
    }
    ++checked;
    ASSERT_FALSE(c.empty());
    EXPECT_LE(least_gap(c), gap + 1e-2 * std::abs(gap));
    EXPECT_GE(least_gap(c), face_gap - 1e-12);
  }
  EXPECT_GT(checked, 500);
}

}  // namespace
}  // namespace cairn
