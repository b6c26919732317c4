// SPDX-License-Identifier: Apache-2.0
// Two wide trees report every pair of triangles that come near, and not many more.
#include "cairn/geometry/wide_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "cairn/geometry/mesh.h"
#include "support/random_motion.h"

namespace cairn {
namespace {

MeshData make_ball(int refinement) {
  return make_mesh(make_surface_mesh(Ellipsoid{{0.5, 0.4, 0.3}}, refinement), "ball");
}

std::set<std::pair<int, int>> find_pairs(const MeshData& a, const MeshData& b, const Placement& p, double margin) {
  std::set<std::pair<int, int>> pairs;
  std::vector<std::array<int, 2>> stack;
  for_each_leaf_pair(a.wide, b.wide, p, margin, stack, [&](int i, int j) {
    const WideTree::Leaf &la = a.wide.leaves[static_cast<std::size_t>(i)],
                         &lb = b.wide.leaves[static_cast<std::size_t>(j)];
    for (int k = 0; k < la.count; ++k)
      for (int m = 0; m < lb.count; ++m)
        EXPECT_TRUE(pairs
                        .insert({a.tree.items[static_cast<std::size_t>(la.first + k)],
                                 b.tree.items[static_cast<std::size_t>(lb.first + m)]})
                        .second);
  });
  return pairs;
}

TEST(WideTree, has_every_triangle_in_one_leaf) {
  const MeshData mesh = make_ball(3);
  std::multiset<int> seen;
  for (const WideTree::Leaf& leaf : mesh.wide.leaves)
    for (int k = 0; k < leaf.count; ++k) seen.insert(mesh.tree.items[static_cast<std::size_t>(leaf.first + k)]);
  ASSERT_EQ(seen.size(), mesh.triangles.size());
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) EXPECT_EQ(seen.count(t), 1u);
}

TEST(WideTree, pairs_miss_nothing_under_rotations_and_other_matrices) {
  std::mt19937 random(1);
  std::normal_distribution<double> g;
  const MeshData a = make_ball(2), b = make_ball(2);
  for (int trial = 0; trial < 60; ++trial) {
    const Placement p{trial % 2 ? random_rotation(random) : random_matrix(random),
                      0.3 * Vec3(g(random), g(random), g(random))};
    const double margin = trial % 3 ? 0.02 : 0;
    const auto pairs = find_pairs(a, b, p, margin);
    std::size_t near = 0;
    for (int i = 0; i < static_cast<int>(a.triangles.size()); ++i)
      for (int j = 0; j < static_cast<int>(b.triangles.size()); ++j) {
        // Points of the two triangles that are near enough.
        bool close = false;
        for (int k = 0; k < 4 && !close; ++k)
          for (int m = 0; m < 4 && !close; ++m) {
            const auto point = [](const MeshData& mesh, int t, int corner) {
              Vec3 x = Vec3::Zero();
              for (const int v : mesh.triangles[static_cast<std::size_t>(t)])
                x += mesh.vertices[static_cast<std::size_t>(v)] / 3;
              return corner == 3 ? x
                                 : mesh.vertices[static_cast<std::size_t>(
                                       mesh.triangles[static_cast<std::size_t>(t)][static_cast<std::size_t>(corner)])];
            };
            close = (point(a, i, k) - p.apply(point(b, j, m))).norm() <= margin;
          }
        near += close;
        if (close) {
          EXPECT_TRUE(pairs.contains({i, j})) << trial;
        }
      }
    EXPECT_LT(pairs.size(), a.triangles.size() * b.triangles.size() / 4) << near;
  }
}

TEST(WideTree, a_mesh_touches_itself_in_the_same_place) {
  // Rounding must not part what coincides: every triangle is near its own copy at margin 0.
  std::mt19937 random(2);
  const MeshData a = make_ball(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 R = trial % 2 ? random_rotation(random) : random_matrix(random);
    MeshData moved = a;
    const Placement p{R, {100, -20, 3}}, back{R.inverse(), -(R.inverse() * p.c)};
    for (Vec3& v : moved.vertices) v = back.apply(v);
    update_tree(moved);
    const auto pairs = find_pairs(a, moved, p, 0);
    for (int t = 0; t < static_cast<int>(a.triangles.size()); ++t) EXPECT_TRUE(pairs.contains({t, t}));
  }
}

}  // namespace
}  // namespace cairn
