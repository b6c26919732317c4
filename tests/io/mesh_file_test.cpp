// SPDX-License-Identifier: Apache-2.0
// Mesh files: the same solid from every format, back from what we write, and shapes made of files.
#include "cairn/io/mesh_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cairn/base/error.h"
#include "cairn/geometry/mesh.h"
#include "cairn/geometry/mesh_check.h"
#include "io/mesh_samples.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::string& name, const std::string& bytes) {
  try {
    parse_mesh_file(name, bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(MeshFile, every_format_gives_the_same_solid) {
  for (const auto& [name, bytes, format] : testing_meshes::all_samples()) {
    SCOPED_TRACE(name);
    const MeshFile file = parse_mesh_file(name, bytes);
    EXPECT_EQ(file.format, format);
    EXPECT_EQ(file.vertices.size(), 5u);
    const SurfaceMesh surface = make_surface(file, name);
    EXPECT_TRUE(check_mesh(surface, true).is_clean()) << describe(check_mesh(surface, true));
    EXPECT_EQ(surface.triangles.size(), 6u);
    EXPECT_NEAR(compute_mass_properties(surface).volume, 1. / 3, 1e-15);
    if (!file.cells.empty()) {
      const CellData cells = make_cells({file.vertices, file.cells}, name);
      EXPECT_EQ(cells.cells.size(), 2u);
      EXPECT_NEAR(compute_mass_properties(cells.surface).volume, 1. / 3, 1e-15);
    }
  }
}

TEST(MeshFile, what_is_written_is_read_back) {
  SurfaceMesh mesh = make_surface_mesh(Ellipsoid{{0.1, 0.23, 0.37}}, 1);
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"x.obj", to_obj(mesh)}, {"x.ply", to_ply(mesh)}}) {
    const SurfaceMesh back = make_surface(parse_mesh_file(name, bytes), name);
    EXPECT_EQ(back.vertices, mesh.vertices) << name;  // bit for bit
    EXPECT_EQ(back.triangles, mesh.triangles) << name;
  }
  for (Vec3& v : mesh.vertices) {
    for (double& x : v) {
      volatile float single = static_cast<float>(x);  // all that STL can hold; GCC 12 vectorises the rounding away
      x = single;
    }
  }
  const SurfaceMesh back = make_surface(parse_mesh_file("x.stl", to_stl(mesh)), "x.stl");
  EXPECT_EQ(back.vertices.size(), mesh.vertices.size());
  EXPECT_TRUE(check_mesh(back).is_clean());
  EXPECT_NEAR(compute_mass_properties(back).volume, compute_mass_properties(mesh).volume, 1e-15);
}

TEST(MeshFile, polygons_that_are_not_convex_keep_their_area) {
  // A comb of 4 teeth in the plane x + y + z = 1 seen obliquely; area by the shoelace formula in the plane of the
  // teeth.
  std::string text;
  std::vector<Vec2> outline{{0, 0}, {8, 0}};
  for (int k = 3; k >= 0; --k)
    for (const Vec2& p : {Vec2(2 * k + 2, 1), Vec2(2 * k + 1, 5), Vec2(2 * k, 1)})
      if (p.x() > 0 && p != outline.back()) outline.push_back(p);
  outline.push_back({0, 1});
  double area = 0;
  const Vec3 u = Vec3(1, -1, 0).normalized(), v = Vec3(1, 1, -2).normalized();
  std::string face = "f";
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Vec2 p = outline[k], q = outline[(k + 1) % outline.size()];
    area += (p.x() * q.y() - p.y() * q.x()) / 2;
    const Vec3 x = p.x() * u + p.y() * v;
    text += fmt::format("v {} {} {}\n", x.x(), x.y(), x.z());
    face += fmt::format(" {}", k + 1);
  }
  const SurfaceMesh mesh = make_surface(parse_mesh_file("x.obj", text + face + "\n"), "x.obj");
  EXPECT_EQ(mesh.triangles.size(), outline.size() - 2);
  double got = 0;
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 n = (mesh.vertices[j] - mesh.vertices[i]).cross(mesh.vertices[k] - mesh.vertices[i]);
    EXPECT_GE(n.dot(u.cross(v)), -1e-12);  // none turned over
    got += n.norm() / 2;
  }
  EXPECT_NEAR(got, area, 1e-12);
}

TEST(MeshFile, mistakes_are_reported_where_they_are) {
  const auto expect = [&](const std::string& name, const std::string& bytes, const std::string& begin,
                          const std::string& phrase) {
    const std::string text = complaint(name, bytes);
    EXPECT_TRUE(text.starts_with(begin)) << text;
    EXPECT_NE(text.find(phrase), std::string::npos) << text;
  };
  expect("x.obj", "v 0 0 0\nv 1 0\nf 1 1 1\n", "x.obj:2:", "expected z");
  expect("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", "x.obj:5:", "vertex number 4; there are 3");
  expect("x.obj", "v 0 0 0\nf 0 1 2\n", "x.obj:2:", "found '0'");
  expect("x.obj", "v 0 0 0\nf -2 1 1\n", "x.obj:2:", "before the first");
  expect("x.obj", "v 0 0 nan\n", "x.obj:1:", "must be finite");
  expect("x.obj", "v 0 0 0\nf 1 1\n", "x.obj:2:", "2 corners");
  expect("x.obj", "hello\n", "x.obj:", "no faces");
  expect("x.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 q\n", "x.stl:4:", "found 'q'");
  expect("x.stl", testing_meshes::stl_binary("x").substr(0, 300), "x.stl: byte ", "6 facets are announced");
  expect("x.ply", "ply\nformat ascii 1.0\nelement vertex 1000000\nproperty float x\nend_header\n1\n",
         "x.ply:", "bytes");
  expect("x.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n", "x.vtk:4:", "POLYDATA");
  expect("x.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "x.msh:2:", "reads 2.2 and 4.1");
  expect("x.vtu", "<?xml?>\n<VTKFile type=\"ImageData\">\n", "x.vtu:2:", "ImageData");
  expect("x.abc", "hello", "x.abc:", "no mesh format");
  expect("x.obj", "", "x.obj:", "empty");
}

TEST(HeightGridFile, rows_run_from_north_to_south) {
  const HeightGrid g = parse_height_grid(
      "x.asc", "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n3 4 5\n0 1 2\n");
  EXPECT_EQ(g.nx, 3);
  EXPECT_EQ(g.point(0, 0), Vec3(11, 21, 0));  // middle of the south-western cell
  EXPECT_EQ(g.point(2, 1), Vec3(15, 23, 5));
  const auto message = [](const std::string& text) {
    try {
      parse_height_grid("x.asc", text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string{};
  };
  EXPECT_NE(message("ncols 3\nnrows 2\ncellsize 2\nNODATA_value -9\n3 4 5\n0 -9 2\n")
                .find("x.asc:6: height of column 1, row 1"),
            std::string::npos);
  EXPECT_NE(message("ncols 3\nnrows 2\ncellsize 2\n3.5 4.5 5.5\n0 1\n").find("x.asc:5:"), std::string::npos);
  EXPECT_NE(message("ncols 3\nnrows 2\ncellsize 2\n3 4 5\n0 1 2 3\n").find("more than"), std::string::npos);
  EXPECT_NE(message("ncols 300000\nnrows 200000\ncellsize 2\n3 4 5\n").find("bytes"), std::string::npos);
  EXPECT_NE(message("nrows 2\ncellsize 2\n3 4 5\n"), "");
}

TEST(MeshFile, shapes_come_from_files_with_their_scale) {
  std::string name = (fs::temp_directory_path() / "cairn_mesh_XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  const auto write = [&](const std::string& file, const std::string& bytes) {
    std::ofstream(folder / file, std::ios::binary) << bytes;
  };
  write("a.msh", testing_meshes::gmsh(true, true));
  write("a.asc", "ncols 3\nnrows 2\ncellsize 2\n3 4 5\n0 1 2\n");
  for (const auto& [kind, volume] : {std::pair{"mesh", 1. / 3}, {"convex", 1. / 3}, {"cells", 1. / 3}}) {
    const Shape shape = load_shape_file({kind, "a.msh", 0.001}, folder);
    EXPECT_EQ(shape_name(shape), kind);
    EXPECT_NEAR(compute_mass_properties(shape).volume, 1e-9 * volume, 1e-23) << kind;
  }
  EXPECT_EQ(std::get<HeightField>(load_shape_file({"height-field", "a.asc", 0.5}, folder)).data->highest, 2.5);
  EXPECT_THROW(load_shape_file({"mesh", "none.stl", 1}, folder), Error);
  write_surface_mesh(folder / "b.ply", read_surface_mesh(folder / "a.msh"));
  EXPECT_EQ(read_surface_mesh(folder / "b.ply").triangles.size(), 6u);
  EXPECT_THROW(write_surface_mesh(folder / "b.xyz", read_surface_mesh(folder / "a.msh")), Error);
  EXPECT_TRUE(has_mesh_extension("A.STL"));
  EXPECT_FALSE(has_mesh_extension("a.yaml"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cairn
