// SPDX-License-Identifier: Apache-2.0
// Surface meshes: closed, outward, and enclosing the volume and moments of their shape.
#include "cairn/geometry/surface_mesh.h"

#include <gtest/gtest.h>

#include <map>

#include "cairn/base/error.h"

namespace cairn {
namespace {

// Closed and consistently oriented: each directed edge occurs once, and once the other way round.
void expect_closed(const SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
}

void expect_outward(const SurfaceMesh& mesh) {
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 &p = mesh.vertices[i], &q = mesh.vertices[j], &r = mesh.vertices[k];
    EXPECT_GT((q - p).cross(r - p).dot(p + q + r), 0);
  }
}

TEST(SurfaceMesh, box_has_twelve_outward_triangles_and_its_exact_mass_properties) {
  const Box box{{0.3, 0.7, 1.1}};
  const SurfaceMesh mesh = make_surface_mesh(box);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  expect_closed(mesh);
  expect_outward(mesh);
  const MassProperties got = compute_mass_properties(mesh), exact = compute_mass_properties(Shape(box));
  EXPECT_NEAR(got.volume, exact.volume, 1e-14);
  EXPECT_TRUE(got.inertia.isApprox(exact.inertia, 1e-13));
  EXPECT_LT(got.centre.norm(), 1e-15);
}

TEST(SurfaceMesh, sphere_converges_with_order_two_from_inside) {
  const Sphere sphere{0.4};
  const MassProperties exact = compute_mass_properties(Shape(sphere));
  double last_volume = 0, last_inertia = 0;
  for (int level = 0; level <= 4; ++level) {
    const SurfaceMesh mesh = make_surface_mesh(sphere, level);
    EXPECT_EQ(mesh.triangles.size(), 20u << (2 * level));
    EXPECT_EQ(mesh.vertices.size(), mesh.triangles.size() / 2 + 2);  // Euler's formula V = F/2 + 2
    expect_closed(mesh);
    expect_outward(mesh);
    for (const Vec3& v : mesh.vertices) EXPECT_NEAR(v.norm(), 0.4, 1e-15);
    const MassProperties got = compute_mass_properties(mesh);
    const double volume_error = exact.volume - got.volume, inertia_error = exact.inertia(0, 0) - got.inertia(0, 0);
    EXPECT_GT(volume_error, 0);
    EXPECT_GT(inertia_error, 0);
    if (level >= 2) {  // halving the edges divides the error by four
      EXPECT_NEAR(last_volume / volume_error, 4, 0.3);
      EXPECT_NEAR(last_inertia / inertia_error, 4, 0.4);
    }
    last_volume = volume_error;
    last_inertia = inertia_error;
  }
}

TEST(SurfaceMesh, moments_of_a_shifted_box_are_taken_about_its_centre) {
  SurfaceMesh mesh = make_surface_mesh(Box{{1, 2, 3}});
  const MassProperties about_origin = compute_mass_properties(mesh);
  for (Vec3& v : mesh.vertices) v += Vec3(5, -4, 7);
  const MassProperties shifted = compute_mass_properties(mesh);
  EXPECT_TRUE(shifted.centre.isApprox(Vec3(5, -4, 7), 1e-13));
  EXPECT_TRUE(shifted.inertia.isApprox(about_origin.inertia, 1e-11));
}

TEST(SurfaceMesh, half_space_is_a_square_on_its_plane_facing_along_the_normal) {
  const Vec3 n = Vec3(1, 2, 3).normalized();
  const SurfaceMesh mesh = make_surface_mesh(HalfSpace{n, 0.5}, 2, 4);
  ASSERT_EQ(mesh.triangles.size(), 2u);
  for (const Vec3& v : mesh.vertices) EXPECT_NEAR(n.dot(v), 0.5, 1e-14);
  double area = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3& p = mesh.vertices[i];
    area += (mesh.vertices[j] - p).cross(mesh.vertices[k] - p).dot(n) / 2;
  }
  EXPECT_NEAR(area, 64, 1e-12);
}

TEST(SurfaceMesh, wrong_settings_and_inverted_meshes_are_errors) {
  EXPECT_THROW(make_surface_mesh(Sphere{}, -1), Error);
  EXPECT_THROW(make_surface_mesh(Sphere{}, 8), Error);
  EXPECT_THROW(make_surface_mesh(HalfSpace{}, 0, 0), Error);
  SurfaceMesh inside_out = make_surface_mesh(Box{});
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_THROW(compute_mass_properties(inside_out), Error);
}

}  // namespace
}  // namespace cairn
