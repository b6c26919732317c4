// SPDX-License-Identifier: Apache-2.0
// Meshes of tetrahedra: volume, boundary and shape functions.
#include "cairn/geometry/tet_mesh.h"

#include "cairn/base/error.h"
#include "cairn/geometry/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cairn {
namespace {

const Vec3 half(0.5, 0.2, 0.1);

TEST(TetMesh, box_has_its_volume_and_a_closed_surface_that_looks_outwards) {
  for (const std::array<int, 3> divisions : {std::array<int, 3>{1, 1, 1}, {4, 2, 1}, {3, 2, 2}}) {
    const TetMesh mesh = make_box_tets(half, divisions);
    const auto [nx, ny, nz] = divisions;
    EXPECT_EQ(mesh.elements.size(), static_cast<std::size_t>(6 * nx * ny * nz));
    EXPECT_EQ(mesh.nodes.size(), static_cast<std::size_t>((2 * nx + 1) * (2 * ny + 1) * (2 * nz + 1)));
    double volume = 0;
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const double six = tet_determinant(mesh, static_cast<int>(e));
      EXPECT_GT(six, 0);
      volume += six / 6;
    }
    EXPECT_NEAR(volume, 8 * half.prod(), 1e-15);
    // make_mesh refuses a surface whose neighbours are not oriented alike.
    SurfaceMesh surface{mesh.nodes, {}};
    for (const BoundaryTriangle& face : find_boundary(mesh)) surface.triangles.push_back(face.nodes);
    EXPECT_EQ(surface.triangles.size(), static_cast<std::size_t>(16 * (nx * ny + ny * nz + nz * nx)));
    EXPECT_NEAR(compute_mass_properties(surface).volume, 8 * half.prod(), 1e-15);
  }
}

TEST(TetMesh, even_divisions_give_a_mesh_as_symmetric_as_the_box) {
  const TetMesh mesh = make_box_tets(half, {4, 2, 2});
  std::vector<Vec3> middles;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
    middles.push_back(tet_position(mesh, e, Vec3::Constant(0.25)));
  for (const Vec3& middle : middles)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 mirrored = middle;
      mirrored[axis] *= -1;
      EXPECT_TRUE(
          std::any_of(middles.begin(), middles.end(), [&](const Vec3& x) { return (x - mirrored).norm() < 1e-12; }));
    }
}

TEST(TetMesh, shape_functions_repeat_quadratic_fields_and_their_gradients) {
  const TetMesh mesh = make_box_tets(half, {2, 1, 1});
  const auto field = [](const Vec3& X) { return 1 + 2 * X.x() - X.y() * X.z() + 3 * X.x() * X.x() + X.z() * X.x(); };
  const auto gradient = [](const Vec3& X) { return Vec3(2 + 6 * X.x() + X.z(), -X.z(), -X.y() + X.x()); };
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    const Vec3 local(0.2, 0.3, 0.15), X = tet_position(mesh, e, local);
    EXPECT_LT((tet_local(mesh, e, X) - local).norm(), 1e-14);
    const auto N = tet_shape(local);
    const auto dN = tet_shape_gradient(mesh, e, local);
    double value = 0;
    Vec3 slope = Vec3::Zero();
    for (std::size_t a = 0; a < 10; ++a) {
      const double at_node = field(mesh.nodes[static_cast<std::size_t>(mesh.elements[static_cast<std::size_t>(e)][a])]);
      value += N[a] * at_node;
      slope += dN.col(static_cast<int>(a)) * at_node;
    }
    EXPECT_NEAR(value, field(X), 1e-14);
    EXPECT_LT((slope - gradient(X)).norm(), 1e-13);
  }
}

TEST(TetMesh, what_makes_no_mesh_is_refused_and_an_inverted_element_turned) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  EXPECT_GT(tet_determinant(make_tet_mesh(corners, {{{0, 2, 1, 3}}}, "part"), 0), 0);
  EXPECT_THROW(make_tet_mesh(corners, {{{0, 1, 2, 4}}}, "part"), Error);
  EXPECT_THROW(make_tet_mesh(corners, {{{0, 1, 2, 5}}}, "part"), Error);
  EXPECT_THROW(make_box_tets(half, {0, 1, 1}), Error);
  EXPECT_THROW(make_box_tets({0, 1, 1}, {1, 1, 1}), Error);
}

}  // namespace
}  // namespace cairn
