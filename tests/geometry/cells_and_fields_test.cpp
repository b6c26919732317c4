// SPDX-License-Identifier: Apache-2.0
// Unions of cells, terrain and compounds: what they are made of, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "all_shapes.h"
#include "cairn/base/error.h"
#include "cairn/geometry/mesh_check.h"

namespace cairn {
namespace {

using namespace testing_shapes;

template <class Make>
std::string complaint(Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Cells, of_a_bracket_have_its_surface_and_mass) {
  const CellData data = make_cells(make_bracket_cells(1), "bracket");
  EXPECT_EQ(data.cells.size(), 5u);
  EXPECT_TRUE(check_mesh(data.surface, true).is_clean()) << describe(check_mesh(data.surface));
  EXPECT_NEAR(compute_mass_properties(data.surface).volume, 3, 1e-13);
  int faces = 0, surface_faces = 0;
  for (std::size_t c = 0; c < data.cells.size(); ++c)
    for (const std::uint8_t flag : data.on_surface[c]) ++faces, surface_faces += flag;
  EXPECT_EQ(faces, 6 + 4 * 5);
  EXPECT_EQ(surface_faces, faces - 2 * 4);  // four faces between two cells
  EXPECT_EQ(data.surface_cells.size(), 5u);
}

TEST(Cells, a_cell_that_is_surrounded_is_not_on_the_surface) {
  VolumeMesh grid;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) grid.vertices.emplace_back(x, y, z);
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const int v = 16 * z + 4 * y + x;
        grid.cells.push_back({v, v + 1, v + 5, v + 4, v + 16, v + 17, v + 21, v + 20});
      }
  const CellData data = make_cells(grid, "cube");
  EXPECT_EQ(data.surface_cells.size(), 26u);
  EXPECT_EQ(data.surface.triangles.size(), 6u * 9 * 2);
  EXPECT_NEAR(compute_mass_properties(Shape(CellMesh{std::make_shared<const CellData>(data)})).volume, 27, 1e-12);
}

TEST(Cells, of_every_kind_given_either_way_round_have_their_volume) {
  const std::vector<Vec3> cube{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const std::vector<std::pair<std::vector<int>, double>> kinds{
      {{0, 1, 3, 4}, 1. / 6}, {{0, 1, 2, 3, 4}, 1. / 3}, {{0, 1, 3, 4, 5, 7}, 1. / 2}, {{0, 1, 2, 3, 4, 5, 6, 7}, 1}};
  for (const auto& [nodes, volume] : kinds) {
    const auto volume_of = [&](const std::vector<int>& n) {
      return compute_mass_properties(Shape(CellMesh{std::make_shared<const CellData>(make_cells({cube, {n}}, "x"))}))
          .volume;
    };
    EXPECT_NEAR(volume_of(nodes), volume, 1e-15);
    std::vector<int> mirrored = nodes;
    if (nodes.size() == 4) std::swap(mirrored[0], mirrored[1]);
    if (nodes.size() == 5) std::swap(mirrored[1], mirrored[3]);
    if (nodes.size() >= 6) std::rotate(mirrored.begin(), mirrored.begin() + mirrored.size() / 2, mirrored.end());
    EXPECT_NEAR(volume_of(mirrored), volume, 1e-15);
  }
}

TEST(Cells, what_is_none_is_refused_with_the_cell) {
  VolumeMesh mesh = make_bracket_cells(1);
  mesh.cells[2][3] = 77;
  EXPECT_NE(complaint([&] { make_cells(mesh, "x"); }).find("x: cell 2 has node 77"), std::string::npos);
  mesh = make_bracket_cells(1);
  mesh.cells[1].pop_back();
  mesh.cells[1].push_back(mesh.cells[1][0]);
  EXPECT_NE(complaint([&] { make_cells(mesh, "x"); }).find("x: cell 1"), std::string::npos);
  mesh.cells[1].resize(3);
  EXPECT_NE(complaint([&] { make_cells(mesh, "x"); }).find("cell 1 has 3 nodes"), std::string::npos);
  mesh = make_bracket_cells(1);
  mesh.vertices[4].z() += 0.2;  // a warped hexahedron
  EXPECT_NE(complaint([&] { make_cells(mesh, "x"); }).find("cell 0"), std::string::npos);
  mesh = make_bracket_cells(1);
  mesh.cells.push_back(mesh.cells[0]);
  EXPECT_NE(complaint([&] { make_cells(mesh, "x"); }).find("share one face"), std::string::npos);
  EXPECT_NE(complaint([&] { make_cells({}, "x"); }).find("no cells"), std::string::npos);
}

TEST(HeightGrid, interpolates_its_heights_and_refuses_wrong_ones) {
  const HeightGrid g = make_height_grid(3, 2, 1, 2, 0.5, 2, {0, 1, 2, 3, 4, 5}, "x");
  EXPECT_EQ(g.lowest, 0);
  EXPECT_EQ(g.highest, 5);
  EXPECT_DOUBLE_EQ(g.height_at(1.5, 2), 1);
  EXPECT_DOUBLE_EQ(g.height_at(1.75, 3), 3);  // a plane: 2 (x - 1) + 1.5 (y - 2)
  EXPECT_DOUBLE_EQ(g.height_at(99, 99), 5);
  EXPECT_EQ(g.cell_at(-9, 99), (std::array{0, 0}));
  EXPECT_EQ(g.cell_at(2, 2), (std::array{1, 0}));
  EXPECT_NE(complaint([] { make_height_grid(1, 2, 0, 0, 1, 1, {0, 0}, "x"); }), "");
  EXPECT_NE(complaint([] { make_height_grid(2, 2, 0, 0, 0, 1, {0, 0, 0, 0}, "x"); }), "");
  EXPECT_NE(complaint([] { make_height_grid(2, 2, 0, 0, 1, 1, {0, 0, 0}, "x"); }), "");
  EXPECT_NE(complaint([] {
              make_height_grid(2, 2, 0, 0, 1, 1, {0, 0, NAN, 0}, "x");
            }).find("(0, 1)"),
            std::string::npos);
}

TEST(HeightGrid, bounds_are_open_downwards) {
  const HeightField field{std::make_shared<const HeightGrid>(make_height_grid(2, 2, 0, 0, 1, 2, {0, 1, 2, 0.5}, "x"))};
  const Aabb upright = compute_aabb(field, {Mat3::Identity(), Vec3(10, 0, 0)});
  EXPECT_EQ(upright.lo, Vec3(10, 0, -INFINITY));
  EXPECT_EQ(upright.hi, Vec3(11, 2, 2));
  const Mat3 turned = Eigen::AngleAxisd(0.5, Vec3::UnitX()).toRotationMatrix();
  const Aabb box = compute_aabb(field, {turned, Vec3::Zero()});
  EXPECT_EQ(box.lo.x(), 0);
  EXPECT_TRUE(std::isinf(box.lo.z()) && std::isinf(box.hi.y()) && std::isfinite(box.lo.y()));
  EXPECT_NEAR(box.lo.y(), (turned * Vec3(1, 0, 1)).y(), 1e-15);
  EXPECT_FALSE(is_bounded(field));
  EXPECT_THROW(compute_mass_properties(Shape(field)), Error);
}

TEST(Compound, of_two_halves_is_the_whole) {
  const MassProperties whole = compute_mass_properties(Shape(Box{{1, 0.5, 0.5}}));
  const Compound two = make_compound({{Box{{0.5, 0.5, 0.5}}, {Mat3::Identity(), Vec3(7.5, 3, 0)}},
                                      {Box{{0.5, 0.5, 0.5}}, {Mat3::Identity(), Vec3(8.5, 3, 0)}}},
                                     "x");
  const MassProperties got = compute_mass_properties(Shape(two));
  EXPECT_NEAR(got.volume, whole.volume, 1e-15);
  EXPECT_LT((got.centre - Vec3(8, 3, 0)).norm(), 1e-14);
  EXPECT_TRUE(got.inertia.isApprox(whole.inertia, 1e-13));
}

TEST(Compound, wrong_parts_are_refused_by_number) {
  EXPECT_NE(complaint([] { make_compound({}, "x"); }).find("no parts"), std::string::npos);
  EXPECT_NE(complaint([] {
              make_compound({{Sphere{1}, {}}, {Sphere{-1}, {}}}, "x");
            }).find("x: part 1"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              make_compound({{Sphere{1}, {2 * Mat3::Identity(), Vec3::Zero()}}}, "x");
            }).find("part 0"),
            std::string::npos);
  const Compound inner = make_compound({{Sphere{1}, {}}}, "x");
  EXPECT_NE(complaint([&] { make_compound({{inner, {}}}, "x"); }).find("is a compound"), std::string::npos);
}

}  // namespace
}  // namespace cairn
