// SPDX-License-Identifier: Apache-2.0
// Rays and nearest points of every shape against its surface mesh and against each other.
#include <gtest/gtest.h>

#include <cmath>

#include "all_shapes.h"
#include "cairn/base/error.h"
#include "cairn/geometry/closest_point.h"
#include "cairn/geometry/ray_cast.h"
#include "cairn/geometry/support.h"
#include "cairn/geometry/triangle.h"

namespace cairn {
namespace {

using namespace testing_shapes;

double brute_force_distance(const SurfaceMesh& mesh, const Vec3& x) {
  double best = INFINITY;
  for (const auto& [i, j, k] : mesh.triangles)
    best = std::min(
        best, (x - find_nearest_on_triangle(x, mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]).point).norm());
  return best;
}

std::vector<double> brute_force_hits(const SurfaceMesh& mesh, const Vec3& x, const Vec3& d) {
  std::vector<double> hits;
  const TriangleRay line(x, d);
  for (const auto& [i, j, k] : mesh.triangles) {
    const double t = line.hit(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    if (t >= 0) hits.push_back(t);
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

Vec3 random_point(std::mt19937& random, const Shape& shape, double spread) {
  const Aabb box = compute_aabb(shape, {});
  std::uniform_real_distribution<double> u(-spread, spread);
  const Vec3 half = (box.hi - box.lo) / 2;
  return (box.lo + box.hi) / 2 + half.cwiseProduct(Vec3(u(random), u(random), u(random)));
}

TEST(ClosestPoint, of_every_shape_is_as_near_as_its_surface_mesh) {
  std::mt19937 random(11);
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    const bool overlapping = name == "compound";
    const SurfaceMesh surface = make_surface_mesh(shape, curved ? 4 : 0);
    for (int k = 0; k < 300; ++k) {
      const Vec3 x = random_point(random, shape, k % 2 ? 1 : 2.5);
      const SurfacePoint p = find_closest_point(shape, x);
      EXPECT_NEAR(p.normal.norm(), 1, 1e-12);
      EXPECT_LT((p.point + p.distance * p.normal - x).norm(), 1e-12) << x.transpose();
      if (!overlapping || p.distance > 0) {
        EXPECT_NEAR(std::abs(p.distance), brute_force_distance(surface, x), curved ? 3e-3 : 1e-12) << x.transpose();
      }
      // Inside when a ray leaves through an odd number of triangles. Not asked next to a curved surface.
      if (overlapping || (curved && std::abs(p.distance) < 3e-3)) continue;
      const std::size_t crossings = brute_force_hits(surface, x, Vec3(0.3, 0.5, std::sqrt(0.66))).size();
      EXPECT_EQ(p.distance < 0, crossings % 2 == 1) << x.transpose();
    }
  }
}

TEST(ClosestPoint, on_the_surface_is_the_point_itself_with_an_outward_normal) {
  std::mt19937 random(12);
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    for (int k = 0; k < 200; ++k) {
      const SurfacePoint p = find_closest_point(shape, random_point(random, shape, 2));
      const SurfacePoint again = find_closest_point(shape, p.point);
      EXPECT_NEAR(again.distance, 0, 2e-15 + 1e-15 * p.point.norm());
      EXPECT_LT((again.point - p.point).norm(), 4e-15 * (1 + p.point.norm()));
      // A step out along the normal is outside by as much, where no other part is near.
      if (name == "compound" || name == "mesh" || name == "cells") continue;
      EXPECT_NEAR(find_closest_point(shape, p.point + 0.01 * p.normal).distance, 0.01, 1e-12);
    }
  }
}

// For an ellipsoid the foot is characterised by x - p parallel to the gradient, checked to rounding for wild axes.
TEST(ClosestPoint, of_an_ellipsoid_is_exact_for_all_axes_and_places) {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> exponent(-3, 3), u(-1.5, 1.5);
  for (int k = 0; k < 20000; ++k) {
    Vec3 a, x;
    for (int i = 0; i < 3; ++i) {
      a[i] = std::pow(10, exponent(random));
      x[i] = a[i] * u(random) * (k % 5 == 0 ? std::pow(10, 2 * exponent(random)) : 1);
      if (k % 7 == i) x[i] = 0;
      if (k % 11 == 5 && i > 0) a[i] = a[0];
      if (k % 13 == 4) x[i] *= 1e-9;
    }
    const SurfacePoint p = find_closest_point(Ellipsoid{a}, x);
    ASSERT_TRUE(p.point.allFinite() && std::isfinite(p.distance));
    EXPECT_NEAR(p.point.cwiseQuotient(a).norm(), 1, 1e-13);
    const double size = std::max(a.maxCoeff(), x.norm());
    EXPECT_LT((p.point + p.distance * p.normal - x).norm(), 1e-12 * size) << a.transpose() << " | " << x.transpose();
    EXPECT_EQ(p.distance < 0, x.cwiseQuotient(a).norm() < 1);
    // No other point of the surface is nearer.
    for (int j = 0; j < 5; ++j) {
      const Vec3 q =
          a.cwiseProduct((p.point.cwiseQuotient(a) + std::pow(0.1, j) * random_direction(random)).normalized());
      EXPECT_GE((q - x).norm(), std::abs(p.distance) * (1 - 1e-13) - 1e-14 * size);
    }
  }
}

TEST(RayCast, of_every_shape_hits_what_its_surface_mesh_hits) {
  std::mt19937 random(14);
  for (const auto& [name, shape, curved] : all_bounded()) {
    SCOPED_TRACE(name);
    const SurfaceMesh surface = make_surface_mesh(shape, curved ? 4 : 0);
    int hits = 0, from_inside = 0;
    for (int k = 0; k < 400; ++k) {
      const Vec3 x = random_point(random, shape, k % 2 ? 1 : 3);
      const Vec3 d = k % 3 ? random_direction(random) : Vec3((random_point(random, shape, 1) - x).normalized());
      const auto hit = cast_ray(shape, x, (k % 5 ? 1 : 7.5) * d);
      const auto expected = brute_force_hits(surface, x, d);
      if (hit) {
        ++hits;
        EXPECT_NEAR(hit->normal.norm(), 1, 1e-13);
        EXPECT_LT((x + hit->distance * d - hit->point).norm(), 1e-12);
        if (name != "compound") {
          const SurfacePoint near = find_closest_point(shape, hit->point);
          EXPECT_NEAR(near.distance, 0, 1e-12);
          const bool inside = find_closest_point(shape, x).distance < 0;
          EXPECT_EQ(hit->normal.dot(d) > 0, inside);
          from_inside += inside;
        }
        EXPECT_FALSE(cast_ray(shape, x, d, 0.999 * hit->distance));
      }
      if (!curved) {
        EXPECT_EQ(hit.has_value(), !expected.empty());
        if (hit && !expected.empty()) {
          EXPECT_NEAR(hit->distance, expected[0], 1e-11);
        }
      } else if (!expected.empty()) {
        ASSERT_TRUE(hit);  // the mesh is inside of a convex shape
        if (std::abs(hit->normal.dot(d)) > 0.3) {
          EXPECT_NEAR(hit->distance, expected[0], 2e-2);
        }
      }
    }
    EXPECT_GT(hits, 40);
    if (name != "compound") {
      EXPECT_GT(from_inside, 20);
    }
  }
}

TEST(RayCast, along_axes_edges_and_tangents_is_finite_and_right) {
  const auto distance = [](const Shape& s, const Vec3& x, const Vec3& d) {
    const auto hit = cast_ray(s, x, d);
    return hit ? hit->distance : -1;
  };
  const Vec3 X = Vec3::UnitX(), Z = Vec3::UnitZ();
  EXPECT_DOUBLE_EQ(distance(Sphere{1}, -3 * X, X), 2);
  EXPECT_DOUBLE_EQ(distance(Box{{1, 1, 1}}, Vec3(-3, 1, 1), X), 2);  // along an edge
  EXPECT_DOUBLE_EQ(distance(Cylinder{1, 2}, -5 * Z, Z), 3);
  EXPECT_DOUBLE_EQ(distance(Cylinder{1, 2}, Vec3(1, 0, -5), Z), 3);  // along the side
  EXPECT_DOUBLE_EQ(distance(Capsule{1, 2}, -5 * Z, Z), 2);
  EXPECT_DOUBLE_EQ(distance(Capsule{1, 2}, Vec3(-5, 0, 1), X), 4);
  EXPECT_DOUBLE_EQ(distance(Cone{1, 4}, 5 * Z, -Z), 2);
  EXPECT_DOUBLE_EQ(distance(Cone{1, 4}, -5 * Z, Z), 4);
  EXPECT_DOUBLE_EQ(distance(Cone{1, 4}, Vec3(-5, 0, -1), X), 4);  // the rim
  EXPECT_DOUBLE_EQ(distance(Cone{1, 4}, Vec3::Zero(), Z), 3);     // from inside
  EXPECT_DOUBLE_EQ(distance(Cone{1, 4}, Vec3(0, 0, 4), Z), -1);   // above the apex, going up
  EXPECT_DOUBLE_EQ(distance(Ellipsoid{{1, 2, 3}}, 10 * Z, -Z), 7);
  EXPECT_DOUBLE_EQ(distance(HalfSpace{{0, 0, 1}, 0.5}, 2 * Z, -Z), 1.5);
  EXPECT_DOUBLE_EQ(distance(HalfSpace{{0, 0, 1}, 0.5}, 2 * Z, X), -1);
  EXPECT_DOUBLE_EQ(distance(HalfSpace{{0, 0, 1}, 0.5}, -2 * Z, Z), 2.5);
  EXPECT_THROW(cast_ray(Sphere{1}, Vec3::Zero(), Vec3::Zero()), Error);
  EXPECT_THROW(cast_ray(Sphere{1}, Vec3(NAN, 0, 0), X), Error);
}

// Rays aimed exactly at vertices and edges of a closed mesh from inside always leave it.
TEST(RayCast, slips_through_no_seam_of_a_mesh) {
  std::mt19937 random(15);
  const TriangleMesh ball{std::make_shared<const MeshData>(make_mesh(make_surface_mesh(Sphere{1}, 2), "ball"))};
  for (int k = 0; k < 3000; ++k) {
    const auto& edge = ball.data->edges[random() % ball.data->edges.size()];
    const double s = (random() % 5) / 4.0;
    const Vec3 target = (1 - s) * ball.data->vertices[edge.v0] + s * ball.data->vertices[edge.v1];
    const Vec3 x = 0.3 * random_direction(random);
    const auto hit = cast_ray(ball, x, target - x);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, (target - x).norm(), 1e-9);
  }
}

TEST(HeightField, queries_agree_with_its_surface_mesh) {
  std::mt19937 random(16);
  std::uniform_real_distribution<double> u(0, 1);
  std::vector<double> heights(7 * 5);
  for (double& z : heights) z = 0.6 * u(random);
  const HeightField field{std::make_shared<const HeightGrid>(make_height_grid(7, 5, -1, 2, 0.5, 0.25, heights, "x"))};
  const SurfaceMesh surface = make_surface_mesh(field);
  EXPECT_EQ(surface.triangles.size(), 2u * 6 * 4);
  int hits = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 x(-1.5 + 4 * u(random), 1.8 + 1.4 * u(random), -1 + 2.5 * u(random));
    const SurfacePoint p = find_closest_point(field, x);
    EXPECT_NEAR(std::abs(p.distance), brute_force_distance(surface, x), 1e-13);
    const bool over = x.x() > -1 && x.x() < 2 && x.y() > 2 && x.y() < 3;
    EXPECT_EQ(p.distance < 0, over && x.z() < field.data->height_at(x.x(), x.y()));
    const Vec3 d = k % 4 ? random_direction(random) : Vec3((k % 8 ? -1 : 1) * Vec3::Unit(k / 8 % 3));
    const auto hit = cast_ray(field, x, d);
    const auto expected = brute_force_hits(surface, x, d);
    ASSERT_EQ(hit.has_value(), !expected.empty()) << x.transpose() << " | " << d.transpose();
    if (!hit) continue;
    ++hits;
    EXPECT_NEAR(hit->distance, expected[0], 1e-11);
    EXPECT_NEAR(field.data->height_at(hit->point.x(), hit->point.y()), hit->point.z(), 1e-11);
  }
  EXPECT_GT(hits, 200);
}

}  // namespace
}  // namespace cairn
