// SPDX-License-Identifier: Apache-2.0
// Which format a mesh file has, checks that all formats share, polygons to triangles, and shapes from files.
#include "cairn/io/mesh_file.h"

#include "cairn/geometry/mesh.h"
#include "cairn/geometry/mesh_check.h"
#include "cairn/geometry/polyhedron.h"
#include "cairn/io/mesh_formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace cairn {
namespace {

std::string extension_of(const std::filesystem::path& path) {
  std::string e = path.extension().string();
  for (char& c : e) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return e;
}

using Parser = MeshFile (*)(MeshSource&);

/// Content first; STL, OBJ and others have no signature that can be relied on, so their extension counts.
Parser find_parser(const std::string& name, std::string_view bytes) {
  if (bytes.starts_with("# vtk DataFile")) return parse_vtk_legacy;
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) return parse_ply;
  if (bytes.starts_with("$MeshFormat")) return parse_gmsh;
  if (bytes.substr(0, 1000).find("<VTKFile") != std::string_view::npos) return parse_vtk_xml;
  const std::string extension = extension_of(name);
  if (extension == ".obj") return parse_obj;
  if (extension == ".stl") return parse_stl;
  if (extension == ".ply") return parse_ply;
  if (extension == ".msh") return parse_gmsh;
  if (extension == ".vtu" || extension == ".vtp") return parse_vtk_xml;
  if (extension == ".vtk") throw Error("{}:1: expected '# vtk DataFile'; this is no VTK file", name);
  throw Error("{}: the extension '{}' is no mesh format; there are .obj, .stl, .ply, .vtk, .vtu, .vtp, .msh", name,
              extension);
}

void check_indices(const std::string& name, std::string_view what, const std::vector<std::vector<int>>& lists,
                   std::size_t vertices) {
  for (std::size_t k = 0; k < lists.size(); ++k)
    for (const int v : lists[k])
      if (v < 0 || static_cast<std::size_t>(v) >= vertices)
        throw Error("{}: {} {} has vertex {} (counted from 0); there are {} vertices", name, what, k, v, vertices);
}

// Twice the signed area of a triangle seen along n.
double turn(const Vec3& n, const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).dot(n); }

}  // namespace

bool has_mesh_extension(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 7> known{".obj", ".stl", ".ply", ".vtk", ".vtu", ".vtp", ".msh"};
  return std::find(known.begin(), known.end(), extension_of(path)) != known.end();
}

MeshFile parse_mesh_file(const std::string& name, std::string_view bytes) {
  if (bytes.empty()) throw Error("{}: the file is empty", name);
  MeshSource source(name, bytes);
  MeshFile file = find_parser(name, bytes)(source);
  check_indices(name, "face", file.polygons, file.vertices.size());
  check_indices(name, "cell", file.cells, file.vertices.size());
  if (file.polygons.empty() && file.cells.empty()) throw Error("{}: holds no faces and no cells", name);
  return file;
}

MeshFile read_mesh_file(const std::filesystem::path& path) {
  const std::string bytes = read_file_bytes(path);
  return parse_mesh_file(path.string(), bytes);
}

// Fan for convex polygons, ears for others (Meisters 1975). A polygon that crosses itself ends as a fan too.
void triangulate(const std::vector<Vec3>& vertices, const std::vector<int>& polygon,
                 std::vector<std::array<int, 3>>& triangles) {
  std::vector<int> left = polygon;
  Vec3 n = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    n += (vertices[polygon[k]] - vertices[polygon[0]]).cross(vertices[polygon[k + 1]] - vertices[polygon[0]]);
  const auto at = [&](std::size_t k) -> const Vec3& { return vertices[left[k % left.size()]]; };
  const auto is_convex = [&] {
    for (std::size_t k = 0; k < left.size(); ++k)
      if (turn(n, at(k), at(k + 1), at(k + 2)) < 0) return false;
    return true;
  };
  const auto is_ear = [&](std::size_t k) {  // corner k + 1 can be cut off
    const Vec3 &a = at(k), &b = at(k + 1), &c = at(k + 2);
    if (!(turn(n, a, b, c) > 0)) return false;
    for (std::size_t m = k + 3; m < k + left.size(); ++m) {
      const Vec3& p = at(m);
      if (p == a || p == b || p == c) continue;  // an outline may touch itself in a corner
      if (turn(n, a, b, p) >= 0 && turn(n, b, c, p) >= 0 && turn(n, c, a, p) >= 0) return false;
    }
    return true;
  };
  constexpr std::size_t kMostCorners = 2000;  // the search is quadratic or worse
  while (left.size() > 3 && left.size() <= kMostCorners && !is_convex()) {
    std::size_t k = 0;
    while (k < left.size() && !is_ear(k)) ++k;
    if (k == left.size()) break;
    triangles.push_back({left[k], left[(k + 1) % left.size()], left[(k + 2) % left.size()]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>((k + 1) % left.size()));
  }
  for (std::size_t k = 1; k + 1 < left.size(); ++k) triangles.push_back({left[0], left[k], left[k + 1]});
}

SurfaceMesh make_surface(const MeshFile& file, const std::string& name) {
  if (file.polygons.empty()) return make_cells({file.vertices, file.cells}, name).surface;
  SurfaceMesh mesh{file.vertices, {}};
  for (const auto& polygon : file.polygons) triangulate(file.vertices, polygon, mesh.triangles);
  if (file.cells.empty()) return mesh;
  // Nodes inside of a volume mesh are none of its surface.
  std::vector<int> number(mesh.vertices.size(), -1);
  std::vector<Vec3> kept;
  for (auto& t : mesh.triangles)
    for (int& v : t) {
      if (number[v] < 0) {
        number[v] = static_cast<int>(kept.size());
        kept.push_back(mesh.vertices[v]);
      }
      v = number[v];
    }
  mesh.vertices = std::move(kept);
  return mesh;
}

SurfaceMesh read_surface_mesh(const std::filesystem::path& path) {
  return make_surface(read_mesh_file(path), path.string());
}

VolumeMesh read_volume_mesh(const std::filesystem::path& path) {
  MeshFile file = read_mesh_file(path);
  if (file.cells.empty()) throw Error("{}: holds faces but no volume cells", path.string());
  return {std::move(file.vertices), std::move(file.cells)};
}

HeightGrid parse_height_grid(const std::string& name, std::string_view bytes) {
  MeshSource source(name, bytes);
  double columns = 0, rows = 0, x = 0, y = 0, dx = 0, dy = 0, nodata = std::nan("");
  bool centred = false;
  while (!source.at_end()) {
    std::string key(source.peek_word());
    for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (key.empty() || !std::isalpha(static_cast<unsigned char>(key[0]))) break;
    source.word("a keyword");
    if (key == "ncols")
      columns = static_cast<double>(source.integer("ncols", 2, 1 << 30));
    else if (key == "nrows")
      rows = static_cast<double>(source.integer("nrows", 2, 1 << 30));
    else if (key == "xllcorner" || key == "xllcenter")
      x = source.real(key), centred = key == "xllcenter";
    else if (key == "yllcorner" || key == "yllcenter")
      y = source.real(key);
    else if (key == "cellsize")
      dx = dy = source.real(key);
    else if (key == "dx")
      dx = source.real(key);
    else if (key == "dy")
      dy = source.real(key);
    else if (key == "nodata_value")
      nodata = source.real(key);
    else
      source.fail(fmt::format("expected ncols, nrows, xllcorner, yllcorner, cellsize or NODATA_value; found '{}'",
                              shown_word(key)));
  }
  if (columns == 0 || rows == 0 || !(dx > 0) || !(dy > 0))
    source.fail("expected ncols >= 2, nrows >= 2 and cellsize > 0 before the heights");
  const std::size_t n = source.check_count("number of heights", columns * rows, 2);
  const auto nx = static_cast<int>(columns), ny = static_cast<int>(rows);
  std::vector<double> heights(n);
  for (int j = ny - 1; j >= 0; --j)  // the first row is the northern one
    for (int i = 0; i < nx; ++i) {
      const double z = source.real("a height");
      if (z == nodata) source.fail(fmt::format("height of column {}, row {} is missing (NODATA)", i, ny - 1 - j));
      heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i)] = z;
    }
  if (!source.at_end()) {
    source.word("nothing");
    source.fail(fmt::format("more than {} x {} heights", nx, ny));
  }
  // Heights are those of the middles of cells.
  return make_height_grid(nx, ny, x + (centred ? 0 : dx / 2), y + (centred ? 0 : dy / 2), dx, dy, std::move(heights),
                          name);
}

HeightGrid read_height_grid(const std::filesystem::path& path) {
  return parse_height_grid(path.string(), read_file_bytes(path));
}

Shape load_shape_file(const ShapeFile& source, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / source.file;
  const double s = source.scale;
  const std::string name = path.string();
  if (source.kind == "height-field") {
    const HeightGrid g = read_height_grid(path);
    std::vector<double> heights = g.heights;
    for (double& z : heights) z *= s;
    return HeightField{std::make_shared<const HeightGrid>(
        make_height_grid(g.nx, g.ny, s * g.x0, s * g.y0, s * g.dx, s * g.dy, std::move(heights), name))};
  }
  if (source.kind == "cells") {
    VolumeMesh mesh = read_volume_mesh(path);
    for (Vec3& v : mesh.vertices) v *= s;
    return CellMesh{std::make_shared<const CellData>(make_cells(mesh, name))};
  }
  SurfaceMesh mesh = read_surface_mesh(path);
  for (Vec3& v : mesh.vertices) v *= s;
  if (source.kind == "convex")
    return ConvexPolyhedron{std::make_shared<const Polyhedron>(make_hull(mesh.vertices, name))};
  try {
    return TriangleMesh{std::make_shared<const MeshData>(make_mesh(mesh, name))};
  } catch (const Error& error) {
    throw Error("{}; `cairn convert --repair` mends what can be mended", error.what());
  }
}

}  // namespace cairn
