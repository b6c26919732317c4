// SPDX-License-Identifier: Apache-2.0
// Meshes in files of other programs, by content and extension: OBJ, STL, PLY, VTK, VTU/VTP, Gmsh; terrain as ESRI grid.
#pragma once
#include "cairn/geometry/cell_mesh.h"
#include "cairn/geometry/height_field.h"
#include "cairn/geometry/surface_mesh.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What a mesh file holds: points, polygons and volume cells (both possibly of higher order, reduced to their corners).
struct MeshFile {
  std::string format;  ///< "OBJ", "STL (binary)", ...
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> polygons;  ///< three corners or more
  std::vector<std::vector<int>> cells;     ///< as in VolumeMesh
};

/// Throws Error "FILE:LINE: ..." (or "FILE: byte N: ...") for what is wrong. All indices are checked, all coordinates
/// finite; whether the surface is closed and sound is for check_mesh().
MeshFile read_mesh_file(const std::filesystem::path& path);
/// The same from memory; `name` stands for the file, and its extension decides where content does not.
MeshFile parse_mesh_file(const std::string& name, std::string_view bytes);

/// Polygons as triangles (ear clipping where they are not convex). A file with cells and no polygons gives their
/// surface.
SurfaceMesh read_surface_mesh(const std::filesystem::path& path);
SurfaceMesh make_surface(const MeshFile& file, const std::string& name);

VolumeMesh read_volume_mesh(const std::filesystem::path& path);

/// ESRI ASCII grid (ncols, nrows, xllcorner, yllcorner, cellsize; rows from north to south). NODATA is an error.
HeightGrid read_height_grid(const std::filesystem::path& path);
HeightGrid parse_height_grid(const std::string& name, std::string_view bytes);

/// True for the extensions of mesh files that can be read: .obj .stl .ply .vtk .vtu .vtp .msh.
bool has_mesh_extension(const std::filesystem::path& path);

/// By extension: .obj (text, all digits), .stl (binary, single precision), .ply (binary, double precision).
void write_surface_mesh(const std::filesystem::path& path, const SurfaceMesh& mesh);
/// "OBJ", "STL" and "PLY" as the bytes of a file.
std::string to_obj(const SurfaceMesh& mesh);
std::string to_stl(const SurfaceMesh& mesh);
std::string to_ply(const SurfaceMesh& mesh);

/// The loader that scenes use (geometry/shape.h); relative names are looked up in `folder`. Meshes are checked.
Shape load_shape_file(const ShapeFile& source, const std::filesystem::path& folder);

}  // namespace cairn
