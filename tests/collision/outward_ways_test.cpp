// SPDX-License-Identifier: Apache-2.0
// Ways out of an overlap off points and edges against formulas, and a corner of a mesh under the rim of a cylinder
// against a search over all directions that lead away from the corner.
#include "cairn/collision/outward_ways.h"

#include <gtest/gtest.h>

#include "cairn/geometry/mesh.h"
#include "collision/every_shape.h"
#include "collision/pair_helpers.h"

namespace cairn {
namespace {

using namespace test;

std::vector<double> sorted_gaps(const std::vector<OutwardWay>& ways) {
  std::vector<double> gaps;
  for (const OutwardWay& w : ways) gaps.push_back(w.gap);
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

TEST(OutwardWays, of_a_point_in_a_cylinder_lead_across_both_caps_and_the_side) {
  std::mt19937 random(3);
  const Placement p = random_placement(random);
  const PlacedConvex a = make_convex(Cylinder{0.5, 0.4}, p, Vec3::Zero());
  std::vector<OutwardWay> ways;
  find_ways_off_point(a, p.apply({0.3 * 0.9, 0.4 * 0.9, 0.3}), ways);
  const std::vector<double> gaps = sorted_gaps(ways);
  ASSERT_EQ(gaps.size(), 3u);
  EXPECT_NEAR(gaps[0], -0.7, 1e-14);   // the far cap
  EXPECT_NEAR(gaps[1], -0.1, 1e-14);   // the near cap
  EXPECT_NEAR(gaps[2], -0.05, 1e-14);  // the side, 0.45 from the axis
}

TEST(OutwardWays, of_a_point_in_a_cone_lead_across_base_and_side) {
  std::mt19937 random(4);
  const Placement p = random_placement(random);
  const double r = 0.3, h = 0.4;
  const PlacedConvex a = make_convex(Cone{r, h}, p, Vec3::Zero());
  const double x = 0.2, z = -0.05;
  std::vector<OutwardWay> ways;
  find_ways_off_point(a, p.apply({0, x, z}), ways);
  const std::vector<double> gaps = sorted_gaps(ways);
  ASSERT_EQ(gaps.size(), 2u);
  const double side = (h * x + r * (z - 0.75 * h)) / std::hypot(h, r), base = -h / 4 - z;
  EXPECT_NEAR(gaps[0], std::min(side, base), 1e-14);
  EXPECT_NEAR(gaps[1], std::max(side, base), 1e-14);
}

TEST(OutwardWays, off_an_edge_lead_to_the_axis_of_a_cylinder_beside_it) {
  // The edge of the unit cube along y at x = z = 1.
  const PlacedMesh cube = place_mesh(unit_cube(), {}, Vec3::Zero());
  for (std::size_t e = 0; e < cube.mesh->edges.size(); ++e) {
    const PlacedEdge edge = place_edge(cube, static_cast<int>(e));
    if ((edge.middle - Vec3(1, 0, 1)).norm() > 1e-12) continue;
    const Placement along_y{Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY()).toRotationMatrix(),
                            {1.3, 0.1, 1.4}};
    std::vector<OutwardWay> ways;
    find_ways_off_edge(make_convex(Cylinder{0.51, 0.2}, along_y, Vec3::Zero()), edge, 1e-12, ways);
    ASSERT_EQ(ways.size(), 1u);
    EXPECT_NEAR(ways[0].gap, -0.01, 1e-14);  // the axis is 0.5 away
    EXPECT_LT((ways[0].normal - Vec3(0.6, 0, 0.8)).norm(), 1e-12);
    // Above one of the faces no way is left to the edge.
    ways.clear();
    const Placement above{along_y.A, {0.9, 0.1, 1.4}};
    find_ways_off_edge(make_convex(Cylinder{0.51, 0.2}, above, Vec3::Zero()), edge, 1e-12, ways);
    EXPECT_TRUE(ways.empty());
    return;
  }
  FAIL() << "no such edge";
}

// Neither the way across the cap nor that across the side leads away from the corner; those between do, and are longer.
TEST(OutwardWays, of_a_corner_under_a_rim_are_found_in_every_frame) {
  const Cylinder cylinder{0.5, 0.5};
  const Placement standing{Mat3::Identity(), {0, 0, -0.5}};
  const Vec3 corner(0.5 - 1e-5, 0, -1e-5);
  // A cube with its diagonal on the bisector of cap and side, turned about it so that both lie beyond its arcs.
  const Vec3 d = Vec3(-1, 0, -1).normalized(), up = Vec3::UnitY(), side = up.cross(d);
  Mat3 normals;  // of the faces at the corner
  for (int k = 0; k < 3; ++k) {
    const double angle = (90.0 + 120.0 * k) * M_PI / 180;
    normals.col(k) = (d + std::sqrt(2.0) * (std::cos(angle) * side + std::sin(angle) * up)).normalized();
  }
  if (normals.determinant() < 0) normals.col(0).swap(normals.col(1));
  const auto mesh =
      TriangleMesh{std::make_shared<const MeshData>(make_mesh(make_surface_mesh(Box{Vec3::Constant(0.2)}), "cube"))};
  const Placement cube{normals, corner - normals * Vec3::Constant(0.2)};
  // The least depth over the cone of the three normals: not within it (cap and side are beyond), so on one of its arcs.
  const auto gap = [&](const Vec3& n) { return n.dot(standing.apply(compute_support(cylinder, -n)) - corner); };
  double expected = -1;
  for (int k = 0; k < 3; ++k) {
    const Vec3 from = normals.col(k), to = normals.col((k + 1) % 3);
    double middle = 0.5;
    for (double width = 0.5; width > 1e-12; width *= 0.5) {
      const double centre = middle;
      double best = -1;
      for (int i = -20; i <= 20; ++i) {
        const double t = std::clamp(centre + width * i / 20, 0.0, 1.0), g = gap(((1 - t) * from + t * to).normalized());
        if (g > best) best = g, middle = t;
      }
      expected = std::max(expected, best);
    }
  }
  ASSERT_LT(expected, -1e-5);
  std::mt19937 random(5);
  for (int k = 0; k < 20; ++k) {
    const Placement g = random_placement(random);
    double found = -1;
    for (const ContactPoint& c :
         find_contacts(cylinder, {g.A * standing.A, g.apply(standing.c)}, mesh, {g.A * cube.A, g.apply(cube.c)}, 1e-3))
      found = std::max(found, c.gap);
    EXPECT_NEAR(found, expected, 1e-12) << k;
  }
}

// Poses of every_pair_test.cpp: the rim of a cone, sharper than a right angle, pushed over a corner of a ring. It then
// reaches into the ring beside an edge (neither that edge nor the corner is inside the cone), or runs nearly along it.
TEST(OutwardWays, of_an_edge_beside_a_sharp_rim_are_found) {
  const std::vector<Shape> shapes = make_every_shape();
  const Shape &cone = shapes[5], &ring = shapes[8];
  for (const int pose : {1820, 10171}) {
    auto [pa, pb] = make_poses(cone, ring, pose, true);
    const auto apart = find_contacts(cone, pa, ring, pb, 0.1);
    ASSERT_EQ(apart.size(), 1u);
    ASSERT_GT(apart[0].gap, 0);
    pa.c -= (apart[0].gap + 1e-5) * apart[0].normal;
    const double gap = least_gap(find_contacts(cone, pa, ring, pb, 0.1));
    EXPECT_LT(gap, -1e-7) << pose;
    EXPECT_GE(gap, -1e-5 - 1e-12) << pose;
  }
}

}  // namespace
}  // namespace cairn
