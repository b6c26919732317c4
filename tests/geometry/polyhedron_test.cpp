// SPDX-License-Identifier: Apache-2.0
// Hulls and polyhedra: topology, joined faces, wrong input.
#include "cairn/geometry/polyhedron.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "all_shapes.h"
#include "cairn/base/error.h"

namespace cairn {
namespace {

using namespace testing_shapes;

void expect_sound(const Polyhedron& p) {
  const int V = static_cast<int>(p.vertices.size()), E = static_cast<int>(p.edges.size()), F = p.face_count();
  EXPECT_EQ(V - E + F, 2);  // Euler
  double size = 0;
  for (const Vec3& v : p.vertices) size = std::max(size, (v - p.inside).norm());
  for (int f = 0; f < F; ++f) {
    EXPECT_NEAR(p.normals[f].norm(), 1, 1e-14);
    for (const Vec3& v : p.vertices) EXPECT_LE(p.normals[f].dot(v), p.offsets[f] + 1e-12 * size);
    for (const int v : p.face(f)) EXPECT_NEAR(p.normals[f].dot(p.vertices[v]), p.offsets[f], 1e-12 * size);
    EXPECT_LT(p.normals[f].dot(p.inside), p.offsets[f]);
  }
  for (const auto& e : p.edges) {
    const auto left = p.face(e.f0), right = p.face(e.f1);
    const auto runs = [](std::span<const int> loop, int a, int b) {
      for (std::size_t k = 0; k < loop.size(); ++k)
        if (loop[k] == a && loop[(k + 1) % loop.size()] == b) return true;
      return false;
    };
    EXPECT_TRUE(runs(left, e.v0, e.v1));
    EXPECT_TRUE(runs(right, e.v1, e.v0));
    const Vec3 along = p.vertices[e.v1] - p.vertices[e.v0];
    EXPECT_GT(p.normals[e.f0].cross(p.normals[e.f1]).dot(along), 0);  // convex
  }
  for (int v = 0; v < V; ++v) EXPECT_GE(p.neighbours(v).size(), 3u);
}

std::vector<Vec3> cube_points(double s) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) points.emplace_back(s * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
  return points;
}

TEST(Hull, of_a_cube_in_any_pose_and_scale_has_six_squares) {
  std::mt19937 random(1);
  for (const double s : {1e-6, 1.0, 1e3})
    for (int k = 0; k < 50; ++k) {
      std::vector<Vec3> points = cube_points(s);
      const Mat3 R = random_rotation(random);
      for (Vec3& p : points) p = R * p + s * Vec3(5, -3, 7);
      const Polyhedron cube = make_hull(points, "cube");
      EXPECT_EQ(cube.vertices.size(), 8u);
      EXPECT_EQ(cube.edges.size(), 12u);
      ASSERT_EQ(cube.face_count(), 6);
      for (int f = 0; f < 6; ++f) EXPECT_EQ(cube.face(f).size(), 4u);
      expect_sound(cube);
      EXPECT_NEAR(compute_mass_properties(cube).volume / (8 * s * s * s), 1, 1e-12);
      EXPECT_LT((cube.inside - s * Vec3(5, -3, 7)).norm(), 1e-13 * s);
    }
}

TEST(Hull, points_inside_faces_and_edges_are_no_vertices) {
  std::vector<Vec3> points;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) points.emplace_back(x, y, z);
  const Polyhedron cube = make_hull(points, "grid");
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.face_count(), 6);
  expect_sound(cube);
}

TEST(Hull, of_random_points_holds_them_all) {
  std::mt19937 random(2);
  std::normal_distribution<double> g;
  for (int n = 4; n < 400; n += 1 + n / 3) {
    std::vector<Vec3> points;
    for (int k = 0; k < n; ++k) points.emplace_back(g(random), g(random), g(random));
    const Polyhedron hull = make_hull(points, "cloud");
    expect_sound(hull);
    for (const Vec3& p : points)
      for (int f = 0; f < hull.face_count(); ++f) EXPECT_LE(hull.normals[f].dot(p), hull.offsets[f] + 1e-12);
    for (int k = 0; k < 50; ++k) {  // climbing finds the farthest vertex
      const Vec3 d = random_direction(random);
      double height = -INFINITY;
      for (const Vec3& p : points) height = std::max(height, d.dot(p));
      const int start = static_cast<int>(random() % hull.vertices.size());
      EXPECT_NEAR(d.dot(hull.vertices[find_support_vertex(hull, d, start)]), height, 1e-13);
    }
  }
}

TEST(VectorBlocks, find_the_first_of_the_farthest) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> grid(-2, 2);  // many are equally far
  const auto draw = [&] {
    const double x = grid(random), y = grid(random);
    return Vec3(x, y, grid(random));
  };
  for (int count = 1; count <= 13; ++count)
    for (int round = 0; round < 50; ++round) {
      std::vector<Vec3> vectors;
      for (int k = 0; k < count; ++k) vectors.push_back(draw());
      const Vec3 d = draw();
      int expected = 0;
      for (int k = 1; k < count; ++k)
        if (d.dot(vectors[k]) > d.dot(vectors[expected])) expected = k;
      EXPECT_EQ(VectorBlocks(vectors).find_farthest(d), expected) << count;
    }
}

TEST(Polyhedron, names_the_edges_at_a_vertex_in_the_order_of_its_neighbours) {
  const Polyhedron rock = make_rock(1, 40);
  for (int v = 0; v < static_cast<int>(rock.vertices.size()); ++v) {
    const auto neighbours = rock.neighbours(v), edges = rock.edges_at(v);
    ASSERT_EQ(neighbours.size(), edges.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const Polyhedron::Edge& e = rock.edges[edges[k]];
      EXPECT_TRUE((e.v0 == v && e.v1 == neighbours[k]) || (e.v1 == v && e.v0 == neighbours[k]));
    }
  }
}

TEST(Hull, of_thin_plates_and_long_needles_is_sound) {
  for (const Vec3& size : {Vec3(1, 1, 1e-10), Vec3(1, 1e-6, 1e-6), Vec3(1e6, 1, 1), Vec3(1, 1, 1e-6)}) {
    std::vector<Vec3> points = cube_points(1);
    for (Vec3& p : points) p = p.cwiseProduct(size);
    const Polyhedron plate = make_hull(points, "plate");
    EXPECT_EQ(plate.vertices.size(), 8u);
    EXPECT_EQ(plate.face_count(), 6);
    EXPECT_NEAR(compute_mass_properties(plate).volume / (8 * size.prod()), 1, 1e-9);
  }
}

TEST(Polyhedron, joins_the_triangles_of_a_cube_to_squares) {
  const SurfaceMesh surface = make_surface_mesh(Box{{1, 2, 3}});
  std::vector<std::vector<int>> faces;
  for (const auto& t : surface.triangles) faces.push_back({t[0], t[1], t[2]});
  const Polyhedron box = make_polyhedron(surface.vertices, faces, "box");
  EXPECT_EQ(box.face_count(), 6);
  expect_sound(box);
  const MassProperties got = compute_mass_properties(box), exact = compute_mass_properties(Shape(Box{{1, 2, 3}}));
  EXPECT_NEAR(got.volume, exact.volume, 1e-12);
  EXPECT_TRUE(got.inertia.isApprox(exact.inertia, 1e-13));
}

std::string complaint(const std::function<void()>& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Polyhedron, what_is_none_is_refused_with_the_reason) {
  const std::vector<Vec3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::vector<int>> good{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const auto expect = [&](std::vector<Vec3> v, std::vector<std::vector<int>> f, const char* phrase) {
    const std::string text = complaint([&] { make_polyhedron(v, f, "body 'rock'"); });
    EXPECT_TRUE(text.starts_with("body 'rock': ")) << text;
    EXPECT_NE(text.find(phrase), std::string::npos) << text;
  };
  EXPECT_EQ(complaint([&] { make_polyhedron(corner, good, "x"); }), "");
  expect(corner, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}, "has 3 faces");
  expect(corner, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0}}, "face 3 has 2 corners");
  expect(corner, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 4}}, "face 3 has corner 4");
  expect(corner, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}}, "same way");
  expect(corner, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}, "counter-clockwise");
  expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}, good, "vertex 3 is not finite");
  const SurfaceMesh bracket = make_bracket(1);
  std::vector<std::vector<int>> faces;
  for (const auto& t : bracket.triangles) faces.push_back({t[0], t[1], t[2]});
  expect(bracket.vertices, faces, "must be convex");
  faces.pop_back();
  expect(bracket.vertices, faces, "must be closed");
}

TEST(Hull, of_points_without_volume_is_refused_with_the_reason) {
  const auto expect = [&](std::vector<Vec3> points, const char* phrase) {
    const std::string text = complaint([&] { make_hull(points, "body 'rock'"); });
    EXPECT_TRUE(text.starts_with("body 'rock': ")) << text;
    EXPECT_NE(text.find(phrase), std::string::npos) << text;
  };
  expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "at least 4");
  expect({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, "are one");
  expect({{1, 2, 3}, {2, 4, 6}, {3, 6, 9}, {0, 0, 0}}, "on a line");
  expect({{1, 2, 3}, {2, 4, 3}, {3, 7, 3}, {0, 0, 3}, {9, 9, 3}}, "in a plane");
  expect({{1, 2, 3}, {2, 4, 3}, {3, NAN, 3}, {0, 0, 3}}, "point 2 is not finite");
}

}  // namespace
}  // namespace cairn
